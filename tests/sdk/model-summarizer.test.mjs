// A model as summarizer: real models of the three interfaces are asked for a summary, and what they answer badly is a failure like any other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep } from 'stepfold';
import { words } from './script.mjs';
import { createModel } from './sdk.mjs';

const SUMMARY = [
  '## Done',
  ...Array.from({ length: 12 }, (_, index) => `- Handler ${index} now checks its argument number ${index * 3}, because callers pass it unset; its spec passes.`),
  '## Open',
  'The last handler is not mended yet.',
].join('\n');

/** A history over the trigger. */
const messages = [
  { role: 'user', content: 'Mend every handler.' },
  ...Array.from({ length: 30 }, (_, step) => [
    { role: 'assistant', content: [{ type: 'text', text: `${words(300, step)}.` }, { type: 'tool-call', toolCallId: `c${step}`, toolName: 'run', input: { step } }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: `c${step}`, toolName: 'run', output: { type: 'text', value: words(20, step) } }] },
  ]).flat(),
];

/** The events of one step that folds. */
async function fold(summarize) {
  const events = [];
  const prepareStep = createPrepareStep({ contextWindow: 12_000, overheadTokens: 1, summarize, onEvent: (event) => events.push(event) });
  const made = await prepareStep({ messages, steps: [], stepNumber: 0, model: { modelId: 'gpt-5', provider: 'openai' } });
  return { events, sent: JSON.stringify(made?.messages) };
}

for (const major of [5, 6, 7]) {
  test(`ai ${major}: a model given as \`summarize\` writes the summary`, async () => {
    const { model, calls } = createModel({ major, answers: Array.from({ length: 8 }, () => ({ text: SUMMARY })) });
    const { events, sent } = await fold(model);
    assert.equal(events.find(({ type }) => type === 'checkpoint')?.content, 'summary');
    assert.match(sent, /The last handler is not mended yet/);
    assert.equal(calls[0].prompt[0].role, 'user');
    assert.ok(calls[0].maxOutputTokens > 0 && calls[0].abortSignal instanceof AbortSignal);
  });
}

const stub = (doGenerate) => ({ specificationVersion: 'v3', provider: 'test', modelId: 'small', doGenerate });
const done = { content: [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: SUMMARY }], finishReason: { unified: 'stop' } };

test('a model that stops early, fails or says nothing leaves the digest', async () => {
  for (const [answer, reason] of [
    [async () => ({ ...done, finishReason: { unified: 'length' } }), 'failed'],
    [async () => ({ ...done, finishReason: 'error' }), 'failed'],
    [async () => ({ content: [] }), 'empty'],
    [async () => { throw new Error('no such model'); }, 'failed'],
  ]) {
    const { events } = await fold(stub(answer));
    assert.equal(events.find(({ type }) => type === 'fallback')?.reason, reason);
    assert.equal(events.find(({ type }) => type === 'checkpoint')?.content, 'digest');
  }
});

test('an error that may pass is tried once more, another is not', async () => {
  for (const [isRetryable, expected] of [[true, 2], [false, 1]]) {
    let calls = 0;
    await fold(stub(async () => {
      calls += 1;
      throw Object.assign(new Error('overloaded'), { isRetryable });
    }));
    assert.equal(calls, expected);
  }
});

test('an id is resolved by the default provider, and without one an error says at once what to give', async () => {
  assert.throws(() => createPrepareStep({ summarize: 'openai/gpt-5-mini' }), /gateway\('openai\/gpt-5-mini'\)/);
  globalThis.AI_SDK_DEFAULT_PROVIDER = { languageModel: (id) => (id === 'small' ? stub(async () => done) : undefined) };
  try {
    assert.equal((await fold('small')).events.find(({ type }) => type === 'checkpoint')?.content, 'summary');
  } finally {
    delete globalThis.AI_SDK_DEFAULT_PROVIDER;
  }
});

test('a summarizer that is neither model, id nor function is refused', () => {
  for (const summarize of [5, '', {}, { doGenerate: 5 }]) {
    assert.throws(() => createPrepareStep({ summarize: summarize }), /`summarize` .* a language model, the id of one, or a function/);
  }
});
