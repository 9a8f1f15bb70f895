// What others do to messages between steps, and what the SDK's own objects may lack: usage, model, step number, listeners.
// Every row has a clear outcome and none ends a run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, estimateTokens, planContext } from 'stepfold';
import { steps } from './drive.mjs';
import { call, calm, result, text, usageOf, user } from '../hand.mjs';
import { deepFreeze } from '../sdk/watch.mjs';

const go = () => user([{ type: 'text', text: 'Go on.' }]);

/** What an app may do to the list it keeps, between two steps. `seen`: the text that must be sent from then on. */
const mutations = [
  { name: 'replaces the content array of a message', change: (list) => { list.at(-1).content = [{ ...list.at(-1).content[0], output: { type: 'text', value: `REPLACED ${text(50)}` } }]; }, seen: 'REPLACED' },
  // Folded by then: heard is that the checkpoint tells of the error.
  { name: 'replaces an old result by an error', change: (list) => { list[2].content = [{ ...list[2].content[0], toolName: 'build', output: { type: 'error-text', value: 'Error: REPLACED' } }]; list[1].content = [{ ...list[1].content[0], toolName: 'build' }]; }, seen: 'REPLACED' },
  { name: 'pushes a part', change: (list) => { list[0].content.push({ type: 'text', text: 'PUSHED' }); }, seen: 'PUSHED' },
  { name: 'replaces a string content', change: (list) => { list.push(user('first')); list.at(-1).content = 'REPLACED'; }, seen: 'REPLACED' },
  { name: 'replaces a message', change: (list) => { list[0] = user('OTHER REQUEST'); }, seen: 'OTHER REQUEST' },
  { name: 'removes the newest messages', change: (list) => { list.splice(list.length - 4); } },
  { name: 'inserts a message at the start', change: (list) => { list.unshift(user('INSERTED')); }, seen: 'INSERTED' },
  { name: 'empties the list but for one message', change: (list) => { list.splice(0, list.length, user('ALONE')); }, seen: 'ALONE' },
  { name: 'reverses the list', change: (list) => { list.reverse(); } },
  { name: 'makes a result a giant', change: (list) => { list.at(-1).content = [{ ...list.at(-1).content[0], output: { type: 'text', value: text(40_000) } }]; } },
];

for (const { name, change, seen } of mutations) {
  for (const pairs of [3, 20]) {
    test(`an app that ${name} between steps is heard, ${pairs === 3 ? 'before' : 'after'} a fold`, async () => {
      const events = [];
      const prepareStep = createPrepareStep({ contextWindow: 4_000, overheadTokens: 1, target: 0.5, onEvent: (event) => events.push(event) });
      const list = [go(), ...calm(pairs)];
      const finished = [];
      await prepareStep({ messages: [...list], steps: finished, stepNumber: 0, model: 'mock' });
      change(list);
      finished.push(usageOf(undefined));
      const answer = await prepareStep({ messages: [...list], steps: finished, stepNumber: 1, model: 'mock' });
      const sent = answer?.messages ?? list;
      if (seen !== undefined) assert.ok(JSON.stringify(sent).includes(seen), 'the change was not sent');
      assert.ok(estimateTokens(sent) <= 4_000, `sent ${estimateTokens(sent)} tokens`);
      assert.deepEqual(events.filter(({ type }) => type === 'error'), []);
    });
  }
}

test('frozen messages go through everything and are never changed', async () => {
  const list = deepFreeze([go(), ...calm(20), call('giant'), result('giant', text(30_000))]);
  const before = JSON.stringify(list);
  const { types, returned } = await steps(list);
  assert.ok(returned[0] !== undefined && !types.has('error'));
  planContext(list, { contextWindow: 4_000 });
  assert.equal(JSON.stringify(list), before);
});

test('inputs that are not frozen are never changed either', async () => {
  const list = [go(), ...calm(20), call('giant'), result('giant', text(30_000))];
  const before = structuredClone(list);
  await steps(list);
  assert.deepEqual(list, before);
});

test('what is returned does not share an array with the caller or with the memory', async () => {
  const prepareStep = createPrepareStep({ contextWindow: 4_000 });
  const finished = [];
  const list = [go(), ...calm(20)];
  const first = await prepareStep({ messages: list, steps: finished, stepNumber: 0, model: 'mock' });
  const before = JSON.stringify(first.messages);
  first.messages.length = 0;
  finished.push(usageOf(undefined));
  const second = await prepareStep({ messages: list, steps: finished, stepNumber: 1, model: 'mock' });
  assert.equal(JSON.stringify(second.messages), before);
});

