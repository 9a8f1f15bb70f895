// Fake providers for the real packages of ai 5, 6 and 7: each counts what it is sent, refuses what is over its limit in the words of the
// real one, and gives the answers of a script. One row a provider; no network. Holds no tests and knows nothing about stepfold.

import { crc32 } from 'node:zlib';

import { createAmazonBedrock as bedrock5 } from 'bedrock-v5';
import { createAmazonBedrock as bedrock6 } from 'bedrock-v6';
import { createAmazonBedrock as bedrock7 } from 'bedrock-v7';
import { createOpenAICompatible as compatible5 } from 'compatible-v5';
import { createOpenAICompatible as compatible6 } from 'compatible-v6';
import { createOpenAICompatible as compatible7 } from 'compatible-v7';
import { createOpenRouter as openrouter5 } from 'openrouter-v5';
import { createOpenRouter as openrouter6 } from 'openrouter-v6';
import { createOpenRouter as openrouter7 } from 'openrouter-v7';

import { packages as others } from '../wire/send.mjs';

/** @typedef {'refuses' | 'error-frame'} Manner How a prompt that is too large is answered: with a status, or with 200 and an error in the stream. */

/** The packages of each major. */
export const packages = {
  5: { ...others[5], bedrock: bedrock5, compatible: compatible5, openrouter: openrouter5 },
  6: { ...others[6], bedrock: bedrock6, compatible: compatible6, openrouter: openrouter6 },
  7: { ...others[7], bedrock: bedrock7, compatible: compatible7, openrouter: openrouter7 },
};

const sse = (chunks) => chunks.map((chunk) => `${chunk.event === undefined ? '' : `event: ${chunk.event}\n`}data: ${typeof chunk.data === 'string' ? chunk.data : JSON.stringify(chunk.data)}\n\n`).join('');
const data = (...values) => sse(values.map((value) => ({ data: value })));
const callsOf = ({ calls = [] }) => calls;

