// Logs of Claude Code: one JSON object a line, each reply spread over several lines with the id of its message. The system prompt is not
// in them. Subagents (`isSidechain`) have a conversation of their own; what Claude Code compacted itself is taken in full.

import type { AnyRecord, LogReader } from '../log.js';
import { Skipped, isRecord, listOf, numberOf, recordOf, textOf } from '../log.js';
import { Messages, mediaOutput, outputOf, textParts } from '../messages.js';

/** Whether a value is a line of such a log. */
export const isClaudeCode = (value: AnyRecord): boolean =>
  typeof value['type'] === 'string' && ('sessionId' in value || 'parentUuid' in value || 'leafUuid' in value || value['type'] === 'file-history-snapshot') && !('payload' in value) && !('projectHash' in value);

export function claudeCodeReader(): LogReader {
  const main = new Messages();
  const side = new Messages();
  const skipped = new Skipped();
  const seen = new Set<unknown>();
  let title = '';
  let id: string | undefined;
  let agentId: string | undefined;
  let modelId: string | undefined;
  return {
    take(value) {
      if (!isClaudeCode(value)) return false;
      const { type, uuid, isSidechain } = value;
      const message = recordOf(value['message']);
      if (type === 'summary') title = textOf(value['summary']);
      else if (value['isCompactSummary'] === true || value['isVisibleInTranscriptOnly'] === true) skipped.add('compaction of Claude Code, whose messages are there in full');
      else if (value['isApiErrorMessage'] === true) skipped.add('error of the API');
      else if (type !== 'user' && type !== 'assistant') return true;
      else if (uuid !== undefined && seen.has(uuid)) skipped.add('line that is there twice');
      else {
        seen.add(uuid);
        if (isSidechain === true) agentId ??= textOf(value['agentId']) || undefined;
        else id ??= textOf(value['sessionId']) || undefined;
        const messages = isSidechain === true ? side : main;
        if (type === 'user') takeUser(messages, message['content'], skipped);
        else {
          if (textOf(message['model']).startsWith('claude')) modelId = textOf(message['model']);
          takeReply(messages, message, skipped);
        }
      }
      return true;
    },
    size: () => main.size + side.size,
    finish() {
      if (main.isEmpty) return { ...side.finish(skipped), id: agentId, kind: 'coding', format: 'Claude Code', modelId, notes: skipped.notes };
      const conversation = main.finish(skipped);
      const { length } = side.finish(new Skipped()).messages;
      if (length > 0) skipped.add('message of a subagent', length);
      return { ...conversation, id, kind: 'coding', title: title === '' ? conversation.title : title, format: 'Claude Code', modelId, notes: skipped.notes };
    },
  };
}

function takeReply(messages: Messages, message: AnyRecord, skipped: Skipped): void {
  const replyId = textOf(message['id']);
  const { content } = message;
  for (const block of typeof content === 'string' ? textParts(content) : listOf(content).filter(isRecord)) {
    switch (block['type']) {
      case 'text':
        for (const part of textParts(block['text'])) messages.reply(part, replyId);
        break;
      case 'thinking':
      case 'redacted_thinking':
        for (const part of thought(block)) messages.reply(part, replyId);
        break;
      case 'tool_use':
        // A resumed session begins with a copy of the one before.
        if (messages.hasCall(block['id'])) skipped.add('call with the id of an earlier call');
        else messages.call({ id: block['id'], name: block['name'], input: block['input'] }, replyId);
        break;
      default:
        skipped.add(`part \`${textOf(block['type'])}\` of a reply`);
    }
  }
  const usage = recordOf(message['usage']);
  messages.prompted(numberOf(usage['input_tokens']) + numberOf(usage['cache_read_input_tokens']) + numberOf(usage['cache_creation_input_tokens']));
}

/** A thought with what Anthropic knows it by. Without text or signature there is nothing to send. */
function thought({ thinking, signature, data }: AnyRecord): AnyRecord[] {
  const anthropic = { ...(textOf(signature) === '' ? {} : { signature }), ...(textOf(data) === '' ? {} : { redactedData: data }) };
  const isKnown = Object.keys(anthropic).length > 0;
  return textOf(thinking) === '' && !isKnown ? [] : [{ type: 'reasoning', text: textOf(thinking), ...(isKnown ? { providerOptions: { anthropic } } : {}) }];
}

function takeUser(messages: Messages, content: unknown, skipped: Skipped): void {
  if (typeof content === 'string') return messages.say('user', textParts(content));
  const blocks = listOf(content).filter(isRecord);
  // What the user wrote beside results comes behind all of them.
  for (const block of blocks) if (block['type'] === 'tool_result') messages.result(block['tool_use_id'], resultOf(block));
  messages.say('user', blocks.filter(({ type }) => type !== 'tool_result').flatMap((block) => partOf(block, skipped)));
}

function partOf(block: AnyRecord, skipped: Skipped): AnyRecord[] {
  if (block['type'] === 'text') return textParts(block['text']);
  const media = mediaOf(block);
  if (media === undefined) skipped.add(`part \`${textOf(block['type'])}\` of the user`);
  return media === undefined ? [] : [{ type: 'file', ...media }];
}

function resultOf({ content, is_error: isError }: AnyRecord): AnyRecord {
  if (!Array.isArray(content)) return outputOf(typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content), isError === true);
  const value = content.filter(isRecord).flatMap((block) => {
    const media = mediaOf(block);
    if (media !== undefined) return [mediaOutput(media)];
    return block['type'] === 'text' ? [{ type: 'text', text: textOf(block['text']) }] : [];
  });
  return value.every(({ type }) => type === 'text') ? outputOf(value.map((part) => textOf(recordOf(part)['text'])).join('\n'), isError === true) : { type: 'content', value };
}

/** Images and documents, of which some stand behind a url. */
function mediaOf({ type, source }: AnyRecord): { readonly mediaType: string; readonly data: string } | undefined {
  if (type !== 'image' && type !== 'document') return undefined;
  const { media_type: mediaType, data, url } = recordOf(source);
  return { mediaType: textOf(mediaType) || (type === 'image' ? 'image/png' : 'application/pdf'), data: textOf(data) || textOf(url) };
}
