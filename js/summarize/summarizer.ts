// Summaries: calling the user's functions for them, and those requested ahead of time, under way while the agent goes on.
// Waits and keeps. Judges no text, and does not know which span a summary is about: the engine does.

import type { ModelMessage } from 'ai';
import { applyEdits } from '../step/apply-edits.js';
import type { PlanAnswer, PlanRequest, SummaryAnswer } from '../bridge/boundary.js';
import type { EngineEvent } from '../observe/events.js';
import { writeJson } from '../bridge/json-text.js';
import { askEngine } from '../bridge/engine.js';
import type { Agent } from './agent-calls.js';
import type { Reply } from './model-summarizer.js';
import { AGENT, askAgain, askAgentModel, askModel, bridgeBehind, callToExtend, readReply } from './model-summarizer.js';
import type { PrepareStepOptions, SummaryRequest } from '../options.js';
import type { SharedTime } from './waiting.js';
import { waitFor } from './waiting.js';

/** What the summarizer gave. */
export type SummaryOutcome =
  | { readonly text: string }
  | { readonly text?: never; readonly reason: 'failed' | 'timeout' | 'aborted' | 'empty'; readonly message: string };

/** What is to be summarized. */
export interface SummaryCall {
  readonly history: readonly ModelMessage[];
  /** The plan that asks: its edits make what was sent last. */
  readonly answer: PlanAnswer;
  readonly options: PrepareStepOptions;
  readonly abortSignal: AbortSignal | undefined;
  /** The time of the step, for all calls in it; none where the summary is requested ahead of time, as no step waits for the answer. */
  readonly time?: SharedTime;
  readonly agent: Agent;
  readonly emit: (event: EngineEvent) => void;
}

/** Milliseconds that the summaries of one step may take together. */
const SUMMARIZE_MS = 60_000;

/** Asks the summarizer and waits until it answers, fails, is aborted or has used its time. Never throws. */
export async function askSummarizer(summaryCall: SummaryCall): Promise<SummaryOutcome> {
  const { options, abortSignal, time, agent, emit } = summaryCall;
  const outcome = await waitFor<Reply>({
    name: 'the summarizer',
    milliseconds: options.summarizeTimeoutMs ?? SUMMARIZE_MS,
    isBackground: time === undefined,
    ...(time === undefined ? {} : { time }),
    abortSignal,
    work: (signal) => ask(summaryCall, signal),
  });
  if ('reason' in outcome) return outcome;
  const { text, step, modelId = '', provider = '', fault } = outcome.value;
  const spent = step === undefined ? undefined : askEngine('summaryUsage', { step: writeJson(step).text, modelId, provider });
  if (spent !== undefined) {
    agent.spend(spent);
    emit({ type: 'summary-usage', modelId, ...spent });
  }
  if (fault !== undefined) return { reason: 'failed', message: fault };
  if (typeof text === 'string' && text.trim() !== '') return { text };
  return { reason: 'empty', message: `the summarizer returned ${typeof text === 'string' ? 'a blank text' : typeof text}` };
}

async function ask({ history, answer, options, agent }: SummaryCall, abortSignal: AbortSignal): Promise<Reply> {
  const { prompt: written, instruction: start, previousSummary, maxOutputTokens, end, part } = answer.summaryRequest!;
  const { summarize, summaryInstructions } = options;
  const instruction = typeof summaryInstructions === 'function' ? checkedText('summaryInstructions', summaryInstructions(start)) : start;
  // The prompt begins with the instruction.
  const question = { prompt: instruction + written.slice(start.length), instruction, maxOutputTokens, abortSignal };
  if (summarize === AGENT) {
    const call = callToExtend(agent);
    if (call === undefined) return askAgentModel(agent, question);
    // It has read all that it was sent, not one part of it.
    return part > 1 && previousSummary !== null ? { text: previousSummary } : askAgain(call, question);
  }
  if (typeof summarize !== 'function') return askModel(summarize!, question);
  const held = applyEdits(history, answer.edits);
  const sent = held.slice(0, held.length - (history.length - end));
  const messages = [...sent, ...bridgeBehind(sent)];
  return readReply(await summarize({ ...question, previousSummary: previousSummary ?? undefined, messages } satisfies SummaryRequest));
}

/** What the app says of its work, for a checkpoint. */
export type AppWords = Pick<PlanRequest, 'workingState' | 'checkpointNote'>;

/** Milliseconds the app may take to say what it keeps; a step does not wait longer. */
const APP_MS = 5_000;

/** Asks the app's functions side by side. What could not be had is left out. Never throws. */
export async function askApp({ workingState, checkpointNote }: PrepareStepOptions, emit: (event: EngineEvent) => void): Promise<AppWords> {
  const ask = async (name: 'workingState' | 'checkpointNote', type: 'working-state-failed' | 'checkpoint-note-failed', work: () => Promise<string>): Promise<AppWords> => {
    const outcome = await waitFor({ name: `\`${name}\``, milliseconds: APP_MS, work });
    if (!('reason' in outcome)) return { [name]: outcome.value };
    emit({ type, reason: outcome.reason as 'failed' | 'timeout', message: outcome.message });
    return {};
  };
  const [state, note] = await Promise.all([
    workingState === undefined ? {} : ask('workingState', 'working-state-failed', async () => writeJson(await workingState()).text),
    typeof checkpointNote !== 'function' ? {} : ask('checkpointNote', 'checkpoint-note-failed', async () => checkedText('checkpointNote', await checkpointNote())),
  ]);
  return { ...state, ...note };
}