/** The API of OpenAI's chat, which others speak too. */
const chat = {
  refusal: (tokens, limit) => ({ error: { message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens.`, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' } }),
  body: ({ answer, index, tokens }) => ({
    id: `chat-${index}`, object: 'chat.completion', created: 0, model: 'fake',
    choices: [{ index: 0, finish_reason: answer.calls === undefined ? 'stop' : 'tool_calls', message: { role: 'assistant', content: answer.text ?? null, ...(answer.calls === undefined ? {} : { tool_calls: chatCalls(answer) }) } }],
    usage: { prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10 },
  }),
  stream: ({ answer, index, tokens }) => {
    const chunk = (delta, finish_reason = null, rest = {}) => ({ id: `chat-${index}`, object: 'chat.completion.chunk', created: 0, model: 'fake', choices: [{ index: 0, delta, finish_reason }], ...rest });
    return data(
      chunk({ role: 'assistant', content: answer.text ?? '' }),
      ...(answer.calls === undefined ? [] : [chunk({ tool_calls: chatCalls(answer).map((call, at) => ({ index: at, ...call })) })]),
      chunk({}, answer.calls === undefined ? 'stop' : 'tool_calls', { usage: { prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10 } }),
      '[DONE]',
    );
  },
  errorFrame: (refusal) => data(refusal),
  oracle: 'openai-chat',
};

const chatCalls = (answer) => callsOf(answer).map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }));

/** Of each provider: its model, how it refuses, and its replies, whole and as a stream. */
export const PROVIDERS = {
  anthropic: {
    model: (major, fetch) => packages[major].anthropic({ apiKey: 'none', fetch })('claude-sonnet-4-5'),
    refusal: (tokens, limit) => ({ type: 'error', error: { type: 'invalid_request_error', message: `prompt is too long: ${tokens} tokens > ${limit} maximum` } }),
    body: ({ answer, index, tokens }) => ({
      type: 'message', id: `msg-${index}`, model: 'claude-sonnet-4-5', role: 'assistant',
      content: [...(answer.text === undefined ? [] : [{ type: 'text', text: answer.text }]), ...callsOf(answer).map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))],
      stop_reason: answer.calls === undefined ? 'end_turn' : 'tool_use',
      usage: { input_tokens: tokens, output_tokens: 10 },
    }),
    stream: ({ answer, index, tokens }) => {
      const event = (value) => ({ event: value.type, data: value });
      const block = (at, start, delta) => [event({ type: 'content_block_start', index: at, content_block: start }), event({ type: 'content_block_delta', index: at, delta }), event({ type: 'content_block_stop', index: at })];
      const texts = answer.text === undefined ? [] : [answer.text];
      return sse([
        event({ type: 'message_start', message: { id: `msg-${index}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [], stop_reason: null, usage: { input_tokens: tokens, output_tokens: 0 } } }),
        ...texts.flatMap((text, at) => block(at, { type: 'text', text: '' }, { type: 'text_delta', text })),
        ...callsOf(answer).flatMap(({ id, name, input }, at) => block(texts.length + at, { type: 'tool_use', id, name, input: {} }, { type: 'input_json_delta', partial_json: JSON.stringify(input) })),
        event({ type: 'message_delta', delta: { stop_reason: answer.calls === undefined ? 'end_turn' : 'tool_use' }, usage: { output_tokens: 10 } }),
        event({ type: 'message_stop' }),
      ]);
    },
    errorFrame: (refusal) => sse([{ event: 'error', data: refusal }]),
    oracle: 'anthropic',
  },
  'openai-responses': {
    model: (major, fetch) => packages[major].openai({ apiKey: 'none', fetch }).responses('gpt-4.1'),
    options: { openai: { store: false } },
    refusal: () => ({ error: { message: 'Your input exceeds the context window of this model. Please adjust your input and try again.', type: 'invalid_request_error', param: 'input', code: 'context_length_exceeded' } }),
    body: (reply) => ({ id: `resp-${reply.index}`, object: 'response', created_at: 0, model: 'gpt-4.1', output: responseItems(reply), usage: { input_tokens: reply.tokens, output_tokens: 10 } }),
    stream: (reply) => {
      const response = { id: `resp-${reply.index}`, created_at: 0, model: 'gpt-4.1' };
      const items = responseItems(reply).flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item: item.type === 'message' ? { ...item, content: [] } : { ...item, arguments: '' } },
        ...(item.type === 'message' ? [{ type: 'response.output_text.delta', item_id: item.id, output_index, content_index: 0, delta: item.content[0].text }] : []),
        { type: 'response.output_item.done', output_index, item },
      ]);
      return data({ type: 'response.created', response }, ...items, { type: 'response.completed', response: { ...response, usage: { input_tokens: reply.tokens, output_tokens: 10 } } });
    },
    errorFrame: ({ error }) => data({ type: 'error', sequence_number: 0, code: error.code, message: error.message, param: error.param, error }),
    oracle: 'openai-stateless',
  },
  'openai-chat': { ...chat, model: (major, fetch) => packages[major].openai({ apiKey: 'none', fetch }).chat('gpt-4.1') },
  google: {
    model: (major, fetch) => packages[major].google({ apiKey: 'none', fetch })('gemini-2.5-pro'),
    refusal: (tokens, limit) => ({ error: { code: 400, message: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`, status: 'INVALID_ARGUMENT' } }),
    body: ({ answer, tokens }) => ({
      candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [...(answer.text === undefined ? [] : [{ text: answer.text }]), ...callsOf(answer).map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }))] } }],
      usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 10, totalTokenCount: tokens + 10 },
    }),
    stream: (reply) => data(PROVIDERS.google.body(reply)),
    errorFrame: (refusal) => data(refusal),
    oracle: 'google',
  },
  'openai-compatible': { ...chat, model: (major, fetch) => packages[major].compatible({ name: 'proxy', apiKey: 'none', baseURL: 'https://proxy.invalid/v1', fetch })('some-model') },
  openrouter: {
    ...chat,
    model: (major, fetch) => packages[major].openrouter({ apiKey: 'none', fetch }).chat('meta-llama/llama-3.1-70b-instruct'),
    refusal: (tokens, limit) => ({ error: { code: 400, message: `This endpoint's maximum context length is ${limit} tokens. However, you requested about ${tokens} tokens (${tokens} of text input). Please reduce the length of either one.` } }),
  },
  bedrock: {
    model: (major, fetch) => packages[major].bedrock({ region: 'us-east-1', apiKey: 'none', fetch })('amazon.nova-pro-v1:0'),
    refusal: () => ({ message: 'The model returned the following errors: Input is too long for requested model.' }),
    body: ({ answer, tokens }) => ({
      output: { message: { role: 'assistant', content: [...(answer.text === undefined ? [] : [{ text: answer.text }]), ...callsOf(answer).map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } }))] } },
      stopReason: answer.calls === undefined ? 'end_turn' : 'tool_use',
      usage: { inputTokens: tokens, outputTokens: 10, totalTokens: tokens + 10 },
    }),
    stream: ({ answer, tokens }) => {
      const texts = answer.text === undefined ? [] : [answer.text];
      return awsEvents([
        ['messageStart', { role: 'assistant' }],
        ...texts.flatMap((text, contentBlockIndex) => [['contentBlockDelta', { contentBlockIndex, delta: { text } }], ['contentBlockStop', { contentBlockIndex }]]),
        ...callsOf(answer).flatMap(({ id, name, input }, at) => {
          const contentBlockIndex = texts.length + at;
          return [
            ['contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId: id, name, input: '' } } }],
            ['contentBlockDelta', { contentBlockIndex, delta: { toolUse: { input: JSON.stringify(input) } } }],
            ['contentBlockStop', { contentBlockIndex }],
          ];
        }),
        ['messageStop', { stopReason: answer.calls === undefined ? 'end_turn' : 'tool_use' }],
        ['metadata', { usage: { inputTokens: tokens, outputTokens: 10, totalTokens: tokens + 10 } }],
      ]);
    },
    errorFrame: (refusal) => awsEvents([['validationException', refusal]]),
    streamType: 'application/vnd.amazon.eventstream',
    oracle: undefined,
  },
};

