// Compaction blocks of providers on the wire: real `ai` and provider packages of each major whose package writes the block, before a server that holds the
// provider's rules (`tests/wire/oracle`). An agent goes on behind the block for many windows; the block is sent as it came, in front of all that is ours.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession } from 'stepfold';
import { z } from 'zod';
import { talk, user } from '../hand.mjs';
import { checkRequest } from '../wire/oracle.mjs';
import { MAJORS, packages } from '../wire/send.mjs';
import { words } from './script.mjs';

const STEPS = 24;
const WINDOW = 9_000;

const FORMS = [
  ...MAJORS.map((major) => ({ name: 'Anthropic', major, endpoint: 'anthropic', part: { type: 'text', text: 'Summary: all files are to be read.', providerOptions: { anthropic: { type: 'compaction' } } } })),
  { name: 'Anthropic, signed', major: 7, endpoint: 'anthropic', isSigned: true, part: { type: 'text', text: 'Summary: all files are to be read.', providerOptions: { anthropic: { type: 'compaction', signature: 'c2ln' } } } },
  ...['openai-responses', 'openai-stateless'].map((endpoint) => ({ name: `OpenAI, ${endpoint}`, major: 7, endpoint, part: { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { type: 'compaction', itemId: 'cmp_1', encryptedContent: 'AAAA' } } } })),
];

const count = (value) => Math.ceil(JSON.stringify(value).length / 5);
const listOf = (body) => body.messages ?? body.input;
const isBlock = (item) => item.type === 'compaction' || item.id === 'cmp_1' || (Array.isArray(item.content) && item.content[0]?.type === 'compaction');
const isOurs = (item) => JSON.stringify(item).includes('[Checkpoint');

function answer(endpoint, index, body) {
  const isLast = index === STEPS;
  const list = listOf(body);
  const tokens = count(endpoint === 'anthropic' ? list.slice(list.findIndex(isBlock)) : list) + 300;
  if (endpoint === 'anthropic') {
    return {
      type: 'message', id: `msg_${index}`, model: 'claude-opus-5', role: 'assistant', stop_reason: isLast ? 'end_turn' : 'tool_use',
      content: isLast ? [{ type: 'text', text: 'Done.' }] : [{ type: 'tool_use', id: `toolu_${index}`, name: 'read', input: { index } }],
      usage: { input_tokens: tokens, output_tokens: 20 },
    };
  }
  return {
    id: `resp_${index}`, object: 'response', created_at: 0, status: 'completed', model: 'gpt-5',
    output: isLast
      ? [{ type: 'message', id: `msg_${index}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.', annotations: [] }] }]
      : [{ type: 'function_call', id: `fc_${index}`, call_id: `call_${index}`, name: 'read', arguments: JSON.stringify({ index }), status: 'completed' }],
    usage: { input_tokens: tokens, output_tokens: 20, total_tokens: tokens + 20 },
  };
}

for (const { name, major, endpoint, part, isSigned = false } of FORMS) {
  const before = isSigned ? [[]] : [[], [user('Read all files, and never touch the tests.'), ...talk(30, 'old')]];
  for (const [place, old] of before.entries()) {
    test(`${name} on ai ${major}, ${place === 0 ? 'at the front' : 'behind 8,000 tokens'}: every request is taken, and the block stands first`, async () => {
      const { ai, anthropic, openai } = packages[major];
      const events = [];
      const bodies = [];
      const fetch = async (_url, init) => {
        bodies.push(JSON.parse(init.body));
        return Response.json(answer(endpoint, bodies.length, bodies.at(-1)));
      };
      const settings = { apiKey: 'none', fetch };
      const own = endpoint === 'anthropic' ? anthropic(settings)('claude-opus-5') : openai(settings).responses('gpt-5');
      const made = place === 0 ? createSession({ contextWindow: WINDOW, onEvent: (event) => events.push(event) }) : { prepareStep: createPrepareStep({ contextWindow: WINDOW, onEvent: (event) => events.push(event) }) };
      await ai.generateText({
        model: own,
        messages: [...old, { role: 'assistant', content: [part] }, user('Go on.')],
        tools: { read: ai.tool({ description: 'Reads.', inputSchema: z.any(), execute: async ({ index }) => words(600, index) }) },
        ...(endpoint === 'openai-stateless' ? { providerOptions: { openai: { store: false } } } : {}),
        maxRetries: 0,
        prepareStep: made.prepareStep,
        stopWhen: (ai.stepCountIs ?? ai.isStepCount)(STEPS),
      });
      assert.equal(bodies.length, STEPS);
      const types = events.map(({ type }) => type);
      assert.ok(types.includes(place === 0 ? 'cleared' : 'checkpoint') && !types.includes('stood-down') && !types.includes('over-budget') && !types.includes('error'), [...new Set(types)].join());
      for (const [index, body] of bodies.entries()) {
        const list = listOf(body);
        const block = list.findIndex(isBlock);
        assert.ok(block >= 0, `request ${index} holds the block`);
        assert.ok(list.slice(0, block).every((item) => !isOurs(item)), `request ${index}: nothing of ours before it`);
        assert.equal(list.filter(isBlock).length, 1);
        const read = endpoint === 'anthropic' ? list.slice(block) : list;
        assert.ok(count(read) + 300 <= WINDOW, `request ${index}: ${count(read)} tokens`);
        // What stands before a block that is not signed is as the app gave it: a list of Anthropic's begins with the block only where the app's does.
        const faults = checkRequest({ endpoint, body: endpoint === 'anthropic' && !isSigned && place > 0 ? { ...body, messages: read } : body });
        assert.deepEqual(faults, [], `request ${index}`);
        if (endpoint === 'anthropic') assert.equal(list[block].content[0].content, part.text);
      }
      assert.equal(bodies.some((body) => listOf(body).some(isOurs)), types.includes('checkpoint'));
    });
  }
}
