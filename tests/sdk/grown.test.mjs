// What the engine keeps of messages as they come must not decide anything: a run that grew step by step is sent what one is sent that
// saw all of its history at once, from which nothing was kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep } from 'stepfold';

const model = { modelId: 'gpt-5', provider: 'openai' };

/** A request and 40 steps, about 120 KB: more than is looked through at once, less than that in a step. */
function history() {
  const messages = [{ role: 'user', content: 'Find out why the build of packages/core fails.' }];
  for (let step = 0; step < 40; step += 1) {
    const toolCallId = `call_${step}`;
    const path = `packages/core/src/part_${step}.ts`;
    const lines = Array.from({ length: 50 }, (_, line) => `import { name_${step}_${line} } from './part_${line}.ts'; // see ${path}`);
    messages.push(
      { role: 'assistant', content: [{ type: 'text', text: `Next is part ${step}.` }, { type: 'tool-call', toolCallId, toolName: 'read', input: { path } }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value: lines.join('\n') } }] },
    );
  }
  return messages;
}

const options = { contextWindow: 40_000, reserveTokens: 0, overheadTokens: 1, trigger: { tokens: 30_000 }, target: { tokens: 12_000 } };

test('a run that grew is folded as one that saw everything at once', async () => {
  const messages = history();
  const trigger = async (length) => {
    const sent = await createPrepareStep(options)({ messages: structuredClone(messages.slice(0, length)), steps: [], stepNumber: 0, model });
    return sent?.messages;
  };
  const lengths = Array.from({ length: 41 }, (_, step) => 2 * step + 1);
  const edits = await Promise.all(lengths.map(trigger));
  const first = edits.findIndex((sent) => sent !== undefined);
  assert.ok(first > 5 && JSON.stringify(messages.slice(0, lengths[first])).length > 80_000, `the first edit is in step ${first}`);

  const prepareStep = createPrepareStep(options);
  const steps = [];
  for (const length of lengths.slice(0, first)) {
    assert.equal(await prepareStep({ messages: messages.slice(0, length), steps, stepNumber: steps.length, model }), undefined);
    steps.push({ usage: {} });
  }
  const sent = await prepareStep({ messages: messages.slice(0, lengths[first]), steps, stepNumber: steps.length, model });
  assert.match(JSON.stringify(sent?.messages), /name_0_|part_0/);
  assert.deepEqual(sent?.messages, edits[first]);
});
