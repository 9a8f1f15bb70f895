// A user's own `prepareStep` around ours: tools, tool choice, another model in mid-run, cache marks, another system prompt.
// In ai 7 what a step returns is carried forward, so the wrapper's copies come back as if they were the history.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composePrepareStep, createPrepareStep, createSession } from 'stepfold';
import { call, copy, result, step as stepOf, text, user } from '../hand.mjs';
import { amount, inTurn } from '../amount.mjs';
import { APIS, MAJORS, createModel, createTools, run } from './sdk.mjs';
import { answers, denseCount, honestCount, play, request, results } from './script.mjs';

const CACHE_CONTROL = { cacheControl: { type: 'ephemeral' } };

const mark = (message) => ({ ...message, providerOptions: { ...message.providerOptions, anthropic: CACHE_CONTROL } });
const isMarked = (message) => message.providerOptions?.anthropic?.cacheControl !== undefined;

/** As the documentation of Anthropic's provider has it: the last messages are marked, on copies. */
const addMarks = (messages) => messages.map((message, index) => (index >= messages.length - 2 ? mark(message) : message));

/** Takes older marks away first, as one must in ai 7: Anthropic allows four. */
const moveMarks = (messages) =>
  addMarks(messages.map((message) => {
    if (!isMarked(message)) return message;
    const { anthropic: _anthropic, ...others } = message.providerOptions;
    const { providerOptions: _options, ...bare } = message;
    return Object.keys(others).length === 0 ? bare : { ...bare, providerOptions: others };
  }));

/** Marks the last part instead, on a copy of message, content and part. */
const markParts = (messages) =>
  messages.map((message, index) => {
    if (index < messages.length - 2 || typeof message.content === 'string') return message;
    return { ...message, content: message.content.map((part, at) => (at === message.content.length - 1 ? mark(part) : part)) };
  });

const copyAll = (messages) => messages.map((message) => ({ ...message }));
const cloneAll = (messages) => structuredClone(messages);

const wrappers = [
  { name: 'adds cache marks to copies of the last messages', change: addMarks },
  { name: 'moves the cache marks', change: moveMarks },
  { name: 'adds cache marks to parts', change: markParts },
  { name: 'copies every message', change: copyAll },
  { name: 'clones every message', change: cloneAll },
];

const withoutMarks = (prompts) => JSON.stringify(prompts, (key, value) => {
  if (key !== 'providerOptions' || value === null) return key === 'anthropic' ? undefined : value;
  const rest = Object.entries(value).filter(([name]) => name !== 'anthropic');
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
});

async function drive({ major, api = 'generateText', wrap, options = { contextWindow: 8_000 }, count = honestCount }) {
  const events = [];
  const ours = createPrepareStep({ ...options, onEvent: (event) => events.push(event) });
  return { events, ...(await play({ major, api, count: (prompt) => count(JSON.parse(withoutMarks(prompt))), prepareStep: (input) => wrap(input, ours) })) };
}

const folds = (events) => events.filter(({ type }) => type === 'checkpoint').map(({ id }) => id);

for (const [turn, { name, change }] of wrappers.entries()) {
  for (const major of inTurn(MAJORS, turn)) {
    test(`ai ${major}: behind a wrapper that ${name} every prompt fits, also with a dense tokenizer`, async () => {
      const { prompts } = await drive({ major, count: denseCount, wrap: async (input, ours) => ({ messages: change((await ours(input))?.messages ?? input.messages) }) });
      prompts.forEach((prompt, step) => {
        const tokens = denseCount(JSON.parse(withoutMarks(prompt)));
        assert.ok(tokens <= 8_000, `step ${step} sent ${tokens} tokens`);
      });
    });
  }

  for (const major of MAJORS) {
    test(`ai ${major}: a wrapper that ${name} changes nothing about what is folded`, async () => {
      const bare = await drive({ major, wrap: (input, ours) => ours(input) });
      const wrapped = await drive({
        major,
        wrap: async (input, ours) => ({ messages: change((await ours(input))?.messages ?? input.messages) }),
      });
      assert.deepEqual(folds(wrapped.events), folds(bare.events));
      assert.ok(folds(bare.events).length >= 2);
      wrapped.prompts.forEach((prompt, step) => assert.equal(withoutMarks(prompt), withoutMarks(bare.prompts[step]), `step ${step}`));
      assert.deepEqual(wrapped.events.filter(({ type }) => type === 'error' || type === 'state-rejected'), []);
      if (change === addMarks || change === moveMarks) assert.ok(wrapped.prompts.every((prompt) => isMarked(prompt.at(-1))), 'the marks were lost');
    });
  }
}

