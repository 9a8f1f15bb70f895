// The compact tool inside real runs of ai 5, 6 and 7 and by hand: the model folds by itself with a focus, and pins results that no rung may
// take. Bounds, what the model is told, restored sessions and runs at once. What is folded and how stands in other tests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'stepfold';
import { call, result } from '../hand.mjs';
import { MAJORS, createModel, createTools, run } from './sdk.mjs';

const page = (number, lines = 40) => Array.from({ length: lines }, (_, line) => `page ${number} line ${line + 1}: value ${number * 1000 + line}, “umlauts” äöü`).join('\n');
const options = { contextWindow: 20_000, reserveTokens: 1_000, overheadTokens: 1 };
/** A window that is full after a few pages. */
const narrow = { ...options, contextWindow: 9_000, trigger: 0.8, target: 0.4, keepRecent: { tokens: 1_000 }, minClearTokens: 500, maxResultTokens: 6_000 };
const key = 'The key is 4711-ß. Keep it. 123456';

const partsOf = (prompt) => prompt.flatMap(({ content }) => (Array.isArray(content) ? content : []));
const outputOf = (prompt, id) => partsOf(prompt).find(({ type, toolCallId }) => type === 'tool-result' && toolCallId === id)?.output;
const textOf = (prompt) => JSON.stringify(prompt);
const isFolded = (prompt) => textOf(prompt).includes('[Checkpoint ');

const reading = (first, last) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((number) => [call(`c${number}`, { path: `pages/${number}.txt` }), result(`c${number}`, page(number))]);
const request = { role: 'user', content: 'Read all pages.' };
/** One step, by hand: what is sent. */
const step = async (session, messages, steps = []) => (await session.prepareStep({ messages, steps, stepNumber: 0, model: 'mock' }))?.messages ?? messages;
const ask = (session, messages, input, id = 'ask') => session.compactTool().execute(input, { toolCallId: id, messages });
/** The messages after the model has asked. */
const asked = (session, messages, input, id = 'ask') => [...messages, call(id, input, 'compact'), result(id, ask(session, messages, input, id), 'compact')];

for (const major of MAJORS) {
  test(`v${major}: the model folds by itself before its next step, and the summarizer is asked with its focus`, async () => {
    const events = [];
    const prompts = [];
    const session = createSession({
      ...options,
      onEvent: (event) => events.push(event),
      summarize: async ({ prompt }) => (prompts.push(prompt), 'Pages 1 to 4 were read; each line of them holds a value, and the values of page 3 begin with 3000.'),
    });
    const answers = [
      ...[1, 2, 3, 4].map((number) => ({ calls: [{ id: `c${number}`, name: 'read', input: { page: number } }] })),
      { calls: [{ id: 'fold', name: 'compact', input: { focus: 'the values of page 3' } }] },
      { calls: [{ id: 'c5', name: 'read', input: { page: 5 } }] },
      { text: 'Done.' },
    ];
    const mock = createModel({ major, answers });
    const tools = { ...createTools(major, { read: ({ page: number }) => page(number) }), compact: session.compactTool() };
    const { errors } = await run({ major, model: mock.model, tools, options: { messages: [request], prepareStep: session.prepareStep } });
    assert.deepEqual(errors, []);
    const sent = mock.prompts();
    assert.deepEqual(sent.map(isFolded), [false, false, false, false, false, true, true]);
    assert.ok(outputOf(sent[5], 'fold').value.startsWith('Before your next step older messages are folded'));
    assert.equal(outputOf(sent[5], 'c1'), undefined);
    assert.ok(prompts.length === 1 && prompts[0].includes('the values of page 3') && textOf(sent[5]).includes('Pages 1 to 4 were read'));
    assert.deepEqual(
      events.filter(({ type }) => ['compact-requested', 'checkpoint'].includes(type)).map(({ type, focus, content }) => [type, focus ?? content]),
      [['compact-requested', 'the values of page 3'], ['checkpoint', 'summary']],
    );
  });

  test(`v${major}: a pinned result stays whole while others are cleared, and stands verbatim in the checkpoint`, async () => {
    const events = [];
    const session = createSession({ ...narrow, onEvent: (event) => events.push(event) });
    const answers = [
      { calls: [{ id: 'key', name: 'secret', input: {} }] },
      { calls: [{ id: 'c1', name: 'read', input: { page: 1 } }] },
      { calls: [{ id: 'pin', name: 'compact', input: { pin: 'secret' } }] },
      ...Array.from({ length: 16 }, (_, index) => ({ calls: [{ id: `c${index + 2}`, name: 'read', input: { page: index + 2 } }] })),
      { calls: [{ id: 'fold', name: 'compact', input: {} }] },
      ...Array.from({ length: 12 }, (_, index) => ({ calls: [{ id: `c${index + 20}`, name: 'read', input: { page: index + 20 } }] })),
      { calls: [{ id: 'again', name: 'compact', input: {} }] },
      { text: 'Done.' },
    ];
    const mock = createModel({ major, answers });
    const secret = `${key}\n${page(0, 12)}`;
    const tools = { ...createTools(major, { secret: () => secret, read: ({ page: number }) => page(number) }), compact: session.compactTool() };
    const { errors } = await run({ major, model: mock.model, tools, options: { messages: [request], prepareStep: session.prepareStep } });
    assert.deepEqual(errors, []);
    const sent = mock.prompts().slice(3);
    assert.ok(sent.some((prompt) => textOf(prompt).includes('call the tool again')), 'others were cleared');
    assert.ok(events.filter(({ type }) => type === 'checkpoint').length >= 2);
    for (const prompt of sent) {
      const output = outputOf(prompt, 'key');
      if (output !== undefined) assert.equal(output.value, secret);
      else assert.ok(textOf(prompt).includes('Pinned result of secret, verbatim') && textOf(prompt).includes(JSON.stringify(secret).slice(1, -1)));
    }
    assert.ok(outputOf(sent.at(-1), 'key') === undefined, 'it was folded at last');
    assert.deepEqual(events.filter(({ type }) => type === 'pinned').map(({ toolName, toolCallId }) => [toolName, toolCallId]), [['secret', 'key']]);
    assert.deepEqual(events.filter(({ type }) => ['pins-released', 'error'].includes(type)), []);
  });
}

