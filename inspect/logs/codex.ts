// Logs of Codex (`rollout-*.jsonl`): lines with a `payload`; before 0.32 the items themselves. What Codex compacted itself is played
// in full.

import type { AnyRecord, FirstPrompt, LogReader } from '../log.js';
import { Messages, Skipped, isRecord, listOf, numberOf, outputOf, parsedInput, placeOf, recordOf, textOf } from '../log.js';

const LINES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);
const ITEMS = new Set(['message', 'reasoning', 'function_call', 'function_call_output', 'local_shell_call', 'custom_tool_call', 'custom_tool_call_output', 'web_search_call']);

const isItem = (value: AnyRecord): boolean => ITEMS.has(textOf(value['type'])) && (value['type'] !== 'message' || Array.isArray(value['content']));

/** Whether a value is a line of such a log. */
export const isCodex = (value: AnyRecord): boolean =>
  ('payload' in value && LINES.has(textOf(value['type']))) || isItem(value) || value['record_type'] === 'state' || ('instructions' in value && 'timestamp' in value && 'id' in value);

export function codexReader(): LogReader {
  const messages = new Messages();
  const skipped = new Skipped();
  let modelId: string | undefined;
  let first: FirstPrompt | undefined;
  const event = (payload: AnyRecord): void => {
    const usage = recordOf(recordOf(payload['info'])['last_token_usage']);
    const tokens = numberOf(usage['input_tokens']);
    // Told behind the reply that it was counted for.
    if (payload['type'] === 'token_count' && first === undefined && tokens > 0 && messages.length > 1) first = { messageIndex: messages.length - 1, tokens };
  };
  return {
    take(value) {
      if (!isCodex(value)) return false;
      const payload = recordOf(value['payload']);
      if (value['type'] === 'turn_context') modelId = textOf(payload['model']) || modelId;
      else if (value['type'] === 'event_msg') event(payload);
      else if (value['type'] === 'compacted') skipped.add('compaction of Codex, whose messages are played in full');
      else if (value['type'] === 'response_item') take(messages, payload, skipped);
      else if (isItem(value)) take(messages, value, skipped);
      return true;
    },
    size: () => messages.size,
    finish() {
      const list = messages.finish();
      const firstPrompt = first === undefined ? undefined : { ...first, messageIndex: placeOf(list, first.messageIndex) };
      return { title: messages.title, format: 'Codex', modelId, messages: list, firstPrompt, notes: skipped.notes };
    },
  };
}

function take(messages: Messages, item: AnyRecord, skipped: Skipped): void {
  const id = textOf(item['call_id']) || textOf(item['id']);
  switch (item['type']) {
    case 'message': {
      const parts = listOf(item['content']).filter(isRecord).flatMap(partOf);
      if (item['role'] === 'assistant') for (const part of parts) messages.reply(part);
      else messages.say(item['role'] === 'user' ? 'user' : 'system', parts);
      break;
    }
    case 'reasoning':
      messages.reply({ type: 'reasoning', text: listOf(item['summary']).map((part) => textOf(recordOf(part)['text'])).join('\n') });
      break;
    case 'function_call':
      messages.call(id, textOf(item['name']), parsedInput(item['arguments']));
      break;
    case 'custom_tool_call':
      messages.call(id, textOf(item['name']), item['input']);
      break;
    case 'local_shell_call':
      messages.call(id, 'local_shell', item['action']);
      break;
    case 'function_call_output':
    case 'custom_tool_call_output':
      messages.result(id, resultOf(item['output']));
      break;
    default:
      skipped.add(`item \`${textOf(item['type'])}\``);
  }
}

/** Text, a list of parts, or text with what came of it. */
function resultOf(output: unknown): AnyRecord {
  if (Array.isArray(output)) return { type: 'content', value: output.filter(isRecord).flatMap(partOf) };
  if (isRecord(output)) return outputOf(textOf(output['content']), output['success'] === false);
  return outputOf(textOf(output));
}

function partOf(part: AnyRecord): AnyRecord[] {
  const text = textOf(part['text']);
  if (text !== '') return [{ type: 'text', text }];
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(textOf(part['image_url'])) ?? [];
  return mediaType === undefined ? [] : [{ type: 'file', data, mediaType }];
}