for (const major of MAJORS) {
  for (const api of inTurn(APIS, major)) {
    test(`ai ${major} ${api}: activeTools, toolChoice and system of a wrapper reach the model beside our messages`, async () => {
      const system = major === 7 ? 'instructions' : 'system';
      const { mock, events, prompts } = await drive({
        major,
        api,
        wrap: async (input, ours) => ({
          ...(await ours(input)),
          activeTools: input.stepNumber % 2 === 0 ? ['read', 'run', 'search'] : ['read'],
          toolChoice: input.stepNumber % 3 === 2 ? 'auto' : 'required',
          [system]: `You are at step ${input.stepNumber}.`,
        }),
      });
      assert.ok(folds(events).length >= 1);
      mock.calls.forEach(({ tools, toolChoice }, step) => {
        assert.equal(tools.length, step % 2 === 0 ? 3 : 1);
        assert.equal(toolChoice.type, step % 3 === 2 ? 'auto' : 'required');
      });
      prompts.forEach((prompt, step) => assert.deepEqual(prompt[0], { role: 'system', content: `You are at step ${step}.` }));
      prompts.forEach((prompt, step) => assert.ok(honestCount(prompt) <= 8_000, `step ${step}`));
    });
  }

  test(`ai ${major}: a wrapper that adds a reminder behind our messages for one step keeps working`, async () => {
    const reminder = { role: 'user', content: 'Remember: never touch `vendor`.' };
    const { prompts, events } = await drive({
      major,
      wrap: async (input, ours) => {
        // In ai 7 the reminder of the step before has been carried forward and is taken out again.
        const messages = input.messages.filter((message) => message !== reminder);
        const prepared = await ours({ ...input, messages });
        return { messages: [...(prepared?.messages ?? messages), reminder] };
      },
    });
    const ids = folds(events);
    assert.ok(ids.length >= 1);
    assert.equal(new Set(ids).size, ids.length);
    prompts.forEach((prompt, step) => {
      assert.equal(JSON.stringify(prompt).split('Remember: never touch').length, 2, `step ${step}`);
      assert.ok(honestCount(prompt) <= 8_000, `step ${step}: ${honestCount(prompt)}`);
    });
  });

  for (const [name, count] of Object.entries(amount({ push: { dense: denseCount }, night: { honest: honestCount, dense: denseCount } }))) {
    for (const [from, to] of [['gpt-4o', 'gpt-4'], ['gpt-4', 'gpt-4o']]) {
      test(`ai ${major}: one prepareStep follows a change of model from ${from} to ${to} and back, with a ${name} tokenizer`, async () => {
        const windows = { 'gpt-4o': 128_000, 'gpt-4': 8_192 };
        const events = [];
        const ours = createPrepareStep({ onEvent: (event) => events.push(event) });
        const first = createModel({ major, answers: [...answers.slice(0, 12), ...answers.slice(20)], count, modelId: from, provider: 'openai' });
        const second = createModel({ major, answers: answers.slice(12, 20), count, modelId: to, provider: 'openai' });
        await run({
          major, model: first.model, tools: createTools(major, results),
          options: {
            messages: [request],
            prepareStep: async (input) => {
              const model = input.stepNumber >= 12 && input.stepNumber < 20 ? second.model : first.model;
              return { ...(await ours({ ...input, model })), model };
            },
          },
        });
        const windowAt = (step) => events.find(({ type, stepNumber }) => type === 'measured' && stepNumber === step).contextWindow;
        assert.deepEqual([11, 12, 19, 20].map(windowAt), [from, to, to, from].map((id) => windows[id]));
        for (const [id, mock] of [[from, first], [to, second]]) {
          mock.prompts().forEach((prompt, call) => assert.ok(count(prompt) <= windows[id], `call ${call} of ${id} sent ${count(prompt)} tokens`));
        }
        assert.deepEqual(events.filter(({ type }) => type === 'error'), []);
      });
    }
  }

  test(`ai ${major}: a wrapper that calls two of ours, for two tiers, never grows the prompt`, async () => {
    const inner = createPrepareStep({ contextWindow: 8_000, trigger: 0.6, target: 0.4 });
    const { prompts, text } = await drive({
      major,
      wrap: async (input, ours) => {
        const first = await inner(input);
        return (await ours({ ...input, messages: first?.messages ?? input.messages })) ?? first;
      },
    });
    assert.equal(text, answers.at(-1).text);
    prompts.forEach((prompt, step) => assert.ok(honestCount(prompt) <= 8_000, `step ${step}`));
  });
}

