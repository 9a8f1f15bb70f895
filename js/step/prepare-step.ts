// The drop-in `prepareStep`: recognises the list, asks the engine for a plan, carries it out, remembers.
// Decides nothing about messages. Nothing throws out of a step: on any fault the step goes on and an event says why.

import type { ModelMessage, Tool, ToolSet } from 'ai';
import { applyEdits } from './apply-edits.js';
import type { PlanAnswer, Usage } from '../bridge/boundary.js';
import type { Conversation } from '../session/conversation.js';
import type { Completed } from '../session/session-state.js';
import { contentIdsOf } from '../session/view.js';
import { withOwnRules } from '../tools/digests.js';
import { askEngine } from '../bridge/engine.js';
import { StepfoldError, checkGiven, messageOf } from '../errors.js';
import type { EngineEvent, EventSource } from '../observe/events.js';
import { sourceOf } from '../observe/source.js';
import { createEmit } from '../observe/emit.js';
import { writeJson } from '../bridge/json-text.js';
import { measure } from '../bridge/messages.js';
import type { AnyRecord } from '../bridge/record.js';
import { beginWork, endWork, takeTurn } from '../bridge/turns.js';
import type { Recover } from '../model/model.js';
import { recoverWith } from '../model/model.js';
import type { Agent, AgentCall } from '../summarize/agent-calls.js';
import { checkSummarizer } from '../summarize/model-summarizer.js';
import type { ModelIdentity, SettingsFor } from '../model/models.js';
import { askedBy, checkOptions, identify, originalOf } from '../model/models.js';
import type { PrepareStepOptions } from '../options.js';
import { outcomesOf } from './outcomes.js';
import type { During, StepOfRun, StepRequest } from './plan.js';
import { answerOf } from './plan.js';
import type { RecallInput, RecallSource } from '../tools/recall.js';
import { createRecallTool, recallOfRuns } from '../tools/recall.js';
import type { StepRecord } from '../observe/recorder.js';
import { Recorder } from '../observe/recorder.js';
import type { Memory, RunMemory } from './runs.js';
import type { Continuation } from './runs.js';
import { continuation, createMemory, remembered } from './runs.js';
import type { ProviderOptions, Sending, SendingFor } from './sending.js';
import { createSending, marked, markSlotsAfter, sentBeside } from './sending.js';
import { engineRedactor } from '../tools/redact.js';
import { engineTokenizer } from '../count/tokenizer.js';
import { isTraced, traceList, traceOfStep } from '../observe/traces.js';

/** What is read of a finished step: its usage and the provider's metadata. Structural, so that it fits ai 5, 6 and 7. */
export interface StepView {
  readonly usage: {
    readonly inputTokens?: number | undefined;
    readonly outputTokens?: number | undefined;
    readonly cachedInputTokens?: number | undefined;
    readonly inputTokenDetails?: {
      readonly noCacheTokens?: number | undefined;
      readonly cacheReadTokens?: number | undefined;
      readonly cacheWriteTokens?: number | undefined;
    };
  };
  readonly providerMetadata?: unknown;
  readonly finishReason?: unknown;
  /** Its calls, and how they ended. */
  readonly content?: unknown;
  /** As the provider calls it (ai 6 and 7). */
  readonly rawFinishReason?: unknown;
  readonly request?: { readonly body?: unknown };
  readonly response?: { readonly modelId?: unknown; readonly messages?: unknown };
}

/** What the AI SDK passes to `prepareStep`, as far as stepfold reads it. */
export interface PrepareStepInput<Message = ModelMessage> {
  readonly messages: Message[];
  readonly steps: readonly StepView[];
  readonly stepNumber: number;
  readonly model: unknown;
  /** The system prompt (ai 7). */
  readonly instructions?: unknown;
  /** What the run began with (ai 7). */
  readonly initialMessages?: unknown;
  readonly experimental_steeringMessages?: readonly ModelMessage[] | undefined;
  /**
   * Provider options of the call. The AI SDK does not pass them: give them where your own `prepareStep` calls this one and knows them, so that
   * stepfold sees where the history lies with the provider.
   */
  readonly providerOptions?: unknown;
}

/**
 * Fits `prepareStep` of `generateText`, `streamText` and the agents of ai 5, 6 and 7: messages in, messages out. `WorkflowAgent`
 * passes the provider's prompt and gets one back; both have the same form wherever stepfold writes.
 */
export type PrepareStep = <Message extends { readonly role: string; readonly content: unknown } = ModelMessage>(
  input: PrepareStepInput<Message>,
) => Promise<{ messages?: Message[]; providerOptions?: ProviderOptions } | undefined>;

