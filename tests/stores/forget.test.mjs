// `session.forget()`: nothing that anybody said is left in the store, and no run that is still under way, here or elsewhere, brings it back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'stepfold';
import { calm, step, talk, user } from '../hand.mjs';
import { clients } from './clients.mjs';

const FORGOTTEN = '{"forgotten":true,"version":2}';
const first = [user('The secret request.'), ...talk(14)];
const aMap = () => {
  const map = new Map();
  return { store: map, close: () => undefined };
};

for (const [name, open] of Object.entries({ 'a Map': aMap, ...clients })) {
  test(`${name}: what was forgotten is not brought back by a run that goes on, and a new session begins again`, async () => {
    const { store, close } = await open();
    const keys = [];
    const seen = { get: (key) => store.get(key), set: (key, value, previous) => (keys.push(key), store.set(key, value, previous)) };
    const events = [];
    const create = (more = {}) => {
      const session = createSession({ id: 'chat', store: seen, contextWindow: 4_000, resume: 'tail', storeTimeoutMs: 5_000, onEvent: (event) => events.push(event), ...more });
      session.recallTool();
      return session;
    };
    try {
      const [here, there] = [create(), create()];
      const [stepsHere, stepsThere] = [[], []];
      await step(here, first, stepsHere);
      await step(there, calm(2), stepsThere);
      there.enqueue('A secret word.');
      await there.dispose();
      assert.ok(keys.some((key) => key.startsWith('chat.p')), 'a page was written');
      const controller = new AbortController();
      controller.abort();
      assert.equal(await create({ abortSignal: controller.signal }).forget(), true);
      const assertForgotten = async () => {
        assert.deepEqual(JSON.parse(await store.get('chat')), JSON.parse(FORGOTTEN));
        for (const key of keys) assert.ok(!/secret|talk/.test(String(await store.get(key))), key);
      };
      await assertForgotten();
      // Both go on, decide and write pages; one of them puts something in.
      for (const [session, steps] of [[here, stepsHere], [there, stepsThere]]) {
        session.enqueue('Another secret word.');
        steps.push({ usage: {} });
        await step(session, [user('The secret request.'), ...talk(30)], steps);
        await session.dispose();
        await assertForgotten();
      }
      const anew = create();
      const sent = await step(anew, calm(2));
      assert.deepEqual(sent, calm(2));
      anew.enqueue('A new word.');
      await anew.dispose();
      await here.dispose();
      await there.forget();
      assert.ok((await store.get('chat')).includes('A new word.'), 'what began anew is another conversation');
      assert.deepEqual(events.filter(({ type }) => ['error', 'store-failed', 'state-rejected'].includes(type)), []);
    } finally {
      await close();
    }
  });
}

test('where the store fails, what is left can be forgotten later', async () => {
  const map = new Map();
  let isDown = false;
  const store = { get: async (key) => map.get(key), set: async (key, value) => { if (isDown) throw new Error('the disk is full'); map.set(key, value); } };
  const events = [];
  const session = createSession({ id: 'chat', store, contextWindow: 4_000, resume: 'tail', onEvent: (event) => events.push(event) });
  session.recallTool();
  await step(session, first);
  isDown = true;
  assert.equal(await session.forget(), false);
  assert.deepEqual(events.filter(({ type }) => type === 'store-failed').map(({ reason }) => reason), ['failed']);
  isDown = false;
  assert.equal(await session.forget(), true);
  assert.ok([...map.values()].every((text) => !/secret|talk/.test(text)));
  assert.equal(map.get('chat'), FORGOTTEN);
});

test('a session without a store forgets what is in memory', async () => {
  const session = createSession({ contextWindow: 4_000 });
  await step(session, first);
  session.enqueue('A secret word.');
  assert.equal(await session.forget(), true);
  assert.deepEqual([session.pending(), session.state], [[], { forgotten: true, version: 2 }]);
  assert.ok(!JSON.stringify(await step(session, calm(2))).includes('secret'));
});

test('a new session whose first look at the store comes late keeps what it was told after the old one was forgotten', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const map = new Map([['chat', FORGOTTEN]]);
  let isFirst = true;
  let answer = () => undefined;
  const isLate = new Promise((resolve) => { answer = () => resolve(undefined); });
  const get = async (key) => {
    if (isFirst) setImmediate(() => t.mock.timers.tick(1_000));
    isFirst = false;
    await isLate;
    return map.get(key);
  };
  const store = { get, set: async (key, value) => void map.set(key, value) };
  const session = createSession({ id: 'chat', store, contextWindow: 100_000 });
  session.enqueue('A new word.');
  assert.ok(JSON.stringify(await step(session, calm(2))).includes('A new word.'));
  answer();
  await session.dispose();
  assert.ok(map.get('chat').includes('A new word.'));
  assert.deepEqual(session.delivered().map(({ content }) => content), ['A new word.']);
});
