// The option `tokenizer`: everything that is counted for messages is counted exactly, and says so.
// That the tokenizers themselves are exact is tested in `tests/exact` and `tests/package/tokenizers.test.mjs`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { createPrepareStep, estimateTokens, planContext } from 'stepfold';
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
  const { source, messages } = estimateTokens(talk, { model: 'openai/gpt-5', tokenizer: o200k(), breakdown: true });
  assert.equal(source, 'count');
  assert.deepEqual(messages.map(({ parts }) => parts[0]), texts.map((text) => ({ kind: 'text', tokens: reference(text), source: 'count' })));
});

test('a step says that it counted, and by which tokenizer messages were measured is not mixed up', async () => {
  const measured = async (tokenizer) => {
    const events = [];
    const prepareStep = createPrepareStep({ ...(tokenizer === undefined ? {} : { tokenizer }), fixedTokens: 1, onEvent: (event) => events.push(event) });
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
  const options = { model: 'openai/gpt-5', contextWindow: 12_000, reserveTokens: 0, fixedTokens: 10, tokenizer: o200k() };
  const plan = planContext(messages, options);
  assert.ok(plan.events.some(({ type }) => type === 'cleared' || type === 'checkpoint'), JSON.stringify(plan.events));
  assert.ok(plan.tokensAfter < plan.tokensBefore);
  assert.equal(estimateTokens(plan.messages, { model: options.model, fixedTokens: 10, tokenizer: o200k() }), plan.tokensAfter);
});

test('what is no tokenizer is refused when the step is made, by name', () => {
  for (const tokenizer of [{}, { count: () => 1 }, 'o200k', null, 5, () => 5]) {
    assert.throws(() => createPrepareStep({ tokenizer }), { name: 'StepfoldError', code: 'invalid-option', message: /`tokenizer`.*stepfold\/o200k/ }, String(tokenizer));
  }
});