/** A `prepareStep`, and what recovers models from overflow beside it. */
export type RecoveringPrepareStep = PrepareStep & {
  /**
   * The model, with overflow recovered inside the step: when the provider refuses a prompt as too large, more is folded and the call is
   * made once more. The runs of this `prepareStep` then know the limit.
   *
   * @throws StepfoldError when it is not a language model.
   */
  readonly model: Recover;
};

/** A `prepareStep`, and beside it also the tool with which a model brings results back. */
export type RecallingPrepareStep = RecoveringPrepareStep & {
  /**
   * Makes a tool with which the model brings back results that were cleared or folded, exactly as they were: whole, by lines, or
   * what matches a pattern. From then on placeholders name an id, so give it to every agent that this `prepareStep` serves:
   * `tools: { recall: prepareStep.recallTool() }`. A call sees only what its own run said.
   */
  readonly recallTool: () => Tool<RecallInput, unknown>;
};

/**
 * Makes a `prepareStep` that keeps every run inside its context window.
 *
 * One `prepareStep` can serve many conversations at once; it keeps their runs apart.
 *
 * @example
 * const result = streamText({ model, tools, messages, prepareStep: createPrepareStep({ trigger: 0.8 }) });
 *
 * @throws StepfoldError when an option is unknown, out of range or contradicts another.
 */
export function createPrepareStep<TOOLS extends ToolSet = ToolSet>(options: PrepareStepOptions<TOOLS> = {}): RecallingPrepareStep {
  checkGiven('createPrepareStep', options);
  // A copy, so that changing the object later changes nothing.
  const given: PrepareStepOptions = { ...options };
  const settingsFor = checkOptions(given);
  const own = withOwnRules(given);
  checkSummarizer(own.summarize);
  const memory = createMemory();
  const sendingFor = createSending();
  // Without a session there is nobody to ask for the history.
  const recorder = own.onRecord === undefined && own.debug !== true ? undefined : new Recorder(own);
  const recall = recallOfRuns(memory);
  const step = ((input: PrepareStepInput) => prepare({ input, options: own, settingsFor, sendingFor, memory, recall, recorder })) as PrepareStep;
  return Object.assign(step, { model: recoverWith({ options: own, settingsFor, memory, recorder }), recallTool: () => createRecallTool(recall) });
}

/**
 * `createPrepareStep()` with every default: limits from the model id, clearing and deterministic checkpoints. It has no `recallTool`:
 * where it had, placeholders of all agents that it serves would name the tool. Make one of your own for that.
 */
export const prepareStep: RecoveringPrepareStep = /* @__PURE__ */ Object.assign(
  (async (input) => {
    try {
      shared ??= createPrepareStep();
    } catch (cause) {
      // The engine cannot be loaded here; inside a step nothing throws.
      createEmit({}, sourceOf(input?.steps ?? {}, input?.stepNumber, undefined))({ type: 'error', code: 'engine-failed', message: messageOf(cause) });
      return undefined;
    }
    return shared(input);
  }) as PrepareStep,
  { model: ((model: object) => (shared ??= createPrepareStep()).model(model)) as Recover },
);
let shared: RecoveringPrepareStep | undefined;

/** What a step is made with. */
export interface Preparation {
  readonly input: PrepareStepInput;
  readonly options: PrepareStepOptions;
  readonly settingsFor: SettingsFor;
  readonly sendingFor: SendingFor;
  readonly memory: Memory;
  /** Where results are brought back from. */
  readonly recall: RecallSource;
  /** The session that the step belongs to. */
  readonly conversation?: Conversation;
  /** Wraps what takes time, so that a session can say what it is doing. */
  readonly during?: During;
  /** Records what was done. */
  readonly recorder?: Recorder | undefined;
}

/** What a step is to be made with; undefined when nothing differs from what the SDK would do. */
type Prepared = { messages?: ModelMessage[]; providerOptions?: ProviderOptions } | undefined;

/** One step. Never throws. */
export async function prepare(preparation: Preparation): Promise<Prepared> {
  const { input, options, recorder } = preparation;
  const source = sourceOfStep(preparation);
  const emit = createEmit(options, source, traceOfStep(input));
  const record = recorder?.begin(source, emit);
  const prepared = await prepareWith(preparation, record?.emit ?? emit, record);
  traceList(input, prepared?.messages);
  return prepared;
}

/** Where the events of a step come from, also of one without a list of steps. */
export function sourceOfStep({ input, memory, conversation }: Pick<Preparation, 'input' | 'memory' | 'conversation'>): EventSource {
  const steps: unknown = input?.steps;
  return sourceOf(typeof steps === 'object' && steps !== null ? memory.owner(steps) : {}, input?.stepNumber, conversation?.id);
}

