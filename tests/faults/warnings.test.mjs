// What stands on the console where nobody listens: each cause once a process, and nothing where `onEvent` is given.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createPrepareStep, createSession, estimateTokens, prepareStep } from 'stepfold';
import { call, calm, result, talk, text, usageOf, user } from '../hand.mjs';

delete process.env.NODE_ENV;
let lines = [];
console.warn = (line) => void lines.push(line);
beforeEach(() => {
  lines = [];
  // A process that has said nothing yet.
  delete globalThis[Symbol.for('stepfold.warnings')];
});

const known = { modelId: 'gpt-5', provider: 'openai' };
const step = (make, { messages = [user('Go.')], model = known, steps = [], stepNumber = 0 } = {}) => make({ messages, model, steps, stepNumber });
const dead = () => ({ get: async () => { throw new Error('connect ECONNREFUSED'); }, set: async () => {} });

const rows = [
  { name: 'a model that is not known', make: createPrepareStep, given: { model: { modelId: 'house-model-1', provider: 'house' } }, says: /does not know the model "house-model-1".*128,000 tokens.*`contextWindow`/ },
  { name: 'a model of a local runtime', make: createPrepareStep, given: { model: { modelId: 'llama3.1:8b', provider: 'ollama' } }, says: /local runtime decides.*"llama3\.1:8b"/ },
  { name: 'a prompt that cannot fit', make: (options) => createPrepareStep({ contextWindow: 4_000, ...options }), given: { messages: [user(text(9_000))] }, says: /does not fit.*one message alone is too large/ },
  { name: 'a result that is cut because it does not fit', make: (options) => createPrepareStep({ contextWindow: 8_000, ...options }), given: { messages: [user('Go.'), call('a'), result('a', text(60_000))] }, says: /a result of `read` has [\d,]+ tokens and does not fit.*head and tail/ },
  { name: 'a conversation of which nothing is remembered and that is folded', make: (options) => createPrepareStep({ contextWindow: 8_000, ...options }), given: { messages: [user('Go.'), ...talk(40)] }, says: /folded as if for the first time.*`createPrepareStep` outside of the handler.*`store`/ },
  { name: 'a store that fails', make: (options) => createSession({ id: 'chat', store: dead(), ...options }).prepareStep, says: /store fails \(load: .*ECONNREFUSED/ },
  { name: 'a state that cannot be used', make: (options) => createSession({ state: '{"version":0}', ...options }).prepareStep, says: /stored session could not be used/ },
  { name: 'a step that fails', make: createPrepareStep, given: { messages: 7 }, says: /something failed inside it/ },
];

for (const { name, make, given, says } of rows) {
  test(`${name} is reported once`, async () => {
    for (let run = 0; run < 3; run += 1) await step(make({}), given);
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0], says);
    assert.match(lines[0], /^stepfold: .*`onEvent`/);
  });

  test(`${name} is not warned of where somebody listens, wants silence, or tests`, async () => {
    await step(make({ onEvent: () => {} }), given);
    process.env.NODE_ENV = 'test';
    await step(make({}), given);
    delete process.env.NODE_ENV;
    assert.deepEqual(lines, []);
  });
}

test('a provider that cuts prompts without a word is reported once', async () => {
  const make = createPrepareStep({ contextWindow: 100_000 });
  const messages = [user('Go.')];
  const steps = [];
  for (let stepNumber = 0; stepNumber < 40; stepNumber += 1) {
    const prepared = await step(make, { messages: [...messages], steps, stepNumber });
    steps.push(usageOf(Math.min(400 + estimateTokens(prepared?.messages ?? messages), 4_000)));
    messages.push(...calm(1, `then-${stepNumber}`));
  }
  assert.equal(lines.length, 1, lines.join('\n'));
  assert.match(lines[0], /the provider read 4,000 tokens of a prompt of about .* dropped the rest/);
});

test('a provider that reports no usage is reported once, when that leads to an edit', async () => {
  const silent = async (options, steps) => {
    const make = createPrepareStep({ contextWindow: 32_000, ...options });
    const messages = [user('Go.')];
    const made = [];
    for (let stepNumber = 0; stepNumber < steps; stepNumber += 1) {
      await step(make, { messages: [...messages], steps: made, stepNumber });
      made.push({ usage: {} });
      messages.push(...calm(1, `then-${stepNumber}`));
    }
  };
  await silent({}, 3);
  await silent({ overheadTokens: 900 }, 120);
  assert.deepEqual(lines, []);
  await silent({}, 120);
  await silent({}, 120);
  assert.equal(lines.length, 1, lines.join('\n'));
  assert.match(lines[0], /reports no usage, so 14,500 tokens of a window of 32,000 tokens .*`includeUsage: true`.*`overheadTokens`/);
});

test('a run in which nothing happens says nothing, and `prepareStep` itself warns too', async () => {
  await step(createPrepareStep());
  await step(prepareStep);
  assert.deepEqual(lines, []);
  await step(prepareStep, { model: { modelId: 'house-model-2', provider: 'house' } });
  assert.equal(lines.length, 1);
});

test('each unknown model is reported, and at most fifty causes', async () => {
  for (let model = 0; model < 80; model += 1) await step(createPrepareStep(), { model: { modelId: `house-${model}`, provider: 'house' } });
  assert.equal(lines.length, 50);
});

test('a console that fails or is missing ends no step', async () => {
  const { console } = globalThis;
  const unknown = { model: { modelId: 'house-model-3', provider: 'house' } };
  try {
    globalThis.console = { warn() { throw new Error('closed'); } };
    assert.equal(await step(createPrepareStep(), unknown), undefined);
    delete globalThis[Symbol.for('stepfold.warnings')];
    globalThis.console = undefined;
    assert.equal(await step(createPrepareStep(), unknown), undefined);
  } finally {
    globalThis.console = console;
  }
});

test('a summarizer that fails at every fold is reported once, at its second failure in a row, and one that works in between is not', async () => {
  const messages = (n) => [user('Go.'), ...talk(40, `talk-${n}`)];
  const good = 'What was talked about up to here was noted, with all that holds for later, and nothing is left open in it.';
  const answers = ['', good, '', good];
  // What is said of a fold without a memory is told elsewhere.
  await step(createPrepareStep({ contextWindow: 8_000 }), { messages: messages(99) });
  lines = [];
  const make = (options) => createPrepareStep({ contextWindow: 8_000, summarizeWindow: 100_000, summarize: () => answers.shift() ?? '', ...options });
  const fold = async (n, options = {}) => { await step(make(options), { messages: messages(n) }); };
  for (let n = 0; n < 4; n += 1) await fold(n);
  assert.deepEqual([lines, answers], [[], []], 'once may happen');
  await fold(4);
  assert.deepEqual(lines, []);
  for (let n = 5; n < 8; n += 1) await fold(n);
  assert.equal(lines.length, 1, lines.join('\n'));
  assert.match(lines[0], /summarizer fails again and again \(empty: the summarizer returned a blank text\).*`onEvent`/);
  delete globalThis[Symbol.for('stepfold.warnings')];
  await fold(8, { onEvent: () => {} });
  assert.equal(lines.length, 1);
});
