// WorkflowAgent of @ai-sdk/workflow hands `prepareStep` no ModelMessage[] but the provider's prompt, and carries an override on.
// Its loop stands here as far as `prepareStep` sees it (as of 2.0.43): the package itself needs the whole Workflow SDK.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep } from 'stepfold';
import { words } from './script.mjs';

const WINDOW_TOKENS = 8_000;
const STEPS = 40;

/** Runs the loop and returns every prompt that was sent. */
async function runWorkflowAgent({ prepareStep, resultWords }) {
  let prompt = [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: [{ type: 'text', text: 'Read all pages.' }] }];
  const steps = [];
  const sent = [];
  for (let step = 0; step < STEPS; step++) {
    const prepared = await prepareStep({ model: 'mock/model', initialInstructions: 'Be brief.', initialMessages: [], stepNumber: step, steps, messages: prompt, runtimeContext: {}, toolsContext: {} });
    if (prepared?.messages !== undefined) prompt = [...prepared.messages];
    sent.push(structuredClone(prompt));
    const call = { toolCallId: `call-${step}`, toolName: 'read' };
    prompt.push({ role: 'assistant', content: [{ type: 'tool-call', ...call, input: { path: `page-${step}.md` } }] });
    prompt.push({ role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: words(resultWords, step) } }] });
    steps.push({ usage: { inputTokens: tokensOf(sent.at(-1)), outputTokens: 10 } });
  }
  return sent;
}

const tokensOf = (prompt) => Math.ceil(JSON.stringify(prompt).length / 4);

for (const { name, options, resultWords, type } of [
  { name: 'clears results', options: {}, resultWords: 500, type: 'cleared' },
  { name: 'folds turns into a checkpoint', options: { keepRecent: { tokens: 500 } }, resultWords: 60, type: 'checkpoint' },
]) {
  test(`the prompt of WorkflowAgent stays in its window and in its form when stepfold ${name}`, async () => {
    const events = [];
    const sent = await runWorkflowAgent({ resultWords, prepareStep: createPrepareStep({ ...options, contextWindow: WINDOW_TOKENS, onEvent: (event) => events.push(event) }) });
    assert.deepEqual(events.filter((event) => event.type === 'error'), []);
    assert.ok(events.some((event) => event.type === type), `no event ${type}`);
    for (const prompt of sent) {
      assert.ok(tokensOf(prompt) <= WINDOW_TOKENS);
      // What tells a provider's prompt from messages: content is a list, except in a system message.
      for (const { role, content } of prompt) assert.equal(Array.isArray(content), role !== 'system');
    }
  });
}

test('a prompt of a form that nobody knows passes through, and an event says so', async () => {
  const events = [];
  const prepareStep = createPrepareStep({ contextWindow: WINDOW_TOKENS, onEvent: (event) => events.push(event) });
  const prompt = [{ role: 'unheard-of', content: 7 }, null, { parts: [] }];
  const prepared = await prepareStep({ model: 'mock/model', stepNumber: 0, steps: [], messages: prompt });
  assert.equal(prepared, undefined);
  assert.ok(events.length > 0);
});
