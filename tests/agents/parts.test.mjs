// What is kept of results that are cleared now must not cost what was kept of earlier ones. Not how much an agent still knows: that is for the judge.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, estimateTokens } from 'stepfold';
import research from '../../bench/agents/sessions/tuning/research-en-streets.mjs';

const model = { provider: 'anthropic', modelId: 'claude-sonnet-4-5', specificationVersion: 'v3' };

test('a research agent that opens several pages at a step keeps the parts of the pages before', async () => {
  const { messages } = research.build();
  const events = [];
  const prepareStep = createPrepareStep({ contextWindow: 32_000, onEvent: (event) => events.push(event) });
  const steps = [];
  for (let end = 1; end <= messages.length; end += 1) {
    if (messages[end] !== undefined && messages[end].role !== 'assistant') continue;
    const given = messages.slice(0, end);
    const sent = (await prepareStep({ messages: given, steps, stepNumber: steps.length, model }))?.messages ?? given;
    steps.push({ usage: { inputTokens: estimateTokens(sent, { model: 'claude-sonnet-4-5' }), outputTokens: 100 } });
  }
  const count = (type) => events.filter((event) => event.type === type).length;
  assert.ok(count('cleared') > 4, `${count('cleared')} edits`);
  assert.equal(count('squeezed'), 0);
});
