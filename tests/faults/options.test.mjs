// Options of wrong kinds, ranges and names are refused when something is created, with an error that names them; never in a step.
// Also that the marks a user gives are the marks that act. Each number's own default is tested by the engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StepfoldError, buildCheckpoint, clearToolResults, createPrepareStep, createSession, estimateTokens, planContext } from 'stepfold';
import { steps } from './drive.mjs';
import { calm, talk, user } from '../hand.mjs';

function assertRefused(create, { code, says }) {
  assert.throws(create, (error) => {
    assert.ok(StepfoldError.isInstance(error) && error instanceof Error, `not our error: ${error}`);
    assert.equal(error.name, 'StepfoldError');
    assert.equal(error.code, code);
    for (const word of says) assert.ok(typeof word === 'string' ? error.message.includes(word) : word.test(error.message), `"${error.message}" does not say ${word}`);
    return true;
  });
}

const unknown = [
  ['triger', 'trigger'], ['contextwindow', 'contextWindow'], ['maxResultToken', 'maxResultTokens'], ['keeprecnt', 'keepRecent'],
  ['tool', 'tools'], ['sumarize', 'summarize'], ['onevent', 'onEvent'], ['reserve', 'reserveTokens'], ['signal', 'abortSignal'], ['Target', 'target'],
];
for (const [given, meant] of unknown) {
  test(`an unknown option ${given} is refused and ${meant} is named`, () => {
    assertRefused(() => createPrepareStep({ [given]: 1 }), { code: 'unknown-option', says: [`\`${given}\``, `\`${meant}\``] });
  });
}

test('names that mean several things elsewhere are answered with all of these', () => {
  assertRefused(() => createPrepareStep({ maxTokens: 4_000 }), { code: 'unknown-option', says: ['`maxTokens`', '`contextWindow`', '`maxResultTokens`'] });
  assert.throws(() => createPrepareStep({ maxTokens: 4_000 }), ({ message }) => !message.includes('summary'));
  assertRefused(() => createSession({ maxOutputTokens: 4_000 }), { code: 'unknown-option', says: ['`maxOutputTokens`', '`reserveTokens`', '`summaryTokens`', '`storeTimeoutMs`'] });
  assertRefused(() => createPrepareStep({ protectedTools: ['read_plan'] }), { code: 'unknown-option', says: ['`protectedTools`', '`tools`', "keep: 'always'"] });
});

test('an option of a session or of the SDK, or under another name, is answered with where it belongs', () => {
  for (const [options, says] of /** @type {[object, string][]} */ ([
    [{ store: new Map(), id: 'chat-1' }, '`createSession` takes it'],
    [{ model: 'openai/gpt-5' }, 'the SDK hands over'],
    [{ window: 32_000 }, '`contextWindow`'],
    [{ recall: true }, 'prepareStep.recallTool()'],
  ])) {
    assertRefused(() => createPrepareStep(/** @type {any} */ (options)), { code: 'unknown-option', says: [says] });
  }
  // Before it is missed that the store has no `id`.
  assertRefused(() => createSession(/** @type {any} */ ({ sessionId: 'chat-1', store: new Map() })), { code: 'unknown-option', says: ['`sessionId`', 'A session also takes `id`'] });
});

test('the tools of the SDK are not what is said of tools', () => {
  const read = { description: 'Reads a file.', inputSchema: {}, execute: () => 'text' };
  assertRefused(() => createPrepareStep({ tools: /** @type {any} */ ({ read }) }), { code: 'invalid-option', says: ['`tools.read` is the tool itself', "{ read: { effect: 'acts' } }"] });
});

test('messages of a user interface are refused between steps, too', async () => {
  const messages = /** @type {any} */ ([{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }]);
  const session = createSession();
  for (const act of [() => session.plan(messages), () => session.compact({ messages }), () => session.prune({ messages })]) {
    await assert.rejects(act, ({ code, message }) => code === 'invalid-message' && message.includes('`convertToModelMessages`'));
  }
});

