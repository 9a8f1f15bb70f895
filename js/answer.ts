// The engine's answer to a plan, with what it has to wait for: the summarizer.
// Waits and carries; when to ask and what to make of it is for the engine to say.

import type { AheadWork, AheadWorks } from './ahead.js';
import { applyEdits } from './apply-edits.js';
import type { Edit } from './apply-edits.js';
import type { EngineEvent, PlanAnswer, PlanRequest } from './engine-plan.js';
import { NO_USAGE, plan } from './engine-plan.js';
import { messageOf } from './errors.js';
import type { PrepareStepOptions } from './options.js';
import type { SummaryOutcome } from './summarizer.js';
import { askSummarizer } from './summarizer.js';
import { askWorkingState } from './working-state.js';

/** Wraps what takes time, so that a session can say what it is doing. */
export type During = <Result>(what: 'loading' | 'compacting' | 'saving', work: () => Promise<Result>) => Promise<Result>;

/** What holds when a summary was aborted, and the tokens of that: what was decided before. */
export interface Aborted {
  readonly aborted: readonly Edit[];
  readonly tokens: number;
}

type SummaryRequestView = NonNullable<PlanAnswer['summaryRequest']>;

/** What an answer may take. */
export interface Asking {
  readonly options: PrepareStepOptions;
  readonly tell: (event: EngineEvent) => void;
  readonly during: During;
  /** Summaries asked ahead of time, and what stands for the run that asks. */
  readonly works?: AheadWorks;
  readonly owner?: object;
  /** Done when such a summary is there. */
  readonly afterAhead?: () => Promise<void>;
}

/** The engine's answer, after asking the summarizer where it wants one; when that is aborted, what holds without it. */
export async function answerOf(given: PlanRequest, asking: Asking): Promise<PlanAnswer | Aborted | undefined> {
  const { options, tell, during } = asking;
  const { summarize } = options;
  let request = given;
  let working: string | null | undefined;
  /** Plans; when that makes a checkpoint, the app is asked what it keeps itself, once, and the plan is made with it. */
  const planWhole = async (planned: PlanRequest): Promise<PlanAnswer | undefined> => {
    if (options.workingState === undefined || working !== undefined) return plan(working === undefined ? planned : { ...planned, working });
    const numbers = planned.numbers.slice();
    const made = plan(planned);
    if (made?.folds !== true) return made;
    working = await askWorkingState(options.workingState, tell);
    if (working === null) return made;
    planned.numbers.splice(0, numbers.length, ...numbers);
    return plan({ ...planned, working });
  };
  let first = await planWhole(request);
  if (first?.ahead?.isDue === true) {
    const due = request.ahead![first.ahead.index]!;
    due.waiting += 1;
    await during('compacting', () => due.settled);
    due.waiting -= 1;
    if (options.abortSignal?.aborted === true) return { aborted: first.edits, tokens: first.tokens!.before };
    // Without an answer it was given up meanwhile, and the step goes on without.
    request = { ...again(request, first), ahead: due.text === undefined ? [] : [due] };
    first = await planWhole(request);
  }
  let answer = first;
  const made: EngineEvent[] = [];
  // A span longer than a summarizer can read is summarized in parts; each is planned on top of the one before.
  for (let part = 1; answer?.summaryRequest?.ahead === null && summarize !== undefined; part += 1) {
    const { start, end } = answer.summaryRequest;
    tell({ type: 'checkpoint-started', messages: end - start });
    // What the first answer tells is told again by the next; what a part has made holds only when the last one is not aborted.
    if (part > 1) made.push(...answer.events);
    const [planned, wanted] = [answer, answer.summaryRequest];
    const outcome = await during('compacting', () => ask(request, planned, wanted, options, options.abortSignal));
    if (outcome.text === undefined) {
      const { reason, message } = outcome;
      tell({ type: 'fallback', reason, message });
      if (reason === 'aborted') return { aborted: first!.edits, tokens: first!.tokens!.before };
    }
    const summary = part <= MOST_PARTS ? (outcome.text ?? null) : null;
    answer = await planWhole({ ...again(request, answer), summary });
  }
  made.forEach(tell);
  settle(request.ahead ?? [], first, asking);
  if (answer !== undefined) begin(request, answer, asking);
  return answer;
}

/** The request on top of what was answered, which has begun the run, learnt from the usage and changed the model. */
function again(request: PlanRequest, { state = request.state }: PlanAnswer): PlanRequest {
  const { previousModelId: previous, modelId } = request;
  return { ...request, state, usage: NO_USAGE, starts: false, begins: false, previousModelId: previous === undefined || previous === modelId ? previous : null };
}

/** More parts than this go into the digest. */
const MOST_PARTS = 8;

function ask(
  { history }: PlanRequest,
  { edits }: PlanAnswer,
  { prompt, instruction, previousSummary, maxOutputTokens, end }: SummaryRequestView,
  { summarize, summarizeTimeoutMs = 60_000, summaryInstructions }: PrepareStepOptions,
  abortSignal: AbortSignal | undefined,
): Promise<SummaryOutcome> {
  return askSummarizer({
    summarize: (asked) => {
      const held = applyEdits(history, edits);
      const request = { ...asked, messages: held.slice(0, held.length - (history.length - end)) };
      if (typeof summaryInstructions !== 'function') return summarize!(request);
      // The prompt begins with the instruction.
      const own: unknown = summaryInstructions(instruction);
      if (typeof own !== 'string') throw new TypeError(`\`summaryInstructions\` returned ${own === null ? 'null' : typeof own}; allowed is a string`);
      return summarize!({ ...request, instruction: own, prompt: own + prompt.slice(instruction.length) });
    },
    request: { prompt, instruction, previousSummary: previousSummary ?? undefined, maxOutputTokens },
    abortSignal,
    timeoutMs: summarizeTimeoutMs,
  });
}

/** Keeps of the summaries asked ahead of time what the engine has still use for. */
function settle(asked: readonly AheadWork[], answer: PlanAnswer | undefined, { works, owner }: Asking): void {
  // Without `tokens` the engine only looked.
  if (works === undefined || answer?.tokens === undefined) return;
  asked.forEach((work, index) => {
    const isOurs = answer.ahead?.index === index;
    if (isOurs && answer.ahead?.isPending === true) work.owner = owner;
    // The span of another conversation may still be there; that of this run or session is no more.
    else if (isOurs || work.owner === owner || (works.isOfOne && work.waiting === 0)) works.drop(work);
  });
}

/** Begins a summary ahead of time, where the engine wants one. */
function begin(request: PlanRequest, answer: PlanAnswer, { options, tell, works, owner, afterAhead = () => Promise.resolve() }: Asking): void {
  const wanted = answer.summaryRequest;
  if (works === undefined || owner === undefined || wanted === undefined || wanted.ahead === null || options.abortSignal?.aborted === true) return;
  tell({ type: 'checkpoint-started', messages: wanted.end - wanted.start, ahead: true });
  const settled = works.begin({
    key: wanted.ahead,
    owner,
    abortSignal: options.abortSignal,
    ask: (signal) => ask(request, answer, wanted, options, signal),
    tell,
    after: afterAhead,
  });
  const failed = (error: unknown): void => tell({ type: 'error', code: 'unexpected', message: messageOf(error) });
  try {
    const returned: unknown = options.waitUntil?.(settled);
    if (returned instanceof Promise) returned.catch(failed);
  } catch (error) {
    failed(error);
  }
}
