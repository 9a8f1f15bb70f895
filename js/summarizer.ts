// Asks the user's functions for what a checkpoint needs: the summarizer, and what the app keeps of the work itself.
// Judges no text: the engine does.

import type { ModelMessage } from 'ai';
import { applyEdits } from './apply-edits.js';
import type { PlanAnswer } from './boundary.js';
import type { EngineEvent } from './events.js';
import { writeJson } from './json-text.js';
import type { PrepareStepOptions } from './options.js';
import { waitFor } from './waiting.js';

/** What came of asking the summarizer. */
export type SummaryOutcome =
  | { readonly text: string }
  | { readonly text?: never; readonly reason: 'failed' | 'timeout' | 'aborted' | 'empty'; readonly message: string };

/** What is to be summarized. */
export interface Asked {
  readonly history: readonly ModelMessage[];
  /** The plan that asks: its edits make what was sent last. */
  readonly answer: PlanAnswer;
  readonly options: PrepareStepOptions;
  readonly abortSignal: AbortSignal | undefined;
}

/** Asks the summarizer and waits until it answers, fails, is aborted or has used its time. Never throws. */
export async function askSummarizer({ history, answer, options, abortSignal }: Asked): Promise<SummaryOutcome> {
  const { prompt, instruction, previousSummary, maxOutputTokens, end } = answer.summaryRequest!;
  const { summarize, summarizeTimeoutMs = 60_000, summaryInstructions } = options;
  const outcome = await waitFor<unknown>({
    name: 'the summarizer',
    milliseconds: summarizeTimeoutMs,
    abortSignal,
    work: (signal) => {
      const held = applyEdits(history, answer.edits);
      const messages = held.slice(0, held.length - (history.length - end));
      const request = { prompt, instruction, previousSummary: previousSummary ?? undefined, maxOutputTokens, abortSignal: signal, messages };
      if (typeof summaryInstructions !== 'function') return summarize!(request);
      // The prompt begins with the instruction.
      const own: unknown = summaryInstructions(instruction);
      if (typeof own !== 'string') throw new TypeError(`\`summaryInstructions\` returned ${own === null ? 'null' : typeof own}; allowed is a string`);
      return summarize!({ ...request, instruction: own, prompt: own + prompt.slice(instruction.length) });
    },
  });
  if ('reason' in outcome) return outcome;
  const text = outcome.value;
  if (typeof text === 'string' && text.trim() !== '') return { text };
  return { reason: 'empty', message: `the summarizer returned ${typeof text === 'string' ? 'a blank text' : typeof text}` };
}

/** Milliseconds the app may take to say what it keeps; a step does not wait longer. */
const WORKING_STATE_MS = 5_000;

/** What the app says of its own state, as JSON; undefined when it could not be had. */
export async function askWorkingState(workingState: NonNullable<PrepareStepOptions['workingState']>, tell: (event: EngineEvent) => void): Promise<string | undefined> {
  const outcome = await waitFor({ name: '`workingState`', milliseconds: WORKING_STATE_MS, work: async () => writeJson(await workingState()).text });
  if (!('reason' in outcome)) return outcome.value;
  tell({ type: 'working-state-failed', reason: outcome.reason as 'failed' | 'timeout', message: outcome.message });
  return undefined;
}
