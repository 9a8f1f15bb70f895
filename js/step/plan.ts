// Plans of the engine, with what they wait for: the summarizer, and what the app says of its work. And the functions for users who build
// their own: the dry run, and one step of the ladder at a time. When to ask and what to make of it is for the engine to say.

import type { ModelMessage, ToolSet } from 'ai';
import { applyEdits } from './apply-edits.js';
import type { Covered, Edit, PlanAnswer, PlanRequest, Span } from '../bridge/boundary.js';
import { Digests } from '../tools/digests.js';
import { callEngine } from '../bridge/engine.js';
import { checkList, messageOf } from '../errors.js';
import type { EngineEvent } from '../observe/events.js';
import type { Once } from '../bridge/messages.js';
import { entriesOf, joinedBytes, withBytes } from '../bridge/messages.js';
import { formOf } from '../bridge/form.js';
import type { Counting, ModelIdentity, SettingsFor } from '../model/models.js';
import { checkOptions, identify } from '../model/models.js';
import type { Redactor } from '../tools/redact.js';
import { StepFiles } from '../tools/offload.js';
import type { BudgetOptions, PrepareStepOptions } from '../options.js';
import type { Agent } from '../summarize/agent-calls.js';
import type { AheadSummary, AheadSummaries, AppWords } from '../summarize/summarizer.js';
import { askApp, askSummarizer, awaitAhead } from '../summarize/summarizer.js';
import { cleaned } from '../observe/emit.js';
import { SharedTime } from '../summarize/waiting.js';

/** What a plan is made from, before its messages are written. */
export interface StepRequest extends Omit<PlanRequest, 'entries' | 'messages' | 'extends' | 'ahead'> {
  readonly history: readonly ModelMessage[];
  /** Index of the first message not planned on before; undefined when the history does not continue the run. */
  readonly freshFrom: number | undefined;
  readonly counting: Counting;
  /** Whose rules keep secrets out of what is written. */
  readonly redactor: Redactor;
  readonly ahead: readonly AheadSummary[];
  /** What this plan need not be given, as the one before said. */
  readonly covered: Covered | undefined;
}

/** How a step was made, for a plan of the same step once more. */
export interface StepOfRun extends Pick<StepRequest, 'settings' | 'counting' | 'redactor' | 'modelId' | 'keepFrom' | 'recalls' | 'covered'> {
  readonly model: ModelIdentity;
  readonly stepNumber: number;
}

/** A request about a list without a history of its own, for a dry run. */
export function requestFor(settingsFor: SettingsFor, model: ModelIdentity, history: readonly ModelMessage[]): StepRequest {
  return {
    ...settingsFor(model),
    modelId: model.modelId,
    mode: 'all',
    state: undefined,
    history,
    freshFrom: undefined,
    keepFrom: history.length,
    usage: undefined,
    asks: undefined,
    ended: [],
    markSlots: undefined,
    traits: undefined,
    instructions: undefined,
    summary: 'pending',
    ahead: [],
    candidates: [],
    wantsEvents: true,
    recalls: false,
    offloads: 'none',
    startsRun: false,
    continuesRequest: false,
    covered: undefined,
  };
}

