// A summary by the agent's own model, on the real packages of each major before fake servers: what arrives begins with the agent's last request, and nothing
// that the model calls is executed. The function that the guide shows is run as it stands there.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createAmazonBedrock as bedrock5 } from 'bedrock-v5';
import { createAmazonBedrock as bedrock6 } from 'bedrock-v6';
import { createAmazonBedrock as bedrock7 } from 'bedrock-v7';
import { createOpenAICompatible as compatible5 } from 'compatible-v5';
import { createOpenAICompatible as compatible6 } from 'compatible-v6';
import { createOpenAICompatible as compatible7 } from 'compatible-v7';
import { createPrepareStep, createSession } from 'stepfold';
import { packages } from '../wire/send.mjs';
import { words } from './script.mjs';

const WINDOW = 12_000;
const SUMMARY = `## Done\nThe fees of the ports were looked up one after the other. ${'Port 3 was the cheapest so far, at 12.50 EUR a night. '.repeat(6)}`;
const bedrocks = { 5: bedrock5, 6: bedrock6, 7: bedrock7 };
const compatibles = { 5: compatible5, 6: compatible6, 7: compatible7 };

/** What stands in a request, and an answer as each API writes it: a call, a text. */
const apis = {
  anthropic: {
    model: (major, fetch) => packages[major].anthropic({ apiKey: 'none', fetch })('claude-sonnet-4-5'),
    prompt: ({ system, tools, messages }) => ({ system, tools, messages }),
    answer: ({ call, text, n }) => ({ id: 'm', type: 'message', role: 'assistant', model: 'm', content: [text === undefined ? { type: 'tool_use', id: call.id, name: call.name, input: call.input } : { type: 'text', text }], stop_reason: text === undefined ? 'tool_use' : 'end_turn', usage: { input_tokens: n, output_tokens: 60, cache_creation_input_tokens: 0, cache_read_input_tokens: 40 } }),
  },
  bedrock: {
    model: (major, fetch) => bedrocks[major]({ region: 'us-east-1', apiKey: 'none', fetch })('anthropic.claude-sonnet-4-5-v1:0'),
    prompt: ({ system, toolConfig, messages }) => ({ system, tools: toolConfig?.tools, messages }),
    answer: ({ call, text, n }) => ({ output: { message: { role: 'assistant', content: [text === undefined ? { toolUse: { toolUseId: call.id, name: call.name, input: call.input } } : { text }] } }, stopReason: text === undefined ? 'tool_use' : 'end_turn', usage: { inputTokens: n, outputTokens: 60, totalTokens: n + 60 } }),
  },
  responses: {
    model: (major, fetch) => packages[major].openai({ apiKey: 'none', fetch }).responses('gpt-5-mini'),
    prompt: ({ tools, input }) => ({ system: input[0], tools, messages: input }),
    answer: ({ call, text, n }) => ({ id: 'r', object: 'response', created_at: 1, model: 'gpt-5-mini', status: 'completed', error: null, incomplete_details: null, output: [text === undefined ? { type: 'function_call', id: `fc_${call.id}`, call_id: call.id, name: call.name, arguments: JSON.stringify(call.input), status: 'completed' } : { type: 'message', id: `msg_${n}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] }], usage: { input_tokens: n, output_tokens: 60, input_tokens_details: { cached_tokens: 40 } } }),
  },
  compatible: {
    model: (major, fetch) => compatibles[major]({ name: 'host', baseURL: 'https://host.test/v1', apiKey: 'none', fetch })('qwen3'),
    prompt: ({ tools, messages }) => ({ system: messages[0], tools, messages }),
    answer: ({ call, text, n }) => ({ id: 'c', object: 'chat.completion', created: 1, model: 'qwen3', choices: [{ index: 0, finish_reason: text === undefined ? 'tool_calls' : 'stop', message: { role: 'assistant', content: text ?? null, ...(text === undefined ? { tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } }] } : {}) } }], usage: { prompt_tokens: n, completion_tokens: 60, total_tokens: n + 60 } }),
  },
};

/** Cache marks move on from request to request: they are no part of what is said. */
const bare = (value) => JSON.parse(JSON.stringify(value ?? null, (key, inner) => (key === 'cache_control' ? undefined : inner)), (_key, inner) => (Array.isArray(inner) ? inner.filter((item) => item?.cachePoint === undefined) : inner));

/**
 * Runs an agent of 40 calls whose server answers each request of the summarizer by `reply(index)`, else by a call. `made` makes its `prepareStep` and model.
 */
async function play({ major, name, reply = () => ({ text: SUMMARY }), make, steps = 40, options = {} }) {
  const api = apis[name];
  const { ai } = packages[major];
  const agent = [], asked = [], executed = [], heard = [];
  const fetch = async (_url, { body: text }) => {
    const body = JSON.parse(text);
    const isSummary = text.includes('take the place of a part of an agent');
    const n = Math.ceil(text.length / 4);
    if (isSummary) asked.push({ body, before: agent.at(-1) });
    else agent.push(body);
    const call = { id: `call_${agent.length}_${asked.length}`, name: 'fees', input: { port: agent.length, why: words(260, agent.length) } };
    const given = isSummary ? reply(asked.length - 1) : agent.length > steps ? { text: 'Done.' } : {};
    return Response.json(api.answer({ call, n, ...given }));
  };
  const tools = { fees: ai.tool({ description: 'The fees of a port.', inputSchema: ai.jsonSchema({ type: 'object', properties: { port: { type: 'number' } }, required: ['port'] }), onInputAvailable: ({ input }) => void heard.push(input.port), execute: async ({ port }) => { executed.push(port); return words(60, port); } }) };
  const system = 'You compare the fees of ports.';
  const events = [];
  const { prepareStep, model } = make({ model: api.model(major, fetch), tools, system, ai, onEvent: (event) => events.push(event) });
  const result = await ai.generateText({ model, tools, [major === 7 ? 'instructions' : 'system']: system, messages: [{ role: 'user', content: 'Which port is cheapest?' }], prepareStep, maxRetries: 0, providerOptions: { openai: { store: false } }, stopWhen: ({ steps: made }) => made.length > steps, ...options });
  assert.deepEqual(heard, executed, 'of no call in a summary an app hears');
  return { agent, asked, executed, events, text: result.text, prompt: (body) => bare(api.prompt(body)) };
}

const withModel = ({ model, onEvent }) => {
  const prepareStep = createPrepareStep({ contextWindow: WINDOW, summarize: 'agent', onEvent });
  return { prepareStep, model: prepareStep.model(model) };
};

/** The request of the summarizer begins as that of the agent does, and goes on with nothing but the instruction. */
function assertExtends({ body, before }, prompt) {
  const [sent, last] = [prompt(body), prompt(before)];
  assert.deepEqual(sent.system, last.system);
  assert.deepEqual(sent.tools, last.tools);
  assert.ok(sent.tools.length > 0);
  const end = sent.messages.at(-1);
  // Results and the instruction may be one message of the user there.
  const isJoined = sent.messages.length === last.messages.length;
  assert.deepEqual(sent.messages.slice(0, isJoined ? -1 : last.messages.length), last.messages.slice(0, isJoined ? -1 : undefined));
  if (isJoined) assert.deepEqual(end.content.slice(0, -1), last.messages.at(-1).content);
  assert.ok(isJoined || sent.messages.length === last.messages.length + 1);
  assert.match(JSON.stringify(end), /Call no tool/);
}

for (const major of [5, 6, 7]) {
  for (const name of Object.keys(apis)) {
    test(`ai ${major}, ${name}: the agent's last request and one more message, and no call of a summary is executed`, async () => {
      const { agent, asked, executed, events, prompt, text } = await play({ major, name, make: withModel, reply: (index) => (index === 0 ? {} : { text: SUMMARY }) });
      assert.equal(text, 'Done.');
      assert.ok(asked.length >= 2, `${asked.length}`);
      for (const summary of asked) assertExtends(summary, prompt);
      // Each call of the agent ran once, and none that a summary was answered by.
      assert.deepEqual(executed, agent.slice(0, -1).map((_, index) => index + 1));
      const failed = events.find(({ type }) => type === 'fallback');
      assert.deepEqual([failed?.reason, /a call of `fees`, which was not executed/.test(failed?.message)], ['failed', true]);
      assert.deepEqual(events.filter(({ type }) => type === 'checkpoint').slice(0, 2).map(({ content }) => content), ['digest', 'summary']);
      const spent = events.filter(({ type }) => type === 'summary-usage');
      assert.equal(spent.length, asked.length, 'what a failed summary cost is told, too');
      for (const { inputTokens, outputTokens } of spent) assert.ok(inputTokens > 1_000 && outputTokens === 60, JSON.stringify(spent));
      assert.match(JSON.stringify(agent.at(-1)), /Port 3 was the cheapest/);
    });
  }
}

/** The function that the guide shows for those without `model(…)`, as it stands there. */
function documented() {
  const page = readFileSync(new URL('../../docs/summaries.md', import.meta.url), 'utf8');
  const [, code] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].find(([, block]) => block.includes('...messages')) ?? [];
  const body = code.replace(/^import .*$/gm, '').replace('const declared: ToolSet', 'const declared').replace('const prepareStep =', 'return');
  return new Function('createPrepareStep', 'generateText', 'model', 'tools', 'instructions', body);
}

for (const major of [5, 6, 7]) {
  for (const name of Object.keys(apis)) {
    test(`ai ${major}, ${name}: the function that the guide shows sends system prompt, tools and results, and executes nothing`, async () => {
      const make = ({ model, tools, system, ai, onEvent }) => {
        // ai 5 and 6 call it `system`.
        const generateText = ({ instructions, ...call }) => ai.generateText({ ...call, providerOptions: { openai: { store: false } }, [major === 7 ? 'instructions' : 'system']: instructions, maxRetries: 0 });
        const create = (options) => createPrepareStep({ ...options, contextWindow: WINDOW, onEvent });
        return { prepareStep: documented()(create, generateText, model, tools, system), model };
      };
      const { agent, asked, executed, events, prompt } = await play({ major, name, make, reply: (index) => (index === 0 ? {} : { text: `<think>\nWhat did they want?\n</think>\n${SUMMARY}` }) });
      assert.ok(asked.length >= 2);
      for (const { body, before } of asked) {
        const [sent, last] = [prompt(body), prompt(before)];
        assert.deepEqual([sent.system, sent.tools], [last.system, last.tools]);
        assert.ok(/call_\d+_\d/.test(JSON.stringify(sent.messages)), 'the calls are there');
        // What was sent last, up to the end of what is folded. Results and the instruction may be one message there.
        const end = sent.messages.length - 1;
        assert.deepEqual(sent.messages.slice(0, end), last.messages.slice(0, end));
        const { content } = sent.messages[end];
        if (Array.isArray(content) && content.length > 1) assert.deepEqual(content.slice(0, -1), last.messages[end].content);
      }
      assert.deepEqual(executed, agent.slice(0, -1).map((_, index) => index + 1));
      assert.equal(events.find(({ type }) => type === 'fallback')?.reason, 'failed');
      assert.equal(events.filter(({ type }) => type === 'summary-usage').length, asked.length);
      const last = JSON.stringify(agent.at(-1));
      assert.match(last, /Port 3 was the cheapest/);
      assert.doesNotMatch(last, /What did they want|<think>/);
    });
  }
}

test('a streamed agent is asked with its last request, too', async () => {
  const major = 7;
  const { MockLanguageModelV4, convertArrayToReadableStream } = await import('ai-v7/test');
  const { ai } = packages[major];
  const streamed = [], generated = [];
  const usage = { inputTokens: { total: 900, noCache: 100, cacheRead: 800, cacheWrite: 0 }, outputTokens: { total: 9, text: 9, reasoning: 0 } };
  const model = new MockLanguageModelV4({
    doStream: async (call) => {
      streamed.push(call);
      const part = [{ type: 'tool-call', toolCallId: `c${streamed.length}`, toolName: 'fees', input: `{"port":${streamed.length}}` }];
      return { stream: convertArrayToReadableStream([{ type: 'stream-start', warnings: [] }, ...part, { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'x' }, usage }]) };
    },
    doGenerate: async (call) => {
      generated.push({ call, after: streamed.length });
      return { content: [{ type: 'text', text: SUMMARY }], finishReason: { unified: 'stop', raw: 'x' }, usage, warnings: [] };
    },
  });
  const session = createSession({ contextWindow: WINDOW, summarize: 'agent' });
  const tools = { fees: ai.tool({ inputSchema: ai.jsonSchema({ type: 'object' }), execute: async ({ port }) => words(230, port) }) };
  const result = ai.streamText({ model: session.model(model), tools, messages: [{ role: 'user', content: 'Which?' }], temperature: 0.25, stopSequences: ['##'], toolChoice: 'required', providerOptions: { host: { effort: 'low' } }, prepareStep: session.prepareStep, onStepEnd: session.onStepEnd, stopWhen: ({ steps }) => steps.length >= 40 });
  await result.consumeStream();
  assert.ok(generated.length >= 1);
  for (const { call: { prompt, abortSignal, toolChoice, ...call }, after } of generated) {
    const { prompt: before, abortSignal: _theirs, toolChoice: _forced, stopSequences, ...last } = streamed[after - 1];
    assert.deepEqual([stopSequences, 'stopSequences' in call], [['##'], false], 'a summary has headings');
    assert.deepEqual(prompt.slice(0, -1), before);
    assert.deepEqual(JSON.parse(JSON.stringify(call)), JSON.parse(JSON.stringify(last)));
    assert.deepEqual(toolChoice, { type: 'auto' }, 'a forced call cannot be a summary');
    assert.ok(abortSignal instanceof AbortSignal);
  }
  assert.deepEqual(session.summaryUsage, { calls: generated.length, inputTokens: 900 * generated.length, cachedTokens: 800 * generated.length, cacheWriteTokens: 0, outputTokens: 9 * generated.length });
  assert.deepEqual(createSession({ state: session.state }).summaryUsage, session.summaryUsage);
});

