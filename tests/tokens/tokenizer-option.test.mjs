// The option `tokenizer`: everything that is counted for messages is counted exactly, and says so.
// That the tokenizers themselves are exact is tested in `crates/exact/tests` and `tests/package/tokenizers.test.mjs`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { createPrepareStep, createSession, estimateTokens, planContext, tokenBreakdown } from 'stepfold';
import { cl100k } from 'stepfold/cl100k';
import { o200k } from 'stepfold/o200k';

const MESSAGE_TOKENS = 4;
const model = { provider: 'openai', modelId: 'gpt-5', specificationVersion: 'v4' };
const talk = [
  { role: 'user', content: 'Weshalb ist `parseHTML()` so langsam? 为什么?' },
  { role: 'assistant', content: [{ type: 'text', text: 'It walks 0x3f9a nodes; see src/dom/parse.ts:114.' }] },
];
const texts = ['Weshalb ist `parseHTML()` so langsam? 为什么?', 'It walks 0x3f9a nodes; see src/dom/parse.ts:114.'];

/** A run of reads whose results are each about as long. */
function reads(count) {
  return Array.from({ length: count }, (_, index) => {
    const toolCallId = `call_${index}`;
    const value = Array.from({ length: 150 }, (_, line) => `${index}.${line}: const value_${line} = compute(${index}, "línea ${line}");`).join('\n');
    return [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'read', input: { path: `src/${index}.ts` } }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value } }] },
    ];
  }).flat();
}

test('messages of text count exactly what the tokenizer counts, and four tokens each', () => {
  const exact = texts.reduce((sum, text) => sum + reference(text) + MESSAGE_TOKENS, 0);
  assert.equal(estimateTokens(talk, { model: 'openai/gpt-5', tokenizer: o200k() }), exact);
  assert.notEqual(estimateTokens(talk, { model: 'openai/gpt-5', tokenizer: cl100k() }), exact);
});

test('a breakdown says which numbers were counted', () => {
  const { source, messages } = tokenBreakdown(talk, { model: 'openai/gpt-5', tokenizer: o200k() });
  assert.equal(source, 'count');
  assert.deepEqual(messages.map(({ parts }) => parts[0]), texts.map((text) => ({ kind: 'text', tokens: reference(text), source: 'count' })));
});

test('a step says that it counted, and by which tokenizer messages were measured is not mixed up', async () => {
  const measured = async (tokenizer) => {
    const events = [];
    const prepareStep = createPrepareStep({ ...(tokenizer === undefined ? {} : { tokenizer }), overheadTokens: 1, onEvent: (event) => events.push(event) });
    await prepareStep({ messages: talk, steps: [], stepNumber: 0, model });
    const { source, tokens } = events.find(({ type }) => type === 'measured');
    return { source, tokens };
  };
  const exact = 1 + texts.reduce((sum, text) => sum + reference(text) + MESSAGE_TOKENS, 0);
  assert.deepEqual(await measured(o200k()), { source: 'count', tokens: exact });
  assert.equal((await measured(undefined)).source, 'estimate');
  assert.equal((await measured(cl100k())).source, 'count');
  assert.deepEqual(await measured(o200k()), { source: 'count', tokens: exact });
});

test('what a plan promises is what the tokenizer counts of the edited messages', () => {
  const messages = [{ role: 'user', content: 'Read everything.' }, ...reads(12)];
  const options = { model: 'openai/gpt-5', contextWindow: 12_000, reserveTokens: 0, overheadTokens: 10, tokenizer: o200k() };
  const plan = planContext(messages, options);
  assert.ok(plan.events.some(({ type }) => type === 'cleared' || type === 'checkpoint'), JSON.stringify(plan.events));
  assert.ok(plan.tokensAfter < plan.tokensBefore);
  assert.equal(estimateTokens(plan.messages, { model: options.model, overheadTokens: 10, tokenizer: o200k() }), plan.tokensAfter);
});

