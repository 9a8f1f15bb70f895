// Functions of the app that answer later, or with a promise of another realm: an event says so once, and no rejection is left that ends a process.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { createPrepareStep } from 'stepfold';
import { call, result } from '../hand.mjs';

/** What an app may return by mistake, or because it has no other way. */
const LATER = {
  'an async function': async () => { throw new Error('away'); },
  'one of another realm': vm.runInNewContext('(async () => { throw new Error("away"); })'),
  'a thenable': () => ({ then: (_done, failed) => failed?.(new Error('away')) }),
  'a thenable that throws': () => ({ then: () => { throw new Error('away'); } }),
  'an object whose `then` throws': () => ({ get then() { throw new Error('away'); } }),
  'a promise that is late': () => new Promise((_done, failed) => setTimeout(() => failed(new Error('away')), 1)),
};
/** Each option that is a function, and the event that names its fault; none where nobody waits for an answer. */
const OPTIONS = {
  redact: [(later) => ({ redact: later }), 'redact-failed'],
  'tokenizer.count': [(later) => ({ tokenizer: { count: later } }), 'tokenizer-failed'],
  'tools.digest': [(later) => ({ tools: { read: { digest: later } } }), 'digest-failed'],
  onEvent: [(later) => ({ onEvent: later }), undefined],
  onRecord: [(later) => ({ onRecord: later }), undefined],
  summarize: [(later) => ({ summarize: later }), undefined],
  summaryInstructions: [(later) => ({ summarize: () => 'A summary.', summaryInstructions: later }), undefined],
  workingState: [(later) => ({ workingState: later }), undefined],
  checkpointNote: [(later) => ({ checkpointNote: later }), undefined],
  'offload.write': [(later) => ({ offload: { write: later } }), undefined],
  'offload.exists': [(later) => ({ offload: { write: () => undefined, exists: later } }), undefined],
  waitUntil: [(later) => ({ summarize: () => 'A summary.', summarizeAhead: true, waitUntil: later }), undefined],
};
const messages = [{ role: 'user', content: 'Look at the files.' }];
for (let number = 0; number < 30; number += 1) messages.push(call(`c${number}`, { number }, 'read'), result(`c${number}`, `amber basin cedar delta ember ${number}\n`.repeat(60), 'read'));

for (const [option, [make, code]] of Object.entries(OPTIONS)) {
  test(`\`${option}\` may answer later: nothing is left unhandled, and the step is made`, async () => {
    const unhandled = [];
    const listen = (error) => unhandled.push(error);
    process.on('unhandledRejection', listen);
    try {
      for (const [kind, later] of Object.entries(LATER)) {
        const events = [];
        let calls = 0;
        const counted = (...given) => {
          calls += 1;
          return later(...given);
        };
        const prepareStep = createPrepareStep({ contextWindow: 8_000, onEvent: (event) => void events.push(event), ...make(counted) });
        const input = { messages, steps: [], stepNumber: 0, model: { modelId: 'gpt-4o', provider: 'openai' } };
        const sent = await prepareStep(input);
        assert.ok(sent.messages.length > 0, kind);
        await prepareStep({ ...input, steps: [] });
        for (let turns = 0; turns < 3; turns += 1) await new Promise((next) => setTimeout(next, 1));
        assert.deepEqual(unhandled, [], kind);
        const said = events.filter((event) => event.type === 'error');
        assert.deepEqual([...new Set(said.map((event) => event.code))], code === undefined ? [] : [code], kind);
        if (code === 'redact-failed' || code === 'tokenizer-failed') {
          assert.equal(said.length, 1);
          // An answer that comes later is requested once, not for each text.
          if (kind !== 'an object whose `then` throws') assert.equal(calls, 1, kind);
        }
      }
    } finally {
      process.off('unhandledRejection', listen);
    }
  });
}
