// What can be asked of a session outside of a step: a dry run, a checkpoint now, taking one back.
// Carries a history to the engine and its decision into the session; decides nothing.

import type { ModelMessage } from 'ai';
import { applyEdits } from './apply-edits.js';
import type { Conversation } from './conversation.js';
import { callEngine } from './engine.js';
import { StepfoldError } from './errors.js';
import type { EngineEvent } from './events.js';
import type { CheckedOptions } from './models.js';
import { identify } from './models.js';
import type { PrepareStepOptions } from './options.js';
import type { During, StepRequest } from './plan-step.js';
import { answerOf, planStep, requestFor } from './plan-step.js';
import { contextPlan } from './rungs.js';
import type { ContextPlan } from './rungs.js';
import { continuation } from './runs.js';

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
  readonly checked: CheckedOptions;
  readonly tell: (event: EngineEvent) => void;
  readonly during: During;
}

/** Says what the next step would do, without doing it; the summarizer is not asked. */
export async function planSession(controlled: Controlled, subject: Subject): Promise<ContextPlan> {
  const { conversation, tell, during } = controlled;
  await during('loading', () => conversation.refresh(tell));
  const request = requestOf('plan', controlled, subject);
  return contextPlan(planStep({ ...request, summary: 'failed', mode: 'preview' }), request.history);
}

/** Makes a checkpoint now. */
export async function compactSession(controlled: Controlled, { focus, abortSignal, ...subject }: CompactOptions): Promise<Compaction> {
  const { conversation, options, tell, during } = controlled;
  await during('loading', () => conversation.refresh(tell));
  const request: StepRequest = { ...requestOf('compact', controlled, subject), mode: 'compact', focus };
  const { history, state: base, usage } = request;
  const answer = await answerOf(request, { options: { ...options, abortSignal: abortSignal ?? options.abortSignal }, tell, during });
  const unchanged = (tokens: number, messages: readonly ModelMessage[]): Compaction => ({ compacted: false, tokensBefore: tokens, tokensAfter: tokens, messages: [...messages] });
  if ('aborted' in answer) return unchanged(answer.tokens, applyEdits(history, answer.aborted));
  const { before, after } = answer.tokens!;
  if (conversation.state !== base) {
    tell({ type: 'session-conflict', reason: 'a step has changed this session while the summary was made; its work was kept' });
    return unchanged(before, history);
  }
  answer.events.forEach(tell);
  if (answer.makesCheckpoint) {
    conversation.learnt(usage);
    conversation.replace(answer.state);
    await during('saving', () => conversation.archive.keep(history, answer.edits, tell));
    await during('saving', () => conversation.save(tell));
  }
  return { compacted: answer.makesCheckpoint, tokensBefore: before, tokensAfter: after, messages: applyEdits(history, answer.edits) };
}

/** Takes back the newest checkpoint and what was decided since. Says whether there was any. */
export async function undoSession({ conversation, tell, during }: Controlled): Promise<boolean> {
  await during('loading', () => conversation.refresh(tell));
  const before = conversation.state;
  const state = before === undefined ? undefined : callEngine((engine) => engine.undo(before));
  if (state === undefined) return false;
  conversation.replace(state);
  await during('saving', () => conversation.save(tell));
  return true;
}

function requestOf(name: string, { conversation, checked }: Controlled, { messages, model: given }: Subject): StepRequest {
  const { state, history: last } = conversation;
  if (messages === undefined && last === undefined) {
    throw new StepfoldError({ code: 'invalid-message', message: `\`${name}\`: no messages are given, and the session has not seen a step yet` });
  }
  const model = given === undefined ? conversation.model : identify(given);
  const { history: all, waiting } = messages === undefined ? { history: last!, waiting: 0 } : conversation.complete(continuation(messages, undefined), state);
  const history = all.slice(0, all.length - waiting);
  return { ...requestFor(checked, model, history), state, usage: conversation.reported };
}
