// Two hundred requests of one conversation that overlap, over the ready-made stores: no message that was put in is lost or sent twice.
// Chance comes from a seed; the order in which clients answer is their own. With an order from a seed, over a Map, in `tests/sdk/overlap.test.mjs`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount } from '../amount.mjs';
import { createRandom } from '../hand.mjs';
import { playRequests, REQUESTS } from '../sdk/overlapping.mjs';
import { clients } from './clients.mjs';

/** Runs over one of Redis and one of Postgres. PGlite takes as long for one run as the other for ten. */
const STORES = { '@upstash/redis': amount({ push: 4, night: 20 }), 'PGlite, by query': 1 };

for (const [name, seeds] of Object.entries(STORES)) {
  test(`${name}: ${REQUESTS} overlapping requests lose no message that was put in and send none twice, in ${seeds} runs`, async (t) => {
    const { store, close } = await clients[name]();
    t.after(close);
    // A machine that is busy is no store that hangs.
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    t.mock.method(performance, 'now', () => Date.now());
    let put = 0;
    for (let seed = 1; seed <= seeds; seed += 1) put += (await playRequests({ random: createRandom(seed), store, id: `chat-${seed}`, isForgetful: true })).put;
    assert.ok(put >= seeds, `only ${put} messages were put in`);
  });
}