async function prepareWith({ during = (_what, work) => work(), ...preparation }: Preparation, emit: (event: EngineEvent) => void, record: StepRecord | undefined): Promise<Prepared> {
  const { input, options, memory, conversation, sendingFor } = preparation;
  let made: Parameters<StepRecord['end']>[0];
  let worker: object | undefined;
  try {
    const owner = memory.owner(input.steps);
    worker = conversation ?? owner;
    beginWork(worker);
    let turn = takeTurn(worker);
    if (turn !== undefined) await turn;
    if (memory.find(input.steps) === undefined && conversation !== undefined) await during('loading', () => conversation.begin(owner, emit));
    turn = takeTurn(worker);
    if (turn !== undefined) await turn;
    const step = recognize(preparation, owner);
    const { request, history, waiting, freshFrom, run } = step;
    const aheadSummaries = conversation?.ahead ?? memory.ahead;
    const lastCall = (): AgentCall | undefined => memory.calls.find(owner, history, memory.unanswered());
    const agent: Agent = { lastCall, model: originalOf(input.model), spend: (tokens) => conversation?.spend(tokens) };
    const answer = await answerOf(request, { options, emit, during, worker, agent, aheadSummaries, owner, afterAhead: async () => conversation?.save(emit) });
    emitFailures(options, emit);
    // An aborted step goes on with what was decided before, and changes nothing.
    if ('aborted' in answer) {
      const sentBefore = history.length - waiting;
      const held = answer.aborted.filter((edit) => edit.type !== 'bridge' || edit.before < sentBefore);
      return send(input, applyEdits(history.slice(0, sentBefore), held), sendingFor(input.model, { ...answer, asksCache: false }));
    }
    if (answer.events[0]?.type === 'foreign-messages') {
      if (!told.has(options)) emit(answer.events[0]);
      told.add(options);
      return undefined;
    }
    answer.events.forEach(emit);
    made = { owner: conversation ?? owner, modelId: step.model.modelId, history, answer };
    const sent = sentWith(answer, step);
    const sending = sendingFor(input.model, answer);
    const returned = marked(sent, sending.marks, freshFrom === undefined ? undefined : run?.sent.length);
    const { settings, counting, redactor, modelId, keepFrom, recalls } = request;
    const covered = answer.covered ?? request.covered;
    const of: StepOfRun = { settings, counting, redactor, modelId, keepFrom, recalls, covered, model: identify(input.model), stepNumber: input.stepNumber };
    memory.traits.learn(of.model, answer.traits);
    const kept = remembered({ history, given: input.messages, sent, returned, state: answer.state, step: of, awaitsSlots: sending.awaitsSlots }, freshFrom === undefined ? undefined : run);
    memory.keep(input.steps, kept);
    if (conversation !== undefined) await keep(conversation, { step, answer, kept, owner, during, emit });
    return send(input, returned, sending);
  } catch (cause) {
    const code = StepfoldError.isInstance(cause) ? cause.code : 'unexpected';
    emit({ type: 'error', code, message: messageOf(cause) });
    return undefined;
  } finally {
    if (worker !== undefined) endWork(worker);
    record?.end(made);
  }
}

/** A step, and what its list goes on from. */
interface Recognized {
  readonly request: StepRequest;
  readonly model: ModelIdentity;
  readonly history: readonly ModelMessage[];
  /** How many messages of a session's queue stand at the end of the history. */
  readonly waiting: number;
  /** Ids of messages that the session has delivered before and the list has no place for. */
  readonly leftOut: ReadonlySet<string> | undefined;
  readonly freshFrom: number | undefined;
  /** The run that the list continues, if any. */
  readonly run: RunMemory | undefined;
  /** Usage that the app has reported to a session. */
  readonly reported: Usage | undefined;
}