test('what is not a tokenizer is refused at once, with what was given and what is allowed', () => {
  for (const [tokenizer, given] of [[{}, 'an object'], ['o200k', '"o200k"'], [null, 'null'], [5, '5'], [() => 5, 'a function'], [o200k, 'a function'], [{ count: 5 }, 'an object'], [[], 'an array']]) {
    const message = `\`tokenizer\` is ${given}; it must be an object with a method \`count(text)\` that returns a number, such as \`o200k()\` from stepfold/o200k`;
    for (const create of [createPrepareStep, createSession, (options) => estimateTokens(talk, options)]) {
      assert.throws(() => create({ tokenizer }), { name: 'StepfoldError', code: 'invalid-option', message });
    }
  }
});

test('a tokenizer of the user counts every text, whatever else the object holds', async () => {
  class Words {
    tokens = 5;
    #none = 0;
    count(text) {
      return this.#none + text.split(' ').length;
    }
  }
  const expected = texts.reduce((sum, text) => sum + text.split(' ').length + MESSAGE_TOKENS, 0);
  assert.equal(estimateTokens(talk, { model: 'openai/gpt-5', tokenizer: new Words() }), expected);
  // Two tokenizers are two ways of counting, also for messages that were counted before.
  assert.equal(estimateTokens(talk, { model: 'openai/gpt-5', tokenizer: { count: () => 1 } }), 2 * (1 + MESSAGE_TOKENS));
  assert.equal(estimateTokens(talk, { model: 'openai/gpt-5', tokenizer: { count: () => 0.5 } }), 2 * (1 + MESSAGE_TOKENS));
});

test('a tokenizer of the user is given the text as it is', () => {
  const asked = [];
  const content = '\ufeffnaïve 漢字 😀 <|endoftext|>';
  estimateTokens([{ role: 'user', content }], { tokenizer: { count: (text) => asked.push(text) } });
  assert.deepEqual(asked, [content]);
});

const failures = {
  throws: () => { throw new Error('no vocabulary'); },
  'throws nothing': () => { throw undefined; },
  'gives no number': () => NaN,
  'gives a negative number': () => -7,
  'gives no end of tokens': () => Infinity,
  'gives more tokens than a text has bytes': () => 1e12,
  'gives a text': () => '12',
  'gives a bigint': () => 12n,
  'gives a symbol': () => Symbol('12'),
  'gives a promise': () => Promise.resolve(12),
};
for (const [name, count] of Object.entries(failures)) {
  test(`a tokenizer that ${name} leaves the step to the estimator, and one event says so`, async () => {
    const messages = [{ role: 'user', content: 'Read everything.' }, ...reads(12)];
    const options = { contextWindow: 12_000, reserveTokens: 0, overheadTokens: 1 };
    const events = [];
    const prepareStep = createPrepareStep({ ...options, tokenizer: { count }, onEvent: (event) => events.push(event) });
    const { messages: sent } = await prepareStep({ messages, steps: [], stepNumber: 0, model });
    assert.ok(estimateTokens(sent, { model: 'openai/gpt-5' }) < 12_000 && estimateTokens(messages, { model: 'openai/gpt-5' }) > 12_000);
    await prepareStep({ messages: structuredClone(messages), steps: [], stepNumber: 0, model });
    const errors = events.filter(({ type }) => type === 'error');
    assert.deepEqual(errors.map(({ code }) => code), ['tokenizer-failed']);
    assert.match(errors[0].message, name === 'gives a promise' ? /^`tokenizer\.count` returned a promise; .+\. All texts are estimated$/ : /^`tokenizer\.count` (failed:|returned) .+; such texts are estimated$/);
    const estimated = estimateTokens(talk, { model: 'openai/gpt-5' });
    assert.ok(Math.abs(estimateTokens(talk, { model: 'openai/gpt-5', tokenizer: { count } }) - estimated) < estimated / 10);
  });
}
