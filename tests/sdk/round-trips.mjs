// What the SDK makes of one request: the messages of its run, and the same after a page, JSON, a database and back. With the real `ai` 5, 6 and 7; only
// the model is a script. Holds no tests.

import { MockLanguageModelV2 } from 'ai-v5/test';
import { MockLanguageModelV3 } from 'ai-v6/test';
import { MockLanguageModelV4 } from 'ai-v7/test';
import { packages } from './sdk.mjs';

const mocks = { 5: MockLanguageModelV2, 6: MockLanguageModelV3, 7: MockLanguageModelV4 };

export const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const BASE64 = PNG.toString('base64');

// What a model streams.
export const says = (text, id = 't') => [{ type: 'text-start', id }, { type: 'text-delta', id, delta: text }, { type: 'text-end', id }];
export const thinks = (text, id = 'r') => [{ type: 'reasoning-start', id }, { type: 'reasoning-delta', id, delta: text }, { type: 'reasoning-end', id, providerMetadata: { anthropic: { signature: 'c2ln' } } }];
/** A text as input is sent as it stands. */
export const calls = (id, input = { id: 1 }, toolName = 'look', more = {}) => ({ type: 'tool-call', toolCallId: id, toolName, input: typeof input === 'string' ? input : JSON.stringify(input), ...more });
/** A call that the provider runs, and what came of it. */
export const serves = (id, more = {}) => calls(id, { query: id }, 'web', { providerExecuted: true, ...more });
export const served = (id, more = {}) => ({ type: 'tool-result', toolCallId: id, toolName: 'web', result: { hits: [id] }, providerExecuted: true, ...more });
/** Files have another form in ai 7. */
export const shows = (type) => (major) => ({ type, mediaType: 'image/png', data: major === 7 ? { type: 'data', data: BASE64 } : BASE64 });

const anyInput = (ai) => ai.jsonSchema({ type: 'object', additionalProperties: true });
/** Tools of which the one that is called returns this. */
export const returning = (output, more = {}) => ({ ai }) => ({ look: ai.tool({ inputSchema: anyInput(ai), execute: async () => output, ...more }) });
export const running = (execute, more = {}) => ({ ai }) => ({ look: ai.tool({ inputSchema: anyInput(ai), execute, ...more }) });
/** `show` is given what the tool returned, in all majors. */
export const showing = (output, show) => ({ ai, major }) => ({ look: ai.tool({ inputSchema: anyInput(ai), execute: async () => output, toModelOutput: (given) => show(major === 5 ? given : given.output, major) }) });
/** Only numbers are taken for `id`. */
export const strict = ({ ai }) => {
  const validate = (value) => (typeof value?.id === 'number' ? { success: true, value } : { success: false, error: new TypeError('`id` must be a number') });
  return { look: ai.tool({ inputSchema: ai.jsonSchema({ type: 'object', properties: { id: { type: 'number' } } }, { validate }), execute: async () => 'found' }) };
};

function createModel(major, steps) {
  let next = 0;
  return new mocks[major]({
    modelId: 'mock-model',
    provider: 'mock',
    doStream: async () => {
      const chunks = (steps[next++] ?? says('Done.')).map((chunk) => (typeof chunk === 'function' ? chunk(major) : chunk));
      const reason = chunks.some(({ type, providerExecuted }) => type === 'tool-call' && !providerExecuted) ? 'tool-calls' : 'stop';
      const usage = major === 5 ? { inputTokens: 10, outputTokens: 10, totalTokens: 20 } : { inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 10, text: 10, reasoning: 0 } };
      const all = [{ type: 'stream-start', warnings: [] }, ...chunks, { type: 'finish', finishReason: major === 5 ? reason : { unified: reason, raw: undefined }, usage }];
      return { stream: new ReadableStream({ start: (controller) => { all.forEach((chunk) => controller.enqueue(chunk)); controller.close(); } }) };
    },
  });
}

/** A request on what is stored: the messages of its run, and what is stored then. */
async function request({ major, model, tools, options }, stored, first) {
  const { convertToModelMessages, readUIMessageStream, streamText, toUIMessageStream } = packages[major];
  const given = first === undefined ? await convertToModelMessages(structuredClone(stored), { tools }) : [first];
  const result = streamText({ model, tools, messages: given, maxRetries: 0, stopWhen: ({ steps }) => steps.length >= 5, onError: () => undefined, ...options });
  const toPage = (page) => (result.toUIMessageStream === undefined ? toUIMessageStream({ stream: result.stream, ...page }) : result.toUIMessageStream(page));
  const lines = new TransformStream({ transform: (chunk, controller) => controller.enqueue(JSON.parse(JSON.stringify(chunk))) });
  const stream = toPage({ originalMessages: stored, generateMessageId: () => `a${stored.length}`, sendSources: true, onError: () => 'An error occurred.' }).pipeThrough(lines);
  let message = stored.at(-1).role === 'assistant' ? structuredClone(stored.at(-1)) : undefined;
  for await (const read of readUIMessageStream({ stream, ...(message === undefined ? {} : { message }) })) message = read;
  const responses = major === 7 ? await result.responseMessages : (await result.response).messages;
  const before = stored.filter(({ id }) => id !== message.id);
  return { run: [...given, ...responses], stored: JSON.parse(JSON.stringify([...before, message])) };
}

/**
 * Plays a case: one request, or two where the user answers a request for approval between them. Returns the messages of the last run, what is
 * stored, and the forms in which these messages come back.
 */
export async function play(major, { tools: make, steps, first, page = [{ type: 'text', text: 'Go.' }], convertDataPart, answer, options }) {
  const ai = packages[major];
  const tools = make({ ai, major });
  const with_ = { major, model: createModel(major, steps), tools, options: options?.(major) };
  let made = await request(with_, [{ id: 'u', role: 'user', parts: page }], first?.(major) ?? { role: 'user', content: 'Go.' });
  if (answer !== undefined) {
    for (const part of made.stored.at(-1).parts.filter(({ state }) => state === 'approval-requested')) Object.assign(part, { state: 'approval-responded', approval: { ...part.approval, ...answer } });
    made = await request(with_, made.stored);
  }
  const { run, stored } = made;
  const convert = (given) => ai.convertToModelMessages(structuredClone(stored), { convertDataPart, ignoreIncompleteToolCalls: true, ...given });
  return {
    run,
    stored,
    forms: {
      'UI messages': () => convert({ tools }),
      'UI messages, converted without tools': () => convert({}),
      'UI messages in a column that sorts keys': async () => sorted(await convert({ tools })),
      'response messages as JSON': async () => JSON.parse(JSON.stringify(run)),
    },
  };
}

const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
};
