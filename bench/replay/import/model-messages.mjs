// Reads `ModelMessage[]` of the AI SDK: they are replayed as they are. Only what no part of the bench could read is left out.

const ROLES = ['system', 'user', 'assistant', 'tool'];

export function readModelMessages({ id, system, messages }, notes) {
  return { id, system, messages: messages.flatMap((message) => readMessage(message, notes)) };
}

function readMessage(message, notes) {
  const { role, content } = message ?? {};
  if (!ROLES.includes(role)) {
    notes.add('a message has no role of the AI SDK');
    return [];
  }
  if (typeof content === 'string' && role !== 'tool') return [message];
  if (!Array.isArray(content)) {
    notes.add(`the content of a message is no ${role === 'tool' ? 'list' : 'text or list'} of parts`);
    return [];
  }
  const parts = content.filter(isReadable);
  if (parts.length === content.length) return [message];
  notes.add('a part is none of the AI SDK', content.length - parts.length);
  return parts.length > 0 ? [{ ...message, content: parts }] : [];
}

function isReadable(part) {
  switch (part?.type) {
    case undefined:
      return false;
    case 'text':
    case 'reasoning':
      return typeof part.text === 'string';
    case 'tool-call':
      return typeof part.toolCallId === 'string' && typeof part.toolName === 'string';
    case 'tool-result':
      return typeof part.toolCallId === 'string' && typeof part.output?.type === 'string' && (part.output.type !== 'content' || Array.isArray(part.output.value));
    default:
      return true;
  }
}
