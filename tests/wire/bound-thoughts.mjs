// A server with the rules of a Claude model that binds its thoughts to their prefix (platform.claude.com, "Preserved thinking"): it signs
// each thought with a hash of all that stood before it, and refuses a request in which a thought comes back behind anything else, or
// behind one that is missing. Answers as a script says; judges nothing else. And a turn of an agent before it.

import { createHash } from 'node:crypto';
import { packages } from './send.mjs';

const isThinking = (block) => block.type === 'thinking' || block.type === 'redacted_thinking';
const blocksOf = (content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);

/** A hash of everything before a block: system prompt, tools and messages, but for thoughts and cache marks. */
function prefixHash({ system, tools, messages }, message, block) {
  const said = (content) => blocksOf(content).filter((other) => !isThinking(other));
  const before = [
    system ?? null,
    (tools ?? []).map(({ name, description, input_schema }) => [name, description, input_schema]),
    ...messages.slice(0, message).map(({ role, content }) => [role, said(content)]),
    said(blocksOf(messages[message]?.content ?? []).slice(0, block)),
  ];
  const json = JSON.stringify(before, (key, value) => (key === 'cache_control' ? undefined : value));
  return createHash('sha256').update(json).digest('hex').slice(0, 24);
}

/**
 * `answer`: the blocks of the answer to a call, counted from 1, without the thought.
 * `options`: whether it knows `block_binding` (it refuses invalid thoughts all the same), and the name by which it answers.
 */
export function createBindingServer(answer, { thinks = () => true, isRedacted = () => false, knowsBinding = true, named } = {}) {
  /** @type {string[]} Signatures in the order in which they were made. */
  const made = [];
  const refusals = [];
  const bodies = [];

  /** Why a body is refused, as the API says it: an unknown option, or the first thought that is not valid. */
  function firstInvalid(body) {
    if (body.thinking?.block_binding !== undefined && !knowsBinding) return 'thinking.block_binding: Extra inputs are not permitted';
    let expected;
    for (const [index, { content }] of body.messages.entries()) {
      for (const [at, block] of blocksOf(content).entries()) {
        if (!isThinking(block)) continue;
        const signature = block.signature ?? block.data;
        const place = made.indexOf(signature);
        if (place === -1 || (expected !== undefined && place !== expected) || !signature.startsWith(prefixHash(body, index, at))) {
          return `messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation.`;
        }
        expected = place + 1;
      }
    }
    return undefined;
  }

  const fetch = async (_url, { body: text }) => {
    const body = JSON.parse(text);
    const call = bodies.push(body);
    const message = firstInvalid(body);
    if (message !== undefined) {
      refusals.push({ call, message });
      return Response.json({ type: 'error', error: { type: 'invalid_request_error', message } }, { status: 400 });
    }
    const content = [...answer(call, body)];
    if (thinks(call)) {
      const signature = `${prefixHash(body, body.messages.length, 0)}-${call}`;
      made.push(signature);
      content.unshift(isRedacted(call) ? { type: 'redacted_thinking', data: signature } : { type: 'thinking', thinking: `Thought ${call}.`, signature });
    }
    const usage = { input_tokens: Math.ceil(JSON.stringify(body.messages).length / 3.6), output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
    const reply = { id: `msg_${call}`, type: 'message', role: 'assistant', model: named ?? body.model, content, stop_reason, usage };
    return body.stream ? new Response(eventsOf(reply), { headers: { 'content-type': 'text/event-stream' } }) : Response.json(reply);
  };
  return { fetch, bodies, refusals };
}

/** The same answer as a stream of server-sent events. */
function eventsOf({ content, stop_reason, usage, ...message }) {
  const events = [{ type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } }];
  content.forEach((block, index) => {
    const { start, deltas } = streamed(block);
    events.push({ type: 'content_block_start', index, content_block: start });
    events.push(...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })));
    events.push({ type: 'content_block_stop', index });
  });
  events.push({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } }, { type: 'message_stop' });
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

function streamed(block) {
  switch (block.type) {
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block.thinking },
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'text':
      return { start: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text: block.text }] };
    case 'tool_use':
      return { start: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }] };
    default:
      return { start: block, deltas: [] };
  }
}

export const MODEL = 'claude-opus-5-5';
const line = (path, n) => `export const value${n} = compute(${n}, '${path}');\n`;

/** What a tool returns: pages of a file, sometimes a giant, sometimes an error. */
const file = (path, lines) => Array.from({ length: lines }, (_, n) => line(path, n)).join('');

export const readCall = (call, calls = 1) =>
  Array.from({ length: calls }, (_, n) => ({ type: 'tool_use', id: `toolu_${call}_${n}`, name: 'read', input: { path: `src/file${call}_${n}.ts` } }));

/** One turn of an agent: `ai` runs its loop until the model says it is done. */
export async function turn({ major, how, messages, fetch, prepareStep, lines, onRead = () => {}, modelId = MODEL, providerOptions, system, around = (model) => model }) {
  const { ai, anthropic } = packages[major];
  const read = ai.tool({
    description: 'Reads a file.',
    inputSchema: ai.jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
    execute: async ({ path }) => {
      await onRead(path);
      return file(path, lines(path));
    },
  });
  const result = ai[how]({
    model: around(anthropic({ apiKey: 'none', fetch })(modelId)),
    ...(system === undefined ? {} : { [major === 7 ? 'instructions' : 'system']: system }),
    messages,
    tools: { read },
    stopWhen: (ai.stepCountIs ?? ai.isStepCount)(200),
    prepareStep,
    providerOptions,
    maxRetries: 0,
    onError: () => {},
  });
  const done = await result;
  if (how === 'streamText') await done.consumeStream();
  // ai 7 keeps the messages of all steps apart from the last response.
  return (await done.responseMessages) ?? (await done.response).messages;
}
