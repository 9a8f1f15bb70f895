// Logs of Gemini CLI: a chat as one JSON value or a line a message, and checkpoints (`/chat save`), which hold contents of the API.

import type { AnyRecord, LogReader } from '../log.js';
import { Skipped, isRecord, listOf, numberOf, recordOf, textOf } from '../log.js';
import { Messages, outputOf, textParts } from '../messages.js';

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
  const replies = new Replies(messages);
  const seen = new Set<unknown>();
  let id: string | undefined;
  let modelId: string | undefined;
  return {
    take(value) {
      if (!isGeminiCli(value)) return false;
      id ??= textOf(value['sessionId']) || undefined;
      if (isContent(value)) takeContent(messages, value);
      else if (value['type'] === 'gemini') {
        modelId = textOf(value['model']) || modelId;
        replies.take(value);
      } else if (value['type'] === 'user' && !seen.has(value['id'])) messages.say('user', textParts(textsOf(value['content']).join('\n')));
      seen.add(value['id']);
      return true;
    },
    size: () => messages.size,
    finish: () => ({ ...messages.finish(skipped), id, kind: 'coding', format: 'Gemini CLI', modelId: modelId ?? 'gemini-2.5-pro', notes: skipped.notes }),
  };
}

/** Replies of a chat. A line may repeat one with what it has gained since: its calls, and then their results. */
class Replies {
  readonly #messages: Messages;
  /** What is known of each. */
  readonly #known = new Map<string, Set<string>>();

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  take(value: AnyRecord): void {
    const replyId = textOf(value['id']);
    const known = this.#known.get(replyId) ?? new Set<string>();
    if (known.size === 0) this.#messages.close();
    this.#known.set(replyId, known);
    const isNew = (what: string): boolean => !known.has(what) && known.add(what).has(what);
    const thoughts = listOf(value['thoughts']).map(recordOf).map((thought) => `${textOf(thought['subject'])}\n${textOf(thought['description'])}`);
    for (const { text } of thoughts.flatMap(textParts)) if (isNew(`thought ${String(text)}`)) this.#messages.reply({ type: 'reasoning', text }, replyId);
    for (const part of textsOf(value['content']).flatMap(textParts)) if (isNew(`text ${String(part['text'])}`)) this.#messages.reply(part, replyId);
    const calls = listOf(value['toolCalls']).map(recordOf);
    for (const { id, name, args } of calls) if (isNew(`call ${textOf(id)}`)) this.#messages.call({ id, name, input: args }, replyId);
    this.#messages.prompted(numberOf(recordOf(value['tokens'])['input']));
    for (const { id, result, status } of calls) {
      const { functionResponse } = recordOf(listOf(result)[0]);
      if (isRecord(functionResponse) && isNew(`result ${textOf(id)}`)) this.#messages.result(id, responseOf(functionResponse['response'], status === 'error'));
    }
  }
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
  const texts: string[] = [];
  for (const part of listOf(parts).map(recordOf)) {
    const call = recordOf(part['functionCall']);
    const response = recordOf(part['functionResponse']);
    // Calls of one name without an id are answered in their order.
    if ('name' in call) messages.call({ id: textOf(call['id']) || call['name'], name: call['name'], input: call['args'] });
    else if ('name' in response) messages.result(textOf(response['id']) || response['name'], responseOf(response['response'], false));
    else if (role === 'user') texts.push(textOf(part['text']));
    else if (part['thought'] === true) for (const { text } of textParts(part['text'])) messages.reply({ type: 'reasoning', text });
    else for (const each of textParts(part['text'])) messages.reply(each);
  }
  messages.say('user', textParts(texts.filter((text) => text !== '').join('\n')));
}
