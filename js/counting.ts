// Helpers that look at messages without changing them: tokens, validity, text, limits. Each is one call of the engine.

import type { ModelMessage } from 'ai';
import { callEngine } from './core.js';
import { checkOptions, createSettings, identify } from './prepare-step.js';
import type { ModelFamily } from './options.js';
import { Scan } from './scan.js';

/** Options of `estimateTokens`. */
export interface EstimateOptions {
  /** The model, or its id: gives the family of the tokenizer. @default undefined */
  readonly model?: unknown;
  /** Family of the tokenizer. @default from the model */
  readonly modelFamily?: ModelFamily | undefined;
  /** Tokens of system prompt and tools, added to the result. @default 0 */
  readonly fixedTokens?: number | undefined;
}

/**
 * Estimates the tokens of messages as the model's provider would count them. Reasoning signatures and base64 are not text.
 *
 * @example
 * estimateTokens(messages, { model: 'anthropic/claude-sonnet-4.5' });
 *
 * @throws StepfoldError when an option is unknown or out of range.
 */
export function estimateTokens(messages: readonly ModelMessage[], { model, ...options }: EstimateOptions = {}): number {
  checkOptions(options);
  const settings = createSettings(options)(identify(model));
  return callEngine((engine) => engine.estimateTokens(settings, new Scan(messages) as never));
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
 */
export function checkMessages(messages: readonly ModelMessage[]): Violation[] {
  return callEngine((engine) => engine.checkMessages(new Scan(messages) as never)) as Violation[];
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
}

/**
 * The limits of a model, by its id: vendor ids, gateway and OpenRouter ids, with dates and suffixes.
 *
 * @example
 * modelLimits('anthropic/claude-sonnet-4.5').contextWindow;
 */
export function modelLimits(modelId: string): ModelLimits {
  return callEngine((engine) => engine.modelLimits(modelId, '')) as ModelLimits;
}
