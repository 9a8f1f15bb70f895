// Reads sessions of Claude Code: one JSON record a line, the API's message inside its `message`. The system prompt is not recorded.
// Takes the whole history in the order of the file; summaries by which Claude Code went on after a compaction are left out.

import { createConversation, mediaOutput, textParts } from './conversation.mjs';

/** Records of the program about itself, which the model never saw. */
const NO_MESSAGES = new Set(['summary', 'system', 'file-history-snapshot', 'queue-operation', 'progress', 'attachment', 'permission-mode', 'last-prompt', 'custom-title', 'ai-title', 'agent-name', 'pr-link', 'checkpoint']);

export function readClaudeCode(records, notes) {
  const conversation = createConversation(notes);
  const seen = new Set();
  let id;
  for (const record of records) {
    if (record.type !== 'user' && record.type !== 'assistant') {
      if (!NO_MESSAGES.has(record.type)) notes.add(`a record of type ${String(record.type)} is no message`);
      continue;
    }
    const reason = reasonToLeaveOut(record);
    if (reason !== undefined) {
      notes.add(reason);
      continue;
    }
    // A resumed session begins with a copy of the records before it.
    if (record.uuid !== undefined && seen.has(record.uuid)) continue;
    seen.add(record.uuid);
    id ??= record.sessionId;
    const { content } = record.message;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (record.type === 'assistant') conversation.assistant(blocks.flatMap((block) => readAnswer(block, notes)), record.message.id);
    else readUser({ blocks, conversation, notes });
  }
  return { kind: 'coding', id, messages: conversation.finish() };
}

function reasonToLeaveOut({ isSidechain, isCompactSummary, isVisibleInTranscriptOnly, isApiErrorMessage, message }) {
  if (isSidechain) return 'a message belongs to a subagent';
  if (isCompactSummary || isVisibleInTranscriptOnly) return 'a summary stands for messages that are there';
  if (isApiErrorMessage) return 'an answer is an error of the API';
  const { content } = message ?? {};
  return typeof content === 'string' || Array.isArray(content) ? undefined : 'a message has no content';
}

/** Results first: what the user said beside them comes after the step. */
function readUser({ blocks, conversation, notes }) {
  for (const block of blocks) if (block?.type === 'tool_result') conversation.result(block.tool_use_id, readOutput(block));
  conversation.user(blocks.flatMap((block) => readQuestion(block, notes)));
}

function readQuestion(block, notes) {
  if (block?.type === 'tool_result') return [];
  if (block?.type === 'text') return textParts(block.text);
  const media = mediaOf(block);
  if (media === undefined) notes.add(`a block of type ${String(block?.type)} is unknown`);
  return media === undefined ? [] : [{ type: 'file', ...media }];
}

function readAnswer(block, notes) {
  switch (block?.type) {
    case 'text':
      return textParts(block.text);
    case 'thinking':
      return block.thinking ? [{ type: 'reasoning', text: block.thinking }] : [];
    case 'redacted_thinking':
      return [];
    case 'tool_use':
      return [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input ?? {} }];
    default:
      notes.add(`a block of type ${String(block?.type)} is unknown`);
      return [];
  }
}

function readOutput({ content, is_error: isError }) {
  if (typeof content === 'string' || !Array.isArray(content)) {
    const value = typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content);
    return { type: isError ? 'error-text' : 'text', value };
  }
  const texts = content.filter((block) => block?.type === 'text').map(({ text }) => text ?? '');
  const media = content.map(mediaOf).filter((found) => found !== undefined);
  if (media.length === 0) return { type: isError ? 'error-text' : 'text', value: texts.join('\n') };
  return { type: 'content', value: [...texts.map((text) => ({ type: 'text', text })), ...media.map(mediaOutput)] };
}

/** Images and documents; those behind a url count like the others. */
function mediaOf(block) {
  if (block?.type !== 'image' && block?.type !== 'document') return undefined;
  const { media_type: mediaType = block.type === 'image' ? 'image/png' : 'application/pdf', data, url = '' } = block.source ?? {};
  return { mediaType, data: data ?? url };
}
