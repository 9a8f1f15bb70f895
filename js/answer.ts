// The engine's answer to a plan, with what it has to wait for: the summarizer.
// Waits and carries; when to ask and what to make of it is for the engine to say.

import { applyEdits } from './apply-edits.js';
import type { Edit } from './apply-edits.js';
import type { EngineEvent, PlanAnswer, PlanRequest } from './engine-plan.js';
import { plan } from './engine-plan.js';
import type { PrepareStepOptions } from './options.js';
import { askSummarizer } from './summarizer.js';

/** Wraps what takes time, so that a session can say what it is doing. */
export type During = <Result>(what: 'loading' | 'compacting' | 'saving', work: () => Promise<Result>) => Promise<Result>;

/** What holds when a summary was aborted, and the tokens of that: what was decided before. */
export interface Aborted {
  readonly aborted: readonly Edit[];
  readonly tokens: number;
}

/** The engine's answer, after asking the summarizer where it wants one; when that is aborted, what holds without it. */
export async function answerOf(
  request: PlanRequest,
  options: PrepareStepOptions,
  tell: (event: EngineEvent) => void,
  during: During,
): Promise<PlanAnswer | Aborted | undefined> {
  const { summarize, abortSignal, summarizeTimeoutMs = 60_000 } = options;
  const first = plan(request);
  let answer = first;
  // A span longer than a summarizer can read is summarized in parts; each is planned on top of the one before.
  for (let part = 1; answer?.summaryRequest !== undefined && summarize !== undefined; part += 1) {
    const { prompt, instruction, previousSummary, maxOutputTokens, start, end } = answer.summaryRequest;
    tell({ type: 'checkpoint-started', messages: end - start });
    // What the first answer tells is told again by the next.
    if (part > 1) answer.events.forEach(tell);
    const held = applyEdits(request.history, answer.edits);
    const outcome = await during('compacting', () =>
      askSummarizer({
        summarize,
        request: {
          prompt,
          instruction,
          previousSummary: previousSummary ?? undefined,
          maxOutputTokens,
          messages: held.slice(0, held.length - (request.history.length - end)),
        },
        abortSignal,
        timeoutMs: summarizeTimeoutMs,
      }),
    );
    if (outcome.text === undefined) {
      const { reason, message } = outcome;
      tell({ type: 'fallback', reason, message });
      if (reason === 'aborted') return { aborted: first!.edits, tokens: first!.tokens!.before };
    }
    const summary = part <= MOST_PARTS ? (outcome.text ?? null) : null;
    answer = plan({ ...request, usage: new Float64Array(), state: answer.state ?? request.state, summary });
  }
  return answer;
}

/** More parts than this go into the digest. */
const MOST_PARTS = 8;