/** Finds out what the list of a step goes on from. */
function recognize({ input, options, settingsFor, memory, recall, conversation, recorder }: Omit<Preparation, 'during'>, owner: object): Recognized {
  const { messages, steps } = input;
  if (!Array.isArray(messages)) throw new TypeError(`messages: expected an array of messages, got ${typeof messages}`);
  const own = memory.find(steps);
  // What a session inserted may stand in a new request's messages already, as an object of the app's.
  const earlier = own === undefined && conversation?.hasDelivered !== true ? memory.earlier(messages) : undefined;
  const { state: base, moved } = conversation?.base(owner, own?.state) ?? { state: (own ?? earlier)?.state, moved: false };
  const run = own ?? (earlier?.state === base ? earlier : undefined);
  const continued = continuation(messages, run);
  const { history, waiting, leftOut }: Completed = conversation?.complete(continued, base) ?? { history: continued.history, waiting: 0 };
  // A run's first step looks whether one of an earlier request is about this conversation.
  const ahead = (conversation?.ahead ?? memory.ahead).of(own === undefined ? undefined : owner);
  // What was decided outside of the run, or after a refusal, is not in what it sent last: everything is planned anew. So it is when a summary
  // that was requested ahead of time is there, or may be this run's.
  const replans = moved || run?.isRecovered === true || ahead.some(({ answer }) => own === undefined || answer !== 'pending');
  const freshFrom = replans ? undefined : continued.freshFrom;
  notePutIn(continued, input);
  const model = identify(input.model);
  const { settings, counting, redactor } = settingsFor(model);
  const reported = conversation?.reported;
  const instructions = own === undefined ? input.instructions : undefined;
  const request: StepRequest = {
    settings,
    counting,
    redactor,
    modelId: model.modelId,
    mode: 'all',
    state: base,
    history,
    freshFrom,
    inserted: insertedIn(history, conversation),
    putIn: indicesOf(history, (message) => putIn.has(message)),
    keepFrom: steeringStart(continued.history, input.experimental_steeringMessages) + history.length - waiting - continued.history.length,
    usage: own === undefined ? reported : moved ? undefined : usageOf(steps.at(-1)),
    asks: input.providerOptions === undefined ? undefined : askedBy(input.providerOptions),
    traits: memory.traits.of(model),
    ended: [...(own === undefined ? (conversation?.ended ?? []) : []), ...outcomesOf(steps.slice(own === undefined || moved ? 0 : own.step.stepNumber))],
    markSlots: own?.awaitsSlots === true ? markSlotsAfter(steps.at(-1)) : undefined,
    sentBeside: own !== undefined && steps.length === 1 ? sentBeside(steps[0]) : undefined,
    instructions: instructions === undefined ? undefined : measure(asMessages(instructions), counting),
    summary: 'pending',
    ahead,
    candidates: base === undefined && conversation === undefined ? memory.recent() : [],
    compactRequests: conversation?.requests.waiting ?? [],
    wantsEvents: options.onEvent !== undefined || recorder?.wantsEvents === true || isTraced(input),
    recordsEdits: recorder !== undefined,
    recalls: recall.isUsed,
    offloads: options.offload === undefined ? 'none' : 'new',
    startsRun: own === undefined,
    continuesRequest: run !== own && conversation === undefined,
    covered: continued.freshFrom === undefined ? undefined : run?.step.covered,
  };
  return { request, model, history, waiting, leftOut, freshFrom, run, reported };
}

/** Messages that somebody put in behind what a step returned: ai 7 does so with catalogs of tools, and carries them on. */
const putIn = new WeakSet<ModelMessage>();

/** Of what is new, the messages before the model's reply and steering were put in. On ai 5 and 6, which carry nothing on, there are none. */
function notePutIn({ history, freshFrom }: Continuation, { steps, experimental_steeringMessages: steering = [] }: PrepareStepInput): void {
  if (freshFrom === undefined || steps.length === 0) return;
  const reply = (steps.at(-1)?.response?.messages as readonly unknown[] | undefined)?.length ?? Infinity;
  history.slice(freshFrom, Math.max(freshFrom, history.length - reply - steering.length)).forEach((message) => putIn.add(message));
}

/** The session's enqueued messages in a list; by what they say where a wrapper has copied the list. */
function insertedIn(history: readonly ModelMessage[], conversation: Conversation | undefined): readonly number[] {
  if (conversation === undefined || conversation.enqueued.length === 0) return [];
  const enqueued = new Set(conversation.enqueued);
  const found = indicesOf(history, (message) => enqueued.has(message));
  const delivered = conversation.delivered;
  const all = new Set(history);
  if (delivered.every((message) => all.has(message))) return found;
  const ids = new Set(contentIdsOf(delivered));
  const contentIds = contentIdsOf(history);
  return indicesOf(history, (message, index) => enqueued.has(message) || ids.has(contentIds[index]!));
}

function indicesOf(messages: readonly ModelMessage[], isWanted: (message: ModelMessage, index: number) => boolean): readonly number[] {
  return messages.flatMap((message, index) => (isWanted(message, index) ? [index] : []));
}

/** Instructions as ai 7 hands them over: a text, or one or several system messages. */
function asMessages(instructions: unknown): ModelMessage[] {
  if (typeof instructions === 'string') return [{ role: 'system', content: instructions }];
  return (Array.isArray(instructions) ? instructions : [instructions]) as ModelMessage[];
}

