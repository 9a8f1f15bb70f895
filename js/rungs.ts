// Functions for users who build their own: the dry run, and one rung of the ladder at a time. Pure: nothing is remembered.
// Decides nothing; the same planner serves them as serves `prepareStep`.

import type { ModelMessage } from 'ai';
import { applyEdits } from './apply-edits.js';
import type { EngineEvent, PlanAnswer } from './engine-plan.js';
import { NO_USAGE, newRun, plan } from './engine-plan.js';
import { checkList } from './errors.js';
import { checkOptions, createSettings, identify } from './prepare-step.js';
import type { BudgetOptions } from './options.js';

/** Options of `planContext` and its rungs. */
export interface PlanOptions extends BudgetOptions {
  /** The model, or its id: gives window and family. @default undefined */
  readonly model?: unknown;
}

/** What `planContext` would do. */
export interface ContextPlan {
  /** Tokens of the prompt as it is. */
  readonly tokensBefore: number;
  /** Tokens with the plan carried out. */
  readonly tokensAfter: number;
  /** Tokens a prompt may have: window less reserve, and less what is kept free for system prompt and tools while they are not known. */
  readonly limitTokens: number;
  /** Tokens at which work starts. */
  readonly triggerTokens: number;
  /** Tokens at which work ends. */
  readonly targetTokens: number;
  /**
   * A table for a person: each message and tool with its tokens now and as sent, what would become of it and why, and what
   * that saves.
   */
  readonly table: string;
  /** What would be done and why, as events. */
  readonly events: readonly EngineEvent[];
  /** The messages with the plan carried out; those it leaves alone are the same objects. */
  readonly messages: ModelMessage[];
}

/**
 * Says what `prepareStep` would do with these messages, without doing it.
 *
 * @example
 * const { tokensBefore, tokensAfter, table } = planContext(messages, { model: 'openai/gpt-5' });
 *
 * @throws StepfoldError when an option is unknown, out of range or contradicts another.
 */
export function planContext(messages: readonly ModelMessage[], options: PlanOptions = {}): ContextPlan {
  const { answer } = run(messages, options, 'preview');
  return contextPlan(answer, messages);
}

/** An answer with its preview, as users read it. */
export function contextPlan({ tokens, events, edits, preview }: PlanAnswer, messages: readonly ModelMessage[]): ContextPlan {
  const { before, after, limit, trigger, target } = tokens!;
  return {
    tokensBefore: before,
    tokensAfter: after,
    limitTokens: limit,
    triggerTokens: trigger,
    targetTokens: target,
    table: preview!,
    events,
    messages: applyEdits(messages, edits),
  };
}

/**
 * Replaces old tool results before the tail by placeholders where that saves tokens; calls stay. Not those of protected and provider-executed
 * tools, nor open errors. The input is not changed.
 *
 * @example
 * const smaller = clearToolResults(messages, { keepRecentTokens: 10_000, protectedTools: ['read_plan'] });
 *
 * @throws StepfoldError when an option is unknown or out of range.
 */
export function clearToolResults(messages: readonly ModelMessage[], options: PlanOptions = {}): ModelMessage[] {
  return run(messages, options, 'clear').messages;
}

/** What `buildCheckpoint` made. */
export interface CheckpointResult {
  /** The checkpoint, or undefined when there was nothing to fold. */
  readonly checkpoint: ModelMessage | undefined;
  /** The checkpoint in place of what it covers, and the messages behind it. */
  readonly messages: ModelMessage[];
}

/**
 * Folds everything before the tail into one `user` message: original request, the user's messages, digest or `summary`, facts.
 *
 * @example
 * const { messages: folded } = buildCheckpoint(messages, { keepRecentMessages: 6, keepRecentTokens: 0 });
 *
 * @throws StepfoldError when an option is unknown or out of range.
 */
export function buildCheckpoint(messages: readonly ModelMessage[], { summary, ...options }: PlanOptions & { readonly summary?: string } = {}): CheckpointResult {
  const { answer, messages: folded } = run(messages, options, 'checkpoint', summary);
  const edit = answer.edits.find(({ type }) => type === 'checkpoint');
  return { checkpoint: edit?.type === 'checkpoint' ? folded[edit.start] : undefined, messages: folded };
}

const NAMES = { preview: 'planContext', clear: 'clearToolResults', checkpoint: 'buildCheckpoint' } as const;

function run(
  messages: readonly ModelMessage[],
  { model, ...options }: PlanOptions,
  rungs: 'preview' | 'clear' | 'checkpoint',
  summary?: string,
): { answer: PlanAnswer; messages: ModelMessage[] } {
  checkList(NAMES[rungs], messages);
  checkOptions(options);
  const identity = identify(model);
  const answer = plan({
    settings: createSettings(options)(identity),
    numbers: newRun(),
    usage: NO_USAGE,
    history: messages,
    freshFrom: undefined,
    keepFrom: messages.length,
    modelId: identity.modelId,
    previousModelId: undefined,
    wantsEvents: true,
    options,
    state: undefined,
    candidates: [],
    summary,
    rungs,
  })!;
  return { answer, messages: applyEdits(messages, answer.edits) };
}
