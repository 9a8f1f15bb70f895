// A context window held from the outside: counts every request with the o200k vocabulary and rejects one that is too large, as
// OpenAI does. Shares no code with stepfold, so it can judge it.

import { APICallError } from 'ai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Tokens that a message costs beside its text. */
const MESSAGE_TOKENS = 4;

/** Tokens of a request: system prompt, messages and tool schemas. */
export function countRequest({ prompt, tools = [] }) {
  const messages = prompt.reduce((sum, message) => sum + countMessage(message), 0);
  const schemas = tools.map(({ name, description = '', inputSchema }) => count(`${name} ${description} ${JSON.stringify(inputSchema)}`));
  return messages + schemas.reduce((sum, tokens) => sum + tokens, 0);
}

/** Tokens of one message, of a prompt or of the SDK. */
export function countMessage({ content }) {
  if (typeof content === 'string') return MESSAGE_TOKENS + count(content);
  return content.reduce((sum, part) => sum + count(textOf(part)), MESSAGE_TOKENS);
}

function textOf(part) {
  if (part.type === 'tool-call') return `${part.toolName} ${JSON.stringify(part.input)}`;
  if (part.type === 'tool-result') return typeof part.output.value === 'string' ? part.output.value : JSON.stringify(part.output.value ?? '');
  return part.text ?? '';
}

// The same texts come again at every step; the vocabulary is slow.
const counted = new Map();
function count(text) {
  const known = counted.get(text);
  if (known !== undefined) return known;
  const tokens = countTokens(text);
  counted.set(text, tokens);
  return tokens;
}

/**
 * Middleware for `wrapLanguageModel`: rejects what does not fit, before the model sees it.
 *
 * @param onRequest Told of every request: its tokens, and whether it was rejected.
 */
export function limitWindow({ windowTokens, onRequest }) {
  return {
    specificationVersion: 'v4',
    wrapGenerate: async ({ doGenerate, params }) => {
      const tokens = countRequest(params);
      const rejected = tokens > windowTokens;
      onRequest({ tokens, rejected });
      if (rejected) throw overflow(tokens, windowTokens);
      return doGenerate();
    },
  };
}

/** What OpenAI answers. */
function overflow(tokens, windowTokens) {
  const message = `This model's maximum context length is ${windowTokens} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;
  const error = { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' };
  return new APICallError({
    message,
    url: 'https://api.openai.com/v1/chat/completions',
    requestBodyValues: {},
    statusCode: 400,
    responseBody: JSON.stringify({ error }),
    data: { error },
    isRetryable: false,
  });
}
