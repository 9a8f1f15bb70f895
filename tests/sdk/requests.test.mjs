// One conversation over many requests without a session, as a chat route does: each request brings the whole uncompacted history
// as new objects. Checks that work is not done twice and that the prompt cache keeps matching. Sessions are tested elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep } from 'stepfold';
import { inTurn } from '../amount.mjs';
import { withRunsInOrder } from '../hand.mjs';
import { MAJORS, createModel, createTools, run } from './sdk.mjs';
import { answers, honestCount, play, results, words } from './script.mjs';
import { assertAppendStable, assertUntouchedAreSame, watch } from './watch.mjs';

const REQUESTS = 10;
const STEPS_EACH = 4;

/** How an application brings the history back. */
const rebuilds = [
  { name: 'structuredClone', rebuild: (messages) => structuredClone(messages) },
  { name: 'JSON', rebuild: (messages) => JSON.parse(JSON.stringify(messages)) },
  { name: 'JSON with other key order', rebuild: (messages) => JSON.parse(JSON.stringify(messages), reverseKeys) },
  { name: 'string contents as parts', rebuild: (messages) => messages.map(({ content, ...rest }) => ({ ...rest, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content })) },
  { name: 'JSON without metadata', rebuild: (messages) => JSON.parse(JSON.stringify(messages, (key, value) => (key === 'providerOptions' ? undefined : value))) },
];

function reverseKeys(_key, value) {
  return typeof value !== 'object' || value === null || Array.isArray(value) ? value : Object.fromEntries(Object.entries(value).reverse());
}

/** The answers of one request: some of the script's tool steps, then a text. */
function answersOf(request) {
  const steps = answers.slice((request * (STEPS_EACH - 1)) % 24, (request * (STEPS_EACH - 1)) % 24 + STEPS_EACH - 1);
  const own = steps.map((step) => ({ ...step, calls: step.calls.map((call) => ({ ...call, id: `${request}-${call.id}`, input: { ...call.input, request } })) }));
  return [...own, { text: `Request ${request} is done.` }];
}

async function converse({ major, options, rebuild, count = honestCount }) {
  const watched = watch(createPrepareStep, options);
  const { prepareStep } = watched;
  let history = [];
  const prompts = [];
  for (let request = 0; request < REQUESTS; request += 1) {
    history.push({ role: 'user', content: `Request ${request}: ${words(25, request)}` });
    const messages = rebuild(history);
    const played = await play({ major, answers: answersOf(request), count, messages, prepareStep });
    prompts.push(...played.prompts);
    history = [...history, ...played.stored.slice(messages.length)];
  }
  return { ...watched, prompts };
}

/** The ids of checkpoints that cover a span for the first time. */
const checkpointIds = (events) => events.filter(({ type }) => type === 'checkpoint').map(({ id }) => id);

for (const [turn, { name, rebuild }] of rebuilds.entries()) {
  for (const major of inTurn(MAJORS, turn)) {
    test(`ai ${major}: ten requests fold no span twice and keep their prefix, messages rebuilt by ${name}`, async () => {
      const { events, steps } = await converse({ major, options: { contextWindow: 8_000 }, rebuild });
      const ids = checkpointIds(events);
      assert.ok(ids.length >= 2, `${ids.length} checkpoints`);
      assert.equal(new Set(ids).size, ids.length, 'a span was folded twice');
      // Ten requests of some 60 messages in 8,000 tokens need a handful of folds, not one for each request.
      assert.ok(ids.length <= 6, `${ids.length} checkpoints for ten requests`);
      assertAppendStable(steps);
      assertUntouchedAreSame(steps);
      assert.deepEqual(events.filter(({ type }) => type === 'error' || type === 'state-rejected'), []);
      assert.ok(events.some(({ type }) => type === 'session-recommended'), 'nobody was told that a session would help');
    });
  }
}