test('where the provider runs tools itself, and before the first call, the model is asked without any tool', async () => {
  const major = 7;
  const server = packages[major].anthropic({ apiKey: 'none' }).tools.webSearch_20250305();
  const { asked } = await play({ major, name: 'anthropic', make: withModel, options: { tools: { fees: packages[major].ai.tool({ inputSchema: packages[major].ai.jsonSchema({ type: 'object' }), execute: async ({ port }) => words(230, port) }), search: server } } });
  assert.ok(asked.length >= 1);
  for (const { body } of asked) {
    assert.equal(body.tools, undefined);
    assert.match(JSON.stringify(body.messages), /assistant calls fees/);
  }
  const events = [];
  const calls = [];
  const model = { specificationVersion: 'v3', provider: 'host', modelId: 'any', doGenerate: async (call) => { calls.push(call); return { content: [{ type: 'text', text: SUMMARY }], finishReason: { unified: 'stop' } }; }, doStream: async () => undefined };
  const long = [{ role: 'user', content: 'Go.' }, ...Array.from({ length: 60 }, (_, n) => [{ role: 'assistant', content: words(200, n) }, { role: 'user', content: `And ${n}?` }]).flat()];
  const prepareStep = createPrepareStep({ contextWindow: WINDOW, summarize: 'agent', onEvent: (event) => events.push(event) });
  await prepareStep({ messages: long, steps: [], stepNumber: 0, model: prepareStep.model(model) });
  assert.equal(events.find(({ type }) => type === 'checkpoint')?.content, 'summary');
  assert.ok(calls.length >= 1 && calls.every(({ prompt, tools }) => prompt.length === 1 && tools === undefined));
});

