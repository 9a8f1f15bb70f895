// Each client with each fault of a real server: it hangs, is slow, is killed; and two processes at once. `npm run test:stores`; by hand, not by
// `npm test`. Prints a table, and ends with 1 where a message was lost or sent twice, or a run waited longer for its store than it may.
// Stores with faults in this process are tested in `tests/stores`.

import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createSession } from 'stepfold';
import { clients } from './clients.mjs';
import { startCrew } from './crew.mjs';
import { createRandom } from './random.mjs';
import { HINT, startServer } from './servers.mjs';

/** What a run waits at most by default, and what its own work takes on a machine that is busy. */
const WAIT_MS = 1_000;
const WORK_MS = 500;
/** Each answer of a slow server is late by this. */
const SLOW_MS = 400;
const STEPS = 4;
/** Until a client has its connections back. */
const RECOVERY_MS = 30_000;

const MODEL = { modelId: 'mock', provider: 'mock' };
const question = { role: 'user', content: 'Begin.' };

/** Between client and server: what the server says can be made to come late. */
async function startProxy(port) {
  let lateMs = 0;
  const sockets = new Set();
  const proxy = createServer((socket) => {
    const upstream = connect(port, '127.0.0.1');
    for (const end of [socket, upstream]) {
      sockets.add(end);
      end.on('error', () => undefined);
    }
    socket.on('data', (data) => upstream.write(data));
    upstream.on('data', async (data) => {
      if (lateMs > 0) await wait(lateMs);
      socket.write(data);
    });
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: /** @type {import('node:net').AddressInfo} */ (proxy.address()).port,
    delay: (milliseconds) => { lateMs = milliseconds; },
    stop: () => {
      sockets.forEach((socket) => socket.destroy());
      proxy.close();
    },
  };
}

/** How each begins and ends, given the server and what stands before it. */
const faults = {
  'hangs (SIGSTOP)': { begin: async ({ server }) => server.freeze(), end: async ({ server }) => server.thaw() },
  [`slow (${SLOW_MS} ms an answer)`]: { begin: async ({ proxy }) => proxy.delay(SLOW_MS), end: async ({ proxy }) => proxy.delay(0) },
  'killed (SIGKILL)': { begin: ({ server }) => server.kill(), end: ({ server }) => server.restart() },
};

/** A run of a few steps by hand: the milliseconds that `prepareStep` took in all. */
async function run(session, name) {
  const messages = [question];
  const steps = [];
  let milliseconds = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const begin = performance.now();
    await session.prepareStep({ messages, steps, stepNumber: step, model: MODEL });
    milliseconds += performance.now() - begin;
    messages.push({ role: 'assistant', content: `Step ${step} is done.` });
    steps.push({ usage: {} });
    // Something to save at each step.
    session.enqueue(notesOf(name)[step] ?? '');
  }
  return milliseconds;
}

const notesOf = (name) => Array.from({ length: STEPS }, (_, step) => `Note ${step} ${name}.`);
const textsOf = (messages) => messages.map(({ content }) => content).sort();

/** Before, in and after a fault: one session that was there before, and one that is opened in it, as on another server. */
async function withFault(client, server, { begin, end }) {
  const proxy = await startProxy(server.port);
  const { store, prepare, close } = await clients[client].open(proxy.port);
  const id = `chat-${performance.now()}`;
  const events = [];
  const create = () => createSession({ id, store, contextWindow: 100_000, onEvent: ({ type }) => events.push(type) });
  try {
    await prepare();
    const before = create();
    before.enqueue('From before.');
    await run(before, 'before');
    await before.dispose();
    await begin({ server, proxy });
    const wanted = ['From before.', ...notesOf('before')];
    const waits = [];
    const runs = [before, create()];
    const timed = async (work) => {
      const start = performance.now();
      await work();
      waits.push(performance.now() - start);
    };
    for (const [index, session] of runs.entries()) {
      session.enqueue(`Begun in the fault, ${index}.`);
      wanted.push(`Begun in the fault, ${index}.`, ...notesOf(`in the fault, ${index}`));
      waits.push(await run(session, `in the fault, ${index}`));
      await timed(() => session.dispose());
    }
    const told = events.filter((type) => type === 'store-failed').length;
    await end({ server, proxy });
    const until = performance.now() + RECOVERY_MS;
    for (const session of runs) {
      for (let failures = -1; failures !== 0 && performance.now() < until;) {
        const seen = events.length;
        await session.dispose();
        failures = events.slice(seen).filter((type) => type === 'store-failed').length;
        if (failures > 0) await wait(200);
      }
    }
    const last = create();
    const sent = (await last.prepareStep({ messages: [question], steps: [], stepNumber: 0, model: MODEL }))?.messages ?? [question];
    const found = textsOf(sent.slice(1));
    return { found, wanted, waitMs: Math.max(...waits), told };
  } finally {
    await close().catch?.(() => undefined);
    proxy.stop();
  }
}

/** Two processes put messages into one conversation at once. */
async function twoProcesses(client, server) {
  const { store, prepare, close } = await clients[client].open(server.port);
  await prepare();
  const crew = await startCrew({ size: 2, client, port: server.port });
  const random = createRandom(1);
  try {
    const id = `both-${performance.now()}`;
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => crew.ask(index, { kind: 'put', id, name: `both-${index}`, seed: random(1 << 24) })));
    const session = createSession({ id, store, contextWindow: 100_000 });
    const sent = (await session.prepareStep({ messages: [question], steps: [], stepNumber: 0, model: MODEL }))?.messages ?? [question];
    const wanted = answers.filter(({ isSaved }) => isSaved).flatMap(({ own }) => own).sort();
    return { found: textsOf(sent.slice(1)), wanted, waitMs: undefined, told: answers.reduce((sum, { events }) => sum + (events['store-failed'] ?? 0), 0) };
  } finally {
    crew.close();
    await close();
  }
}

let isRight = true;
const show = (...cells) => console.log(cells.map((cell, index) => (index < 2 ? String(cell).padEnd(index === 0 ? 12 : 24) : String(cell).padStart(12))).join(''));
show('client', 'fault', 'messages', 'lost', 'twice', 'longest wait', 'told');
for (const client of Object.keys(clients)) {
  const server = await startServer(clients[client].server);
  if (server === undefined) {
    console.log(`${client}: not run, because ${clients[client].server} is not installed (${HINT})`);
    isRight = false;
    continue;
  }
  try {
    const cells = { ...Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, () => withFault(client, server, fault)])), 'two processes': () => twoProcesses(client, server) };
    for (const [fault, play] of Object.entries(cells)) {
      const { found, wanted, waitMs, told } = await play();
      const lost = wanted.filter((text) => !found.includes(text));
      const twice = found.filter((text, index) => found.indexOf(text) !== index);
      isRight &&= lost.length === 0 && twice.length === 0 && wanted.length > 0 && (waitMs ?? 0) <= WAIT_MS + WORK_MS;
      show(client, fault, wanted.length, lost.length, twice.length, waitMs === undefined ? '' : `${waitMs.toFixed(0)} ms`, told);
    }
  } finally {
    await server.stop();
  }
}
console.log(isRight ? '\nok: nothing was lost or sent twice, and no run or dispose waited longer than it may' : '\nFAILED');
process.exit(isRight ? 0 : 1);
