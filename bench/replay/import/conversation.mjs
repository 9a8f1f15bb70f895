// Builds a list of messages that a provider would accept from records in the order in which they were written: parts of one answer
// joined, each result behind its call. Knows no file format.

const NO_RESULT = '[No result was recorded.]';

/** Collects what was left out, each reason once with how often. */
export function createNotes() {
  const counts = new Map();
  return {
    add: (reason, times = 1) => void (times > 0 && counts.set(reason, (counts.get(reason) ?? 0) + times)),
    list: () => [...counts].map(([reason, times]) => (times > 1 ? `${reason} (${times} times)` : reason)),
  };
}

/** Text as a list of parts; none for blank text, which providers refuse. */
export const textParts = (text) => (typeof text === 'string' && text.trim() !== '' ? [{ type: 'text', text }] : []);

/** An image or a document within the output of a tool. */
export const mediaOutput = ({ mediaType, data }) => ({ type: mediaType.startsWith('image/') ? 'image-data' : 'file-data', mediaType, data });

/** Takes records in order; `finish` returns the messages. */
export function createConversation(notes) {
  const messages = [];
  /** Calls by id, each with its message, and whether it was answered. */
  const calls = new Map();
  let newest;
  return {
    user(parts) {
      if (parts.length > 0) messages.push({ role: 'user', content: parts });
    },
    /** Joins an answer that was written in pieces: without anything between them, or with the same `key`. */
    assistant(parts, key) {
      if (parts.length === 0) return;
      const joins = newest !== undefined && (messages.at(-1) === newest.message || (key !== undefined && newest.key === key));
      if (!joins) {
        newest = { message: { role: 'assistant', content: [] }, key };
        messages.push(newest.message);
      }
      for (const part of parts) {
        if (part.type === 'tool-call' && calls.has(part.toolCallId)) {
          notes.add('a call has the id of an earlier call');
          continue;
        }
        newest.message.content.push(part);
        if (part.type === 'tool-call') calls.set(part.toolCallId, { part, message: newest.message, answered: false });
      }
    },
    result(toolCallId, output) {
      const call = calls.get(toolCallId);
      if (call === undefined || call.answered) {
        notes.add(call === undefined ? 'a result has no call' : 'a call has two results');
        return;
      }
      call.answered = true;
      answer({ messages, call, output });
    },
    finish() {
      const open = [...calls.values()].filter(({ answered }) => !answered);
      // The newest step may just have been under way.
      const stopped = open.filter(({ message }) => message === messages.at(-1));
      if (stopped.length > 0) messages.pop();
      const missing = open.filter((call) => !stopped.includes(call));
      notes.add('a call has no result', missing.length);
      for (const call of missing) answer({ messages, call, output: { type: 'error-text', value: NO_RESULT } });
      return messages.filter(({ content }) => content.length > 0);
    },
  };
}

/** Puts a result into the tool message right behind its call. */
function answer({ messages, call: { part, message }, output }) {
  const behind = messages.indexOf(message) + 1;
  if (messages[behind]?.role !== 'tool') messages.splice(behind, 0, { role: 'tool', content: [] });
  messages[behind].content.push({ type: 'tool-result', toolCallId: part.toolCallId, toolName: part.toolName, output });
}
