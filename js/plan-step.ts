// A plan of the engine with what it waits for: the summarizer, and what the app says of its work.
// Waits and carries; when to ask and what to make of it is for the engine to say.

import type { ModelMessage } from 'ai';
import type { AheadWork, AheadWorks } from './ahead.js';
import type { Edit, PlanAnswer, PlanRequest } from './boundary.js';
import { callEngine } from './engine.js';
import { entriesOf } from './entries.js';
import { messageOf } from './errors.js';
import type { EngineEvent } from './events.js';
import { withBytes } from './messages.js';
import type { CheckedOptions, Counting, ModelIdentity } from './models.js';
import type { PrepareStepOptions } from './options.js';
import { askSummarizer, askWorkingState } from './summarizer.js';

/** What a plan is made from, before its messages are written. */
export interface StepRequest extends Omit<PlanRequest, 'entries' | 'messages' | 'extends' | 'ahead'> {
  readonly history: readonly ModelMessage[];
  /** Index of the first message not planned on before; undefined when the history does not continue the run. */
  readonly freshFrom: number | undefined;
  readonly counting: Counting;
  readonly ahead: readonly AheadWork[];
}

/** A request about a list that nothing is known of, to be shown what would become of it. */
export function requestFor(checked: CheckedOptions, model: ModelIdentity, history: readonly ModelMessage[]): StepRequest {
  return {
    options: checked.packed,
    counting: checked.countingOf(model),
    ...model,
    mode: 'all',
    state: undefined,
    history,
    freshFrom: undefined,
    keepFrom: history.length,
    usage: undefined,
    instructions: undefined,
    summary: 'pending',
    ahead: [],
    candidates: [],
    wantsEvents: true,
    recalls: false,
    startsRun: false,
    continuesRequest: false,
  };
}

/** Skips the plan where none is needed, else makes it. */
export function planStep({ history, freshFrom, counting, ...request }: StepRequest): PlanAnswer {
  const isExtended = freshFrom !== undefined;
  const fresh = entriesOf(isExtended ? history.slice(freshFrom) : history, counting);
  const skipped = callEngine((engine) => engine.trySkipPlan({ ...request, extends: isExtended, entries: fresh } satisfies PlanRequest)) as PlanAnswer | undefined;
  if (skipped !== undefined) return skipped;
  const entries = isExtended ? entriesOf(history, counting) : fresh;
  return withBytes(history, (messages) =>
    callEngine((engine) => engine.plan({ ...request, extends: isExtended, entries, messages } satisfies PlanRequest, counting.tokenizer)),
  ) as PlanAnswer;
}

/** Wraps what takes time, so that a session can say what it is doing. */
export type During = <Result>(what: 'loading' | 'compacting' | 'saving', work: () => Promise<Result>) => Promise<Result>;

/** What holds when a summary was aborted: what was decided before. */
export interface Aborted {
  readonly aborted: readonly Edit[];
  readonly hasDecisions: boolean;
  /** Tokens of the prompt with it. */
  readonly tokens: number;
}

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
export async function answerOf(given: StepRequest, asking: Asking): Promise<PlanAnswer | Aborted> {
  const { options, tell, during } = asking;
  const plan = planner(options, tell);
  let request = given;
  let first = await plan(request);
  let changesDecisions = first.changesDecisions;
  if (first.ahead?.isDue === true) {
    const due = request.ahead[first.ahead.index]!;
    due.waiting += 1;
    await during('compacting', () => due.settled);
    due.waiting -= 1;
    if (options.abortSignal?.aborted === true) return aborted(first);
    // Without an answer it was given up meanwhile, and the step goes on without.
    request = { ...again(request, first), ahead: due.answer === 'pending' ? [] : [due] };
    first = await plan(request);
    changesDecisions ||= first.changesDecisions;
  }
  let answer = first;
  const made: EngineEvent[] = [];
  // A span longer than a summarizer can read is summarized in parts; each is planned on top of the one before.
  for (let part = 1; answer.summaryRequest?.ahead === null && options.summarize !== undefined; part += 1) {
    const { start, end } = answer.summaryRequest;
    tell({ type: 'checkpoint-started', messages: end - start });
    // What the first answer tells is told again by the next; what a part has made holds only when the last one is not aborted.
    if (part > 1) made.push(...answer.events);
    const asked = { history: request.history, answer, options, abortSignal: options.abortSignal };
    const outcome = await during('compacting', () => askSummarizer(asked));
    if (outcome.text === undefined) {
      const { reason, message } = outcome;
      tell({ type: 'fallback', reason, message });
      if (reason === 'aborted') return aborted(first);
    }
    const summary = outcome.text === undefined || part > MOST_PARTS ? 'failed' : { given: outcome.text };
    answer = await plan({ ...again(request, answer), summary });
    changesDecisions ||= answer.changesDecisions;
  }
  made.forEach(tell);
  settle(request.ahead, first, asking);
  begin(request, answer, asking);
  return { ...answer, changesDecisions };
}

/** More parts than this go into the digest. */
const MOST_PARTS = 8;

/** Plans; when that makes a checkpoint, the app is asked what it keeps itself, once, and the plan is made with it. */
function planner({ workingState }: PrepareStepOptions, tell: (event: EngineEvent) => void): (request: StepRequest) => Promise<PlanAnswer> {
  let isAsked = false;
  let working: string | undefined;
  return async (request) => {
    const made = planStep(working === undefined ? request : { ...request, workingState: working });
    if (workingState === undefined || isAsked || !made.makesCheckpoint) return made;
    isAsked = true;
    working = await askWorkingState(workingState, tell);
    return working === undefined ? made : planStep({ ...request, workingState: working });
  };
}

const aborted = ({ edits, hasDecisions, tokens }: PlanAnswer): Aborted => ({ aborted: edits, hasDecisions, tokens: tokens!.before });

/** The request on top of what was answered, which has begun the run, learnt from the usage and changed the model. */
const again = (request: StepRequest, { state }: PlanAnswer): StepRequest => ({ ...request, state, usage: undefined, startsRun: false, continuesRequest: false });

/** Keeps of the summaries asked ahead of time what the engine has still use for. */
function settle(asked: readonly AheadWork[], answer: PlanAnswer, { works, owner }: Asking): void {
  // Without `tokens` no plan was made.
  if (works === undefined || answer.tokens === undefined) return;
  asked.forEach((work, index) => {
    const isOurs = answer.ahead?.index === index;
    if (isOurs && answer.ahead?.isPending === true) work.owner = owner;
    // The span of another conversation may still be there; that of this run or session is no more.
    else if (isOurs || work.owner === owner || (works.isOfOne && work.waiting === 0)) works.drop(work);
  });
}

/** Begins a summary ahead of time, where the engine wants one. */
function begin({ history }: StepRequest, answer: PlanAnswer, { options, tell, works, owner, afterAhead = () => Promise.resolve() }: Asking): void {
  const wanted = answer.summaryRequest;
  if (works === undefined || owner === undefined || wanted === undefined || wanted.ahead === null || options.abortSignal?.aborted === true) return;
  tell({ type: 'checkpoint-started', messages: wanted.end - wanted.start, ahead: true });
  const settled = works.begin({
    key: wanted.ahead,
    owner,
    abortSignal: options.abortSignal,
    ask: (abortSignal) => askSummarizer({ history, answer, options, abortSignal }),
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