/** The list that is sent. */
function sentWith({ tokens, edits }: PlanAnswer, { run, history, freshFrom }: Recognized): readonly ModelMessage[] {
  // Without `tokens` no plan was made: everything decided before still holds.
  if (tokens === undefined) return extended(run, history, freshFrom);
  return edits.length === 0 ? history : applyEdits(history, edits);
}

/** What a session has to know of a step. */
interface StepToKeep {
  readonly step: Recognized;
  readonly answer: PlanAnswer;
  readonly kept: RunMemory;
  readonly owner: object;
  readonly during: During;
  readonly emit: (event: EngineEvent) => void;
}

/** Lets a session take in what a step has made. */
async function keep(conversation: Conversation, { step, answer, kept, owner, during, emit }: StepToKeep): Promise<void> {
  const { history, waiting, leftOut, model, reported } = step;
  conversation.archive.see(owner, { history: kept.history, given: kept.given, returned: kept.returned, step: { model: kept.step.model } });
  conversation.requests.settle(answer.handledCalls);
  conversation.learnt(reported);
  await during('saving', () => conversation.keepFolded(history, answer.edits, emit, conversation.timeoutOf(owner)));
  const { state, changesDecisions } = answer;
  await during('saving', () => conversation.commit({ owner, state, changesDecisions, model, history, waiting, leftOut, emit }));
}

/** Options of those who were told that their messages are of another form. */
const told = new WeakSet<PrepareStepOptions>();

/** Options whose functions failed when the engine called them, and whose failure was reported: once is enough. */
const announced = { 'tokenizer-failed': new WeakSet<PrepareStepOptions>(), 'redact-failed': new WeakSet<PrepareStepOptions>() };

function emitFailures(options: PrepareStepOptions, emit: (event: EngineEvent) => void): void {
  const emitOnce = (code: keyof typeof announced, message: string | undefined) => {
    if (message === undefined || announced[code].has(options)) return;
    announced[code].add(options);
    emit({ type: 'error', code, message });
  };
  emitOnce('tokenizer-failed', options.tokenizer === undefined ? undefined : engineTokenizer(options.tokenizer).failure);
  emitOnce('redact-failed', (engineRedactor(options.redact) || undefined)?.failure);
}

/** What was sent before, with the additions. */
function extended(run: RunMemory | undefined, history: readonly ModelMessage[], freshFrom: number | undefined): readonly ModelMessage[] {
  if (run === undefined || freshFrom === undefined || run.sent === run.history) return history;
  return [...run.sent, ...history.slice(freshFrom)];
}

/** No messages when the list is what would be sent: on ai 7 it then stays in force by itself. */
function send({ messages }: PrepareStepInput, returned: readonly ModelMessage[], { providerOptions }: Sending): Prepared {
  const same = messages.length === returned.length && messages.every((message, index) => message === returned[index]);
  if (same && providerOptions === undefined) return undefined;
  return { ...(same ? {} : { messages: [...returned] }), ...(providerOptions === undefined ? {} : { providerOptions }) };
}

/** Steering messages of ai 7 stand at the end and must be sent as they are. */
function steeringStart(history: readonly ModelMessage[], steering: readonly ModelMessage[] | undefined): number {
  if (steering === undefined || steering.length === 0) return history.length;
  const found = history.findIndex((message) => steering.includes(message));
  return found === -1 ? Math.max(0, history.length - steering.length) : found;
}

/** What a request says of the history, of all that its body holds; undefined where the SDK does not keep it (ai 7, unless asked to). */
function asksIn(body: unknown): object | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { previous_response_id, conversation, thread, previous_interaction_id, context_management } = body as AnyRecord;
  return { previous_response_id, conversation, thread, previous_interaction_id, context_management };
}

/** What was reported of a step, or in usage alone. None where it cannot be read. */
export function usageOf(given: StepView | StepView['usage'] | undefined): Usage | undefined {
  try {
    const { usage, providerMetadata, finishReason, rawFinishReason, response, request, content } = (given ?? {}) as Partial<StepView>;
    // Of the parts of the answer no more than who ran them.
    const parts = Array.isArray(content) ? content.map((part?: { providerExecuted?: unknown } | null) => ({ providerExecuted: part?.providerExecuted })) : undefined;
    const step = { usage, providerMetadata, finishReason, rawFinishReason, response: { modelId: response?.modelId }, request: { body: asksIn(request?.body) }, content: parts };
    const { text } = writeJson(typeof usage === 'object' ? step : { usage: given });
    return askEngine('readUsage', { step: text });
  } catch {
    // A getter threw.
    return undefined;
  }
}
