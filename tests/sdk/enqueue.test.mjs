// User messages put into a running request: sent once, behind complete pairs, at the same place in every later step and request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StepfoldError, validateMessages, createSession } from 'stepfold';
import { textOf, withoutBridges } from '../hand.mjs';
import { answers, play, request } from './script.mjs';
import { MAJORS } from './sdk.mjs';
import { assertAppendStable, deepFreeze, watch } from './watch.mjs';

const GUIDANCE = 'Leave module 4 alone, please.';
const isGuidance = (message) => message.role === 'user' && textOf(message) === GUIDANCE;
const shape = (prompt) => prompt.map(({ role, content }) => `${role}:${typeof content === 'string' ? content : content.map((part) => part.toolCallId ?? part.text).join()}`);

/** A run in which guidance comes while the sixth answer is made. */
async function drive(major, { contextWindow, store = new Map() }) {
  let session;
  const watched = watch((options) => {
    session = createSession({ id: 'chat', store, contextWindow, ...options });
    return session.prepareStep;
  });
  const played = await play({ major, prepareStep: watched.prepareStep, onCall: (index) => index === 5 && session.enqueue(GUIDANCE) });
  assert.equal(played.text, answers.at(-1).text);
  return { session, store, ...played, ...watched };
}

for (const major of MAJORS) {
  test(`ai ${major}: guidance is sent at the next step and stays at its place`, async () => {
    const { session, prompts, steps, events } = await drive(major, { contextWindow: 1_000_000 });
    prompts.forEach((prompt, index) => {
      assert.equal(prompt.filter(isGuidance).length, index > 5 ? 1 : 0, `step ${index}`);
      if (index > 5) assert.equal(prompt.findIndex(isGuidance), prompts[6].length - 1);
      assert.deepEqual(validateMessages(prompt), []);
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
    // As a chat comes back whose tools were not given to `convertToModelMessages`.
    const otherwise = (list) => list.map((message) => (message.role === 'tool' ? { ...message, content: message.content.map((part) => ({ ...part, output: { type: 'json', value: { text: part.output.value } } })) } : message));
    for (const { persisted, form } of [{ persisted: false, form: (list) => list }, { persisted: true, form: (list) => list }, { persisted: false, form: otherwise }, { persisted: true, form: otherwise }]) {
      const list = form(JSON.parse(JSON.stringify(stored)));
      if (persisted) list.splice(stored.findIndex((message) => JSON.stringify(message).includes('call-5"') && message.role === 'tool') + 1, 0, { role: 'user', content: GUIDANCE });
      const reported = [];
      const session = createSession({ id: 'chat', store: new Map(store), contextWindow: 8_000, onEvent: (event) => reported.push(event.type) });
      const messages = deepFreeze([...list, { role: 'user', content: 'Thanks.' }]);
      const answer = await session.prepareStep({ messages, steps: [], stepNumber: 0, model: { modelId: 'mock-model', provider: 'mock' } });
      assert.ok(!reported.includes('checkpoint'), 'the checkpoint still holds');
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
  assert.deepEqual(withoutBridges(answer.messages).map(textOf), ['Hello.', 'First.', 'Second.']);
  assert.deepEqual(restored.pending(), []);
  const later = [...messages, { role: 'assistant', content: 'Well.' }, { role: 'user', content: 'Go on.' }];
  const next = await createSession({ state: restored.state }).prepareStep({ messages: later, steps: [], stepNumber: 0, model: 'mock' });
  assert.deepEqual(withoutBridges(next.messages).map(textOf), ['Hello.', 'First.', 'Second.', 'Well.', 'Go on.']);
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
    assert.throws(() => session.enqueue(given), (error) => StepfoldError.isInstance(error) && error.code === 'invalid-message');
  }
  assert.throws(() => session.enqueue('x'.repeat(40_000)), (error) => StepfoldError.isInstance(error) && error.message.includes('32,000'));
  assert.deepEqual(session.pending(), []);
});

const MODEL = { modelId: 'mock-model', provider: 'mock' };
const one = (session, messages) => session.prepareStep({ messages, steps: [], stepNumber: 0, model: MODEL });
const first = [{ role: 'user', content: 'Read the modules.' }, { role: 'assistant', content: 'They are read.' }];

test('what was put in before the store was read is sent, and what no step has sent is saved', async () => {
  // Reading the store threw both away.
  const store = new Map();
  const options = { id: 'chat', store, contextWindow: 1_000_000 };
  const before = createSession(options);
  before.enqueue('Waits.');
  await before.dispose();
  const session = createSession(options);
  session.enqueue(GUIDANCE);
  assert.deepEqual(withoutBridges((await one(session, first)).messages).slice(2).map(textOf), ['Waits.', GUIDANCE]);
  const planned = createSession(options);
  planned.enqueue('Planned.');
  await planned.plan(first, { model: MODEL });
  assert.deepEqual(planned.pending().map(textOf), ['Planned.']);
});

test('after a conflict nothing that was put in is lost', async () => {
  const store = new Map();
  const options = { id: 'chat', store, contextWindow: 1_000_000 };
  const [here, there] = [createSession(options), createSession(options)];
  const steps = [];
  await here.prepareStep({ messages: first, steps, stepNumber: 0, model: MODEL });
  there.enqueue('From there.');
  await one(there, first);
  here.enqueue('From here.');
  const { messages } = await here.prepareStep({ messages: first, steps, stepNumber: 1, model: MODEL });
  assert.deepEqual(withoutBridges(messages).slice(2).map(textOf), ['From here.']);
  // Its save came later. Neither has decided anything, so it goes on from what it was sent; the next request holds both.
  for (const session of [here, createSession(options)]) {
    assert.deepEqual(withoutBridges((await one(session, structuredClone(first))).messages).slice(2).map(textOf), ['From here.', 'From there.']);
  }
});

test('a message that was put in stays when something older is edited, left out or put in front', async () => {
  const store = new Map();
  const options = { id: 'chat', store, contextWindow: 1_000_000 };
  const session = createSession(options);
  session.enqueue(GUIDANCE);
  await one(session, first);
  const later = [...first, { role: 'assistant', content: 'Module 4 is left alone.' }, { role: 'user', content: 'Thanks.' }];
  const edited = [{ role: 'user', content: 'Read all the modules.' }, ...later.slice(1)];
  const inFront = [{ role: 'user', content: 'A note.' }, { role: 'assistant', content: 'Noted.' }, ...later];
  for (const list of [later, edited, inFront, later.slice(1)]) {
    const { messages } = await one(createSession({ ...options, store: new Map(store) }), structuredClone(list));
    const at = messages.findIndex(isGuidance);
    assert.equal(textOf(messages[at - 1]), 'They are read.');
    assert.equal(messages.length, list.length + 1);
  }
});

const uses = (...ids) => [
  { role: 'assistant', content: ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'look', input: { id } })) },
  { role: 'tool', content: ids.map((id) => ({ type: 'tool-result', toolCallId: id, toolName: 'look', output: { type: 'text', value: `Result ${id}.` } })) },
];
const says = (content) => ({ role: 'user', content });
const told = (content) => ({ role: 'assistant', content });
const [begin, begun, lamp, done, thanks] = [says('Check the order.'), told('It is late.'), says('And the lamp?'), told('Both are looked up.'), says('Thanks.')];
const turn = [lamp, ...uses('c1'), ...uses('c2'), done];