/** Skips the plan where none is needed, else makes it. */
export function planStep({ history, freshFrom, counting, redactor, covered, ...request }: StepRequest): PlanAnswer {
  const isExtended = freshFrom !== undefined;
  // Of a list that goes on from nothing all is measured, and may be planned on.
  const once: Once | undefined = isExtended ? undefined : {};
  const fresh = entriesOf(isExtended ? history.slice(freshFrom) : history, counting, once);
  const isFresh = (index: number): boolean => index >= (freshFrom ?? 0);
  const ofFresh = { entries: fresh, inserted: request.inserted?.filter(isFresh) ?? [], putIn: request.putIn?.filter(isFresh) ?? [] };
  const trySkip = (isKnownForm = request.isKnownForm ?? false): PlanAnswer | undefined =>
    callEngine((engine) => engine.trySkipPlan({ ...request, ...ofFresh, isKnownForm, extends: isExtended } satisfies PlanRequest)) as PlanAnswer | undefined;
  let skipped = trySkip();
  if (skipped?.isSuspicious === true) {
    const form = formOf(history);
    if (form !== undefined) return { ...skipped, events: [form] };
    skipped = trySkip(true);
  }
  if (skipped !== undefined) return skipped;
  const all = (): Uint8Array => (isExtended ? entriesOf(history, counting) : fresh);
  const planOn = (entries: Uint8Array, leftOut: readonly Span[]): PlanAnswer =>
    withBytes(
      history,
      (messages) => callEngine((engine) => engine.plan({ ...request, extends: isExtended, entries, messages } satisfies PlanRequest, counting.tokenizer, redactor)),
      { leftOut, once },
    ) as PlanAnswer;
  if (covered === undefined) return planOn(all(), []);
  const { spans, entries } = covered;
  const isKnown = isExtended && entries.length > 0;
  const answer = planOn(isKnown ? joinedBytes(entries, entriesOf(history.slice(spans.at(-1)!.end), counting)) : all(), spans);
  return answer.needsAll ? planOn(all(), []) : answer;
}

/** Wraps what takes time, so that a session can say what it is doing. */
export type During = <Result>(what: 'loading' | 'compacting' | 'saving', work: () => Promise<Result>) => Promise<Result>;

/** What holds when a summary was aborted: what was decided before. */
export interface Aborted {
  readonly aborted: readonly Edit[];
  readonly hasDecisions: boolean;
  readonly dropsThoughts: boolean;
  /** Tokens of the prompt with it. */
  readonly tokens: number;
}

/** What an answer may take. */
export interface StepContext {
  readonly options: PrepareStepOptions;
  readonly emit: (event: EngineEvent) => void;
  readonly during: During;
  /** Who summarizes with `summarize: 'agent'`. */
  readonly agent: Agent;
  /** Summaries requested ahead of time, and what identifies the run. */
  readonly aheadSummaries?: AheadSummaries;
  readonly owner?: object;
  /** Done when such a summary is there. */
  readonly afterAhead?: () => Promise<void>;
}

/** The engine's answer, after asking the summarizer where it wants one; when that is aborted, what holds without it. */
export async function answerOf(given: StepRequest, context: StepContext): Promise<PlanAnswer | Aborted> {
  const time = new SharedTime();
  try {
    return await answerWithin(time, given, context);
  } finally {
    time.end();
  }
}

async function answerWithin(time: SharedTime, given: StepRequest, context: StepContext): Promise<PlanAnswer | Aborted> {
  const { options, emit, during, agent } = context;
  const plan = planner(context);
  let request = given;
  let first = await plan(request);
  first.learnt.forEach(emit);
  let changesDecisions = first.changesDecisions;
  if (first.ahead?.isDue === true) {
    const due = request.ahead[first.ahead.index]!;
    due.waiting += 1;
    await during('compacting', () => awaitAhead(due, options, time));
    due.waiting -= 1;
    if (options.abortSignal?.aborted === true) return aborted(first);
    // Without an answer it was given up meanwhile, and the step goes on without.
    request = { ...again(request, first), ahead: due.answer === 'pending' ? [] : [due] };
    first = await plan(request);
    changesDecisions ||= first.changesDecisions;
  }
  let answer = first;
  // A span longer than a summarizer can read is read in parts. Nothing is folded before the last of them.
  while (answer.summaryRequest?.ahead === null && options.summarize !== undefined) {
    const { start, end, part, previousSummary, shown } = answer.summaryRequest;
    emit({ type: 'checkpoint-started', messages: end - start });
    const requested = { history: request.history, answer, options, abortSignal: options.abortSignal, time, agent, emit };
    const outcome = await during('compacting', () => askSummarizer(requested));
    if (outcome.text === undefined) {
      const { reason, message } = outcome;
      emit({ type: 'fallback', reason, message });
      if (reason === 'aborted') return aborted(first);
    }
    const summary = outcome.text === undefined ? 'failed' : { given: outcome.text };
    answer = await plan({ ...again(request, answer), summary, requestedSpan: { start, end, part, previousSummary, shown } });
    changesDecisions ||= answer.changesDecisions;
  }
  settle(request.ahead, first, context);
  begin(request, answer, context);
  return { ...answer, changesDecisions };
}

