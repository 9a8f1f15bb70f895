// Sends messages through the real `ai` and the real provider package of one major, and records the request.
// No network: `fetch` answers with the smallest valid response. Judges nothing; that is the oracle's work.

import * as ai5 from 'ai-v5';
import * as ai6 from 'ai-v6';
import * as ai7 from 'ai-v7';
import { createAnthropic as anthropic5 } from 'anthropic-v5';
import { createAnthropic as anthropic6 } from 'anthropic-v6';
import { createAnthropic as anthropic7 } from 'anthropic-v7';
import { createGoogleGenerativeAI as google5 } from 'google-v5';
import { createGoogleGenerativeAI as google6 } from 'google-v6';
import { createGoogleGenerativeAI as google7 } from 'google-v7';
import { createOpenAI as openai5 } from 'openai-v5';
import { createOpenAI as openai6 } from 'openai-v6';
import { createOpenAI as openai7 } from 'openai-v7';
import { PNG } from './build.mjs';

/** @typedef {{ role: string, content: string | any[], providerOptions?: any }} Message A `ModelMessage` of any major. */

export const MAJORS = [5, 6, 7];

/** `openai-responses` is the default of the provider (`store: true`), `openai-stateless` is the same API with `store: false`. */
export const ENDPOINTS = ['anthropic', 'openai-responses', 'openai-stateless', 'openai-chat', 'google'];

export const packages = {
  5: { ai: ai5, anthropic: anthropic5, google: google5, openai: openai5 },
  6: { ai: ai6, anthropic: anthropic6, google: google6, openai: openai6 },
  7: { ai: ai7, anthropic: anthropic7, google: google7, openai: openai7 },
};

// The SDK prints every provider warning; the oracle reads the request instead.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * The request which `ai` of `major` sends to `endpoint` for `messages`.
 *
 * `via: 'prepareStep'` hands the messages over as an override, as stepfold does; `'messages'` as the caller's own list, which
 * v5 and v6 also validate. `thinking` is the caller's setting for Claude: it stays on when an edit removes every thinking block.
 * `error` is raised by the SDK before it sends.
 */
export async function send(messages, { major, endpoint, via = 'messages', thinking = false, modelId }) {
  let body;
  const fetch = async (_url, init) => {
    body = JSON.parse(init.body);
    return new Response(RESPONSES[endpoint], { headers: { 'content-type': 'application/json' } });
  };
  try {
    const { warnings } = await packages[major].ai.generateText({
      model: createModel({ major, endpoint, modelId, fetch }),
      tools: declareTools(messages, { major, endpoint }),
      providerOptions: providerOptions(endpoint, thinking),
      ...(via === 'messages' ? { messages: [...messages] } : { prompt: 'start', prepareStep: () => ({ messages: [...messages] }) }),
      allowSystemInMessages: true, // v7 asks for it; v5 and v6 do not know it.
      experimental_download: downloadNothing,
      maxRetries: 0,
    });
    return { body, warnings: warnings ?? [] };
  } catch (error) {
    if (body === undefined) return { error };
    throw new Error(`${endpoint} on v${major} sent a request but could not read the canned response`, { cause: error });
  }
}

/** The model object a `prepareStep` of this major is given. */
export function createModel({ major, endpoint, modelId = MODEL_IDS[endpoint], fetch }) {
  const { anthropic, google, openai } = packages[major];
  const settings = { apiKey: 'none', fetch };
  switch (endpoint) {
    case 'anthropic':
      return anthropic(settings)(modelId);
    case 'openai-responses':
    case 'openai-stateless':
      return openai(settings).responses(modelId);
    case 'openai-chat':
      return openai(settings).chat(modelId);
    case 'google':
      return google(settings)(modelId);
  }
}

const MODEL_IDS = {
  anthropic: 'claude-sonnet-4-5',
  'openai-responses': 'gpt-6-astra',
  'openai-stateless': 'gpt-6-astra',
  'openai-chat': 'gpt-4.1',
  google: 'gemini-3-pro-preview',
};

function providerOptions(endpoint, thinking) {
  if (endpoint === 'openai-stateless') return { openai: { store: false, include: ['reasoning.encrypted_content'] } };
  if (endpoint === 'anthropic' && thinking) return { anthropic: { thinking: { type: 'enabled', budgetTokens: 2048 } } };
  return undefined;
}

// Tools which are not plain functions. Without their declaration the converters treat calls of them as calls of functions.
const PROVIDER_TOOLS = {
  anthropic: {
    web_search: (tools) => tools.webSearch_20250305({}),
    web_fetch: (tools) => tools.webFetch_20250910({}),
    code_execution: (tools) => tools.codeExecution_20250825({}),
  },
  openai: {
    web_search: (tools) => tools.webSearch({}),
    local_shell: (tools) => tools.localShell({}),
    shell: (tools) => tools.shell?.({}),
    apply_patch: (tools) => tools.applyPatch?.({}),
    computer: (tools) => tools.computer?.({}),
    programmatic_tool_calling: (tools) => tools.programmaticToolCalling?.(),
  },
  google: { code_execution: (tools) => tools.codeExecution({}) },
};

/** Every tool which is called in `messages`; none has `execute`, so that the run ends after one request. */
function declareTools(messages, { major, endpoint }) {
  const { ai, anthropic, google, openai } = packages[major];
  const [native, factories] = {
    anthropic: () => [anthropic({ apiKey: 'none' }).tools, PROVIDER_TOOLS.anthropic],
    'openai-responses': () => [openai({ apiKey: 'none' }).tools, PROVIDER_TOOLS.openai],
    'openai-stateless': () => [openai({ apiKey: 'none' }).tools, PROVIDER_TOOLS.openai],
    'openai-chat': () => [undefined, {}],
    google: () => [google({ apiKey: 'none' }).tools, PROVIDER_TOOLS.google],
  }[endpoint]();
  const tools = {};
  for (const { content } of messages) {
    for (const part of Array.isArray(content) ? content : []) {
      if (part.type !== 'tool-call' || tools[part.toolName] !== undefined) continue;
      const declared = factories[part.toolName]?.(native);
      if (part.providerExecuted && declared === undefined) continue;
      tools[part.toolName] = declared ?? {
        description: `Test tool ${part.toolName}.`,
        inputSchema: ai.jsonSchema({ type: 'object', properties: {}, additionalProperties: true }),
      };
    }
  }
  return tools;
}

// A provider which takes no URLs makes the SDK fetch them; it gets one pixel instead of the network.
const PIXEL = Uint8Array.from(Buffer.from(PNG, 'base64'));
const downloadNothing = async (requests) =>
  requests.map(({ isUrlSupportedByModel }) => (isUrlSupportedByModel ? null : { data: PIXEL, mediaType: 'image/png' }));

const responsesBody = {
  id: 'resp_test',
  object: 'response',
  created_at: 0,
  model: 'gpt-5',
  output: [{ type: 'message', id: 'msg_test', role: 'assistant', content: [{ type: 'output_text', text: 'ok', annotations: [] }] }],
  usage: { input_tokens: 1, output_tokens: 1 },
};

const RESPONSES = {
  anthropic: JSON.stringify({
    type: 'message',
    id: 'msg_test',
    model: 'claude-sonnet-4-5',
    role: 'assistant',
    content: [{ type: 'text', text: 'ok' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  'openai-responses': JSON.stringify(responsesBody),
  'openai-stateless': JSON.stringify(responsesBody),
  'openai-chat': JSON.stringify({
    id: 'chatcmpl_test',
    object: 'chat.completion',
    created: 0,
    model: 'gpt-4.1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  google: JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }),
};