const NEWS = 'The warehouse in Lyon is closed today.';
const isNews = ({ role, content }) => role === 'user' && (content === NEWS || content[0]?.text === NEWS);
/** As in docs/how-it-works.md. */
const addNews = ({ messages }) => ({ messages: [...messages.filter((message) => !isNews(message)), { role: 'user', content: NEWS }] });
const countNews = (prompt) => prompt.filter(isNews).length;

for (const major of MAJORS) {
  for (const [order, compose] of Object.entries({
    "the app's first": (own, ours) => composePrepareStep(own, ours),
    "stepfold's first": (own, ours) => composePrepareStep(ours, own),
  })) {
    test(`ai ${major}: composed with ${order}, the app's message is in every prompt once, and every prompt fits`, async () => {
      const ours = { createPrepareStep: (options) => createPrepareStep(options), createSession: (options) => createSession(options).prepareStep };
      for (const make of Object.values(ours)) {
        const events = [];
        const prepareStep = compose(addNews, make({ contextWindow: 8_000, onEvent: (event) => events.push(event) }));
        const { prompts, text: said } = await play({ major, count: honestCount, prepareStep });
        assert.equal(said, answers.at(-1).text);
        assert.ok(folds(events).length >= 1);
        assert.equal(new Set(folds(events)).size, folds(events).length);
        prompts.forEach((prompt, step) => {
          assert.equal(countNews(prompt), 1, `step ${step}`);
          assert.ok(isNews(prompt.at(-1)), `step ${step}`);
          assert.ok(honestCount(prompt) <= 8_000, `step ${step}: ${honestCount(prompt)}`);
        });
        assert.deepEqual(events.filter(({ type }) => ['error', 'over-budget'].includes(type)), []);
      }
    });
  }
}

test('composed, stepfold counts for the model that the app has chosen, and both are heard', async () => {
  const seen = [];
  const ours = createPrepareStep({ onEvent: ({ type, contextWindow }) => void (type === 'measured' && seen.push(contextWindow)) });
  const model = { modelId: 'gpt-4', provider: 'openai' };
  const choose = () => ({ model, activeTools: ['read'], toolChoice: undefined });
  const input = { messages: [user('Go.')], steps: [], stepNumber: 0, model: { modelId: 'gpt-5', provider: 'openai' } };
  assert.deepEqual(await composePrepareStep(choose, ours)(input), { model, activeTools: ['read'] });
  assert.deepEqual(seen, [8_192]);
  const inner = (step) => ({ providerOptions: { openai: { a: 1, of: step.model.modelId }, google: { b: 2 } }, temperature: 1 });
  const outer = (step) => ({ providerOptions: { openai: { c: 3, saw: step.providerOptions.google.b } }, temperature: step.temperature + 1 });
  assert.deepEqual(await composePrepareStep(composePrepareStep(choose, inner), async (step) => outer(step))(input), { model, activeTools: ['read'], temperature: 2, providerOptions: { openai: { a: 1, of: 'gpt-4', c: 3, saw: 2 }, google: { b: 2 } } });
  for (const nothing of [() => undefined, async () => {}, () => null]) assert.equal(await composePrepareStep(nothing, nothing)(input), undefined);
  await assert.rejects(composePrepareStep(() => { throw new RangeError('mine'); }, ours)(input), RangeError);
});

test("composed, the messages of a step that stepfold leaves as it is are the app's, the same objects", async () => {
  const messages = [user('Go.'), call('a'), result('a', text(20))];
  const given = copy(messages);
  const added = addNews({ messages });
  const sent = await stepOf(composePrepareStep(() => added, createPrepareStep({ contextWindow: 8_000 })), messages);
  assert.equal(sent, added.messages);
  assert.deepEqual(messages, given);
});
