// Puts messages together from logs that hold texts, calls and results one by one. Decides for every format how pieces of one reply
// are joined, where results go, what is system prompt, and what stands for a result that is missing. Knows no format.

import type { ModelMessage } from 'ai';
import type { AnyRecord, FirstPrompt, Skipped } from './log.js';
import { isRecord, sizeOf, textOf, titleOf } from './log.js';

const NO_RESULT = '[No result was recorded.]';

/** The output of a tool as the AI SDK has it. */
export function outputOf(value: unknown, isError = false): AnyRecord {
  if (typeof value === 'string') return { type: isError ? 'error-text' : 'text', value };
  return { type: isError ? 'error-json' : 'json', value: value ?? null };
}

/** A text as parts of a message: none where it is blank, which providers refuse. */
export const textParts = (text: unknown): AnyRecord[] => (textOf(text).trim() === '' ? [] : [{ type: 'text', text }]);

/** An image or a document in the output of a tool. */
export const mediaOutput = ({ mediaType, data }: { readonly mediaType: string; readonly data: string }): AnyRecord => ({ type: mediaType.startsWith('image/') ? 'image-data' : 'file-data', mediaType, data });

/** Arguments that were logged as JSON text. What a model broke off is kept as it is: a provider takes no input but an object. */
export function parsedInput(value: unknown): AnyRecord {
  if (isRecord(value)) return value;
  if (textOf(value) === '') return {};
  try {
    const parsed: unknown = JSON.parse(textOf(value));
    if (isRecord(parsed)) return parsed;
  } catch {
    // Kept below.
  }
  return { arguments: textOf(value) };
}

/** A call as it stands in a log. */
export interface Call {
  readonly id: unknown;
  readonly name: unknown;
  readonly input: unknown;
  /** Fields of the part beside these. */
  readonly more?: AnyRecord;
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** What `Messages` made of a log. */
export interface Conversation {
  readonly title: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly firstPrompt: FirstPrompt | undefined;
}

/** Takes what a log holds, in order. */
export class Messages {
  readonly #messages: Message[] = [];
  readonly #system: string[] = [];
  /** What stands behind a call, for each time its id was answered. */
  readonly #answers = new Map<string, (readonly AnyRecord[])[]>();
  /** Tools by the ids of their calls. */
  readonly #called = new Map<string, string>();
  /** The newest reply. */
  #newest: { readonly content: AnyRecord[]; id: string } | undefined;
  #isOpen = false;
  #calls = 0;
  #size = 0;
  #firstPrompt: { readonly content: unknown; readonly tokens: number } | undefined;

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** Characters of all contents, about. */
  get size(): number {
    return this.#size;
  }

  /** Text of the system prompt. */
  instruct(text: string): void {
    if (text === '') return;
    this.#size += sizeOf(text);
    this.#system.push(text);
  }

  /** What the program says before the user does is part of the system prompt; later it is a system message of its own. */
  say(role: 'user' | 'system', parts: readonly AnyRecord[]): void {
    if (parts.length === 0) return;
    const text = parts.map((part) => textOf(part['text'])).join('\n');
    if (role === 'system' && this.isEmpty) return this.instruct(text);
    this.#isOpen = false;
    this.#size += sizeOf(parts);
    this.#messages.push({ role, content: role === 'system' ? text : parts });
  }

  /** A part of a reply: of the newest one if nothing has come since, or if `replyId` is that of the newest. */
  reply(part: AnyRecord, replyId = ''): void {
    const reply = this.#isOpen || (replyId !== '' && this.#newest?.id === replyId) ? this.#newest : undefined;
    const newest = reply ?? { content: [], id: replyId };
    if (reply === undefined) this.#messages.push({ role: 'assistant', content: newest.content });
    this.#isOpen ||= reply === undefined;
    if (replyId !== '') newest.id = replyId;
    this.#size += sizeOf(part);
    newest.content.push(part);
    this.#newest = newest;
  }

  call({ id, name, input, more = {} }: Call, replyId = ''): void {
    this.#calls += 1;
    const [toolCallId, toolName] = [textOf(id) || `call-${this.#calls}`, textOf(name) || 'tool'];
    this.#called.set(toolCallId, toolName);
    this.reply({ type: 'tool-call', toolCallId, toolName, input: input ?? {}, ...more }, replyId);
  }

  hasCall(id: unknown): boolean {
    return this.#called.has(textOf(id));
  }

  /** The result of a call, whose reply may go on. */
  answer(id: unknown, output: AnyRecord): void {
    this.answerWith(id, (call) => [{ type: 'tool-result', ...call, output }]);
  }

  /** Parts that stand behind a call. */
  answerWith(id: unknown, parts: (call: { readonly toolCallId: string; readonly toolName: string }) => readonly AnyRecord[]): void {
    const toolCallId = textOf(id) || `call-${this.#calls}`;
    const made = parts({ toolCallId, toolName: this.#called.get(toolCallId) ?? 'tool' });
    this.#size += sizeOf(made);
    this.#answers.set(toolCallId, [...(this.#answers.get(toolCallId) ?? []), made]);
  }

  /** The result of a call. The next part is one of another reply, except under the id of this one. */
  result(id: unknown, output: AnyRecord): void {
    this.answer(id, output);
    this.#isOpen = false;
  }

  /** The next part is one of another reply. */
  close(): void {
    this.#newest = undefined;
    this.#isOpen = false;
  }

  /** The newest reply answers a prompt of so many tokens. The first one is kept. */
  prompted(tokens: number): void {
    if (tokens > 0 && this.#newest !== undefined) this.#firstPrompt ??= { content: this.#newest.content, tokens };
  }

  finish(skipped: Skipped): Conversation {
    const messages: Message[] = [];
    const prompted = this.#firstPrompt;
    let firstPrompt: FirstPrompt | undefined;
    for (const message of this.#messages) {
      const { role, content } = message;
      if (prompted !== undefined && content === prompted.content) firstPrompt = { messageIndex: messages.length, tokens: prompted.tokens };
      messages.push(message);
      const behind = role === 'assistant' ? (content as AnyRecord[]).flatMap((part) => this.#behind(part, skipped)) : [];
      if (behind.length > 0) messages.push({ role: 'tool', content: behind });
    }
    const left = [...this.#answers.values()].flat().length;
    if (left > 0) skipped.add('result without a call', left);
    return { title: titleOf(this.#messages), system: this.#system.join('\n\n'), messages: messages as ModelMessage[], firstPrompt };
  }

  /** Calls of one id are answered in their order. */
  #behind({ type, toolCallId, toolName, providerExecuted }: AnyRecord, skipped: Skipped): readonly AnyRecord[] {
    if (type !== 'tool-call') return [];
    const answer = this.#answers.get(String(toolCallId))?.shift();
    if (answer !== undefined || providerExecuted === true) return answer ?? [];
    skipped.add('call without a result');
    return [{ type: 'tool-result', toolCallId, toolName, output: outputOf(NO_RESULT, true) }];
  }
}