test('what was reported of the request before goes on counting: what fits is not folded', async () => {
  const events = [];
  const prepareStep = createPrepareStep({ contextWindow: 16_000, reserveTokens: 2_000, onEvent: (event) => events.push(event) });
  const model = { provider: 'mock', modelId: 'mock', specificationVersion: 'v3' };
  const messages = [{ role: 'user', content: 'Look through all of these.' }];
  const steps = [];
  while (honestCount(messages) < 12_400) {
    const read = { toolCallId: `call-${steps.length}`, toolName: 'read' };
    messages.push({ role: 'assistant', content: [{ type: 'tool-call', ...read, input: { number: steps.length } }] });
    messages.push({ role: 'tool', content: [{ type: 'tool-result', ...read, output: { type: 'text', value: words(600, steps.length) } }] });
    await prepareStep({ messages: [...messages], steps, stepNumber: steps.length, model });
    steps.push({ usage: { inputTokens: honestCount(messages), outputTokens: 40 } });
  }
  messages.push({ role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Go on.' });
  await prepareStep({ messages, steps: [], stepNumber: 0, model });
  const reported = events.filter(({ type }) => type !== 'session-recommended');
  assert.deepEqual(reported.filter(({ type }) => type !== 'measured'), []);
  assert.equal(reported.at(-1).source, 'reported');
});

test('ten requests send the same bytes in ai 5, 6 and 7', async () => {
  const [first, ...others] = await Promise.all(MAJORS.map((major) => converse({ major, options: { contextWindow: 8_000 }, rebuild: structuredClone })));
  for (const { prompts, events } of others) {
    prompts.forEach((prompt, step) => assert.equal(JSON.stringify(prompt), JSON.stringify(first.prompts[step]), `step ${step}`));
    assert.deepEqual(withRunsInOrder(events), withRunsInOrder(first.events));
  }
});

for (const major of MAJORS) {
  test(`ai ${major}: ten requests without usage fold no span twice`, async () => {
    const { events, steps } = await converse({ major, options: { contextWindow: 6_000 }, rebuild: structuredClone, count: undefined });
    const ids = checkpointIds(events);
    assert.ok(ids.length >= 2);
    assert.equal(new Set(ids).size, ids.length);
    assertAppendStable(steps);
  });

  test(`ai ${major}: the summarizer is asked for each part of a fold, with the summary before`, async () => {
    const asked = [];
    const summarize = (request) => {
      asked.push(request);
      return `Summary number ${asked.length}.`;
    };
    const { events } = await converse({ major, options: { contextWindow: 8_000, summarizeWindow: 64_000, summarize }, rebuild: structuredClone });
    const folds = events.filter(({ type }) => type === 'checkpoint');
    assert.ok(folds.length >= 2);
    // A fold that leaves more than it should goes on, and the summarizer reads on: at most four times a step.
    assert.ok(asked.length >= folds.length && asked.length <= 4 * folds.length, `${asked.length} for ${folds.length}`);
    assert.ok(folds.every(({ content }) => content === 'summary'));
    asked.forEach(({ previousSummary, prompt }, index) => {
      assert.equal(previousSummary, index === 0 ? undefined : `Summary number ${index}.`);
      if (index > 0) assert.ok(prompt.includes(`Summary number ${index}.`));
    });
  });

  test(`ai ${major}: two conversations in turns on one prepareStep keep their own checkpoints`, async () => {
    const events = [];
    const shared = createPrepareStep({ contextWindow: 8_000, onEvent: (event) => events.push(event) });
    const prompts = { a: '', b: '' };
    const histories = { a: [], b: [] };
    for (let request = 0; request < REQUESTS; request += 1) {
      for (const name of ['a', 'b']) {
        histories[name].push({ role: 'user', content: `Request ${request} of conversation-${name}: ${words(25, request)}` });
        const mock = createModel({ major, answers: answersOf(request), count: honestCount });
        const { steps } = await run({ major, model: mock.model, tools: createTools(major, results), options: { messages: structuredClone(histories[name]), prepareStep: shared } });
        prompts[name] += JSON.stringify(mock.prompts());
        histories[name].push(...(major === 7 ? steps.flatMap(({ response }) => response.messages) : steps.at(-1).response.messages));
      }
    }
    const ids = checkpointIds(events);
    assert.ok(ids.length >= 4);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(!prompts.a.includes('conversation-b') && !prompts.b.includes('conversation-a'), 'a checkpoint went to the wrong conversation');
  });
}

test('a request whose history was cut by the user starts from the older checkpoint or from nothing, never from the wrong one', async () => {
  const watched = watch(createPrepareStep, { contextWindow: 6_000 });
  const history = [{ role: 'user', content: 'Request 0: begin' }];
  const mock = createModel({ major: 6, answers, count: honestCount });
  const { steps } = await run({ major: 6, model: mock.model, tools: createTools(6, results), options: { messages: structuredClone(history), prepareStep: watched.prepareStep } });
  assert.ok(watched.count('checkpoint') >= 2);
  const all = [...history, ...steps.at(-1).response.messages];
  for (const end of [1, 3, 9, 21, 35]) {
    const edited = [...structuredClone(all.slice(0, end)), { role: 'user', content: `Go back to message ${end}.` }];
    const again = createModel({ major: 6, answers: [{ text: 'Back.' }], count: honestCount });
    await run({ major: 6, model: again.model, tools: createTools(6, results), options: { messages: edited, prepareStep: watched.prepareStep } });
    const [prompt] = again.prompts();
    const text = JSON.stringify(prompt);
    assert.ok(text.includes(`Go back to message ${end}.`));
    const covered = /\[Checkpoint \w+: (\d+) earlier messages/.exec(text);
    if (covered !== null) assert.ok(Number(covered[1]) <= end, `a checkpoint of ${covered[1]} messages stands for ${end}`);
  }
});
