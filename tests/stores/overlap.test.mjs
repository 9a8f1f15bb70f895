// Two hundred requests of one conversation that overlap, over the ready-made stores: no message that was put in is lost or sent twice.
// Chance comes from a seed; the order in which clients answer is their own. With an order from a seed, over a Map, in `tests/sdk/overlap.test.mjs`.

import assert from 'node:assert/strict';
import { mock as mocks, test } from 'node:test';
import { createSession, validateMessages } from 'stepfold';
import { amount } from '../amount.mjs';
import { clients } from './clients.mjs';

const MODEL = { modelId: 'mock', provider: 'mock' };
const REQUESTS = 200;
const LANES = 8;
/** Runs over one of Redis and one of Postgres. PGlite takes as long for one run as the other for ten. */
const STORES = { '@upstash/redis': amount({ push: 4, night: 20 }), 'PGlite, by query': 1 };

/** Numbers below `most`, the same for the same seed. */
function createRandom(/** @type {number} */ seed) {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return (/** @type {number} */ most) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return (state >>> 8) % most;
  };
}

/** Plays one conversation, and returns how many messages were put in. */
async function play(/** @type {any} */ store, /** @type {number} */ seed) {
  const random = createRandom(seed);
  const id = `chat-${seed}`;
  /** @type {string[]} */
  const reported = [];
  const create = () => createSession({ id, store, contextWindow: 1_000_000, onEvent: ({ type }) => reported.push(type) });
  const servers = [create(), create()];
  const app = [{ role: 'user', content: 'Fix everything.' }];
  /** What was put in and saved: every later request must be sent it. @type {Set<string>} */
  const kept = new Set();
  let put = 0;
  const request = async (/** @type {number} */ index) => {
    const session = random(3) === 0 ? servers[random(2)] : create();
    const must = [...kept];
    const added = [{ role: 'user', content: `Request ${index}.` }];
    const own = random(20) === 0 ? [`Note ${(put += 1)}.`] : [];
    own.forEach((text) => session.enqueue(text));
    const messages = [...app, ...added];
    const sent = (await session.prepareStep({ messages, steps: [], stepNumber: 0, model: MODEL }))?.messages ?? messages;
    const found = sent.map(({ content }) => content).filter((text) => text.startsWith('Note '));
    assert.equal(new Set(found).size, found.length, `seed ${seed}, request ${index}: a message is sent twice`);
    for (const text of [...must, ...own]) assert.ok(found.includes(text), `seed ${seed}, request ${index}: "${text}" is missing`);
    assert.deepEqual(validateMessages(sent), []);
    added.push({ role: 'assistant', content: `Answer ${index}.` });
    // Most answers are made anew, and the app keeps none of those: a conversation stays as short as conversations are.
    if (random(4) === 0) app.push(...added);
    await session.dispose();
    own.forEach((text) => kept.add(text));
  };
  await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
    for (let index = lane; index < REQUESTS; index += LANES) await request(index);
  }));
  assert.deepEqual(reported.filter((type) => ['error', 'state-rejected', 'store-failed'].includes(type)), [], `seed ${seed}`);
  const { inserted = [], queue = [] } = JSON.parse(await store.get(id) ?? '{}');
  assert.deepEqual([...inserted, ...queue].map(({ message }) => message.content).sort(), [...kept].sort(), `seed ${seed}: the store holds each message once`);
  return put;
}

for (const [name, seeds] of Object.entries(STORES)) {
  test(`${name}: ${REQUESTS} overlapping requests lose no message that was put in and send none twice, in ${seeds} runs`, async () => {
    const { store, close } = await clients[name]();
    // A machine that is busy is no store that hangs.
    mocks.timers.enable({ apis: ['setTimeout'] });
    try {
      let put = 0;
      for (let seed = 1; seed <= seeds; seed += 1) put += await play(store, seed);
      assert.ok(put >= seeds, `only ${put} messages were put in`);
    } finally {
      mocks.timers.reset();
      await close();
    }
  });
}
