// Helpers that look at messages without changing them: tokens, validity, text, limits. Each is one call of the engine.

import type { ModelMessage } from 'ai';
import { callEngine } from './core.js';
import { checkList } from './errors.js';
import { checkOptions, createSettings, identify } from './prepare-step.js';
import type { ModelFamily } from './options.js';
import { countingOf } from './entries.js';
import { Scan } from './scan.js';
import type { Tokenizer } from './tokenizer.js';

/** Options of `estimateTokens`. */
export interface EstimateOptions {
  /** The model, or its id: gives the family of the tokenizer. @default undefined */
  readonly model?: unknown;
  /** Family of the tokenizer. @default from the model */
  readonly modelFamily?: ModelFamily | undefined;
  /** Tokens of system prompt and tools, added to the result. @default 0 */
  readonly fixedTokens?: number | undefined;
  /** Counts text exactly: `o200k()` or `cl100k()`. @default the built-in estimator */
  readonly tokenizer?: Tokenizer | undefined;
}

/** Options of `estimateTokens` that ask where the tokens went. */
export interface BreakdownOptions extends EstimateOptions {
  readonly breakdown: true;
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

/** Where the window went. Parts add up to messages, messages and overhead to the whole. */
export interface TokenBreakdown extends Tokens {
  /** System prompt and tools: `fixedTokens`, or what the provider reported beyond the messages. */
  readonly overhead: Tokens;
  /** In the order of the list. */
  readonly messages: readonly MessageTokens[];
  /** By kind of part. */
  readonly kinds: { readonly [kind in TokenKind]?: number };
  /** By tool: its calls and results. */
  readonly tools: Readonly<Record<string, number>>;
}

/**
 * Estimates the tokens of messages as the model's provider would count them. Reasoning signatures and base64 are not text.
 *
 * @example
 * estimateTokens(messages, { model: 'anthropic/claude-sonnet-4.5' });
 *
 * const { tools, messages: [first] } = estimateTokens(messages, { model: 'openai/gpt-5', breakdown: true });
 *
 * @throws StepfoldError when an option is unknown or out of range, or these are no messages.
 */
export function estimateTokens(messages: readonly ModelMessage[], options: BreakdownOptions): TokenBreakdown;
export function estimateTokens(messages: readonly ModelMessage[], options?: EstimateOptions): number;
export function estimateTokens(messages: readonly ModelMessage[], given: EstimateOptions & Partial<BreakdownOptions> = {}): number | TokenBreakdown {
  checkList('estimateTokens', messages);
  const { model, breakdown, reportedTokens = Number.NaN, ...options } = given;
  checkOptions(options);
  const settings = createSettings(options)(identify(model));
  const scan = new Scan(messages, { counting: countingOf(settings, options.tokenizer) }) as never;
  if (breakdown !== true) return callEngine((engine) => engine.estimateTokens(settings, scan));
  return JSON.parse(callEngine((engine) => engine.breakdown(settings, scan, reportedTokens))) as TokenBreakdown;
}

/** One thing that would be rejected. */
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
 * Lists what the SDK or a provider would reject in messages, in order; empty when all is well.
 *
 * @example
 * for (const { path, message } of checkMessages(messages)) console.warn(path, message);
 *
 * @param options.previous What was sent in the request before: then also the signed thoughts are found that newer Claude models
 *   refuse because something before them has changed since.
 * @throws StepfoldError when one of them is no list of messages.
 */
export function checkMessages(messages: readonly ModelMessage[], { previous }: { readonly previous?: readonly ModelMessage[] | undefined } = {}): Violation[] {
  checkList('checkMessages', messages);
  if (previous !== undefined) checkList('checkMessages', previous);
  const before = previous === undefined ? undefined : new Scan(previous);
  return JSON.parse(callEngine((engine) => engine.checkMessages(new Scan(messages) as never, before as never))) as Violation[];
}

/** The text of a message: its texts and tool results, without reasoning, calls and media. */
export function extractText(message: ModelMessage): string {
  return callEngine((engine) => engine.extractText(new Scan([message]) as never));
}

/** What a model takes. */
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
}

/**
 * The limits of a model, given itself or its id: vendor ids, gateway and OpenRouter ids, with dates and suffixes.
 *
 * @example
 * modelLimits('anthropic/claude-sonnet-4.5').contextWindow;
 */
export function modelLimits(model: string | { readonly modelId: string; readonly provider?: string }): ModelLimits {
  const { modelId, provider } = identify(model);
  return JSON.parse(callEngine((engine) => engine.modelLimits(modelId, provider))) as ModelLimits;
}
