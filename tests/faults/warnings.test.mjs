// What stands on the console, whoever else listens: each cause once a process.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createPrepareStep, createSession, estimateTokens, prepareStep } from 'stepfold';
import { writeEvents } from 'stepfold/ui';
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
  { name: 'a store that is undefined', make: (options) => createSession({ id: 'chat', store: undefined, ...options }).prepareStep, says: /`store: undefined`.*in memory.*environment/ },
  { name: 'a system prompt that leaves no room', make: (options) => createPrepareStep({ contextWindow: 8_000, overheadTokens: 7_000, ...options }), given: { messages: [user(text(2_000))] }, says: /does not fit.*the system prompt and the tools take more of it/ },
  { name: 'a system prompt among the messages that leaves no room', make: (options) => createPrepareStep({ contextWindow: 8_000, overheadTokens: 1, ...options }), given: { messages: [{ role: 'system', content: text(9_000) }, user('Go.')] }, says: /does not fit.*the system prompt and the tools take more of it/ },
  { name: 'a state that cannot be used', make: (options) => createSession({ state: '{"version":0}', ...options }).prepareStep, says: /stored session could not be used/ },
  { name: 'a step that fails', make: createPrepareStep, given: { messages: 7 }, says: /something failed inside it/ },
];

for (const { name, make, given, says } of rows) {
  test(`${name} is reported once`, async () => {
    for (const options of [{}, { onEvent: () => {} }, { onEvent: writeEvents({ write() {} }) }]) await step(make(options), given);
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0], says);
    assert.match(lines[0], /^stepfold: .* \(In (session ".+", )?run \w{5,}\. .*`warnings: false`/);
  });

  test(`${name} is reported although somebody listens, as a page does`, async () => {
    await step(make({ onEvent: writeEvents({ write() {} }) }), given);
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0], says);
  });

  test(`${name} is not warned of where somebody wants silence, or tests`, async () => {
    await step(make({ warnings: false }), given);
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
  assert.match(lines[0], /reports no usage, so 8,000 tokens of a window of 32,000 tokens .*`includeUsage: true`.*`overheadTokens`/);
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
  assert.match(lines[0], /summarizer fails again and again \(empty: the summarizer returned a blank text\).*`warnings: false`/);
  delete globalThis[Symbol.for('stepfold.warnings')];
  await fold(8, { warnings: false });
  assert.equal(lines.length, 1);
});

test('checkpoints that are lost again and again are reported once, with what differs, and two that people have edited are not', async () => {
  const lose = async (n) => {
    const store = new Map();
    const messages = [user('Go.'), ...talk(40, `lose-${n}`)];
    const make = () => createSession({ id: `chat-${n}`, store, contextWindow: 8_000, overheadTokens: 1 });
    const first = make();
    await step(first.prepareStep, { messages });
    await first.dispose();
    await step(make().prepareStep, { messages: [user('Come.'), ...messages.slice(1)] });
  };
  await lose(0);
  await lose(1);
  assert.deepEqual(lines.filter((line) => line.includes('lost')), []);
  for (let n = 2; n < 5; n += 1) await lose(n);
  const said = lines.filter((line) => line.includes('lost again and again'));
  assert.equal(said.length, 1, lines.join('\n'));
  assert.match(said[0], /message 0 has another part: a text of the user.*sessions\.md#how-are-messages-recognised.*session "chat-2", run/);
});

test('every event and every line of `debug` names its run and its session, and a page is not told the name of the session', async () => {
  const events = [];
  const written = [];
  const printed = [];
  const { log } = console;
  console.log = (line) => void printed.push(line);
  try {
    const options = { contextWindow: 8_000, overheadTokens: 1, debug: true };
    const session = createSession({ id: 'chat\n7', store: dead(), ...options, onEvent: (event) => void events.push(event) });
    const show = writeEvents({ write: (part) => void written.push(part.data) });
    const shared = createPrepareStep({ ...options, onEvent: (event) => void (events.push(event), show(event)) });
    await session.compact({ messages: [user('Go.'), ...talk(40)], model: known });
    for (const make of [session.prepareStep, session.prepareStep, shared, shared]) {
      const steps = [];
      for (const stepNumber of [0, 1]) {
        await step(make, { messages: [user('Go.'), ...talk(40 + stepNumber)], steps, stepNumber });
        steps.push(usageOf(5_000));
      }
    }
    await session.dispose();
    show(events.find(({ sessionId }) => sessionId !== undefined));
  } finally {
    console.log = log;
  }
  const runs = new Map();
  for (const { runId, sessionId } of events) if (runId !== '') runs.set(runId, sessionId);
  assert.deepEqual([...runs.values()], ['chat\n7', 'chat\n7', undefined, undefined]);
  assert.ok(events.every(({ runId, sessionId }) => typeof runId === 'string' && (runId !== '' || sessionId === 'chat\n7')));
  const names = [...runs].map(([runId, sessionId]) => `stepfold: ${sessionId === undefined ? '' : 'session "chat\\n7", '}run ${runId}, step `);
  assert.ok(printed.length > 10);
  for (const line of printed) assert.ok(line.startsWith('stepfold: session "chat\\n7", step 0: ') || names.some((name) => line.startsWith(name)), line);
  assert.ok(written.length > 5 && written.every((data) => !('sessionId' in data) && typeof data.runId === 'string'));
});
