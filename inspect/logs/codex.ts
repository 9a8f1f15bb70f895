// Logs of Codex (`rollout-*.jsonl`): lines with a `payload`; before 0.32 the items themselves. What Codex compacted itself is taken in
// full.

import type { AnyRecord, LogReader } from '../log.js';
import { Skipped, isRecord, listOf, numberOf, recordOf, textOf } from '../log.js';
import { Messages, mediaOutput, outputOf, parsedInput, textParts } from '../messages.js';

const LINES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);
const ITEMS = new Set(['message', 'reasoning', 'function_call', 'function_call_output', 'local_shell_call', 'custom_tool_call', 'custom_tool_call_output', 'web_search_call']);

const isItem = (value: AnyRecord): boolean => ITEMS.has(textOf(value['type'])) && (value['type'] !== 'message' || Array.isArray(value['content']));
/** What opens a log before 0.32. */
const isHead = (value: AnyRecord): boolean => 'instructions' in value && 'timestamp' in value && 'id' in value;

/** Whether a value is a line of such a log. */
export const isCodex = (value: AnyRecord): boolean => ('payload' in value && LINES.has(textOf(value['type']))) || isItem(value) || value['record_type'] === 'state' || isHead(value);

export function codexReader(): LogReader {
  const messages = new Messages();
  const skipped = new Skipped();
  let id: string | undefined;
  let modelId: string | undefined;
  const begin = (meta: AnyRecord): void => {
    // A resumed session repeats its head.
    if (id !== undefined) return;
    id = textOf(meta['id']) || undefined;
    messages.instruct(textOf(recordOf(meta['base_instructions'])['text']) || textOf(meta['instructions']));
  };
  return {
    take(value) {
      if (!isCodex(value)) return false;
      const payload = recordOf(value['payload']);
      if (value['type'] === 'session_meta') begin(payload);
      else if (value['type'] === 'turn_context') modelId = textOf(payload['model']) || modelId;
      // Comes behind the reply that it was counted for.
      else if (value['type'] === 'event_msg') messages.prompted(payload['type'] === 'token_count' ? numberOf(recordOf(recordOf(payload['info'])['last_token_usage'])['input_tokens']) : 0);
      else if (value['type'] === 'compacted') skipped.add('compaction of Codex, whose messages are there in full');
      else if (value['type'] === 'response_item') take(messages, payload, skipped);
      else if (isItem(value)) take(messages, value, skipped);
      else if (isHead(value)) begin(value);
      return true;
    },
    size: () => messages.size,
    finish: () => ({ ...messages.finish(skipped), id, kind: 'coding', format: 'Codex', modelId, notes: skipped.notes }),
  };
}

function take(messages: Messages, item: AnyRecord, skipped: Skipped): void {
  const id = textOf(item['call_id']) || textOf(item['id']);
  const call = (name: unknown, input: unknown): void => {
    if (messages.hasCall(id)) skipped.add('call with the id of an earlier call');
    else messages.call({ id, name, input });
  };
  switch (item['type']) {
    case 'message': {
      const parts = listOf(item['content']).filter(isRecord).flatMap((part) => partOf(part, skipped));
      if (item['role'] === 'assistant') for (const part of parts) messages.reply(part);
      else messages.say(item['role'] === 'user' ? 'user' : 'system', parts);
      break;
    }
    case 'reasoning': {
      const texts = [...listOf(item['summary']), ...listOf(item['content'])].map((part) => textOf(recordOf(part)['text']));
      for (const { text } of textParts(texts.filter((text) => text !== '').join('\n'))) messages.reply({ type: 'reasoning', text });
      break;
    }
    case 'function_call':
      call(item['name'], parsedInput(item['arguments']));
      break;
    case 'custom_tool_call':
      call(item['name'], { input: textOf(item['input']) });
      break;
    case 'local_shell_call':
      call('local_shell', item['action']);
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
  if (isRecord(output)) return outputOf(typeof output['content'] === 'string' ? output['content'] : JSON.stringify(output), output['success'] === false);
  if (!Array.isArray(output)) return outputOf(textOf(output));
  const parts = output.filter(isRecord);
  if (parts.every(({ type }) => type !== 'input_image')) return outputOf(parts.map(({ text }) => text).filter((text) => typeof text === 'string').join('\n'));
  return { type: 'content', value: parts.flatMap((part) => (part['type'] === 'input_image' ? [mediaOutput(imageOf(part))] : textParts(part['text']))) };
}

function partOf(part: AnyRecord, skipped: Skipped): AnyRecord[] {
  if (part['type'] === 'input_image') return [{ type: 'file', ...imageOf(part) }];
  if (typeof part['text'] !== 'string') skipped.add(`part \`${textOf(part['type'])}\` of a message`);
  return textParts(part['text']);
}

/** An image as data, or where it can be loaded from. */
function imageOf({ image_url: url }: AnyRecord): { readonly mediaType: string; readonly data: string } {
  const [, mediaType = 'image/png', data = textOf(url)] = /^data:([^;,]+);base64,(.*)$/s.exec(textOf(url)) ?? [];
  return { mediaType, data };
}
