// Types of the options. Their names, ranges and relations are checked by the engine (`settings.rs`); nothing is decided here.

import type { ModelMessage } from 'ai';
import type { StepfoldEvent } from './events.js';
import type { Tokenizer } from './tokenizer.js';

/** A mark in the budget: a share of it (`0.8`) or tokens of messages (`{ tokens: 50_000 }`). */
export type Mark = number | { readonly tokens: number };

/** Families of tokenizers. */
export type ModelFamily = 'gpt' | 'claude' | 'gemini' | 'glm-qwen-deepseek' | 'llama-mistral' | 'other';

/** What the summarizer is asked. Use `prompt`, or `messages` with `instruction` behind them. */
export interface SummaryRequest {
  /** Complete prompt for a separate, small model: instruction and conversation. */
  readonly prompt: string;
  /** The conversation exactly as it was last sent, up to the end of what is folded: rides the prompt cache of the same model. */
  readonly messages: ModelMessage[];
  /** What to ask behind `messages`. */
  readonly instruction: string;
  /** The summary of what was folded before; it is part of `prompt` already. */
  readonly previousSummary: string | undefined;
  /** Tokens the summary may have. */
  readonly maxOutputTokens: number;
  /** Ends when the step is aborted or the time is up. */
  readonly abortSignal: AbortSignal;
}

/** Writes a summary of a part of the conversation. */
export type Summarize = (request: SummaryRequest) => string | PromiseLike<string>;

/** What an app knows of the work in hand. Texts, or anything that is JSON: lists are written one item a line. */
export interface WorkingState {
  /** The plan or todo list. */
  readonly plan?: unknown;
  /** Documents in use. */
  readonly documents?: unknown;
  readonly notes?: unknown;
}

/** Prices for the same number of tokens each, in any currency, such as dollars for a million. What is left out is the model family's share of `input`. */
export interface Prices {
  /** Input that no cache holds; above 0. */
  readonly input: number;
  /** Input read from the prompt cache; the price of `input` where there is none. @default a tenth of `input`, for GLM, Qwen and DeepSeek a fifth */
  readonly cacheRead?: number;
  /** Input written into the cache. @default 1.25 of `input` for GPT and Claude, else the price of `input` */
  readonly cacheWrite?: number;
  /** Output. @default 4 to 6 times `input` */
  readonly output?: number;
}

/** Options that say how large the window is and what to keep; common to all functions. */
export interface BudgetOptions {
  /** Tokens the model takes, prompt and reply together; of the prompt alone where that has a limit of its own (gpt-5: 272,000). @default from the model id, else 128,000 and an event */
  readonly contextWindow?: number | undefined;
  /** Tokens kept free for the reply. @default min(max output of the model, 20,000), at most a quarter of the window (opencode) */
  readonly reserveTokens?: number | undefined;
  /** Where work starts: a share of the budget, or tokens of messages. @default 0.9 in windows up to 12,000 tokens, 0.97 up to 48,000, 0.95 up to 100,000, else 0.82 (measured: bench/replay); at most 0.69 until usage is known */
  readonly trigger?: Mark | undefined;
  /** Where work ends; below `trigger`. @default 0.45 in windows up to 12,000 tokens, 0.24 up to 24,000, 0.37 up to 48,000, 0.21 up to 160,000, else 0.13 (measured: bench/replay) */
  readonly target?: Mark | undefined;
  /**
   * What `trigger` and `target` are chosen for when they are not given. `'cost'` works down to 7,000 tokens (12 % of the
   * budget in windows up to 24,000) and starts where `prices` and the run so far say that it pays. @default 'balanced'
   */
  readonly optimize?: 'balanced' | 'cost' | 'recall' | undefined;
  /** What the model's tokens cost. @default by the family of the model, medians of what vendors ask */
  readonly prices?: Prices | undefined;
  /** Tokens of the newest messages that are not edited. @default 40,000, at most a third of the budget (opencode) and two thirds of the target (a quarter in windows up to 24,000) */
  readonly keepRecentTokens?: number | undefined;
  /** Newest turns that are not edited, whatever their size. @default 0 */
  readonly keepRecentTurns?: number | undefined;
  /** Newest messages that are not edited, whatever their size. @default 0 */
  readonly keepRecentMessages?: number | undefined;
  /** Least tokens that clearing must save to be worth a cache rewrite. @default 20,000, at most a tenth of the budget (opencode); never more than half of the way from target to trigger */
  readonly minClearTokens?: number | undefined;
  /** Most tokens one tool result may have; a larger one is cut to head and tail when first seen. @default a tenth of the budget, in small windows 3,000, at most a sixth (measured: bench/replay) */
  readonly maxResultTokens?: number | undefined;
  /** Tools whose results are cleared only when nothing else helps; checkpoints keep the latest of each, verbatim but for secrets. @default [] */
  readonly protectedTools?: readonly string[] | undefined;
  /** Tokens of system prompt and tools, if you know them; otherwise they are learnt from usage, and ai 7 tells the system prompt. @default 0 */
  readonly overheadTokens?: number | undefined;
  /** Family of the model's tokenizer. @default from the model id */
  readonly modelFamily?: ModelFamily | undefined;
  /** Counts text exactly: `o200k()` from `stepfold/o200k`, `cl100k()` from `stepfold/cl100k`, or any object of yours with `count(text): number`. @default the built-in estimator */
  readonly tokenizer?: Tokenizer | undefined;
}

/** Options of `createPrepareStep`. All are optional. */
export interface PrepareStepOptions extends BudgetOptions {
  /** Writes summaries. Without it a checkpoint holds a deterministic digest. @default undefined */
  readonly summarize?: Summarize | undefined;
  /** When what clearing leaves is at this mark or above, a checkpoint asks the summarizer; below it the digest is used. At or above `trigger`. @default the trigger */
  readonly summarizeAt?: Mark | undefined;
  /**
   * Begins the summary at a mark below `trigger` while the agent goes on, and puts it in when it is there; a step waits only
   * when the prompt would not fit without it. `true`: a fifth below the trigger. @default false
   */
  readonly summarizeAhead?: boolean | Mark | undefined;
  /** Keeps a function alive until a summary begun ahead of time is there, such as `after` of Next.js or `ctx.waitUntil`. @default undefined */
  readonly waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
  /**
   * Asked when a checkpoint is made: what your app keeps of the work itself. It stands in the checkpoint, a fifth of it at most,
   * and a `plan` goes before the one read off tool calls. After 5 seconds, or when it fails, the checkpoint is made without it.
   * @default undefined
   */
  readonly workingState?: (() => WorkingState | PromiseLike<WorkingState>) | undefined;
  /** Tokens a summary may have. @default 2,000 */
  readonly summaryTokens?: number | undefined;
  /** Milliseconds a summarizer may take. @default 60,000 */
  readonly summarizeTimeoutMs?: number | undefined;
  /**
   * A text is added to the summarizer's instruction. A function is given that instruction, sections, fences and length included,
   * and returns what stands in its place; the conversation follows behind it, fenced. @default undefined
   */
  readonly summaryInstructions?: string | ((instruction: string) => string) | undefined;
  /** Stops a running summary; the step then goes on without it. `prepareStep` itself is given no signal. @default undefined */
  readonly abortSignal?: AbortSignal | undefined;
  /** Told of everything that happens. What it throws is ignored. @default undefined */
  readonly onEvent?: ((event: StepfoldEvent) => void) | undefined;
}
