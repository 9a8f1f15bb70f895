// Anthropic's own context editing (`contextManagement`) beside stepfold: real `ai` and provider packages of the three majors, and a
// server that clears by itself and says so. stepfold stands down from the first such report on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep } from 'stepfold';
import { z } from 'zod';
import { MAJORS, packages } from '../wire/send.mjs';
import { words } from './script.mjs';

const STEPS = 16;
/** The first step whose prompt the server may edit. */
const FROM = 8;
const count = (value) => Math.ceil(JSON.stringify(value).length / 5);

const clearedResults = (tokens) => [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 3, cleared_input_tokens: tokens }];
const clearedThinking = (tokens) => [{ type: 'clear_thinking_20251015', cleared_thinking_turns: 2, cleared_input_tokens: tokens }];
const none = () => [];

/** Runs an agent whose results come to 14,000 tokens. The server leaves of a prompt what `leaves` says, and tells it as `edits` does. */
async function run(major, edits, { contextWindow = 14_000, leaves = (_tokens) => 5_000 } = {}) {
  const { ai, anthropic } = packages[major];
  const events = [];
  const bodies = [];
  const fetch = async (_url, init) => {
    const body = JSON.parse(init.body);
    // A cache mark moves on with the end of the prompt, which providers allow.
    bodies.push(JSON.stringify(body.messages, (key, value) => (key === 'cache_control' ? undefined : value)));
    const tokens = count(body.messages) + 300;
    const step = bodies.length - 1;
    const left = leaves(tokens);
    const applied = step >= FROM && tokens > left ? edits(tokens - left) : [];
    const isLast = bodies.length === STEPS;
    return Response.json({
      type: 'message',
      id: `msg_${step}`,
      model: 'claude-sonnet-4-5',
      role: 'assistant',
      content: isLast ? [{ type: 'text', text: 'Done.' }] : [{ type: 'tool_use', id: `toolu_${step}`, name: 'read', input: { step } }],
      stop_reason: isLast ? 'end_turn' : 'tool_use',
      usage: { input_tokens: applied.length > 0 ? left : tokens, output_tokens: 20 },
      context_management: { applied_edits: applied },
    });
  };
  await ai.generateText({
    model: anthropic({ apiKey: 'none', fetch })('claude-sonnet-4-5'),
    prompt: 'Read all files.',
    tools: { read: ai.tool({ description: 'Reads.', inputSchema: z.any(), execute: async ({ step }) => words(600, step) }) },
    providerOptions: { anthropic: { contextManagement: { edits: [{ type: 'clear_tool_uses_20250919' }] } } },
    maxRetries: 0,
    prepareStep: createPrepareStep({ contextWindow, onEvent: (event) => events.push(event) }),
    stopWhen: (ai.stepCountIs ?? ai.isStepCount)(STEPS),
  });
  const edited = events.filter(({ type }) => ['capped', 'cleared', 'checkpoint', 'squeezed'].includes(type));
  return { events, bodies, edited, types: new Set(events.map(({ type }) => type)) };
}

for (const major of MAJORS) {
  test(`where Anthropic clears results by itself, nothing new is edited, ai ${major}`, async () => {
    const { bodies, edited, events, types } = await run(major, clearedResults);
    assert.equal(bodies.length, STEPS);
    assert.deepEqual(edited, []);
    const stoodDown = events.filter(({ type }) => type === 'stood-down');
    assert.deepEqual(stoodDown.map(({ stepNumber }) => stepNumber), Array.from({ length: STEPS - FROM - 1 }, (_, index) => FROM + 1 + index));
    assert.equal(stoodDown[0].reason, 'the provider edits the prompt itself');
    assert.ok(!types.has('over-budget') && !types.has('error'), 'what the provider reads fits');
  });

  test(`what was edited before stays as it is when Anthropic begins to, ai ${major}`, async () => {
    const { bodies, edited, types } = await run(major, clearedResults, { contextWindow: 8_000, leaves: () => 2_000 });
    assert.ok(edited.length > 0 && edited.every(({ stepNumber }) => stepNumber <= FROM) && types.has('stood-down'));
    for (let step = FROM + 1; step < STEPS; step += 1) assert.ok(bodies[step].startsWith(bodies[step - 1].slice(0, -1)), `step ${step}`);
  });

  test(`where Anthropic leaves too much, an event says so, ai ${major}`, async () => {
    const { events } = await run(major, clearedResults, { leaves: (tokens) => tokens - 100 });
    const over = events.filter(({ type }) => type === 'over-budget');
    assert.ok(over.length > 0);
    for (const { reason, tokens, limitTokens } of over) assert.ok(reason === 'native-compaction' && tokens > limitTokens);
  });

  test(`where Anthropic clears thinking alone, or nothing, stepfold goes on, ai ${major}`, async () => {
    for (const edits of [clearedThinking, none]) {
      const { edited, types } = await run(major, edits);
      assert.ok(edited.some(({ stepNumber }) => stepNumber > FROM));
      assert.ok(!types.has('stood-down') && !types.has('over-budget') && !types.has('error'));
    }
  });
}
