// Sessions of many servers on one store: conversations whose requests overlap on four processes that are killed now and then, beside a provider
// that fails one call in twenty, on a real Redis and a real Postgres. `npm run bench:sessions -- [--conversations 1000] [--client pg]`; by hand, not
// by `npm test`. Ends with 1 where anything was lost, sent twice, refused by a provider or summarized again. The faults of servers are in `faults.mjs`.

import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { clients } from './clients.mjs';
import { startCrew } from './crew.mjs';
import { createRandom } from './random.mjs';
import { HINT, startServer } from './servers.mjs';

const WORKERS = 4;
/** Conversations under way at once. */
const LANES = 24;
/** Rounds of one conversation; in each, one or two requests and now and then a message from elsewhere. */
const ROUNDS = 4;
/** Jobs from one kill to the next. */
const JOBS_PER_KILL = 150;

const { values } = parseArgs({ options: { conversations: { type: 'string', default: '1000' }, client: { type: 'string', multiple: true, default: Object.keys(clients) }, seed: { type: 'string', default: '1' } } });
const rows = {};
let isRight = true;
for (const client of values.client) {
  const server = await startServer(clients[client].server);
  if (server === undefined) {
    console.log(`${client}: not run, because ${clients[client].server} is not installed (${HINT})`);
    isRight = false;
    continue;
  }
  try {
    const { row, faults } = await load({ client, port: server.port, conversations: Number(values.conversations), seed: Number(values.seed) });
    rows[client] = row;
    faults.slice(0, 20).forEach((fault) => console.log(`${client}: ${fault}`));
    isRight &&= faults.length === 0;
  } finally {
    await server.stop();
  }
}
console.log(`\n${values.conversations} conversations on ${WORKERS} processes, Node ${process.version}\n`);
for (const name of Object.keys(Object.values(rows)[0] ?? {})) console.log(name.padEnd(46), ...Object.values(rows).map((row) => String(row[name]).padStart(14)));
console.log(isRight ? '\nok: every message that was put in and saved stands once in one history, every prompt is valid and fits, no span was summarized again' : '\nFAILED');
process.exitCode = isRight ? 0 : 1;

