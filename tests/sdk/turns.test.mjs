// The gates on what holds the event loop, in work that is counted and not in time: sessions that step at once give the loop back between them,
// one alone never waits, and a list is read as often for a hundred enqueued messages as for one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession } from 'stepfold';
import { call, result, textOf } from '../hand.mjs';

const MODEL = { modelId: 'mock-model', provider: 'mock' };
const next = () => new Promise((done) => setImmediate(() => done(undefined)));

function conversation(steps, letters) {
  const messages = [{ role: 'user', content: 'Look.' }];
  for (let number = 0; number < steps; number += 1) messages.push(call(`c${number}`, { number }), result(`c${number}`, `row ${number} `.padEnd(letters, 'amber basin cedar ')));
  return messages;
}

/** How many turns of the loop pass before all is done. */
async function turnsOf(work) {
  await next();
  let [turns, isDone] = [0, false];
  const done = work().finally(() => (isDone = true));
  while (!isDone) {
    await next();
    turns += 1;
  }
  await done;
  return turns;
}

const step = (prepareStep, messages) => prepareStep({ messages, steps: [], stepNumber: 0, model: MODEL });
const makers = {
  'runs of one prepareStep': (() => {
    const prepareStep = createPrepareStep({ contextWindow: 30_000, onEvent: () => undefined });
    return () => prepareStep;
  })(),
  sessions: (number) => createSession({ id: `chat-${number}`, store: new Map(), contextWindow: 30_000, onEvent: () => undefined }).prepareStep,
};
for (const [name, make] of Object.entries(makers)) {
  test(`16 ${name} that step at once come one after another, in turns of the loop`, async () => {
    await step(make(-1), conversation(2, 10));
    const order = [];
    const turns = await turnsOf(() => Promise.all(Array.from({ length: 16 }, async (_none, number) => {
      await step(make(number), conversation(100, 3_000));
      order.push(number);
    })));
    assert.ok(turns >= 15, `${turns} turns`);
    assert.deepEqual(order, Array.from({ length: 16 }, (_none, number) => number));
  });

  test(`of 16 ${name} with little to do none waits`, async () => {
    assert.ok((await turnsOf(() => Promise.all(Array.from({ length: 16 }, (_none, number) => step(make(number), conversation(3, 100)))))) <= 1);
  });

  test(`one of the ${name} alone never waits, however much it does`, async () => {
    await next();
    let isDone = false;
    const alone = (async () => {
      for (let number = 0; number < 4; number += 1) await step(make(100 + number), conversation(100, 3_000));
      isDone = true;
    })();
    // Without a turn of the loop.
    for (let promises = 0; promises < 5_000 && !isDone; promises += 1) await Promise.resolve();
    assert.ok(isDone);
    await alone;
  });
}

test('a list is read as often for 100 enqueued messages as for one, whether it says what was said or something in it was edited', async () => {
  const reads = {};
  for (const enqueued of [1, 100]) {
    const store = new Map();
    const session = createSession({ id: 'chat', store, contextWindow: 1_000_000, onEvent: () => undefined });
    const all = conversation(0, 0);
    const steps = [];
    for (let number = 0; number < 200; number += 1) {
      all.push(...conversation(number + 1, 60).slice(-2));
      if (number % 2 === 1 && number < 2 * enqueued) session.enqueue(`Note ${number}.`);
      await session.prepareStep({ messages: [...all], steps, stepNumber: steps.length, model: MODEL });
      steps.push({ usage: { inputTokens: 1_000, outputTokens: 5 } });
    }
    await session.dispose();
    for (const edit of ['none', 'the first', 'one in the middle']) {
      let count = 0;
      const list = JSON.parse(JSON.stringify(all)).map((message, index) => {
        const isEdited = (edit === 'the first' && index === 0) || (edit === 'one in the middle' && index === 200);
        const content = isEdited && index > 0 ? [{ ...message.content[0], output: { type: 'text', value: 'Otherwise.' } }] : isEdited ? 'Look again.' : message.content;
        return Object.defineProperty({ role: message.role }, 'content', { enumerable: true, get: () => ((count += 1), content) });
      });
      const { messages } = await step(createSession({ id: 'chat', store: new Map(store), contextWindow: 1_000_000, onEvent: () => undefined }).prepareStep, list);
      // Counted before the list is looked at here.
      (reads[edit] ??= []).push(count / list.length);
      assert.equal(messages.filter((message) => textOf(message).startsWith('Note ')).length, enqueued, edit);
    }
  }
  for (const [edit, [one, hundred]] of Object.entries(reads)) assert.ok(hundred <= one * 1.6 + 2, `${edit}: read ${one.toFixed(1)} times for one, ${hundred.toFixed(1)} for 100`);
});
