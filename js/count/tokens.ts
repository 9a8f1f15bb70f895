// Helpers that look at messages and models without changing them: tokens, validity, text, limits. Each is one call of the engine, which
// decides.

import type { ModelMessage, ToolSet } from 'ai';
import type { Counted } from '../bridge/boundary.js';
import { askEngine, callEngine } from '../bridge/engine.js';
import { StepfoldError, checkList } from '../errors.js';
import { WrittenMessages, measure, withBytes } from '../bridge/messages.js';
import { checkOptions, identify } from '../model/models.js';
import type { ModelFamily } from '../options.js';
import type { Tokenizer } from './tokenizer.js';

/** Options of `estimateTokens`. */
export interface EstimateOptions {
  /** The model or its id; decides how text is counted. @default undefined */
  readonly model?: unknown;
  /** The family of the model's tokenizer. @default from the model */
  readonly modelFamily?: ModelFamily | undefined;
  /** Tokens of the system prompt and tools, added to the result. @default 0 */
  readonly overheadTokens?: number | undefined;
  /** Counts text exactly: `o200k()`, `cl100k()` or a tokenizer of your own. @default the built-in estimator */
  readonly tokenizer?: Tokenizer | undefined;
}

/** Options of `tokenBreakdown`. */
export interface BreakdownOptions extends EstimateOptions {
  /** What the provider counted for a prompt of exactly these messages: `usage.inputTokens` of the step. @default undefined */
  readonly reportedTokens?: number | undefined;
}

/** Where a number comes from: the provider's usage, an exact tokenizer, or the built-in estimate. A sum has the source of its least certain part. */
export type TokenSource = 'reported' | 'count' | 'estimate';

/** A number of tokens and where it comes from. */
export interface Tokens {
  readonly tokens: number;
  readonly source: TokenSource;
}

/** What a part is. `message` stands for the form around each message. Media in a tool's output belong to the `tool-result`. */
export type TokenKind = 'message' | 'text' | 'reasoning' | 'image' | 'pdf' | 'audio' | 'video' | 'file' | 'tool-call' | 'tool-result' | 'approval' | 'other';

/** Tokens of one part. */
export interface PartTokens extends Tokens {
  readonly kind: Exclude<TokenKind, 'message'>;
  /** Of a call or result. */
  readonly toolName?: string;
}

/** Tokens of one message. */
export interface MessageTokens extends Tokens {
  readonly role: string;
  readonly parts: readonly PartTokens[];
}

/** Where the window went. Parts add up to their message; messages and overhead add up to `tokens`. */
export interface TokenBreakdown extends Tokens {
  /** System prompt and tools: the option `overheadTokens`, or what the provider reported beyond the messages. */
  readonly overhead: Tokens;
  /** In the order of the list. */
  readonly messages: readonly MessageTokens[];
  /** By kind of part. */
  readonly kinds: { readonly [kind in TokenKind]?: number };
  /** By tool: its calls and results. */
  readonly tools: Readonly<Record<string, number>>;
}

/**
 * Estimates how many tokens the model's provider will count for these messages. Signatures and base64 are not counted as text.
 *
 * @example
 * estimateTokens(messages, { model: 'anthropic/claude-sonnet-4.5' });
 *
 * @throws StepfoldError when an option is unknown or out of range, or `messages` is not a list of messages.
 */
export function estimateTokens(messages: readonly ModelMessage[], options: EstimateOptions = {}): number {
  const request = counted('estimateTokens', messages, options);
  return askEngine('estimateTokens', request);
}

/**
 * Says where the tokens of these messages went: by message, part, kind of part and tool, with the source of each number.
 *
 * @example
 * const { tools, messages: [first] } = tokenBreakdown(messages, { model: 'openai/gpt-5' });
 *
 * @throws StepfoldError when an option is unknown or out of range, or `messages` is not a list of messages.
 */
export function tokenBreakdown(messages: readonly ModelMessage[], { reportedTokens, ...options }: BreakdownOptions = {}): TokenBreakdown {
  const request = counted('tokenBreakdown', messages, options);
  const { kinds, tools, ...rest } = withBytes(messages, (bytes) => askEngine('tokenBreakdown', { ...request, messages: bytes, reportedTokens })) as BreakdownAnswer;
  return { ...rest, kinds: Object.fromEntries(kinds), tools: Object.fromEntries(tools) };
}

/** As the engine answers: totals by name in pairs. */
type BreakdownAnswer = Omit<TokenBreakdown, 'kinds' | 'tools'> & Record<'kinds' | 'tools', readonly (readonly [string, number])[]>;

function counted(name: string, messages: readonly ModelMessage[], { model, ...options }: EstimateOptions): Counted {
  checkList(name, messages);
  const { settings, counting } = checkOptions(options)(identify(model));
  return { settings, entries: measure(messages, counting) };
}

