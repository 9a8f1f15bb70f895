// A session that is steered again and again: what waits is limited, what was delivered is not, and what is stored stays within its bound.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession, estimateTokens } from 'stepfold';
import { textOf, withoutBridges } from '../hand.mjs';

const MODEL = { modelId: 'mock-model', provider: 'mock' };
const uses = (id) => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'look', input: { id } }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'look', output: { type: 'text', value: `Result ${id}.` } }] },
];
const copy = (list) => JSON.parse(JSON.stringify(list));

/** Requests of two steps, in the first of which something is enqueued; the app stores what the model said, and none of it. */
async function steer(count, { word = () => 'ok', contextWindow = 1_000_000 } = {}) {
  const store = new Map();
  const events = [];
  const create = () => createSession({ id: 'chat', store, contextWindow, onEvent: (event) => events.push(event) });
  const all = [{ role: 'user', content: 'Begin.' }];
  let sent = [];
  for (let number = 0; number < count; number += 1) {
    const session = create();
    const steps = [];
    const list = copy(all);
    for (let step = 0; step < 2; step += 1) {
      sent = (await session.prepareStep({ messages: [...list], steps, stepNumber: step, model: MODEL }))?.messages ?? list;
      steps.push({ usage: { inputTokens: estimateTokens(sent), outputTokens: 10 } });
      if (step === 1) break;
      list.push(...uses(`c${number}`));
      session.enqueue(word(number));
    }
    await session.dispose();
    all.push(...uses(`c${number}`), { role: 'assistant', content: 'Done.' }, { role: 'user', content: `Next ${number}.` });
  }
  return { store, events, create, all, sent };
}

test('200 short messages are each sent once, at their places, whatever was stored before', async () => {
  const { store, events, create, all } = await steer(200);
  assert.deepEqual(events.filter(({ type }) => ['store-failed', 'state-rejected', 'left-out'].includes(type)), []);
  const { messages } = await create().prepareStep({ messages: copy(all), steps: [], stepNumber: 0, model: MODEL });
  const said = withoutBridges(messages);
  assert.equal(said.length, all.length + 200);
  const shape = said.map((message) => (message.role === 'user' ? textOf(message).split(' ')[0] : message.role[0])).join(' ');
  assert.equal(shape, `Begin. ${Array(200).fill('a t ok a Next').join(' ')}`);
  const { inserted } = JSON.parse(store.get('chat'));
  // As earlier versions read them, and the oldest with one place in short.
  assert.equal(typeof inserted.at(-1).places[0], 'object');
  assert.match(inserted[0].places[0], /^[0-9a-f]{12} [0-9a-f]{12}$/);
});

test('each stands at its place in a list in another form, however many there are', async () => {
  const { create, all } = await steer(20, { word: (number) => `Word${number}` });
  // A chat that was converted without its tools: no result is what it was.
  const form = copy(all).map((message) => (message.role === 'tool' ? { ...message, content: message.content.map((part) => ({ ...part, output: { type: 'json', value: { result: part.output.value } } })) } : message));
  const { messages } = await create().prepareStep({ messages: form, steps: [], stepNumber: 0, model: MODEL });
  const shape = withoutBridges(messages).map((message) => (message.role === 'user' ? textOf(message).split(' ')[0] : message.role[0])).join(' ');
  assert.equal(shape, `Begin. ${Array.from({ length: 20 }, (_, number) => `a t Word${number} a Next`).join(' ')}`);
  // The app has stored some of them with it.
  const some = messages.filter((message) => message.role !== 'user' || !/^Word\d*[13579]$/.test(textOf(message)));
  const again = await create().prepareStep({ messages: copy(some), steps: [], stepNumber: 0, model: MODEL });
  assert.equal(withoutBridges(again.messages).map((message) => (message.role === 'user' ? textOf(message).split(' ')[0] : message.role[0])).join(' '), shape);
});

test('when there is no room for all of them the oldest go, and that is said', async () => {
  const word = (number) => `Word ${number}. ${'So that it is long. '.repeat(60)}`;
  const { store, events, create, all } = await steer(80, { word });
  assert.ok(store.get('chat').length < 300_000);
  const { inserted } = JSON.parse(store.get('chat'));
  assert.ok(JSON.stringify(inserted).length < 64_500 && inserted.length > 30);
  assert.equal(inserted.at(-1).message.content, word(79));
  const failures = events.filter(({ type }) => type === 'store-failed');
  assert.ok(failures.length > 0 && failures.length < 10 && failures.every(({ message }) => message.includes('delivered()')));
  const session = create();
  session.enqueue('The last word.');
  const { messages } = await session.prepareStep({ messages: copy(all), steps: [], stepNumber: 0, model: MODEL });
  assert.equal(textOf(messages.at(-1)), 'The last word.');
  assert.ok(messages.some((message) => textOf(message) === word(79)));
});

test('what waits is limited, and once it was delivered there is room again', async () => {
  const session = createSession({ contextWindow: 1_000_000, onEvent: () => undefined });
  const steps = [];
  for (let round = 0; round < 5; round += 1) {
    for (let number = 0; number < 3; number += 1) session.enqueue('x'.repeat(10_000));
    assert.throws(() => session.enqueue('x'.repeat(10_000)), /messages that wait .* 32,000/);
    await session.prepareStep({ messages: [{ role: 'user', content: 'Begin.' }], steps, stepNumber: steps.length, model: MODEL });
    steps.push({ usage: {} });
  }
  assert.equal(session.delivered().length, 15);
});
