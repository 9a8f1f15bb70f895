// User messages put into a running request: sent once, behind complete pairs, at the same place in every later step and request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StepfoldError, checkMessages, createSession } from 'stepfold';
import { answers, honestCount, request, results } from './script.mjs';
import { MAJORS, createModel, createTools, run } from './sdk.mjs';
import { assertAppendStable, deepFreeze, watch } from './watch.mjs';

const GUIDANCE = 'Leave module 4 alone, please.';
const textOf = (/** @type {any} */ { content }) => (typeof content === 'string' ? content : content.map((part) => part.text ?? '').join(''));
const isGuidance = (/** @type {any} */ message) => message.role === 'user' && textOf(message) === GUIDANCE;
const shape = (/** @type {any[]} */ prompt) => prompt.map(({ role, content }) => `${role}:${typeof content === 'string' ? content : content.map((part) => part.toolCallId ?? part.text).join()}`);

/** A run in which guidance comes while the sixth answer is made. */
async function drive(major, { contextWindow, store = new Map() }) {
  /** @type {any} */
  let session;
  const watched = watch((options) => {
    session = createSession({ id: 'chat', store, contextWindow, ...options });
    return session.prepareStep;
  });
  const mock = createModel({ major, answers, count: honestCount, onCall: (index) => { if (index === 5) session.enqueue(GUIDANCE); } });
  const { text, steps } = await run({ major, model: mock.model, tools: createTools(major, results), options: { messages: [request], prepareStep: watched.prepareStep } });
  assert.equal(text, answers.at(-1).text);
  const response = major === 7 ? steps.flatMap((step) => step.response.messages) : steps.at(-1).response.messages;
  return { session, store, prompts: mock.prompts(), stored: [request, ...response], ...watched };
}

for (const major of MAJORS) {
  test(`ai ${major}: guidance is sent at the next step and stays at its place`, async () => {
    const { session, prompts, steps, events } = await drive(major, { contextWindow: 1_000_000 });
    prompts.forEach((prompt, index) => {
      assert.equal(prompt.filter(isGuidance).length, index > 5 ? 1 : 0, `step ${index}`);
      if (index > 5) assert.equal(prompt.findIndex(isGuidance), prompts[6].length - 1);
      assert.deepEqual(checkMessages(prompt), []);
    });
    assertAppendStable(steps);
    assert.deepEqual(events.filter(({ type }) => type === 'delivered').map(({ messages, stepNumber }) => [messages, stepNumber]), [[1, 6]]);
    assert.deepEqual(session.pending(), []);
    assert.deepEqual(session.delivered(), [{ role: 'user', content: GUIDANCE }]);
  });

  test(`ai ${major}: guidance survives checkpoints, and a later request on stored messages`, async () => {
    const { store, prompts, stored, events } = await drive(major, { contextWindow: 8_000 });
    assert.ok(events.some(({ type }) => type === 'checkpoint'));
    prompts.slice(6).forEach((prompt, index) => assert.ok(JSON.stringify(prompt).includes(GUIDANCE), `step ${index + 6} lost the guidance`));
    for (const persisted of [false, true]) {
      const list = JSON.parse(JSON.stringify(stored));
      if (persisted) list.splice(stored.findIndex((message) => JSON.stringify(message).includes('call-5"') && message.role === 'tool') + 1, 0, { role: 'user', content: GUIDANCE });
      const told = [];
      const session = createSession({ id: 'chat', store: new Map(store), contextWindow: 8_000, onEvent: (event) => told.push(event.type) });
      const messages = deepFreeze([...list, { role: 'user', content: 'Thanks.' }]);
      const answer = await session.prepareStep({ messages, steps: [], stepNumber: 0, model: { modelId: 'mock-model', provider: 'mock' } });
      assert.ok(!told.includes('checkpoint'), 'the checkpoint still holds');
      assert.equal(JSON.stringify(answer.messages).split(GUIDANCE).length, JSON.stringify(prompts.at(-1)).split(GUIDANCE).length);
    }
  });
}

test('the same prompts on ai 5, 6 and 7', async () => {
  const all = await Promise.all(MAJORS.map((major) => drive(major, { contextWindow: 8_000 })));
  for (const { prompts } of all.slice(1)) assert.deepEqual(prompts.map(shape), all[0].prompts.map(shape));
});

test('what was left at the end of a run is sent with the next request, also after a restart', async () => {
  const session = createSession();
  session.enqueue('First.');
  session.enqueue({ role: 'user', content: 'Second.' });
  const restored = createSession({ state: session.state });
  assert.equal(restored.pending().length, 2);
  const messages = [{ role: 'user', content: 'Hello.' }];
  const answer = await restored.prepareStep({ messages, steps: [], stepNumber: 0, model: 'mock' });
  assert.deepEqual(answer.messages.map(textOf), ['Hello.', 'First.', 'Second.']);
  assert.deepEqual(restored.pending(), []);
  const later = [...messages, { role: 'assistant', content: 'Well.' }, { role: 'user', content: 'Go on.' }];
  const next = await createSession({ state: restored.state }).prepareStep({ messages: later, steps: [], stepNumber: 0, model: 'mock' });
  assert.deepEqual(next.messages.map(textOf), ['Hello.', 'First.', 'Second.', 'Well.', 'Go on.']);
});

test('a run that another one has overtaken is sent what waits once', async () => {
  // At each of its steps it was sent once more.
  for (const carries of [false, true]) {
    const session = createSession({ contextWindow: 100_000 });
    const begin = (word) => ({ list: [request, { role: 'user', content: word }], steps: [] });
    const step = async (run) => {
      const answer = await session.prepareStep({ messages: [...run.list], steps: run.steps, stepNumber: run.steps.length, model: 'mock' });
      const sent = answer?.messages ?? run.list;
      run.steps.push({ usage: {} });
      run.list = [...(carries ? sent : run.list), { role: 'assistant', content: `Answer ${run.steps.length}` }];
      return sent.filter(isGuidance).length;
    };
    const [slow, fast] = [begin('Slow.'), begin('Fast.')];
    await step(slow);
    await step(fast);
    session.enqueue('Something else.');
    await step(fast);
    session.enqueue(GUIDANCE);
    assert.deepEqual([await step(slow), await step(slow), await step(slow)], [1, 1, 1]);
    assert.equal(session.pending().length, 1, 'it waits for the session, too');
    assert.deepEqual([await step(fast), await step(fast)], [1, 1]);
    assert.deepEqual(session.pending(), []);
  }
});

test('what is no message, or too much, is refused', () => {
  const session = createSession();
  for (const given of [undefined, null, 7, {}, { role: 'user' }]) {
    assert.throws(() => session.enqueue(/** @type {any} */ (given)), (error) => StepfoldError.isInstance(error) && error.code === 'invalid-message');
  }
  assert.throws(() => session.enqueue('x'.repeat(40_000)), (error) => StepfoldError.isInstance(error) && error.message.includes('32,000'));
  assert.deepEqual(session.pending(), []);
});