test('what is no object of options is refused with what it is and where it belongs', () => {
  class Model {
    specificationVersion = 'v3';
    doGenerate() {}
  }
  const store = new Map();
  for (const [create, says] of [
    [() => createPrepareStep(new Model()), ['`createPrepareStep`', 'a model', 'streamText({ model, prepareStep })', '`.model(model)`']],
    [() => createPrepareStep({ doGenerate() {} }), ['a model']],
    [() => createPrepareStep('openai/gpt-5'), ['"openai/gpt-5"', 'streamText({ model, prepareStep })']],
    [() => createPrepareStep(() => 'summary'), ['of type function']],
    [() => createPrepareStep([]), ['an array']],
    [() => createPrepareStep(7), ['of type number']],
    // @ts-expect-error: a session has one argument.
    [() => createSession('chat-1', store), ['`createSession`', '"chat-1"', "createSession({ id: 'chat-1', store })"]],
    [() => createSession(store), ['a store', "createSession({ id: 'chat-1', store })"]],
    [() => createSession(new Model()), ['`createSession`', 'a model']],
  ]) {
    assertRefused(create, { code: 'invalid-option', says });
  }
  for (const nothing of [undefined, null, {}]) for (const create of [createPrepareStep, createSession]) create(nothing);
});

const names = ['contextWindow', 'reserveTokens', 'trigger', 'target', 'optimize', 'prices', 'promptCache', 'summarizeAt', 'keepRecent', 'minClearTokens', 'maxResultTokens', 'summaryTokens', 'summarizeTimeoutMs', 'overheadTokens', 'modelFamily', 'summaryInstructions', 'summarize', 'summarizeAhead', 'waitUntil', 'workingState', 'checkpointNote', 'offload', 'onEvent', 'debug', 'abortSignal'];
const wrong = [null, true, false, NaN, Infinity, -Infinity, -1, 1e300, 'text', '80%', '', [], [1], ['a', 2], {}, { tokens: 'x' }, { tokens: NaN }, { tokens: -5 }, { tokens: 0 }, new Date(), Symbol('x'), 10n, () => 1, new Map()];
/** What is right for an option among the values above. */
const allowed = {
  summaryInstructions: (value) => typeof value === 'string' || typeof value === 'function',
  summarize: (value) => typeof value === 'function' || (typeof value === 'string' && value !== ''),
  promptCache: (value) => typeof value === 'boolean',
  debug: (value) => typeof value === 'boolean',
  keepRecent: (value) => value?.tokens === 0,
  summarizeAhead: (value) => typeof value === 'boolean',
  waitUntil: (value) => typeof value === 'function',
  workingState: (value) => typeof value === 'function',
  checkpointNote: (value) => typeof value === 'string' || typeof value === 'function',
  onEvent: (value) => typeof value === 'function',
};
for (const name of names) {
  test(`values of a wrong kind or range for ${name} are refused with its name`, () => {
    for (const value of wrong) {
      if (allowed[name]?.(value)) continue;
      assertRefused(() => createPrepareStep({ [name]: value }), { code: 'invalid-option', says: [`\`${name}`, 'must be'].slice(0, ['modelFamily', 'optimize'].includes(name) && typeof value === 'string' ? 1 : 2) });
    }
  });
}

const related = [
  { given: { optimize: 'speed' }, says: ['`optimize`', '"speed"', 'balanced, cost, recall'] },
  { given: { prices: { output: 15 } }, says: ['`prices.input`', 'above 0'] },
  { given: { prices: { input: 3, cached: 0.3 } }, says: ['`prices.cached`', 'cacheRead'] },
  { given: { prices: { input: 3, cacheRead: -1 } }, says: ['`prices.cacheRead`', '-1'] },
  { given: { trigger: 0.5, target: 0.6 }, says: ['`target`', '`trigger`', '0.6', '0.5'] },
  { given: { trigger: 0.5, target: 0.5 }, says: ['`target`', '`trigger`'] },
  { given: { trigger: { tokens: 5_000 }, target: { tokens: 6_000 } }, says: ['`target`', '6000', '5000'] },
  { given: { summarizeAt: 0.5 }, says: ['`trigger`', '`summarizeAt`'] },
  { given: { contextWindow: 8_000, reserveTokens: 8_000 }, says: ['`reserveTokens`', '8000', '`contextWindow`'] },
  { given: { contextWindow: 8_000, trigger: { tokens: 9_000 } }, says: ['`trigger`', '9000', '`contextWindow`'] },
  { given: { contextWindow: 8_000, overheadTokens: 9_000 }, says: ['`overheadTokens`', '`contextWindow`'] },
  { given: { contextWindow: 8_000, keepRecent: { tokens: 9_000 } }, says: ['`keepRecent.tokens`', '`contextWindow`'] },
  { given: { keepRecent: { token: 9_000 } }, says: ['`keepRecent.token`', '`tokens`, `turns`, `messages` and `images`'] },
  { given: { keepRecent: { tokens: 9_000, turns: -1 } }, says: ['`keepRecent.turns` is -1', 'from 0 to 10000'] },
  { given: { trigger: { tokens: 9_000, share: 0.5 } }, says: ['`trigger`', '{ tokens: number }'] },
];
for (const { given, says } of related) {
  test(`options that contradict each other are refused: ${JSON.stringify(given)}`, () => {
    assertRefused(() => createPrepareStep(given), { code: 'invalid-option', says });
    assertRefused(() => planContext([user('Go on.')], given), { code: 'invalid-option', says });
  });
}

