// What can be asked of a session outside of a step: a dry run, a checkpoint now, taking one back.
// Carries a history to the engine and its decision into the session; decides nothing.

import type { ModelMessage } from 'ai';
import { answerOf } from './answer.js';
import type { During } from './answer.js';
import { applyEdits } from './apply-edits.js';
import type { Conversation } from './conversation.js';
import { callEngine } from './core.js';
import type { EngineEvent, ModelIdentity, PlanRequest } from './engine-plan.js';
import { NO_USAGE, newRun, plan, withNumbers } from './engine-plan.js';
import { StepfoldError } from './errors.js';
import { continuation } from './memory.js';
import type { PrepareStepOptions } from './options.js';
import { identify } from './prepare-step.js';
import { contextPlan } from './rungs.js';
import type { ContextPlan } from './rungs.js';

/** What `session.plan` and `session.compact` are about. */
export interface Subject {
  /** The conversation, as you would hand it to the SDK. @default that of the session's newest step */
  readonly messages?: readonly ModelMessage[] | undefined;
  /** The model, or its id. @default that of the session's newest step */
  readonly model?: unknown;
}

/** Options of `session.compact`. */
export interface CompactOptions extends Subject {
  /** What the summary should focus on, in your user's words. @default undefined */
  readonly focus?: string | undefined;
  /** Stops the summarizer; replaces the session's own signal. Nothing changes then. @default undefined */
  readonly abortSignal?: AbortSignal | undefined;
}

/** What `session.compact` did. */
export interface Compaction {
  /** Whether a new checkpoint was made. If not, nothing changed, and an event may say why. */
  readonly compacted: boolean;
  /** Tokens of the prompt before, as it would have been sent. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The messages as they are sent from now on. */
  readonly messages: ModelMessage[];
}

/** A session as these functions see it. */
export interface Controlled {
  readonly conversation: Conversation;
  readonly options: PrepareStepOptions;
  readonly settings: (model: ModelIdentity) => Float64Array;
  readonly tell: (event: EngineEvent) => void;
  readonly during: During;
}

/** Says what the next step would do, without doing it; the summarizer is not asked. */
export async function planSession({ conversation, options, settings, tell, during }: Controlled, subject: Subject): Promise<ContextPlan> {
  await during('loading', () => conversation.refresh(tell));
  const request = requestOf('plan', conversation, options, settings, subject);
  const { history } = request;
  return contextPlan(plan({ ...request, usage: conversation.reported, summary: null, rungs: 'preview' })!, history);
}

/** Makes a checkpoint now. */
export async function compactSession({ conversation, options, settings, tell, during }: Controlled, { focus, abortSignal, ...subject }: CompactOptions): Promise<Compaction> {
  await during('loading', () => conversation.refresh(tell));
  const { record: base, reported: usage } = conversation;
  const request: PlanRequest = { ...requestOf('compact', conversation, options, settings, subject), usage, rungs: 'compact', focus };
  const { history } = request;
  const answer = await answerOf(request, { options: { ...options, abortSignal: abortSignal ?? options.abortSignal }, tell, during });
  const unchanged = (tokens: number, messages: readonly ModelMessage[]): Compaction => ({ compacted: false, tokensBefore: tokens, tokensAfter: tokens, messages: [...messages] });
  if (answer === undefined) return unchanged(0, history);
  if ('aborted' in answer) return unchanged(answer.tokens, applyEdits(history, answer.aborted));
  const { before, after } = answer.tokens!;
  if (conversation.record !== base) {
    tell({ type: 'session-conflict', reason: 'a step has changed this session while the summary was made; its work was kept' });
    return unchanged(before, history);
  }
  answer.events.forEach(tell);
  if (answer.folds === true) {
    conversation.learnt(usage);
    conversation.replace({ modelId: request.modelId, numbers: request.numbers, state: answer.state });
    await during('saving', () => conversation.archive.keep(history, answer.edits, tell));
    await during('saving', () => conversation.save(tell));
  }
  return { compacted: answer.folds === true, tokensBefore: before, tokensAfter: after, messages: applyEdits(history, answer.edits) };
}

/** Takes back the newest checkpoint and what was decided since. Says whether there was any. */
export async function undoSession({ conversation, tell, during }: Controlled): Promise<boolean> {
  await during('loading', () => conversation.refresh(tell));
  const { record } = conversation;
  const numbers = record?.numbers.slice() ?? newRun();
  const state = withNumbers(numbers, (run) => callEngine((engine) => engine.undo(record?.state, run)));
  if (record === undefined || state === undefined) return false;
  conversation.replace({ ...record, numbers, state: state.length === 0 ? undefined : state });
  await during('saving', () => conversation.save(tell));
  return true;
}

function requestOf(name: string, conversation: Conversation, options: PrepareStepOptions, settings: Controlled['settings'], { messages, model: given }: Subject): PlanRequest {
  const { record, last } = conversation;
  if (messages === undefined && last === undefined) {
    throw new StepfoldError({ code: 'invalid-message', message: `\`${name}\`: no messages are given, and the session has not seen a step yet` });
  }
  const model = given !== undefined ? identify(given) : (last?.model ?? identify(record?.modelId));
  const { history: all, waiting } = messages === undefined ? { history: last!.history, waiting: 0 } : conversation.complete(continuation(messages, undefined), record?.state);
  const history = all.slice(0, all.length - waiting);
  return {
    settings: settings(model),
    numbers: record?.numbers.slice() ?? newRun(),
    usage: NO_USAGE,
    history,
    freshFrom: undefined,
    keepFrom: history.length,
    modelId: model.modelId,
    previousModelId: record?.modelId || undefined,
    wantsEvents: true,
    options,
    state: record?.state,
    candidates: [],
    summary: undefined,
    rungs: 'all',
  };
}