/** What an app may send after a message was put in between the two steps of `turn`, and behind which message of these it stands then. */
const lists = {
  'as it was': [[begin, begun, ...turn, thanks], 4],
  'the same list once more, as nothing was stored': [[begin, begun, lamp], 2],
  'an answer that was made anew': [[begin, begun, lamp, told('Otherwise.'), thanks], 2],
  'an answer that was taken out': [[begin, begun, lamp, thanks], 2],
  'its turn edited': [[begin, begun, says('And the desk?')], undefined],
  'something before its turn edited': [[says('Check my order.'), told('It is there.'), thanks], undefined],
  'something before it edited, and all else kept': [[says('Check my order.'), begun, ...turn, thanks], 4],
  'its turn taken out': [[begin, begun, thanks], undefined],
  'its calls taken out': [[begin, begun, lamp, done, thanks], 2],
  'its steps made one message': [[begin, begun, lamp, ...uses('c1', 'c2'), done, thanks], 2],
  'only its turn and what follows': [[...turn, thanks], 2],
  'the same without its calls': [[lamp, done, thanks], 0],
  'only what follows its turn': [[thanks, told('Welcome.'), says('Bye.')], undefined],
  'itself, stored by the app': [[begin, begun, lamp, ...uses('c1'), says(GUIDANCE), ...uses('c2'), done, thanks], 4],
};
for (const [name, [list, at]] of Object.entries(lists)) {
  test(`what was put in is sent in its own turn, or not at all: ${name}`, async () => {
    const store = new Map();
    const events = [];
    const create = () => createSession({ id: 'chat', store, contextWindow: 1_000_000, onEvent: ({ type }) => events.push(type) });
    const session = create();
    const steps = [];
    const sent = [begin, begun, lamp];
    await session.prepareStep({ messages: [...sent], steps, stepNumber: 0, model: MODEL });
    steps.push({ usage: {} });
    session.enqueue(GUIDANCE);
    sent.push(...uses('c1'));
    await session.prepareStep({ messages: [...sent], steps, stepNumber: 1, model: MODEL });
    await session.dispose();
    // The second goes on from what the first has saved.
    for (const isFirst of [true, false]) {
      events.length = 0;
      const next = create();
      const messages = withoutBridges((await one(next, structuredClone(list)))?.messages ?? list);
      assert.equal(messages.findIndex(isGuidance), at === undefined ? -1 : at + 1);
      assert.equal(messages.filter(isGuidance).length, at === undefined ? 0 : 1);
      assert.deepEqual(messages.filter((message) => !isGuidance(message)), list.filter((message) => !isGuidance(message)));
      assert.deepEqual([next.delivered().length, next.pending().length], [at === undefined ? 0 : 1, 0]);
      assert.equal(events.includes('left-out'), at === undefined && isFirst);
      await next.dispose();
    }
    const back = create();
    assert.equal(withoutBridges((await one(back, structuredClone([begin, begun, ...turn, thanks]))).messages).findIndex(isGuidance), 5, 'the turn has come back');
    assert.equal(back.delivered().length, 1);
  });
}

