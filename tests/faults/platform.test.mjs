// What a platform may lack or do: no `TextDecoder`, as jest with jsdom shows it, and a clock on the wall that is set while a run waits.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createSession } from 'stepfold';

const run = (before) => spawnSync(process.execPath, ['--input-type=module', '--eval', `${before}; delete globalThis.TextDecoder; delete globalThis.TextEncoder; const { estimateTokens } = await import('stepfold'); console.log(estimateTokens([{ role: 'user', content: 'Grüße, 日本' }]));`], { encoding: 'utf8' });

test('without `TextDecoder` the package takes that of Node, and where there is no Node an error says what to do', () => {
  assert.match(run('').stdout, /^\d+\n$/);
  const { status, stderr } = run('process.getBuiltinModule = undefined');
  assert.notEqual(status, 0);
  assert.match(stderr, /this platform has no `Text(De|En)coder`\. Under jest with jsdom/);
});

test('a clock that is set, forwards or back, neither ends nor prolongs a wait for a store', async (t) => {
  for (const jump of [3_600_000, -3_600_000]) {
    const real = Date.now;
    let shift = 0;
    const now = t.mock.method(Date, 'now', () => real() + shift);
    const map = new Map();
    const store = {
      get: async (key) => {
        // Set at each answer.
        shift += jump;
        await new Promise((done) => setImmediate(() => done(undefined)));
        return map.get(key);
      },
      set: async (key, value) => void map.set(key, value),
    };
    const events = [];
    const session = createSession({ id: 'chat', store, storeTimeoutMs: 5_000, contextWindow: 100_000, onEvent: (event) => events.push(event) });
    session.enqueue('Shorter, please.');
    await session.prepareStep({ messages: [{ role: 'user', content: 'Begin.' }], steps: [], stepNumber: 0, model: 'mock' });
    await session.dispose();
    assert.deepEqual(events.filter(({ type }) => type === 'store-failed'), []);
    assert.ok(map.get('chat').includes('Shorter, please.'));
    now.mock.restore();
  }
});