test('of runs beside each other each is summarized from its own request', async () => {
  const major = 6;
  const { MockLanguageModelV3 } = await import('ai-v6/test');
  const { ai } = packages[major];
  const finish = { unified: 'tool-calls', raw: 'x' };
  const usage = { inputTokens: { total: 900, noCache: 900 }, outputTokens: { total: 9 } };
  const wrong = [];
  let summaries = 0;
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const text = JSON.stringify(prompt);
      await new Promise((resolve) => setImmediate(resolve));
      if (text.includes('Call no tool')) {
        summaries += 1;
        const owners = new Set(text.match(/customer-\d/g));
        if (owners.size !== 1) wrong.push([...owners]);
        return { content: [{ type: 'text', text: `${SUMMARY} Of ${[...owners]}.` }], finishReason: { unified: 'stop', raw: 'x' }, usage, warnings: [] };
      }
      const [who] = text.match(/customer-\d/);
      const count = text.match(/"toolCallId"/g)?.length ?? 0;
      return { content: [{ type: 'tool-call', toolCallId: `${who}-${count}-${text.length}`, toolName: 'fees', input: JSON.stringify({ who, count, why: words(260, count) }) }], finishReason: finish, usage, warnings: [] };
    },
  });
  const prepareStep = createPrepareStep({ contextWindow: WINDOW, summarize: 'agent' });
  const tools = { fees: ai.tool({ inputSchema: ai.jsonSchema({ type: 'object' }), execute: async ({ who, count }) => { for (let n = 0; n < who.at(-1); n += 1) await new Promise((resolve) => setImmediate(resolve)); return `${who}: ${words(60, count)}`; } }) };
  await Promise.all([1, 2, 3, 4].map((n) => ai.generateText({ model: prepareStep.model(model), tools, messages: [{ role: 'user', content: `Look after customer-${n}.` }], prepareStep, stopWhen: ({ steps }) => steps.length >= 30 })));
  assert.deepEqual(wrong, []);
  assert.ok(summaries >= 4, `${summaries}`);
});