function responseItems({ answer, index }) {
  return [
    ...(answer.text === undefined ? [] : [{ type: 'message', id: `msg_${index}`, role: 'assistant', content: [{ type: 'output_text', text: answer.text, annotations: [] }] }]),
    ...callsOf(answer).map(({ id, name, input }) => ({ type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(input), status: 'completed' })),
  ];
}

/** Events of AWS in their binary form. */
function awsEvents(events) {
  return Buffer.concat(
    events.map(([type, payload]) => {
      const headers = Buffer.concat([[':message-type', 'event'], [':event-type', type], [':content-type', 'application/json']].map(([name, value]) => {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(value.length);
        return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)]);
      }));
      const body = Buffer.from(JSON.stringify(payload));
      const prelude = Buffer.alloc(12);
      prelude.writeUInt32BE(16 + headers.length + body.length, 0);
      prelude.writeUInt32BE(headers.length, 4);
      prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
      const message = Buffer.concat([prelude, headers, body]);
      const check = Buffer.alloc(4);
      check.writeUInt32BE(crc32(message));
      return Buffer.concat([message, check]);
    }),
  );
}

/** What a provider counts: the whole request. */
export const countBody = (body) => Math.ceil(JSON.stringify(body).length / 4.5);

/** A provider that gives the answers of a script to what it takes. */
export function serve({ major, provider, answers, limit, manner = 'refuses' }) {
  const { model, options, refusal, body: whole, stream, errorFrame, streamType = 'text/event-stream', oracle } = PROVIDERS[provider];
  const taken = [];
  const refused = [];
  const fetch = async (url, init) => {
    const body = JSON.parse(init.body);
    const isStream = body.stream === true || /stream/i.test(String(url));
    const tokens = countBody(body);
    const respond = (content, status, type) => new Response(content, { status, headers: { 'content-type': type } });
    if (tokens > limit) {
      refused.push(tokens);
      const reported = refusal(tokens, limit);
      if (isStream && manner === 'error-frame') return respond(errorFrame(reported), 200, streamType);
      return respond(JSON.stringify(reported), 400, 'application/json');
    }
    const index = taken.length;
    taken.push(body);
    const answer = answers[index];
    if (answer === undefined) throw new Error(`the script has no answer ${index}`);
    return isStream ? respond(stream({ answer, index, tokens }), 200, streamType) : respond(JSON.stringify(whole({ answer, index, tokens })), 200, 'application/json');
  };
  return { model: model(major, fetch), fetch, options, taken, refused, oracle };
}
