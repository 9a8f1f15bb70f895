// What a log is once it was read: messages of the AI SDK, or steps that were recorded. And how messages are put together from logs
// that tell of calls and results one by one. Reads no file; each format has its own in logs/.

import type { ModelMessage } from 'ai';
import type { RecordedStep } from '../js/index.js';

/** A session as it was read. */
export interface Log {
  /** Where it came from: a path, and what tells sessions of one file apart. */
  readonly source: string;
  readonly title: string;
  /** Whose log it is. */
  readonly format: string;
  readonly modelId: string | undefined;
  /** What is to be played; empty for a recording. */
  readonly messages: readonly ModelMessage[];
  /** What was recorded, in place of messages. */
  readonly recorded: readonly RecordedStep[];
  /** The first prompt that the log knows the size of: all messages before this one, with system prompt and tools. */
  readonly firstPrompt: FirstPrompt | undefined;
  /** What a reader must know of it, such as what was skipped. */
  readonly notes: readonly string[];
}

export interface FirstPrompt {
  readonly messageIndex: number;
  readonly tokens: number;
}

export type AnyRecord = Readonly<Record<string, unknown>>;

/** Takes the values of a log, in order. */
export interface LogReader {
  /** False where the value is none of this format. */
  take(value: AnyRecord): boolean;
  /** Characters of what was kept so far, about. */
  size(): number;
  finish(): Omit<Log, 'source' | 'recorded'>;
}

export const isRecord = (value: unknown): value is AnyRecord => typeof value === 'object' && value !== null && !Array.isArray(value);
export const recordOf = (value: unknown): AnyRecord => (isRecord(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

/** The output of a tool as the AI SDK has it. */
export function outputOf(value: unknown, isError = false): AnyRecord {
  if (typeof value === 'string') return { type: isError ? 'error-text' : 'text', value };
  return { type: isError ? 'error-json' : 'json', value: value ?? null };
}

/** Characters of a value as JSON, about, without writing it. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 0;
  for (const each of Object.values(value)) size += sizeOf(each) + 8;
  return size;
}

/** Characters of a title. */
const TITLE = 80;

/** Puts messages together: parts of one reply in one message, and the results of its calls right behind it. */
export class Messages {
  readonly #messages: { role: string; content: unknown }[] = [];
  readonly #results = new Map<string, AnyRecord[]>();
  #isOpen = false;
  #calls = 0;
  #size = 0;

  /** Messages so far, without those of results. */
  get length(): number {
    return this.#messages.length;
  }

  /** Characters of their contents, about. */
  get size(): number {
    return this.#size;
  }

  /** The first words of the user, as a title. */
  get title(): string {
    const first = this.#messages.find(({ role }) => role === 'user')?.content;
    const text = typeof first === 'string' ? first : textOf(recordOf(listOf(first)[0])['text']);
    const words = text.slice(0, 1_000).replace(/\s+/g, ' ').trim();
    return words.length <= TITLE ? words : `${words.slice(0, TITLE).replace(/ [^ ]*$/, '')} …`;
  }

  say(role: 'user' | 'system', content: string | readonly AnyRecord[]): void {
    if (content.length === 0) return;
    this.#isOpen = false;
    this.#size += sizeOf(content);
    const isText = role === 'system' && typeof content !== 'string';
    this.#messages.push({ role, content: isText ? content.map(({ text }) => textOf(text)).join('\n') : content });
  }

  /** A part of the reply that is being written. */
  reply(part: AnyRecord): void {
    if (!this.#isOpen) this.#messages.push({ role: 'assistant', content: [] });
    this.#isOpen = true;
    this.#size += sizeOf(part);
    (this.#messages.at(-1)!.content as AnyRecord[]).push(part);
  }

  call(toolCallId: string, toolName: string, input: unknown): void {
    this.#calls += 1;
    this.reply({ type: 'tool-call', toolCallId: toolCallId === '' ? `call-${this.#calls}` : toolCallId, toolName: toolName === '' ? 'tool' : toolName, input: input ?? {} });
  }

  /** What came of a call. */
  answer(toolCallId: string, output: AnyRecord): void {
    const id = toolCallId === '' ? `call-${this.#calls}` : toolCallId;
    this.#size += sizeOf(output);
    this.#results.set(id, [...(this.#results.get(id) ?? []), output]);
  }

  /** What came of a call; what is said next begins a new message. */
  result(toolCallId: string, output: AnyRecord): void {
    this.answer(toolCallId, output);
    this.close();
  }

  /** What is said next begins a new message. */
  close(): void {
    this.#isOpen = false;
  }

  finish(): ModelMessage[] {
    const done: unknown[] = [];
    for (const message of this.#messages) {
      done.push(message);
      const calls = message.role === 'assistant' ? (message.content as AnyRecord[]).filter(({ type }) => type === 'tool-call') : [];
      const content = calls.map(({ toolCallId, toolName }) => ({
        type: 'tool-result',
        toolCallId,
        toolName,
        output: this.#results.get(String(toolCallId))?.shift() ?? { type: 'error-text', value: '(the log has no result of this call)' },
      }));
      if (content.length > 0) done.push({ role: 'tool', content });
    }
    return done as ModelMessage[];
  }
}

/** Arguments that were logged as JSON text. */
export function parsedInput(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Where in the finished list a reply stands, whose place among the messages without results is known. */
export function placeOf(messages: readonly ModelMessage[], without: number): number {
  let left = without;
  for (const [index, { role }] of messages.entries()) {
    if (role === 'tool') continue;
    if (left === 0) return index;
    left -= 1;
  }
  return messages.length;
}

/** How often something was skipped, as notes. */
export class Skipped {
  readonly #counts = new Map<string, number>();

  add(what: string, count = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + count);
  }

  get notes(): string[] {
    return [...this.#counts].map(([what, count]) => `${count.toLocaleString('en-US')} × ${what}`);
  }
}
