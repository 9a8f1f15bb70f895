// Chats and tool loops through the real packages of servers that refuse two messages of one speaker in a row, each before a server that holds
// its rule: Perplexity's API, Mistral's, and the chat templates of Mistral, Gemma and Llama 2 in llama.cpp, vLLM and LM Studio.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenAICompatible as compatible5 } from 'compatible-v5';
import { createOpenAICompatible as compatible6 } from 'compatible-v6';
import { createOpenAICompatible as compatible7 } from 'compatible-v7';
import { createMistral as mistral5 } from 'mistral-v5';
import { createMistral as mistral6 } from 'mistral-v6';
import { createMistral as mistral7 } from 'mistral-v7';
import { createPerplexity as perplexity5 } from 'perplexity-v5';
import { createPerplexity as perplexity6 } from 'perplexity-v6';
import { createPerplexity as perplexity7 } from 'perplexity-v7';
import { createSession } from 'stepfold';
import { z } from 'zod';
import { MAJORS, packages } from './send.mjs';

const WINDOW = 12_000;
const prose = (lines, of) => Array.from({ length: lines }, (_, line) => `Line ${line} of ${of} says that ferry ${line * 7} leaves quay ${line % 9} at ${8 + (line % 12)}:${10 + (line % 45)}.`).join(' ');

const servers = {
  // "After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s)."
  perplexity: { models: { 5: perplexity5, 6: perplexity6, 7: perplexity7 }, modelId: 'sonar-pro', tools: false, takesTurn: ({ role }) => role !== 'system' },
  // "Expected last role User or Tool", "Unexpected role 'user' after role 'tool'".
  mistral: { models: { 5: mistral5, 6: mistral6, 7: mistral7 }, modelId: 'mistral-large-latest', tools: true, takesTurn: isSpoken, refusesUserAfterTool: true },
  // "conversation roles must alternate user and assistant roles except for tool calls and results"
  template: { models: { 5: compatible5, 6: compatible6, 7: compatible7 }, modelId: 'gemma-3-27b-it', tools: true, takesTurn: isSpoken },
};

function isSpoken({ role, tool_calls: calls }) {
  return role === 'user' || (role === 'assistant' && !(calls?.length > 0));
}

/** Why such a server refuses these messages. */
function refusalOf(messages, { takesTurn, refusesUserAfterTool = false }) {
  const turns = messages.filter(takesTurn);
  const wrong = turns.findIndex(({ role }, at) => (role === 'user') !== (at % 2 === 0));
  if (wrong !== -1) return `roles must alternate: ${messages.map(({ role }) => role[0]).join('')}, turn ${wrong}`;
  const behindTool = messages.findIndex(({ role }, at) => role === 'user' && messages[at - 1]?.role === 'tool');
  if (refusesUserAfterTool && behindTool !== -1) return `Unexpected role 'user' after role 'tool' at ${behindTool}`;
  const blank = messages.findIndex(({ role, content, tool_calls: calls }) => role === 'assistant' && !(calls?.length > 0) && String(content ?? '').trim() === '');
  return blank === -1 ? undefined : `message ${blank} is blank`;
}

/** A model whose server answers `loops` times with a call, then with words. */
function modelOf(server, major, { loops }) {
  const refused = [];
  let calls = 0;
  const fetch = async (_url, init) => {
    // Perplexity's agent API calls them `input`, and gives the newest message alone as a string.
    const { messages = [], input } = JSON.parse(init.body);
    if (typeof input === 'string') messages.push({ role: 'user', content: input });
    else messages.push(...(input ?? []));
    const refusal = refusalOf(messages, server);
    if (refusal !== undefined) refused.push(refusal);
    calls += 1;
    const done = messages.slice(messages.findLastIndex(({ role, content }) => role === 'user' && !String(JSON.stringify(content)).includes('Mind'))).filter(({ role }) => role === 'tool').length;
    const isCall = done < loops;
    const message = isCall
      ? { role: 'assistant', content: '', tool_calls: [{ id: `call${String(calls).padStart(5, '0')}`, type: 'function', function: { name: 'timetable', arguments: JSON.stringify({ line: calls }) } }] }
      : { role: 'assistant', content: prose(loops === 0 ? 14 : 3, calls) };
    const tokens = Math.ceil(init.body.length / 4);
    if (input !== undefined) {
      const output = [{ type: 'message', id: `m${calls}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: message.content, annotations: [] }] }];
      return Response.json({ id: 'c', object: 'response', created_at: 1, model: server.modelId, output, status: 'completed', usage: { input_tokens: tokens, output_tokens: 60, total_tokens: tokens + 60 } });
    }
    return Response.json({ id: 'c', object: 'chat.completion', created: 1, model: server.modelId, choices: [{ index: 0, message, finish_reason: isCall ? 'tool_calls' : 'stop' }], usage: { prompt_tokens: tokens, completion_tokens: 60, total_tokens: tokens + 60 } });
  };
  const provider = server.models[major]({ name: 'local', baseURL: 'http://localhost:1/v1', apiKey: 'none', fetch });
  return { model: provider(server.modelId), refused };
}

async function chat(server, major, { turns, loops, enqueues = false }) {
  const { ai } = packages[major];
  const { model, refused } = modelOf(server, major, { loops });
  const events = [];
  const session = createSession({ id: 'chat', contextWindow: WINDOW, onEvent: ({ type }) => events.push(type) });
  const tools = loops === 0 ? undefined : { timetable: ai.tool({ description: 'Looks up a line.', inputSchema: z.object({ line: z.number() }), execute: async ({ line }) => prose(24, line) }) };
  const messages = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    messages.push({ role: 'user', content: `Question ${turn}: which ferry goes to quay ${turn}?` });
    const onStep = major === 7 ? 'onStepEnd' : 'onStepFinish';
    let step = 0;
    const { response, responseMessages } = await ai.generateText({
      model, messages, maxRetries: 0, stopWhen: (ai.isStepCount ?? ai.stepCountIs)(12), prepareStep: session.prepareStep, ...(tools && { tools }),
      [major === 7 ? 'instructions' : 'system']: 'You help travellers.',
      [onStep]: (given) => {
        session.onStepEnd(given);
        if (enqueues && (step += 1) === 2) session.enqueue(`Mind the tide of turn ${turn}.`);
      },
    });
    messages.push(...(responseMessages ?? response.messages));
  }
  return { refused, events };
}

for (const major of MAJORS) {
  for (const [name, server] of Object.entries(servers)) {
    test(`ai ${major}, ${name}: a chat is folded again and again, and no request is refused`, async () => {
      const { refused, events } = await chat(server, major, { turns: 90, loops: 0 });
      assert.deepEqual(refused, []);
      assert.ok(events.filter((type) => type === 'checkpoint').length >= 2);
    });
    if (!server.tools) continue;
    test(`ai ${major}, ${name}: turns with calls, and messages enqueued behind results, are folded, and no request is refused`, async () => {
      const { refused, events } = await chat(server, major, { turns: 16, loops: 5, enqueues: true });
      assert.deepEqual(refused, []);
      assert.ok(events.includes('checkpoint'));
    });
  }
}
