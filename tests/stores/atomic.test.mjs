// The ready-made stores over real clients: what was read is compared before it is written, and what overlaps loses nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StepfoldError, createSession } from 'stepfold';
import { redisStore, durableObjectStore, sqlStore } from 'stepfold/stores';
import { MODEL, withoutBridges } from '../hand.mjs';
import { clients } from './clients.mjs';

const messages = [{ role: 'user', content: 'Begin.' }];
const begin = (session) => session.prepareStep({ messages, steps: [], stepNumber: 0, model: MODEL });

for (const [name, open] of Object.entries(clients)) {
  test(`${name}: a value is kept only where the store holds what was read`, async () => {
    const { store, close } = await open();
    try {
      const text = '{"a":"é \\" $1 ? \'","b":[1]}';
      assert.equal((await store.get('chat')) ?? undefined, undefined);
      assert.notEqual(await store.set('chat', text, undefined), false);
      assert.equal(await store.get('chat'), text);
      assert.equal(await store.set('chat', '{"a":2}', undefined), false, 'nothing was read, and something is there');
      assert.equal(await store.set('chat', '{"a":2}', '{"a":1}'), false, 'something else is there');
      assert.equal(await store.get('chat'), text);
      assert.notEqual(await store.set('chat', '{"a":2}', text), false);
      assert.equal(await store.get('chat'), '{"a":2}');
      assert.equal((await store.get('other')) ?? undefined, undefined);
    } finally {
      await close();
    }
  });

  test(`${name}: messages that eight servers put in at once are all kept, each once`, async () => {
    const { store, close } = await open();
    try {
      const events = [];
      const sessions = Array.from({ length: 8 }, () => createSession({ id: 'chat', store, storeTimeoutMs: 5_000, contextWindow: 100_000, onEvent: (event) => events.push(event) }));
      await Promise.all(sessions.map(begin));
      sessions.forEach((session, index) => session.enqueue(`Message ${index}.`));
      await Promise.all(sessions.map((session) => session.dispose()));
      const last = createSession({ id: 'chat', store, contextWindow: 100_000 });
      const sent = withoutBridges((await begin(last)).messages).map(({ content }) => content);
      assert.deepEqual(sent.sort(), ['Begin.', ...sessions.map((_, index) => `Message ${index}.`)]);
      assert.deepEqual(events.filter(({ type }) => type === 'store-failed'), []);
    } finally {
      await close();
    }
  });
}

test('what has expired in a table is not there, and is written over', async (t) => {
  const { store, close } = await clients.libSQL();
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  try {
    await store.set('chat', 'old', undefined);
    t.mock.timers.setTime(1_000_000 + 60_000);
    assert.equal(await store.get('chat'), undefined);
    assert.equal(await store.set('chat', 'new', undefined), true);
    assert.equal(await store.get('chat'), 'new');
  } finally {
    await close();
  }
});

test('a client that is none, and a table that is no name, are refused where the store is made', () => {
  for (const given of [undefined, null, {}, 'postgres://localhost', 5]) {
    for (const create of [redisStore, sqlStore, durableObjectStore]) {
      assert.throws(() => create(given), (error) => StepfoldError.isInstance(error) && error.code === 'invalid-option', `${create.name} ${given}`);
    }
  }
  for (const table of ['a b', '"a"', 'a;b', '']) assert.throws(() => sqlStore(async () => [], { table }), (error) => StepfoldError.isInstance(error) && error.message.includes('`table`'));
});