test('between a message of the user and the instruction stands one of the assistant, as some models refuse two of the user in a row', async () => {
  const asked = [];
  const usage = { inputTokens: { total: 900, noCache: 900 }, outputTokens: { total: 9 } };
  const model = { specificationVersion: 'v3', provider: 'host', modelId: 'any', doGenerate: async ({ prompt }) => { asked.push(prompt); return { content: [{ type: 'text', text: SUMMARY }], finishReason: { unified: 'stop' }, usage }; }, doStream: async () => undefined };
  const session = createSession({ contextWindow: WINDOW, summarize: 'agent' });
  const messages = [];
  for (let n = 0; n < 60; n += 1) {
    messages.push({ role: 'user', content: `And berth ${n}? ${words(60, n)}` });
    const sent = (await session.prepareStep({ messages: [...messages], steps: [], stepNumber: 0, model: session.model(model) }))?.messages ?? messages;
    await session.model(model).doGenerate({ prompt: sent.map(({ role, content }) => ({ role, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content })) });
    messages.push({ role: 'assistant', content: words(80, n) });
  }
  const summaries = asked.filter((prompt) => JSON.stringify(prompt.at(-1)).includes('Call no tool'));
  assert.ok(summaries.length >= 2 && summaries.some((prompt) => prompt.length > 2), `${summaries.length}`);
  const handed = [];
  const prepareStep = createPrepareStep({ contextWindow: WINDOW, summarize: ({ messages: sent, instruction }) => { handed.push([...sent, { role: 'user', content: instruction }]); return SUMMARY; } });
  await prepareStep({ messages, steps: [], stepNumber: 0, model: { provider: 'host', modelId: 'any' } });
  assert.ok(handed.length >= 1);
  for (const prompt of [...summaries, ...handed]) prompt.forEach(({ role }, index) => assert.ok(role !== 'user' || prompt[index - 1]?.role !== 'user', `${index} of ${prompt.length}`));
  assert.ok([...summaries, ...handed].some((prompt) => JSON.stringify(prompt.at(-2)).includes('[The conversation continues.]')));
});
