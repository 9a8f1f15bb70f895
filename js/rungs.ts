// Functions for users who build their own: the dry run, and one rung of the ladder at a time. Pure: nothing is remembered.
// Decides nothing; the same planner serves them as serves `prepareStep`.

import type { ModelMessage } from 'ai';
import { applyEdits } from './apply-edits.js';
import type { PlanAnswer } from './boundary.js';
import { checkList } from './errors.js';
import type { EngineEvent } from './events.js';
import { checkOptions, identify } from './models.js';
import type { BudgetOptions } from './options.js';
import { planStep, requestFor } from './plan-step.js';

/** Options of `planContext` and its rungs. */
export interface PlanOptions extends BudgetOptions {
  /** The model, or its id: gives window and family. @default undefined */
  readonly model?: unknown;
}

/** What `prepareStep` would do. */
export interface ContextPlan {
  /** Tokens of the prompt before any edit. */
  readonly tokensBefore: number;
  /** Tokens once the plan is carried out. */
  readonly tokensAfter: number;
  /** Tokens a prompt may have: the window less the reserve, and less the room for system prompt and tools while they are unknown. */
  readonly limitTokens: number;
  /** Tokens at which work starts. */
  readonly triggerTokens: number;
  /** Tokens at which work ends. */
  readonly targetTokens: number;
  /**
   * A table for people: each message and tool with its tokens now and as sent, what would become of it and why, and what
   * that saves.
   */
  readonly table: string;
  /** What would be done, and why, as events. */
  readonly events: readonly EngineEvent[];
  /** The messages once the plan is carried out; those it leaves alone are the same objects. */
  readonly messages: ModelMessage[];
}

/**
 * Shows what `prepareStep` would do with these messages, without doing it.
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

/** What `clearToolResults` and `buildCheckpoint` return. */
export interface EditedMessages {
  /** The messages after the edit; those it leaves alone are the same objects. */
  readonly messages: ModelMessage[];
  /** The checkpoint among `messages`; undefined when nothing was folded, and always after `clearToolResults`. */
  readonly checkpoint: ModelMessage | undefined;
  /** What was done, as events. */
  readonly events: readonly EngineEvent[];
}

/**
 * Replaces old tool results before the tail by placeholders where that saves tokens; the calls stay. Leaves alone the results of
 * protected and provider-executed tools, and errors that are still open. Does not change its input.
 *
 * @example
 * const { messages: smaller } = clearToolResults(messages, { keepRecentTokens: 10_000, protectedTools: ['read_plan'] });
 *
 * @throws StepfoldError when an option is unknown or out of range.
 */
export function clearToolResults(messages: readonly ModelMessage[], options: PlanOptions = {}): EditedMessages {
  return edited(run(messages, options, 'clear'));
}

/**
 * Folds everything before the tail into one `user` message: the original request, the user's messages, a digest or `summary`, facts.
 *
 * @example
 * const { messages: folded } = buildCheckpoint(messages, { keepRecentMessages: 6, keepRecentTokens: 0 });
 *
 * @throws StepfoldError when an option is unknown or out of range.
 */
export function buildCheckpoint(messages: readonly ModelMessage[], { summary, ...options }: PlanOptions & { readonly summary?: string } = {}): EditedMessages {
  return edited(run(messages, options, 'checkpoint', summary));
}

function edited({ answer, messages }: Carried): EditedMessages {
  const edit = answer.edits.find(({ type }) => type === 'checkpoint');
  return { messages, checkpoint: edit?.type === 'checkpoint' ? messages[edit.start] : undefined, events: answer.events };
}

/** A plan, and the messages with it carried out. */
interface Carried {
  readonly answer: PlanAnswer;
  readonly messages: ModelMessage[];
}

const NAMES = { preview: 'planContext', clear: 'clearToolResults', checkpoint: 'buildCheckpoint' } as const;

function run(
  messages: readonly ModelMessage[],
  { model, ...options }: PlanOptions,
  mode: 'preview' | 'clear' | 'checkpoint',
  summary?: string,
): Carried {
  checkList(NAMES[mode], messages);
  const request = requestFor(checkOptions(options), identify(model), messages);
  const answer = planStep({ ...request, mode, summary: summary === undefined ? 'pending' : { given: summary } });
  return { answer, messages: applyEdits(messages, answer.edits) };
}