test('what is said of a tool is checked, and an error names the tool, what was given and what is allowed', () => {
  for (const [rule, says] of [
    ['always', ['`tools.read`', '"always"', '`keep`', '`effect`', '`speaksForUser`', '`digest`']],
    [{ keep: 'forever' }, ['`tools.read.keep`', '"forever"', '"always", "normal" or "never"']],
    [{ keep: true }, ['`tools.read.keep`', 'true']],
    [{ effect: 'write' }, ['`tools.read.effect`', '"write"', '"reads" or "acts"']],
    [{ speaksForUser: 'yes' }, ['`tools.read.speaksForUser`', '"yes"', 'true or false']],
    [{ digest: 'a text' }, ['`tools.read.digest`', '"a text"', 'a function']],
    [{ kept: 'always' }, ['`tools.read.kept`', '`keep`']],
  ]) {
    assertRefused(() => createPrepareStep({ tools: { read: rule } }), { code: 'invalid-option', says });
  }
  assertRefused(() => createPrepareStep({ tools: ['read'] }), { code: 'invalid-option', says: ['`tools`', 'an array', 'an object'] });
  createPrepareStep({ tools: { read: { keep: undefined, digest: undefined }, write: {} } });
});

test('every function refuses unknown options', () => {
  const list = [user('Go on.')];
  for (const create of [(options) => planContext(list, options), (options) => clearToolResults(list, options), (options) => buildCheckpoint(list, options), (options) => estimateTokens(list, options), createPrepareStep]) {
    assertRefused(() => create({ contextWindos: 4_000 }), { code: 'unknown-option', says: ['`contextWindos`', '`contextWindow`'] });
  }
});

test('options of another function are not silently accepted by estimateTokens', () => {
  assertRefused(() => estimateTokens([user('x')], { onEvent: 7 }), { code: 'invalid-option', says: ['`onEvent`'] });
});

test('undefined means the default, for every option', async () => {
  const given = await steps([user('Go on.'), ...calm(20)], { options: Object.fromEntries(names.filter((name) => !['contextWindow', 'onEvent'].includes(name)).map((name) => [name, undefined])) });
  const none = await steps([user('Go on.'), ...calm(20)]);
  assert.deepEqual(given.sent, none.sent);
});

test('options that are no object are refused or mean none, and never throw something else', () => {
  for (const options of [null, 7, 'text', [], () => 1, new Map()]) {
    try {
      createPrepareStep(options);
    } catch (error) {
      assert.ok(StepfoldError.isInstance(error), `${String(options)}: ${error}`);
    }
  }
});

test('an options object whose getters throw throws what they throw', () => {
  assert.throws(() => createPrepareStep(Object.defineProperty({}, 'trigger', { enumerable: true, get() { throw new Error('mine'); } })), /mine/);
});

test('changing the options object later changes nothing', async () => {
  const options = { contextWindow: 4_000, tools: { other: { keep: 'always' } } };
  const list = [user('Go on.'), ...calm(20)];
  const expected = await createPrepareStep({ ...options })({ messages: list, steps: [], stepNumber: 0, model: 'mock' });
  const prepareStep = createPrepareStep(options);
  Object.assign(options, { contextWindow: 1_000_000, triger: 1 });
  Object.assign(options.tools, { read: { keep: 'always' } });
  assert.deepEqual(await prepareStep({ messages: list, steps: [], stepNumber: 0, model: 'mock' }), expected);
});

for (const contextWindow of [40_000, 200_000, 1_000_000]) {
  test(`marks in tokens act at these tokens in a window of ${contextWindow}`, () => {
    const list = [user('Go on.'), ...talk(90)];
    const { tokensBefore, tokensAfter } = planContext(list, { contextWindow, trigger: { tokens: 15_000 }, target: { tokens: 8_000 } });
    assert.ok(tokensBefore > 18_000);
    assert.ok(tokensAfter < 15_000, `the trigger is 15,000 tokens and ${tokensAfter} are sent`);
  });
}