test('the model is told what becomes of what it asks', async () => {
  const session = createSession(options);
  const image = { type: 'content', value: [{ type: 'text', text: 'the picture' }, { type: 'media', mediaType: 'image/png', data: 'iVBORw0KGgo='.repeat(40) }] };
  const messages = [request, ...reading(1, 2), call('i', {}, 'look'), result('i', image, 'look'), call('l', {}, 'large'), result('l', page(9, 120), 'large')];
  await step(session, messages);
  const rows = [
    ['nothing at all folds', {}, /^Before your next step older messages are folded into a checkpoint, if/],
    ['a focus folds', { focus: 'x' }, /folded into a checkpoint with that focus/],
    ['a tool pins its newest result', { pin: 'read' }, /^Pinned: the result of read \(about \d+ tokens\) stays as it is\./],
    ['a text finds an older one by its call', { pin: 'read', containing: 'PAGES/1' }, /^Pinned: the result of read/],
    ['and by the result', { pin: 'read', containing: 'page 1 line 3' }, /^Pinned: the result of read/],
    ['both at once', { pin: 'read', focus: 'x' }, /^Pinned.*\nBefore your next step/s],
    ['a call id', { pin: 'c1' }, /^Pinned: the result of read/],
    ['no such tool', { pin: 'write' }, /^Not pinned: no result of that tool stands in the messages\. There are results of large, look, read\.$/],
    ['no such text', { pin: 'read', containing: 'nowhere' }, /^Not pinned: no result of that tool with that text/],
    ['images', { pin: 'look' }, /^Not pinned: a result with images/],
    ['too large', { pin: 'large' }, /^Not pinned: that result has about \d+ tokens, and \d+ may be pinned/],
    ['what is of no type of ours is not given', { focus: [1], pin: { a: 1 }, containing: null }, /^Before your next step/],
    ['nor is what is no object', null, /^Before your next step/],
  ];
  for (const [name, input, reported] of rows) assert.match(ask(session, messages, input), reported, name);
});

test('what was cleared is not pinned, and what is pinned is not pinned twice', async () => {
  const session = createSession(narrow);
  const messages = [request, ...reading(1, 10)];
  const sent = await step(session, messages);
  assert.ok(textOf(sent).includes('call the tool again'));
  for (const list of [messages, sent]) {
    assert.match(ask(session, list, { pin: 'read', containing: 'pages/3.txt' }), /^Not pinned: that result was cleared or cut before/);
  }
  const after = asked(session, messages, { pin: 'c10' }, 'pin');
  await step(session, after);
  assert.equal(ask(session, after, { pin: 'c10' }), 'Nothing to do: that result is pinned already.');
});

test('a second fold is refused until the prompt has grown by a fifth', async () => {
  const events = [];
  const session = createSession({ ...options, onEvent: (event) => events.push(event) });
  let messages = [request, ...reading(1, 6)];
  await step(session, messages);
  messages = asked(session, messages, {}, 'first');
  assert.ok(isFolded(await step(session, messages)));
  assert.match(ask(session, messages, { focus: 'again' }, 'second'), /^Nothing is folded: you did so not long ago/);
  messages = [...messages, ...reading(7, 9)];
  await step(session, messages);
  assert.match(ask(session, messages, {}, 'third'), /^Before your next step/);
  assert.equal(events.filter(({ type }) => type === 'compact-requested').length, 2);
});

