// What errors of others say: it reaches the server without secrets and control characters, and people only where that is asked for.
// Not about errors of stepfold's own, which name options and paths.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession } from 'stepfold';
import { writeEvents } from 'stepfold/ui';
import { talk, user } from '../hand.mjs';

const random = 'x7Kq9ZpL2mVw8RtY4nBc';
const errors = [
  { name: 'an address with a password', text: `connect ECONNREFUSED redis://default:${random}@cache.internal:6379`, secret: random },
  { name: 'a connection string', text: `login failed: Server=db;User Id=sa;Password=${random};Encrypt=true`, secret: random },
  { name: 'a bearer token', text: `401 for { "authorization": "Bearer ${random}Hs5T" }`, secret: random },
  { name: 'a vendor key', text: `Incorrect API key provided: sk-proj-${random}${random}AbC3dEf9`, secret: random },
  { name: 'a key in colours', text: `\u001b[31mBearer ${random.slice(0, 9)}\u001b[0m${random.slice(9)}Hs5T\u0007`, secret: random.slice(9) },
  { name: 'control characters and marks of direction', text: 'no\u0000 \u001b]0;title\u0007such\u202e file\u009b', secret: 'title' },
  { name: 'a giant', text: `${'x '.repeat(500_000)} redis://a:${random}@h`, secret: random },
];
// Line ends and tabs may stay.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** Every way by which the text of somebody else's error becomes an event. */
const ways = {
  'a store that cannot be read': async (fail, onEvent) => void (await createSession({ id: 'a', store: { get: fail, set: () => undefined }, onEvent }).prepareStep({ messages: [user('Hi')], steps: [], stepNumber: 0, model: 'mock' })),
  'a summarizer': (fail, onEvent) => step({ summarize: fail, onEvent }),
  'a working state': (fail, onEvent) => step({ workingState: fail, onEvent }),
  'a checkpoint note': (fail, onEvent) => step({ checkpointNote: fail, onEvent }),
  'a tokenizer': (fail, onEvent) => step({ tokenizer: { name: 'broken', count: fail }, onEvent }),
};
const step = (options) => createPrepareStep({ contextWindow: 4_000, ...options })({ messages: [user('The request.'), ...talk(16)], steps: [], stepNumber: 0, model: 'mock' });

for (const { name, text, secret } of errors) {
  for (const [way, run] of Object.entries(ways)) {
    test(`${way} fails with ${name}: the server is told no secret, people nothing of it`, async () => {
      const reported = [];
      const written = [];
      const shown = [];
      const listeners = [(event) => reported.push(event), writeEvents({ write: (part) => written.push(part.data) }), writeEvents({ write: (part) => shown.push(part.data) }, { errors: true })];
      await run(() => { throw new Error(text); }, (event) => listeners.forEach((listener) => listener(event)));
      const messages = reported.filter((event) => 'message' in event).map(({ message }) => message);
      assert.ok(messages.length > 0, JSON.stringify(reported));
      for (const message of messages) {
        assert.ok(message.length > 0 && message.length <= 2_001 && !message.includes(secret) && !CONTROL.test(message), message);
      }
      assert.equal(written.length, reported.length);
      assert.ok(written.every((data) => !('message' in data)) && !JSON.stringify(written).includes(secret));
      assert.deepEqual(shown.map(({ message }) => message).filter((message) => message !== undefined), messages);
    });
  }
}

test('what an error says stays readable: only the secret is gone', async () => {
  const reported = [];
  await ways['a summarizer'](() => { throw new Error(`connect ECONNREFUSED redis://default:${random}@cache.internal:6379`); }, (event) => reported.push(event));
  assert.equal(reported.find(({ type }) => type === 'fallback').message, 'connect ECONNREFUSED redis://default:[redacted]@cache.internal:6379');
});

test('labels go beside the choice to show errors, and a label of the app may quote what it was told', () => {
  const written = [];
  writeEvents({ write: (part) => written.push(part.data) }, { labels: { error: ({ message }) => `Failed: ${message}` } })({ type: 'error', code: 'unexpected', message: 'no', stepNumber: 0 });
  assert.deepEqual(written, [{ type: 'error', code: 'unexpected', stepNumber: 0, label: 'Failed: no' }]);
});