const usages = [
  { name: 'no usage object', usage: () => ({}) },
  { name: 'usage null', usage: () => ({ usage: null }) },
  { name: 'a step that is undefined', usage: () => undefined },
  { name: 'a step that is null', usage: () => null },
  { name: 'undefined tokens', usage: () => usageOf(undefined) },
  { name: 'null tokens', usage: () => usageOf(null) },
  { name: 'zero', usage: () => usageOf(0) },
  { name: 'NaN', usage: () => usageOf(NaN) },
  { name: 'infinity', usage: () => usageOf(Infinity) },
  { name: 'a negative number', usage: () => usageOf(-5_000) },
  { name: 'a string', usage: () => usageOf('1200') },
  { name: 'a BigInt', usage: () => usageOf(1200n) },
  { name: 'an absurdly large number', usage: () => usageOf(1e300) },
  { name: 'a billion', usage: () => usageOf(999_999_999) },
  { name: 'one', usage: () => usageOf(1) },
  { name: 'a number larger than the window', usage: () => usageOf(500_000) },
  { name: 'sums over all steps', usage: (step) => usageOf(3_000 * (step + 1) * (step + 2)) },
  { name: 'values that jump', usage: (step) => usageOf(step % 2 === 0 ? 10 : 3_500) },
  { name: 'details that are no numbers', usage: () => ({ usage: { inputTokens: 1_500, inputTokenDetails: { cacheReadTokens: 'x', cacheWriteTokens: {} } }, providerMetadata: { anthropic: { cacheCreationInputTokens: [] }, google: { initialPromptTokenCount: 'x' } } }) },
  { name: 'metadata that is no object', usage: () => ({ usage: { inputTokens: 1_500, inputTokenDetails: null }, providerMetadata: { anthropic: 7, google: null } }) },
  { name: 'a usage getter that throws', usage: () => Object.defineProperty({}, 'usage', { get() { throw new Error('no'); } }) },
];

for (const { name, usage } of usages) {
  test(`usage: ${name}: the run goes on and what is sent fits the estimate`, async () => {
    const extra = Array.from({ length: 12 }, (_, n) => calm(1, `step-${n}`));
    const { types, sent } = await steps([go(), ...calm(6)], { usage, extra });
    assert.ok(types.has('measured'));
    assert.ok(sent.every((list) => estimateTokens(list) <= 4_000), `sent ${Math.max(...sent.map((list) => estimateTokens(list)))}`);
    assert.ok(!types.has('error'));
  });
}

const models = [undefined, null, 7, '', 'gpt-5', 'no-such-model', {}, { modelId: 7 }, { modelId: null, provider: {} }, { modelId: 'x'.repeat(100_000) }, { modelId: '\ud800' }, () => 1, Symbol('model'), Object.create(null)];

for (const model of models) {
  const label = typeof model === 'object' ? JSON.stringify(model)?.slice(0, 40) : String(model);
  test(`a model given as ${typeof model} ${label}: limits are assumed where none are known`, async () => {
    const { types, returned } = await steps([go(), ...calm(20)], { model });
    assert.ok(returned[0] !== undefined && !types.has('error'));
    const unknown = await steps([go()], { model, options: { contextWindow: undefined } });
    assert.ok(!unknown.types.has('error'));
    assert.equal(unknown.types.has('unknown-model'), model !== 'gpt-5');
    assert.ok(planContext([go()], { model }).limitTokens > 0);
  });
}

test('a model whose modelId throws does not end the run', async () => {
  const model = Object.defineProperty({}, 'modelId', { get() { throw new Error('no'); } });
  const { types, returned } = await steps([go(), ...calm(20)], { model });
  assert.ok(types.has('measured') || types.has('error'));
  assert.equal(returned.length, 3);
});

test('a window smaller than the overhead is reported and nothing is made worse', async () => {
  const list = [go(), ...calm(10)];
  const { events, returned } = await steps(list, { contextWindow: 100_000, options: { overheadTokens: 99_000 } });
  assert.ok(events.some(({ type, reason }) => type === 'over-budget' && reason === 'overhead'));
  assert.ok(returned.every((sent) => sent === undefined || estimateTokens(sent) <= estimateTokens(list) + 1_000));
});

for (const [name, onEvent] of Object.entries({ 'throws an error': () => { throw new Error('no'); }, 'throws nothing': () => { throw undefined; }, 'returns a rejected promise': () => Promise.reject(new Error('no')), 'changes the event': (event) => { for (const key of Object.keys(event)) delete event[key]; } })) {
  test(`a listener that ${name} does not change what is sent, nor end the process`, async () => {
    const rejections = [];
    const note = (reason) => rejections.push(reason);
    process.on('unhandledRejection', note);
    try {
      const quiet = await steps([go(), ...calm(20)]);
      const loud = await steps([go(), ...calm(20)], { options: { onEvent } });
      assert.deepEqual(loud.sent, quiet.sent);
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(rejections, []);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
}

test('a prepareStep called without steps, or without anything, does not reject', async () => {
  for (const input of [{ messages: [go()], stepNumber: 0, model: 'x' }, { messages: [go()], steps: null, stepNumber: 0, model: 'x' }, { messages: [go()], steps: 7 }, {}]) {
    assert.equal(await createPrepareStep({ contextWindow: 4_000 })(input), undefined);
  }
  for (const input of [undefined, null, 7]) assert.equal(await createPrepareStep()(input), undefined);
});
