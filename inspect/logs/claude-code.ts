// Logs of Claude Code: one JSON object a line, each reply spread over several lines. Subagents (`isSidechain`) have a conversation of
// their own; what Claude Code compacted itself is played in full.

import type { AnyRecord, FirstPrompt, LogReader } from '../log.js';
import { Messages, Skipped, isRecord, listOf, numberOf, outputOf, placeOf, recordOf, textOf } from '../log.js';

/** Whether a value is a line of such a log. */
export const isClaudeCode = (value: AnyRecord): boolean =>
  typeof value['type'] === 'string' && ('sessionId' in value || 'parentUuid' in value || 'leafUuid' in value || value['type'] === 'file-history-snapshot') && !('payload' in value) && !('projectHash' in value);

export function claudeCodeReader(): LogReader {
  const main = new Messages();
  const side = new Messages();
  const skipped = new Skipped();
  const seen = new Set<unknown>();
  let title = '';
  let modelId: string | undefined;
  let first: FirstPrompt | undefined;
  const reply = (messages: Messages, message: AnyRecord): void => {
    if (textOf(message['model']).startsWith('claude')) modelId = textOf(message['model']);
    for (const block of listOf(message['content']).filter(isRecord)) {
      if (block['type'] === 'text') messages.reply({ type: 'text', text: textOf(block['text']) });
      else if (block['type'] === 'tool_use') messages.call(textOf(block['id']), textOf(block['name']), block['input']);
      else if (block['type'] === 'thinking') {
        const signature = textOf(block['signature']);
        messages.reply({ type: 'reasoning', text: textOf(block['thinking']), ...(signature === '' ? {} : { providerOptions: { anthropic: { signature } } }) });
      } else skipped.add(`part \`${textOf(block['type'])}\` of a reply`);
    }
    const usage = recordOf(message['usage']);
    const tokens = numberOf(usage['input_tokens']) + numberOf(usage['cache_read_input_tokens']) + numberOf(usage['cache_creation_input_tokens']);
    if (first === undefined && messages === main && tokens > 0) first = { messageIndex: main.length - 1, tokens };
  };
  return {
    take(value) {
      if (!isClaudeCode(value)) return false;
      const { type, uuid } = value;
      const message = recordOf(value['message']);
      if (type === 'summary') title = textOf(value['summary']);
      else if (value['isCompactSummary'] === true) skipped.add('compaction of Claude Code, whose messages are played in full');
      else if (value['isApiErrorMessage'] === true) skipped.add('error of the API');
      else if (type !== 'user' && type !== 'assistant') return true;
      else if (uuid !== undefined && seen.has(uuid)) skipped.add('line that is there twice');
      else {
        seen.add(uuid);
        const messages = value['isSidechain'] === true ? side : main;
        if (type === 'assistant') reply(messages, message);
        else takeUser(messages, message['content']);
      }
      return true;
    },
    size: () => main.size + side.size,
    finish() {
      const messages = main.length > 0 ? main : side;
      if (messages === main && side.length > 0) skipped.add('message of a subagent', side.length);
      const list = messages.finish();
      const firstPrompt = first === undefined || messages !== main ? undefined : { ...first, messageIndex: placeOf(list, first.messageIndex) };
      return { title: title === '' ? messages.title : title, format: 'Claude Code', modelId, messages: list, firstPrompt, notes: skipped.notes };
    },
  };
}

function takeUser(messages: Messages, content: unknown): void {
  if (typeof content === 'string') return messages.say('user', content);
  const said: AnyRecord[] = [];
  for (const block of listOf(content).filter(isRecord)) {
    if (block['type'] === 'tool_result') messages.result(textOf(block['tool_use_id']), resultOf(block));
    else said.push(...partOf(block));
  }
  messages.say('user', said);
}

function resultOf({ content, is_error: isError }: AnyRecord): AnyRecord {
  if (!Array.isArray(content)) return outputOf(textOf(content), isError === true);
  const parts = content.filter(isRecord);
  if (parts.every(({ type }) => type === 'text')) return outputOf(parts.map(({ text }) => textOf(text)).join('\n'), isError === true);
  return { type: 'content', value: parts.flatMap((part) => (part['type'] === 'image' ? mediaOf(part) : partOf(part))) };
}

function mediaOf(block: AnyRecord): AnyRecord[] {
  const { data, media_type: mediaType } = recordOf(block['source']);
  return typeof data === 'string' ? [{ type: 'media', data, mediaType: textOf(mediaType) }] : [];
}

function partOf(block: AnyRecord): AnyRecord[] {
  const { data, media_type: mediaType } = recordOf(block['source']);
  if (block['type'] === 'text') return [{ type: 'text', text: textOf(block['text']) }];
  return typeof data === 'string' ? [{ type: 'file', data, mediaType: textOf(mediaType) }] : [];
}