async function load({ client, port, conversations, seed }) {
  const opened = await clients[client].open(port);
  await opened.prepare();
  const crew = await startCrew({ size: WORKERS, client, port });
  const random = createRandom(seed);
  const total = { requests: 0, steps: 0, jobs: 0, failed: 0, killed: 0, puts: 0, unsaved: 0, summaries: 0, read: 0, written: 0, races: 0, largest: 0 };
  /** @type {Record<string, number>} */
  const events = {};
  /** @type {number[]} */
  const waits = [];
  /** @type {number[]} */
  const waitsOfRequests = [];
  /** @type {string[]} */
  const faults = [];
  let jobs = 0;
  const begin = performance.now();

  const ask = async (id, job) => {
    total.jobs += 1;
    jobs += 1;
    if (jobs % JOBS_PER_KILL === 0) crew.kill(random(WORKERS));
    const answer = await crew.ask(job.on ?? random(WORKERS), { ...job, id, name: `${id}-${jobs}`, seed: random(1 << 24) });
    if (answer.isKilled === true) {
      total.killed += 1;
      return answer;
    }
    for (const [type, times] of Object.entries(answer.events)) events[type] = (events[type] ?? 0) + /** @type {number} */ (times);
    waits.push(...answer.waits);
    waitsOfRequests.push(answer.waits.reduce((sum, one) => sum + one, 0));
    total.read += answer.traffic.read;
    total.written += answer.traffic.written;
    total.races += answer.traffic.races;
    total.steps += answer.steps;
    total.summaries += answer.summaries.length;
    faults.push(...answer.faults.map((fault) => `${id}: ${fault}`));
    return answer;
  };

  const converse = async (id) => {
    const app = [{ role: 'user', content: `Fix every parser; the request of ${id} stands.` }];
    /** Messages that were put in, and are saved. */
    const kept = new Set();
    /** Marks that a request which nothing overlapped has summarized, and that it and the app have kept. */
    const summarized = new Set();
    const take = (answer) => {
      total.puts += answer.own.length;
      if (answer.isSaved) answer.own.forEach((text) => kept.add(text));
      else total.unsaved += answer.own.length;
      const again = answer.summaries.flat().find((mark) => summarized.has(mark));
      if (again !== undefined && !isBlind(answer)) faults.push(`${id}: ${again} was summarized again`);
    };
    const request = async (isAlone) => {
      const question = { role: 'user', content: `mark-${id}-${total.requests} Go on.` };
      total.requests += 1;
      for (;;) {
        const answer = await ask(id, { kind: 'request', messages: [...app, question], must: [...kept] });
        if (answer.isKilled === true) continue;
        take(answer);
        if (!answer.isDone) {
          total.failed += 1;
          continue;
        }
        app.push(question, ...answer.added);
        if (isAlone && !isBlind(answer) && !isOvertaken(answer)) answer.summaries.flat().forEach((mark) => summarized.add(mark));
        return;
      }
    };
    const fromElsewhere = async () => {
      const answer = await ask(id, { kind: 'put' });
      if (answer.isKilled !== true) take(answer);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const isAlone = random(3) !== 0;
      await Promise.all([request(isAlone), ...(isAlone ? [] : [request(false)]), ...(random(3) === 0 ? [fromElsewhere()] : [])]);
    }
    // Two processes that begin anew, one right after the other, see the same.
    const seen = [];
    for (let on = 0; seen.length < 2; on += 1) {
      const answer = await ask(id, { kind: 'check', on, messages: app, must: [...kept] });
      // Where it was killed, or the store gave no answer in time, it may have saved what it decided: both look again.
      if (answer.isKilled === true || isBlind(answer)) {
        seen.length = 0;
        continue;
      }
      take(answer);
      seen.push(answer.sent);
    }
    if (seen[0] !== seen[1]) faults.push(`${id}: two processes do not see one history`);
    const text = await opened.store.get(id);
    total.largest = Math.max(total.largest, text?.length ?? 0);
    const { inserted = [], queue = [] } = JSON.parse(text ?? '{}');
    const stored = [...inserted, ...queue].map((entry) => entry.id);
    if (new Set(stored).size !== stored.length) faults.push(`${id}: the store holds a message twice`);
  };

  let next = 0;
  const lane = async () => {
    while (next < conversations) await converse(`chat${(next += 1)}`);
  };
  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  let isOver = false;
  lanes.then(() => { isOver = true; }, () => { isOver = true; });
  while (!isOver) {
    await Promise.race([lanes, wait(10_000)]);
    if (process.stderr.isTTY) process.stderr.write(`${client}: ${next} conversations, ${total.jobs} jobs, ${crew.kills()} kills, ${faults.length} faults\n`);
  }
  await lanes;
  const seconds = (performance.now() - begin) / 1_000;
  crew.close();
  await opened.close();
  const row = {
    'requests, each to its end': total.requests,
    'steps': total.steps,
    'steps a second': Math.round(total.steps / seconds),
    'processes killed': crew.kills(),
    'jobs cut off by that and begun again': total.killed,
    'requests that a failing call ended': total.failed,
    'messages put in': total.puts,
    'of them not saved, as the app was told': total.unsaved,
    'saves that another process had overtaken': total.races,
    'decisions lost to another process': events['store-conflict'] ?? 0,
    'runs overtaken': events['session-conflict'] ?? 0,
    'saves or loads that failed': events['store-failed'] ?? 0,
    'summaries': total.summaries,
    'wait for one answer of the store, median, ms': quantile(waits, 0.5),
    '99 of 100, ms': quantile(waits, 0.99),
    'largest, ms': quantile(waits, 1),
    'wait of a request in all, median, ms': quantile(waitsOfRequests, 0.5),
    '99 of 100 requests, ms': quantile(waitsOfRequests, 0.99),
    'read for a request, KB': kilobytes(total.read / total.requests),
    'written for a request, KB': kilobytes(total.written / total.requests),
    'largest session, KB': kilobytes(total.largest),
    'things that went wrong': faults.length,
  };
  return { row, faults };
}

/** The store gave no answer in time: what it holds could not be known. */
function isBlind({ events }) {
  return 'store-failed' in events;
}

/** What it decided was given up for what another had saved before: a process that was killed may have sent its save just then. */
function isOvertaken({ events }) {
  return 'store-conflict' in events || 'session-conflict' in events;
}

function quantile(list, part) {
  const sorted = Float64Array.from(list).sort();
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
}

function kilobytes(bytes) {
  return (bytes / 1_000).toFixed(1);
}
