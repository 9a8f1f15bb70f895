// What a log is once it was read: messages of the AI SDK, or steps that were recorded. Reads no file; each format has its own in logs/.

import type { ModelMessage } from 'ai';
import type { RecordedStep } from '../js/index.js';

/** A session as it was read. */
export interface Log {
  /** Where it came from: a path, and what tells sessions of one file apart. */
  readonly source: string;
  /** What the log calls the session; undefined where it gives no id. */
  readonly id: string | undefined;
  readonly title: string;
  /** Whose log it is. */
  readonly format: string;
  /** What the agent does, such as `coding`; undefined where nothing says so. */
  readonly kind: string | undefined;
  readonly modelId: string | undefined;
  /** The system prompt; empty where the log does not hold it. */
  readonly system: string;
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

/** How a program begins what it puts in front of the user's words: a tag, or the instructions of a project. */
const BY_PROGRAM = /^\s*(?:<[a-z][\w-]*>|# AGENTS\.md instructions)/;
/** A command of Claude Code, and what the user wrote behind it. */
const COMMAND = /<command-name>(.*?)<\/command-name>(?:\s*<command-args>(.*?)<\/command-args>)?/s;

/** The first words of the user, as a title. */
export function titleOf(messages: readonly { readonly role: string; readonly content: unknown }[]): string {
  const written = messages.filter(({ role }) => role === 'user').flatMap(({ content }) => (typeof content === 'string' ? [content] : listOf(content).map((part) => textOf(recordOf(part)['text']))));
  const texts = written.map((text) => text.slice(0, 1_000)).map((text) => COMMAND.exec(text)?.slice(1).join(' ') ?? text);
  const text = texts.find((each) => each.trim() !== '' && !BY_PROGRAM.test(each)) ?? texts[0] ?? '';
  const words = text.replace(/\s+/g, ' ').trim();
  return words.length <= TITLE ? words : `${words.slice(0, TITLE).replace(/ [^ ]{0,20}$/, '')} …`;
}

/** How often something was skipped, as notes. */
export class Skipped {
  readonly #counts = new Map<string, number>();

  add(what: string, count = 1): void {
    if (count > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + count);
  }

  get notes(): string[] {
    return [...this.#counts].map(([what, count]) => `${count.toLocaleString('en-US')} × ${what}`);
  }
}