type Planner = (request: StepRequest) => Promise<PlanAnswer>;

/** Plans, and writes the files that a plan names; where that fails, the plan is made without any. */
function planner({ options, emit }: StepContext): Planner {
  const { offload, abortSignal } = options;
  const plan = informed(options, emit);
  if (offload === undefined) return plan;
  const files = new StepFiles({ offload, abortSignal, emit });
  return async (given) => {
    const request: StepRequest = { ...given, offloads: files.isReady ? 'new' : 'none' };
    let made = await plan(request);
    if (given.startsRun && made.namedFile !== undefined && (await files.isGone(made.namedFile))) made = await plan({ ...request, offloads: 'all' });
    if (made.files.length === 0 || (files.isReady && (await files.write(made.files)))) return made;
    return plan({ ...request, offloads: 'none' });
  };
}

/** Plans; when that makes a checkpoint, the app is asked what it keeps itself, once, and the plan is made with it. */
function informed(options: PrepareStepOptions, emit: (event: EngineEvent) => void): Planner {
  const digests = new Digests(options.tools, emit);
  const asks = options.workingState !== undefined || typeof options.checkpointNote === 'function';
  let words: AppWords | undefined;
  return async (request) => {
    const made = planWith(digests, { ...request, ...words });
    if (!asks || words !== undefined || !made.makesCheckpoint) return made;
    words = await askApp(options, emit);
    return Object.keys(words).length === 0 ? made : planWith(digests, { ...request, ...words });
  };
}

/** Plans; as long as a plan names results, their digests are requested from the user's functions, and the plan is made with them. */
function planWith(digests: Digests, request: StepRequest): PlanAnswer {
  let made = planStep({ ...request, digests: digests.given });
  while (made.digests.length > 0) {
    digests.ask(request.history, made.digests);
    made = planStep({ ...request, digests: digests.given });
  }
  return made;
}

/** A plan without a run, for a caller that asks for one: nothing is waited for, and what fails is among its events. */
export function planAlone(request: StepRequest, { tools }: BudgetOptions): PlanAnswer {
  const failures: EngineEvent[] = [];
  const made = planWith(new Digests(tools, (event) => failures.push(cleaned(event))), { ...request, isKnownForm: true });
  const form = made.isSuspicious ? formOf(request.history) : undefined;
  return { ...made, events: [...(form === undefined ? [] : [form]), ...failures, ...made.events] };
}

const aborted = ({ edits, hasDecisions, dropsThoughts, tokens }: PlanAnswer): Aborted => ({ aborted: edits, hasDecisions, dropsThoughts, tokens: tokens!.before });

/** The request on top of what was answered, which has begun the run, learnt from the usage or a refusal and changed the model. */
const again = ({ refused: _refused, ...request }: StepRequest, { state }: PlanAnswer): StepRequest => ({ ...request, state, usage: undefined, startsRun: false, continuesRequest: false });

/** Keeps of the summaries requested ahead of time what the engine still has use for. */
function settle(requested: readonly AheadSummary[], answer: PlanAnswer, { aheadSummaries, owner }: StepContext): void {
  // Without `tokens` no plan was made.
  if (aheadSummaries === undefined || answer.tokens === undefined) return;
  requested.forEach((summary, index) => {
    const isOurs = answer.ahead?.index === index;
    if (isOurs && answer.ahead?.isPending === true) summary.owner = owner;
    // The span of another conversation may still be there; that of this run or session is no more.
    else if (isOurs || summary.owner === owner || (aheadSummaries.isOfOne && summary.waiting === 0)) aheadSummaries.drop(summary);
  });
}