/** One thing that a provider would reject. */
export interface Violation {
  /** The rule, e.g. `result-without-call`. */
  readonly rule: string;
  /** Who rejects it. */
  readonly rejectedBy: 'all' | 'anthropic' | 'openai' | 'google';
  /** Where, e.g. `messages[3].content[0]`. */
  readonly path: string;
  /** A sentence for a person. */
  readonly message: string;
}

/**
 * Lists what the SDK or a provider would reject in these messages, in order. The list is empty when all is well.
 *
 * @example
 * for (const { path, message } of validateMessages(messages)) console.warn(path, message);
 *
 * @param options.previous The messages of the request before. With them it also finds signed thoughts that newer Claude models
 *   refuse because something before the thought has changed since.
 * @throws StepfoldError when `messages` or `previous` is not a list of messages.
 */
export function validateMessages(messages: readonly ModelMessage[], { previous }: { readonly previous?: readonly ModelMessage[] | undefined } = {}): Violation[] {
  checkList('validateMessages', messages);
  if (previous !== undefined) checkList('validateMessages', previous);
  const check = (previousBytes: Uint8Array | undefined, previousWritten: WrittenMessages): Violation[] =>
    withBytes(messages, (bytes, written) => callEngine((engine) => engine.validateMessages(bytes, written, previousBytes, previousWritten))) as Violation[];
  return previous === undefined ? check(undefined, new WrittenMessages([])) : withBytes(previous, check);
}

/** The text of a message: its text parts and tool results, without reasoning, calls and media. */
export function extractText(message: ModelMessage): string {
  return withBytes([message], (bytes) => askEngine('extractText', { messages: bytes }));
}

/**
 * The tools that these messages mention, by name: in calls and results, in what these hold, in texts and in checkpoints. For
 * `activeTools`, after an edit has left out all mentions of some.
 *
 * @example
 * const { messages = step.messages, ...rest } = (await session.prepareStep(step)) ?? {};
 * return { ...rest, messages, activeTools: ['search_tools', ...mentionedTools(messages, tools)] };
 *
 * @param tools The tools, or their names.
 * @throws StepfoldError when `messages` is not a list of messages, or `tools` neither an object nor a list of names.
 */
export function mentionedTools<TOOLS extends ToolSet>(messages: readonly ModelMessage[], tools: TOOLS): (keyof TOOLS & string)[];
export function mentionedTools<NAME extends string>(messages: readonly ModelMessage[], tools: readonly NAME[]): NAME[];
export function mentionedTools(messages: readonly ModelMessage[], tools: Readonly<Record<string, unknown>> | readonly string[]): string[] {
  checkList('mentionedTools', messages);
  const given: unknown = tools;
  const isList = Array.isArray(given) && given.every((name) => typeof name === 'string');
  if (!isList && (typeof given !== 'object' || given === null || Array.isArray(given))) {
    const shown = given === null ? 'null' : Array.isArray(given) ? 'a list with something else in it' : `of type ${typeof given}`;
    throw new StepfoldError({ code: 'invalid-option', message: `\`mentionedTools\`: \`tools\` is ${shown}; it must be an object of tools or a list of their names` });
  }
  const names: string[] = isList ? [...(given as string[])] : Object.keys(given as object);
  const places = withBytes(messages, (bytes) => askEngine('mentionedNames', { messages: bytes, names }));
  return places.map((place) => names[place]!);
}

/** What a model takes and costs. */
export interface ModelLimits {
  /** Tokens of prompt and reply together. */
  readonly contextWindow: number;
  /** Most tokens of a reply. */
  readonly maxOutputTokens: number;
  readonly family: ModelFamily;
  /** False when the id is unknown and the numbers are a cautious guess. */
  readonly known: boolean;
  /** Whether the family's counts were checked against usage records of providers: `gpt` and `claude`. The others lean to the high side. */
  readonly verified: boolean;
  /** What the vendor asks, where the very model is listed; who resells or hosts it may ask something else. */
  readonly prices?: ModelPrices;
}

/** List prices of a model in US dollars for a million tokens. */
export interface ModelPrices {
  /** Input that no cache holds. */
  readonly input: number;
  readonly output: number;
  /** Input read from the prompt cache. Left out where no price of its own is known. */
  readonly cacheRead?: number;
  /** Input written into the cache, for its shortest lifetime. Left out where it costs what all input does, or nothing is known. */
  readonly cacheWrite?: number;
  /** The largest prompt that is billed like this; vendors ask more for a larger one. Left out where the size does not matter. */
  readonly upToTokens?: number;
}

/**
 * The limits and prices of a model, given itself or its id: vendor ids, gateway and OpenRouter ids, with dates and suffixes.
 *
 * @example
 * modelLimits('anthropic/claude-sonnet-4.5').contextWindow;
 */
export function modelLimits(model: string | { readonly modelId: string; readonly provider?: string }): ModelLimits {
  return askEngine('modelLimits', identify(model)) as ModelLimits;
}
