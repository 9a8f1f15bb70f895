// Where the tokens went (`tokenBreakdown`), what is known before the first usage, and which families were checked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, estimateTokens, modelLimits, tokenBreakdown } from 'stepfold';
import { o200k } from 'stepfold/o200k';
import { jpeg, pdf } from './files.mjs';

const messages = [
  { role: 'user', content: [{ type: 'text', text: 'What is in these? '.repeat(9) }, { type: 'image', image: jpeg(1_000, 1_000) }, { type: 'file', data: pdf(2), mediaType: 'application/pdf' }] },
  { role: 'assistant', content: [{ type: 'reasoning', text: 'I should look.' }, { type: 'tool-call', toolCallId: '1', toolName: 'read', input: { path: 'a.ts' } }, { type: 'tool-call', toolCallId: '2', toolName: '__proto__', input: {} }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'read', output: { type: 'text', value: 'const a = 1;\n'.repeat(500) } }, { type: 'tool-result', toolCallId: '2', toolName: '__proto__', output: { type: 'json', value: [1, 2, 3] } }] },
  { role: 'assistant', content: 'Done.' },
];
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

for (const model of ['claude-sonnet-4-5', 'gpt-5', 'unheard-of']) {
  test(`${model}: parts add up to messages, kinds and the number of the plain call`, () => {
    const found = tokenBreakdown(messages, { model, overheadTokens: 321 });
    assert.equal(found.tokens, estimateTokens(messages, { model, overheadTokens: 321 }));
    assert.deepEqual(found.overhead, { tokens: 321, source: 'estimate' });
    assert.equal(found.tokens, sum(found.messages.map(({ tokens }) => tokens)) + 321);
    assert.equal(found.tokens, sum(Object.values(found.kinds)) + 321);
    found.messages.forEach(({ tokens, parts }) => assert.ok(Math.abs(tokens - sum(parts.map((part) => part.tokens))) <= 6));
    assert.deepEqual(found.messages.map(({ role }) => role), messages.map(({ role }) => role));
    assert.deepEqual(found.messages.map(({ parts }) => parts.map(({ kind }) => kind)), [['text', 'image', 'pdf'], ['reasoning', 'tool-call', 'tool-call'], ['tool-result', 'tool-result'], ['text']]);
    assert.deepEqual(Object.keys(found.tools), ['read', '__proto__']);
    assert.equal(found.tools.read, sum(found.messages.flatMap(({ parts }) => parts.filter(({ toolName }) => toolName === 'read').map(({ tokens }) => tokens))));
    assert.ok(found.messages.every(({ source }) => source === 'estimate'));
  });
}

test('what the provider reported is the whole, and what it has beyond the messages is overhead', () => {
  const estimated = estimateTokens(messages, { model: 'gpt-5' });
  const found = tokenBreakdown(messages, { model: 'gpt-5', reportedTokens: estimated + 5_000 });
  assert.deepEqual([found.tokens, found.source], [estimated + 5_000, 'reported']);
  assert.deepEqual(found.overhead, { tokens: 5_000, source: 'reported' });
  assert.equal(found.messages[0].source, 'estimate');
});

test('each number says where it comes from: texts are counted, media estimated, the whole reported', () => {
  const looked = { role: 'tool', content: [{ type: 'tool-result', toolCallId: '3', toolName: 'look', output: { type: 'content', value: [{ type: 'text', text: 'A chart.' }, { type: 'image-data', data: Buffer.from(jpeg(300, 300)).toString('base64'), mediaType: 'image/jpeg' }] } }] };
  const list = [...messages, looked];
  const options = { model: 'gpt-5', tokenizer: o200k() };
  const found = tokenBreakdown(list, options);
  assert.deepEqual(found.messages.map(({ parts }) => parts.map(({ source }) => source)), [['count', 'estimate', 'estimate'], ['count', 'count', 'count'], ['count', 'count'], ['count'], ['estimate']]);
  // A sum is as good as the least of its parts.
  assert.deepEqual(found.messages.map(({ source }) => source), ['estimate', 'count', 'count', 'count', 'estimate']);
  assert.equal(found.source, 'estimate');
  assert.equal(tokenBreakdown(list.slice(1, 4), options).source, 'count');
  const reported = tokenBreakdown(list, { ...options, reportedTokens: found.tokens + 900 });
  assert.deepEqual([reported.source, reported.overhead], ['reported', { tokens: 900, source: 'reported' }]);
  assert.deepEqual(reported.messages, found.messages);
});

test('an empty list has an empty breakdown', () => {
  assert.deepEqual(tokenBreakdown([]), { tokens: 0, source: 'estimate', overhead: { tokens: 0, source: 'estimate' }, messages: [], kinds: {}, tools: {} });
});

/** Tokens of the overhead that the first step is planned with. */
async function overheadOf(input, options = {}) {
  const events = [];
  const prepareStep = createPrepareStep({ contextWindow: 200_000, ...options, onEvent: (event) => events.push(event) });
  await prepareStep({ messages: [{ role: 'user', content: 'Hi.' }], steps: [], stepNumber: 0, model: 'gpt-5', ...input });
  assert.deepEqual(events.filter(({ type }) => type === 'error'), []);
  return events.find(({ type }) => type === 'measured').overheadTokens;
}

const LONG = 'You are an agent that reads and writes code. '.repeat(3_000);

for (const [name, instructions] of [['a text', LONG], ['a message', { role: 'system', content: LONG }], ['messages', [{ role: 'system', content: LONG }]]]) {
  test(`instructions of ai 7 (${name}) count before any usage is known`, async () => {
    const expected = estimateTokens([{ role: 'system', content: LONG }], { model: 'gpt-5' });
    assert.ok(expected > 20_000);
    assert.ok(Math.abs((await overheadOf({ instructions })) - expected) <= 1);
  });
}

test('short instructions are known overhead, what is only guessed is not reported, and overheadTokens outdoes both', async () => {
  assert.equal(await overheadOf({}), 0);
  const brief = await overheadOf({ instructions: 'Be brief.' });
  assert.ok(brief > 0 && brief < 20, `${brief} tokens`);
  assert.equal(await overheadOf({ instructions: LONG }, { overheadTokens: 700 }), 700);
});

test('instructions larger than the window end no run', async () => {
  await overheadOf({ instructions: LONG.repeat(20) });
  for (const instructions of [null, 7, {}, [], [null]]) await overheadOf({ instructions });
});

test('families without usage records are labelled', () => {
  for (const [id, verified] of [['gpt-5', true], ['claude-sonnet-4-5', true], ['gemini-2.5-pro', false], ['qwen3-max', false], ['llama-3.3-70b', false], ['unheard-of', false]]) {
    assert.equal(modelLimits(id).verified, verified, `${id}`);
  }
});

test('a listed model tells its prices for a million tokens, and only what is known of them', () => {
  const { prices } = modelLimits({ modelId: 'claude-sonnet-4-5', provider: 'anthropic.messages' });
  assert.deepEqual(prices, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 });
  assert.deepEqual(modelLimits('openai/gpt-5').prices, { input: 1.25, output: 10, cacheRead: 0.125 });
  assert.equal(modelLimits('gpt-5.5').prices?.upToTokens, 272_000);
  assert.equal('prices' in modelLimits('unheard-of'), false);
});