test('the oldest pins are released when there are too many, and the model and the app are told', async () => {
  const events = [];
  const session = createSession({ ...options, onEvent: (event) => events.push(event) });
  let messages = [request];
  const released = [];
  for (let number = 1; number <= 10; number += 1) {
    messages = [...messages, call(`n${number}`, {}, `note${number}`), result(`n${number}`, `note ${number}`, `note${number}`)];
    await step(session, messages);
    messages = asked(session, messages, { pin: `note${number}` }, `pin${number}`);
    released.push(/not pinned any more: (.*)\.$/.exec(messages.at(-1).content[0].output.value)?.[1]);
  }
  await step(session, messages);
  assert.deepEqual(released, [...Array.from({ length: 8 }, () => undefined), 'note1', 'note2']);
  assert.deepEqual(events.filter(({ type }) => type === 'pins-released').map(({ toolNames }) => toolNames), [['note1'], ['note2']]);
});

test('pins are of the session: a restored one keeps them whole', async () => {
  const first = createSession(narrow);
  let messages = [request, call('k', {}, 'secret'), result('k', `${key}\n${page(0, 12)}`, 'secret'), ...reading(1, 1)];
  await step(first, messages);
  messages = asked(first, messages, { pin: 'secret' }, 'pin');
  // Whether the next step was made before the state was taken or not.
  const waiting = JSON.stringify(first.state);
  await step(first, messages);
  for (const state of [waiting, JSON.stringify(first.state)]) {
    const later = createSession({ ...narrow, state });
    const sent = await step(later, JSON.parse(JSON.stringify([...messages, ...reading(2, 14)])));
    assert.ok(textOf(sent).includes('call the tool again') || isFolded(sent));
    assert.ok(textOf(sent).includes(key) && textOf(sent).includes('page 0 line 12'));
  }
});

test('of two runs at once only the one whose model asked folds', async () => {
  const session = createSession(options);
  const [one, other] = [[{}], [{}]].map((steps) => ({ steps, messages: [request, ...reading(1, 6)] }));
  await step(session, one.messages, one.steps);
  await step(session, other.messages, other.steps);
  const after = asked(session, one.messages, { focus: 'x' }, 'mine');
  const more = [...other.messages, ...reading(7, 7)];
  assert.ok(!isFolded(await step(session, more, other.steps)));
  assert.ok(isFolded(await step(session, after, one.steps)));
  assert.ok(!isFolded(await step(session, [...more, ...reading(8, 8)], other.steps)));
});

test('an aborted summary leaves the messages as they are', async () => {
  const controller = new AbortController();
  const session = createSession({
    ...options,
    summarize: async () => {
      controller.abort();
      return 'Pages were read; each line of them holds a value that begins with the number of its page.';
    },
    abortSignal: controller.signal,
  });
  const messages = [request, ...reading(1, 6)];
  await step(session, messages);
  const after = asked(session, messages, { focus: 'x' }, 'fold');
  assert.deepEqual(await step(session, after), after);
});

test('undo brings folded messages back and keeps what was pinned since', async () => {
  const session = createSession(options);
  let messages = [request, ...reading(1, 6)];
  await step(session, messages);
  messages = asked(session, messages, { focus: 'x', pin: 'read' }, 'both');
  assert.ok(isFolded(await step(session, messages)));
  assert.equal(await session.undo(), true);
  assert.ok(!isFolded(await step(session, messages)));
  assert.equal(ask(session, messages, { pin: 'c6' }), 'Nothing to do: that result is pinned already.');
  assert.equal(await session.undo(), false, 'a pin alone is nothing to take back');
});

test('in a smaller window pins are released rather than a request over it', async () => {
  const first = createSession(options);
  let messages = [request, call('k', {}, 'secret'), result('k', `${key}\n${page(0, 60)}`, 'secret'), ...reading(1, 1)];
  await step(first, messages);
  messages = asked(first, messages, { pin: 'secret' }, 'pin');
  await step(first, messages);
  assert.equal(ask(first, messages, { pin: 'secret' }), 'Nothing to do: that result is pinned already.');
  const events = [];
  const later = createSession({ contextWindow: 3_000, reserveTokens: 300, overheadTokens: 1, state: JSON.stringify(first.state), onEvent: (event) => events.push(event) });
  const sent = await step(later, messages);
  assert.deepEqual(events.filter(({ type }) => type === 'pins-released').map(({ toolNames }) => toolNames), [['secret']]);
  assert.ok(textOf(sent).length < textOf(messages).length);
  assert.deepEqual(events.filter(({ type }) => type === 'over-budget'), []);
});

test('of what a stored state says that models asked only whole requests are read', async () => {
  const session = createSession({ ...options, state: { version: 2, asked: [null, 7, { callId: 'x' }, { callId: 'fold', folds: true, focus: '', pin: 'no number' }] } });
  const messages = [request, ...reading(1, 6), call('fold', {}, 'compact'), result('fold', 'ok', 'compact')];
  // Of what is read only the one that is whole counts, and it names no result.
  assert.ok(isFolded(await step(session, messages)));
});