test('what was put in twice in one turn keeps its order where the answer is made anew', async () => {
  const store = new Map();
  const session = createSession({ id: 'chat', store, contextWindow: 1_000_000 });
  const steps = [];
  for (const [number, list] of [[lamp], [lamp, ...uses('c1')], [lamp, ...uses('c1'), ...uses('c2')]].entries()) {
    if (number > 0) session.enqueue(`Word ${number}.`);
    await session.prepareStep({ messages: [...list], steps, stepNumber: number, model: MODEL });
    steps.push({ usage: {} });
  }
  await session.dispose();
  for (const list of [[lamp, told('Otherwise.'), thanks], [lamp, ...uses('c1'), thanks]]) {
    const { messages } = await one(createSession({ id: 'chat', store: new Map(store), contextWindow: 1_000_000 }), structuredClone(list));
    const words = messages.map(textOf);
    assert.deepEqual(words.filter((word) => /^Word|Thanks/.test(word)), ['Word 1.', 'Word 2.', 'Thanks.']);
  }
});

test('what no provider takes is refused at once', () => {
  const session = createSession();
  const call = { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 't', output: { type: 'text', value: 'x' } }] };
  const circular = { role: 'user', content: 'x', providerOptions: {} };
  Object.assign(circular.providerOptions, { circular });
  for (const message of ['', '  ', { role: 'user', content: [] }, call, { role: 'assistant', content: 'I am.' }, circular, { role: 'user', content: 'x', providerOptions: { big: 1n } }]) {
    assert.throws(() => session.enqueue(message), (error) => StepfoldError.isInstance(error) && error.code === 'invalid-message');
  }
  assert.deepEqual(session.pending(), []);
});