/** Begins a summary ahead of time, where the engine wants one. */
function begin({ history }: StepRequest, answer: PlanAnswer, { options, emit, agent, aheadSummaries, owner, afterAhead = () => Promise.resolve() }: StepContext): void {
  const wanted = answer.summaryRequest;
  if (aheadSummaries === undefined || owner === undefined || wanted === undefined || wanted.ahead === null || options.abortSignal?.aborted === true) return;
  const failed = (error: unknown): void => emit({ type: 'error', code: 'unexpected', message: messageOf(error) });
  try {
    emit({ type: 'checkpoint-started', messages: wanted.end - wanted.start, ahead: true });
    const settled = aheadSummaries.begin({
      key: wanted.ahead,
      owner,
      abortSignal: options.abortSignal,
      ask: (abortSignal) => askSummarizer({ history, answer, options, abortSignal, agent, emit }),
      emit,
      after: afterAhead,
    });
    const returned: unknown = options.waitUntil?.(settled);
    if (returned instanceof Promise) returned.catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** Options of `planContext`, `clearToolResults` and `buildCheckpoint`. */
export interface PlanOptions<TOOLS extends ToolSet = ToolSet> extends BudgetOptions<TOOLS> {
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
  /**
   * What the input of requests costs while the provider's cache is warm: the `next` one, which writes what was edited into the cache;
   * a `later` one; and one of the messages `unedited`. US dollars by the model's list prices, or the currency of your `prices`, which
   * are then for a million tokens. Undefined where a price is not known, or a prompt is so large that the vendor bills it otherwise.
   */
  readonly cost: { readonly next: number; readonly later: number; readonly unedited: number } | undefined;
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
export function planContext<TOOLS extends ToolSet = ToolSet>(messages: readonly ModelMessage[], options: PlanOptions<TOOLS> = {}): ContextPlan {
  const { answer } = run(messages, options, 'preview');
  return contextPlan(answer, messages);
}

/** An answer with its preview, as users read it. */
export function contextPlan({ tokens, events, edits, preview, cost }: PlanAnswer, messages: readonly ModelMessage[]): ContextPlan {
  const { before, after, limit, trigger, target } = tokens!;
  return {
    tokensBefore: before,
    tokensAfter: after,
    limitTokens: limit,
    triggerTokens: trigger,
    targetTokens: target,
    table: preview!,
    cost,
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
 * Replaces tool results by placeholders where that saves tokens; the calls stay. Leaves alone the newest messages (`keepRecent`), the
 * results of tools with `keep: 'always'` and of provider-executed ones, and errors that are still open. Does not change its input.
 *
 * @example
 * const { messages: smaller } = clearToolResults(messages, { keepRecent: { tokens: 10_000 }, tools: { read_plan: { keep: 'always' } } });
 *
 * @throws StepfoldError when an option is unknown or out of range.
 */
export function clearToolResults<TOOLS extends ToolSet = ToolSet>(messages: readonly ModelMessage[], options: PlanOptions<TOOLS> = {}): EditedMessages {
  return edited(run(messages, options, 'clear'));
}

/**
 * Folds everything but the newest messages (`keepRecent`) into one `user` message: the original request, the user's messages, a digest or
 * `summary`, facts.
 *
 * @example
 * const { messages: folded } = buildCheckpoint(messages, { keepRecent: { messages: 6 } });
 *
 * @throws StepfoldError when an option is unknown or out of range.
 */
export function buildCheckpoint<TOOLS extends ToolSet = ToolSet>(messages: readonly ModelMessage[], { summary, ...options }: PlanOptions<TOOLS> & { readonly summary?: string } = {}): EditedMessages {
  return edited(run(messages, options, 'checkpoint', summary));
}

function edited({ answer, messages }: Carried): EditedMessages {
  const edit = answer.edits.find(({ type }) => type === 'checkpoint');
  return { messages, checkpoint: edit?.type === 'checkpoint' ? messages[edit.start + edit.block.end - edit.block.start] : undefined, events: answer.events };
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
  const answer = planAlone({ ...request, mode, summary: summary === undefined ? 'pending' : { given: summary } }, options);
  return { answer, messages: applyEdits(messages, answer.edits) };
}