function checkedText(name: string, text: unknown): string {
  if (typeof text === 'string') return text;
  throw new TypeError(`\`${name}\` returned ${text === null ? 'null' : typeof text}; allowed is a string`);
}

/** One summary requested ahead of time. */
export interface AheadSummary {
  /** The engine's name for the span. */
  readonly key: string;
  answer: SummaryAnswer;
  /** The run that it is for; undefined for one that a store held. */
  owner: object | undefined;
  /** Steps that wait for it. */
  waiting: number;
  /** When it is there or has failed. Never rejects. */
  settled: Promise<void>;
  stop: () => void;
}

/** A step waits for a summary that was requested ahead of time: it ends by itself in its own time, which keeps no process alive; waiting does. */
export async function awaitAhead({ settled }: AheadSummary, { summarizeTimeoutMs = SUMMARIZE_MS }: PrepareStepOptions, time: SharedTime): Promise<void> {
  await waitFor({ name: 'the summarizer', milliseconds: summarizeTimeoutMs, time, work: () => settled });
}

/** What is begun. */
export interface AheadRequest {
  readonly key: string;
  readonly owner: object;
  /** The user's own signal. */
  readonly abortSignal: AbortSignal | undefined;
  readonly ask: (abortSignal: AbortSignal) => Promise<SummaryOutcome>;
  readonly emit: (event: EngineEvent) => void;
  /** Done when the summary is there, such as saving it. */
  readonly after: () => Promise<void>;
}

/** Summaries kept at most until a step uses them; the oldest is given up. Those under way end by themselves. */
const MOST_SUMMARIES = 32;
/** Characters of summaries, as JSON, that are kept in a store: of the newest. */
const STORED_CHARACTERS = 32_000;

const nothing = (): void => undefined;

export class AheadSummaries {
  /** All of them are about one conversation: what a step has no use for, no other will have. */
  readonly isOfOne: boolean;
  #summaries: AheadSummary[] = [];

  constructor({ isOfOne }: { isOfOne: boolean }) {
    this.isOfOne = isOfOne;
  }

  /** All of them, or those of one run. */
  of(owner: object | undefined): readonly AheadSummary[] {
    return owner === undefined ? [...this.#summaries] : this.#summaries.filter((summary) => summary.owner === owner);
  }

  /** Begins one. The promise is there to be waited for in the background. */
  begin({ key, owner, abortSignal, ask, emit, after }: AheadRequest): Promise<void> {
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    const summary: AheadSummary = { key, owner, answer: 'pending', waiting: 0, settled: Promise.resolve(), stop };
    abortSignal?.addEventListener('abort', stop, { once: true });
    if (abortSignal?.aborted === true) stop();
    // Last, so that none is left behind that nobody makes.
    this.#summaries.push(summary);
    summary.settled = (async () => {
      const outcome = await ask(controller.signal);
      abortSignal?.removeEventListener('abort', stop);
      // Dropped meanwhile: an event about it would be of no use.
      if (!this.#summaries.includes(summary)) return;
      summary.answer = outcome.text === undefined ? 'failed' : { given: outcome.text };
      // It would keep the whole request, and with it the run.
      summary.stop = nothing;
      const there = this.#summaries.filter(({ answer }) => answer !== 'pending');
      for (const oldest of there.slice(0, Math.max(0, there.length - MOST_SUMMARIES))) this.drop(oldest);
      if (outcome.text === undefined) {
        emit({ type: 'fallback', reason: outcome.reason, message: outcome.message });
        // As if it had never been requested.
        if (outcome.reason === 'aborted') this.drop(summary);
      }
      await after();
    })();
    return summary.settled;
  }

  /** Gives one up; when it is under way, its signal is aborted. */
  drop(summary: AheadSummary): void {
    this.#summaries = this.#summaries.filter((kept) => kept !== summary);
    summary.stop();
  }

  /** Those that are there, for a store. */
  stored(): readonly { readonly key: string; readonly text: string }[] {
    const stored: { readonly key: string; readonly text: string }[] = [];
    for (const { key, answer } of [...this.#summaries].reverse()) {
      if (typeof answer === 'string') continue;
      stored.unshift({ key, text: answer.given });
      if (JSON.stringify(stored).length > STORED_CHARACTERS) stored.shift();
    }
    return stored;
  }

  /** Takes in what a store held. What is under way here goes on. */
  restore(stored: readonly { readonly key: string; readonly text: string }[]): void {
    for (const { key, text } of stored) {
      if (this.#summaries.some((summary) => summary.key === key)) continue;
      this.#summaries.push({ key, answer: { given: text }, owner: undefined, waiting: 0, settled: Promise.resolve(), stop: nothing });
    }
  }
}
