// Logs of Gemini CLI: a chat as one JSON value or a line a message, and checkpoints (`/chat save`), which hold contents of the API.

import type { AnyRecord, FirstPrompt, LogReader } from '../log.js';
import { Messages, Skipped, isRecord, listOf, numberOf, outputOf, placeOf, recordOf, textOf } from '../log.js';

const TYPES = new Set(['user', 'gemini', 'info', 'error', 'warning']);

/** A content of the API: its parts have no type. */
export const isContent = (value: AnyRecord): boolean =>
  (value['role'] === 'user' || value['role'] === 'model') && Array.isArray(value['parts']) && value['parts'].every((part) => isRecord(part) && !('type' in part));

/** Whether a value is a line of such a log, or one of its messages. */
export const isGeminiCli = (value: AnyRecord): boolean =>
  isContent(value) || 'projectHash' in value || '$set' in value || (TYPES.has(textOf(value['type'])) && 'id' in value && 'content' in value);

export function geminiCliReader(): LogReader {
  const messages = new Messages();
  const skipped = new Skipped();
  const seen = new Set<unknown>();
  let modelId: string | undefined;
  let first: FirstPrompt | undefined;
  const reply = (value: AnyRecord): void => {
    modelId = textOf(value['model']) || modelId;
    messages.close();
    for (const thought of listOf(value['thoughts']).map(recordOf)) messages.reply({ type: 'reasoning', text: `${textOf(thought['subject'])}\n${textOf(thought['description'])}` });
    for (const text of textsOf(value['content'])) messages.reply({ type: 'text', text });
    const calls = listOf(value['toolCalls']).map(recordOf);
    for (const call of calls) messages.call(textOf(call['id']), textOf(call['name']), call['args']);
    const tokens = numberOf(recordOf(value['tokens'])['input']);
    if (first === undefined && tokens > 0) first = { messageIndex: messages.length - 1, tokens };
    for (const call of calls) messages.result(textOf(call['id']), responseOf(recordOf(recordOf(listOf(call['result'])[0])['functionResponse'])['response'], call['status'] === 'error'));
  };
  return {
    take(value) {
      if (!isGeminiCli(value)) return false;
      if (isContent(value)) takeContent(messages, value);
      else if (value['type'] === 'user') messages.say('user', textsOf(value['content']).join('\n'));
      else if (value['type'] === 'gemini' && !seen.has(value['id'])) reply(value);
      else if (value['type'] === 'gemini') skipped.add('line that tells of a message again');
      if (value['type'] === 'gemini') seen.add(value['id']);
      return true;
    },
    size: () => messages.size,
    finish() {
      const list = messages.finish();
      const firstPrompt = first === undefined ? undefined : { ...first, messageIndex: placeOf(list, first.messageIndex) };
      return { title: messages.title, format: 'Gemini CLI', modelId: modelId ?? 'gemini-2.5-pro', messages: list, firstPrompt, notes: skipped.notes };
    },
  };
}

function textsOf(content: unknown): string[] {
  const texts = typeof content === 'string' ? [content] : listOf(content).map((part) => (typeof part === 'string' ? part : textOf(recordOf(part)['text'])));
  return texts.filter((text) => text !== '');
}

function responseOf(response: unknown, isError: boolean): AnyRecord {
  const { output, error } = recordOf(response);
  return error === undefined ? outputOf(output ?? response ?? '', isError) : outputOf(error, true);
}

function takeContent(messages: Messages, { role, parts }: AnyRecord): void {
  const said: string[] = [];
  for (const part of listOf(parts).map(recordOf)) {
    const call = recordOf(part['functionCall']);
    const response = recordOf(part['functionResponse']);
    // Calls of one name without an id are answered in their order.
    if ('name' in call) messages.call(textOf(call['id']) || textOf(call['name']), textOf(call['name']), call['args']);
    else if ('name' in response) messages.result(textOf(response['id']) || textOf(response['name']), responseOf(response['response'], false));
    else if (role === 'user') said.push(textOf(part['text']));
    else if (part['thought'] === true) messages.reply({ type: 'reasoning', text: textOf(part['text']) });
    else if (textOf(part['text']) !== '') messages.reply({ type: 'text', text: textOf(part['text']) });
  }
  messages.say('user', said.filter((text) => text !== '').join('\n'));
}
