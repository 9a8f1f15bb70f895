// Reads rollouts of the Codex CLI: one JSON record a line with an item of the Responses API as its `payload`; in the first versions
// the record is the item itself. Takes the whole history: what Codex replaced when it compacted is there as well.

import { createConversation, mediaOutput, textParts } from './conversation.mjs';

/** Records of the program about itself. */
const NO_ITEMS = new Set(['event_msg', 'turn_context', 'session_meta', 'ghost_snapshot', 'state']);

export function readCodex(records, notes) {
  const conversation = createConversation(notes);
  const session = { id: undefined, system: [], hasUser: false };
  for (const record of records) {
    const item = record.type === 'response_item' ? record.payload : record;
    if (record.type === 'compacted') notes.add('a compaction stands for messages that are there');
    else if (record.type === 'session_meta') readSession(record.payload, session);
    else if (item?.type === undefined && item?.instructions !== undefined) readSession(item, session);
    else if (item?.record_type === undefined && !NO_ITEMS.has(item?.type)) readItem({ item, conversation, session, notes });
  }
  const system = session.system.join('\n\n');
  return { kind: 'coding', id: session.id, ...(system === '' ? {} : { system }), messages: conversation.finish() };
}

function readSession(meta, session) {
  session.id ??= meta?.id;
  const instructions = meta?.base_instructions?.text ?? meta?.instructions;
  if (typeof instructions === 'string' && session.system.length === 0) session.system.push(instructions);
}

function readItem({ item, conversation, session, notes }) {
  switch (item?.type) {
    case 'message':
      return readMessage({ item, conversation, session, notes });
    case 'reasoning':
      return conversation.assistant(reasoningParts(item));
    case 'function_call':
      return conversation.assistant([call(item, item.name, readArguments(item.arguments))]);
    case 'custom_tool_call':
      return conversation.assistant([call(item, item.name, { input: item.input ?? '' })]);
    case 'local_shell_call':
      return conversation.assistant([call(item, 'local_shell', item.action ?? {})]);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return conversation.result(item.call_id, readOutput(item.output));
    default:
      return notes.add(`an item of type ${String(item?.type)} is left out`);
  }
}

const call = ({ call_id: callId, id }, toolName, input) => ({ type: 'tool-call', toolCallId: String(callId ?? id), toolName: String(toolName), input });

function readMessage({ item: { role, content }, conversation, session, notes }) {
  if (!Array.isArray(content)) return notes.add('a message has no content');
  const parts = content.flatMap((part) => readContent(part, notes));
  if (role === 'assistant') return conversation.assistant(parts);
  // What the program says before the user does is part of the system prompt.
  if (role !== 'user' && !session.hasUser) return session.system.push(...parts.map(({ text }) => text ?? ''));
  session.hasUser = true;
  return conversation.user(parts);
}

function readContent(part, notes) {
  if (part?.type === 'input_text' || part?.type === 'output_text') return textParts(part.text);
  if (part?.type === 'input_image') return [{ type: 'file', mediaType: 'image/png', data: String(part.image_url ?? '') }];
  notes.add(`a part of type ${String(part?.type)} is unknown`);
  return [];
}

function reasoningParts({ summary, content }) {
  const texts = [summary, content].flatMap((list) => (Array.isArray(list) ? list : [])).map((part) => part?.text);
  const text = texts.filter((found) => typeof found === 'string').join('\n');
  return text === '' ? [] : [{ type: 'reasoning', text }];
}

function readArguments(text) {
  try {
    const value = JSON.parse(text);
    if (value !== null && typeof value === 'object') return value;
  } catch {
    // Arguments that a model broke off are kept as they are.
  }
  return { arguments: String(text ?? '') };
}

/** A text, `{ content, success }` of the first versions, or a list of parts. */
function readOutput(output) {
  if (Array.isArray(output)) {
    const texts = output.filter((part) => typeof part?.text === 'string').map(({ text }) => text);
    const images = output.filter((part) => part?.type === 'input_image');
    if (images.length === 0) return { type: 'text', value: texts.join('\n') };
    const media = images.map(({ image_url: url }) => mediaOutput({ mediaType: 'image/png', data: String(url ?? '') }));
    return { type: 'content', value: [...texts.map((text) => ({ type: 'text', text })), ...media] };
  }
  if (typeof output === 'string') return { type: 'text', value: output };
  const type = output?.success === false ? 'error-text' : 'text';
  return { type, value: typeof output?.content === 'string' ? output.content : (JSON.stringify(output) ?? '') };
}
