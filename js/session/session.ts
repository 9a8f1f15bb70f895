// One conversation across requests, processes and restarts: a `prepareStep` that remembers, and what can be asked of it outside of steps.
// Thin: `Conversation` remembers, `prepare` does a step, the engine decides.

import type { ModelMessage, Tool, ToolSet } from 'ai';
import { applyEdits } from '../step/apply-edits.js';
import type { PlanRequest, Reply } from '../bridge/boundary.js';
import type { CompactInput, CompactCall } from '../tools/compact-tool.js';
import { createCompactTool } from '../tools/compact-tool.js';
import { Conversation } from './conversation.js';
import { withOwnRules } from '../tools/digests.js';
import { askEngine, callEngine } from '../bridge/engine.js';
import { StepfoldError, checkGiven, checkList, messageOf } from '../errors.js';
import type { EngineEvent, EventSource } from '../observe/events.js';
import type { RecordedEdit } from '../observe/history.js';
import { createEmit } from '../observe/emit.js';
import { entriesOf, withBytes } from '../bridge/messages.js';
import type { Recover } from '../model/model.js';
import { recoverWith } from '../model/model.js';
import type { Agent, AgentCalls } from '../summarize/agent-calls.js';
import { checkSummarizer } from '../summarize/model-summarizer.js';
import type { SettingsFor } from '../model/models.js';
import { checkOptions, identify } from '../model/models.js';
import type { PrepareStepOptions } from '../options.js';
import type { ContextPlan, During, StepRequest } from '../step/plan.js';
import { answerOf, contextPlan, planAlone, requestFor } from '../step/plan.js';
import type { PrepareStep, PrepareStepInput, StepView } from '../step/prepare-step.js';
import { outcomesOf } from '../step/outcomes.js';
import { prepare, sourceOfStep, usageOf } from '../step/prepare-step.js';
import { refusalOf } from './read-state.js';
import type { RecallInput } from '../tools/recall.js';
import { createRecallTool } from '../tools/recall.js';
import type { StepRecord } from '../observe/recorder.js';
import { Recorder } from '../observe/recorder.js';
import { continuation, createMemory } from '../step/runs.js';
import { createSending } from '../step/sending.js';
import type { SessionState } from './session-state.js';
import type { SummaryUsage } from '../summarize/summary-usage.js';
import type { SessionStore } from './store.js';
import { ANSWER_MS } from './store.js';

/** Options of `createSession`: those of `createPrepareStep`, and where the session is kept. */
export interface SessionOptions<TOOLS extends ToolSet = ToolSet> extends PrepareStepOptions<TOOLS> {
  /** The session's key in the store, such as the id of the chat. @default undefined */
  readonly id?: string | undefined;
  /** Where the session is kept between requests; needs `id`. @default undefined: in this object only */
  readonly store?: SessionStore | undefined;
  /** A snapshot (`session.state`) or its JSON to go on from; what the store holds comes first. @default undefined */
  readonly state?: SessionState | string | undefined;
  /** `all`: requests hold the whole history. `tail`: they hold only what comes after the newest checkpoint. @default 'all' */
  readonly resume?: 'all' | 'tail' | undefined;
  /** Milliseconds that a run waits for its store in all; then it goes on in memory, and what is saved is saved behind it. At most 5,000. @default 1,000 */
  readonly storeTimeoutMs?: number | undefined;
}

/** What a session is doing, for user interfaces. */
export type SessionStatus = 'idle' | 'loading' | 'compacting' | 'saving' | 'disposed';

/** One conversation across requests. You may pass each function on without the object. */
export interface Session {
  /** For `generateText`, `streamText` or an agent. */
  readonly prepareStep: PrepareStep;
  /**
   * The model, with overflow recovered inside the step: when the provider refuses a prompt as too large, more is folded and the call is
   * made once more. The session then knows the limit.
   *
   * @throws StepfoldError when it is not a language model.
   */
  readonly model: Recover;
  /** A snapshot as plain JSON. Keep it anywhere and give it back as the option `state`. */
  readonly state: SessionState;
  readonly status: SessionStatus;
  /**
   * Takes the usage of a finished step, and how its calls ended, which `prepareStep` otherwise sees only at the next step of the same run. Needed for the last
   * step of a run and for loops of single steps: `onStepEnd: session.onStepEnd` (`onStepFinish` in ai 5 and 6). Saved by `dispose`.
   */
  readonly onStepEnd: (step: StepView | StepView['usage']) => void;
  /**
   * Lets a message of the user wait for the next step of the running request, or of the next request. It is sent after what is
   * there then, after complete pairs of calls and results, and keeps that place in every later step and request.
   *
   * @throws StepfoldError when it is not a message, or when all that was enqueued so far has more than 32,000 characters as JSON.
   */
  readonly enqueue: (message: ModelMessage | string) => void;
  /**
   * Messages that still wait. Those left after the last step of a run are sent with the next run. A message that was sent only by a
   * run that another request has overtaken waits again.
   */
  readonly pending: () => readonly ModelMessage[];
  /** Messages that were sent and belong to the conversation as your app has it, oldest first. Your app may store them in their place; they are not inserted twice. */
  readonly delivered: () => readonly ModelMessage[];
  /**
   * Makes a tool with which the model brings back results that were cleared or folded, exactly as they were: whole, by lines, or
   * what matches a pattern. From then on placeholders name an id. Any name will do: `tools: { recall: session.recallTool() }`.
   * A call sees only what its own run said and what the session's store holds of it.
   */
  readonly recallTool: () => Tool<RecallInput, unknown>;
  /**
   * Makes a tool with which the model makes room by itself: it folds older messages before its next step, with a focus of its own, or
   * pins a result, so that it stays whole. Any name will do: `tools: { compact: session.compactTool() }`.
   */
  readonly compactTool: () => Tool<CompactInput, string>;
  /**
   * Says what the next step would do, without doing it and without asking the summarizer: as numbers, and as a table for a person.
   *
   * @throws StepfoldError when no messages are given and the session has not seen a step yet, or when they are no list of messages.
   */
  readonly plan: (messages?: readonly ModelMessage[], options?: Pick<Subject, 'model'>) => Promise<ContextPlan>;
  /**
   * Makes a checkpoint now, however much room there is, and asks the summarizer if there is one. A running request takes it
   * up at its next step. The newest messages stay: `keepRecent`, or at most a quarter of the conversation.
   *
   * @throws StepfoldError when no messages are given and the session has not seen a step yet, or when they are no list of messages.
   */
  readonly compact: (options?: CompactOptions) => Promise<Compaction>;
  /**
   * Clears old tool results between two runs, down to the `target`: in `onEnd`, and after an error, when nothing is sent for a while and the
   * provider's cache goes cold anyway. Makes no checkpoint and asks nobody. The next request goes on with it.
   *
   * @throws StepfoldError when no messages are given and the session has not seen a step yet, or when they are no list of messages.
   */
  readonly prune: (subject?: Subject) => Promise<Pruning>;
  /**
   * Takes back the newest checkpoint and all that was cleared or cut since, so that these messages are sent as they are until
   * the next trigger; above the trigger the next step folds them again. Three checkpoints are kept. Resolves to whether there was
   * anything to take back. Messages that your app no longer holds (`resume: 'tail'`) cannot come back.
   */
  readonly undo: () => Promise<boolean>;
  /**
   * What this object has done to messages, oldest first: each edit with its step, reason, tokens, and its texts before and after.
   * The last 300 edits, and of their texts a million characters.
   */
  readonly history: () => readonly RecordedEdit[];
  /** What the session's summaries cost so far, in all requests that its store knows of. Tokens that were not reported count as none. */
  readonly summaryUsage: SummaryUsage;
  /**
   * Takes out of the store all that it holds of the session: the state, messages and recall's pages. A mark without content stays in their place,
   * so that a run which is still under way, here or on another server, does not save them again; it goes on in memory. Enqueued messages
   * that were not sent are dropped. This object saves nothing any more: make a new session to begin again under the same `id`. Resolves to
   * whether all is gone; if not, a `store-failed` event says why, and you may call it again.
   */
  readonly forget: () => Promise<boolean>;
  /** Saves what is not saved yet. A run that is still under way goes on, and is saved at each decision as before. */
  readonly dispose: () => Promise<void>;
  /** The same, for `await using session = createSession(…)`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Makes a session: a `prepareStep` whose decisions outlive the request, the process and the form of the messages.
 *
 * @example
 * const session = createSession({ id: chatId, store: redisStore(redis, { ttlSeconds: 86_400 }) });
 * const result = streamText({ model, tools, messages, prepareStep: session.prepareStep });
 *
 * @throws StepfoldError when an option is unknown, out of range or contradicts another.
 */
export function createSession<TOOLS extends ToolSet = ToolSet>(options: SessionOptions<TOOLS> = {}): Session {
  checkGiven('createSession', options);
  const all: SessionOptions<TOOLS> = options ?? {};
  const { id, store, state, resume, storeTimeoutMs, ...rest } = all;
  // Said once: a variable of the environment is missing more often than somebody writes this.
  let lacksStore = 'store' in all && store === undefined;
  const given: PrepareStepOptions = { ...rest };
  let settingsFor: SettingsFor;
  try {
    settingsFor = checkOptions(given);
    checkSummarizer(given.summarize);
  } catch (error) {
    if (!StepfoldError.isInstance(error) || error.code !== 'unknown-option') throw error;
    throw new StepfoldError({ code: error.code, message: `${error.message}${error.message.endsWith('?') ? '' : '.'} A session also takes \`id\`, \`store\`, \`state\`, \`resume\` and \`storeTimeoutMs\`` });
  }
  // After the names: a store without `id` has it under another name.
  checkSessionOptions({ id, store, state, resume, storeTimeoutMs });
  const own = withOwnRules(given);
  const conversation = new Conversation({ id, store, state, resume, storeTimeoutMs });
  const memory = createMemory({ isOfOne: true });
  const recorder = new Recorder(own);
  const sendingFor = createSending(id);
  let newest: EventSource = { stepNumber: 0, runId: '', ...(id === undefined ? {} : { sessionId: id }) };
  let isDisposed = false;
  /** What is going on, newest last; several runs can be at work at once. */
  const doing: Exclude<SessionStatus, 'idle' | 'disposed'>[] = [];
  const during = async <Result>(status: (typeof doing)[number], work: () => Promise<Result>): Promise<Result> => {
    doing.push(status);
    try {
      return await work();
    } finally {
      doing.splice(doing.lastIndexOf(status), 1);
    }
  };
  const emit = (event: EngineEvent): void => createEmit(own, newest)(event);

  const dispose = async (): Promise<void> => {
    isDisposed = true;
    const timeout = conversation.newTimeout();
    await during('loading', () => conversation.open(emit, timeout));
    // Looks at the store also where nothing is new: what another process wrote over is written again.
    await during('saving', () => conversation.save(emit, { looks: true, timeout }));
  };
  const controlled: Controlled = { conversation, options: own, settingsFor, emit, during, calls: memory.calls, record: () => recorder.begin(newest, emit) };
  return {
    prepareStep: async (input: PrepareStepInput) => {
      newest = sourceOfStep({ input, memory, conversation });
      if (lacksStore) emit({ type: 'no-store' });
      lacksStore = false;
      return prepare({ input, options: own, settingsFor, sendingFor, memory, recall: conversation.archive, conversation, during, recorder });
    },
    model: recoverWith({ options: own, settingsFor, memory, conversation, during, recorder }),
    get state() {
      return JSON.parse(conversation.text()) as SessionState;
    },
    get status() {
      return doing.at(-1) ?? (isDisposed ? 'disposed' : 'idle');
    },
    onStepEnd: (step) => conversation.report(usageOf(step), outcomesOf([step])),
    enqueue(message) {
      const given = typeof message === 'string' ? { role: 'user' as const, content: message } : message;
      const refuse = (reason: string): never => {
        throw new StepfoldError({ code: 'invalid-message', message: `\`enqueue\`: ${reason}` });
      };
      if (typeof given !== 'object' || given === null || !('role' in given && 'content' in given)) {
        refuse(`it is given ${given === null ? 'null' : `a value of type ${typeof given}`}; it must be a text or a message`);
      }
      const refusal = refusalOf(given);
      if (refusal !== undefined) refuse(`${refusal}; it must be a message of the user that can be sent alone`);
      let hasRoom = false;
      try {
        hasRoom = conversation.enqueue({ ...given });
      } catch (error) {
        refuse(`it cannot be kept as JSON: ${messageOf(error)}`);
      }
      if (!hasRoom) refuse('the messages enqueued in this session have more than 32,000 characters of JSON together');
    },
    pending: () => [...conversation.queue],
    delivered: () => conversation.delivered,
    recallTool: () => createRecallTool(conversation.archive),
    compactTool: () => createCompactTool((question, messages) => askSession(controlled, question, messages)),
    plan: (messages, { model } = {}) => planSession(controlled, { messages, model }),
    compact: (compactOptions = {}) => compactSession(controlled, compactOptions),
    prune: (subject = {}) => pruneSession(controlled, subject),
    undo: () => undoSession(controlled),
    history: () => [...recorder.edits],
    get summaryUsage() {
      return conversation.summaryUsage;
    },
    forget: () => during('saving', () => conversation.forget(emit)),
    dispose,
    [asyncDispose]: dispose,
  } as Session;
}

/** Missing on older platforms, where there is no `await using` either. */
const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

/** What the engine cannot check because it never sees it. */
function checkSessionOptions({ id, store, state, resume, storeTimeoutMs }: Readonly<Record<'id' | 'store' | 'state' | 'resume' | 'storeTimeoutMs', unknown>>): void {
  const refuse = (name: string, given: unknown, allowed: string): never => {
    const shown = typeof given === 'string' ? `"${given.slice(0, 60)}"` : given === null ? 'null' : typeof given === 'object' ? 'another object' : `of type ${typeof given}`;
    throw new StepfoldError({ code: 'invalid-option', message: `\`${name}\` is ${shown}; it must be ${allowed}` });
  };
  if (id !== undefined && (typeof id !== 'string' || id === '')) refuse('id', id, 'a string that is not empty');
  const { get, set } = (store ?? {}) as Partial<SessionStore>;
  if (store !== undefined && (typeof get !== 'function' || typeof set !== 'function')) refuse('store', store, 'an object with the methods `get` and `set`');
  if (store !== undefined && id === undefined) throw new StepfoldError({ code: 'invalid-option', message: '`store` is given without `id`; it needs the key under which the session is kept' });
  if (state !== undefined && typeof state !== 'string' && (typeof state !== 'object' || state === null)) refuse('state', state, 'a snapshot of a session or its JSON');
  if (resume !== undefined && resume !== 'all' && resume !== 'tail') refuse('resume', resume, "'all' or 'tail'");
  if (storeTimeoutMs !== undefined && !(Number.isInteger(storeTimeoutMs) && (storeTimeoutMs as number) >= 1 && (storeTimeoutMs as number) <= ANSWER_MS)) {
    const shown = typeof storeTimeoutMs === 'number' ? storeTimeoutMs : `of type ${typeof storeTimeoutMs}`;
    throw new StepfoldError({ code: 'invalid-option', message: `\`storeTimeoutMs\` is ${shown}; it must be a whole number of milliseconds from 1 to ${ANSWER_MS}` });
  }
}

/** What `session.plan`, `session.compact` and `session.prune` are about. */
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

/** What `session.prune` did. */
export interface Pruning {
  /** Whether anything was cleared. If not, nothing changed. */
  readonly pruned: boolean;
  /** Tokens of the prompt before, as it would have been sent. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** A session as these functions see it. */
interface Controlled {
  readonly conversation: Conversation;
  readonly options: PrepareStepOptions;
  readonly settingsFor: SettingsFor;
  readonly emit: (event: EngineEvent) => void;
  /** Begins to record what is done between steps. */
  readonly record: () => StepRecord;
  readonly during: During;
  readonly calls: AgentCalls;
}

/** Says what the next step would do, without doing it; the summarizer is not asked. */
async function planSession(controlled: Controlled, subject: Subject): Promise<ContextPlan> {
  const { conversation, emit, during } = controlled;
  await during('loading', () => conversation.refresh(emit));
  const request: StepRequest = { ...requestOf('plan', controlled, subject), offloads: controlled.options.offload === undefined ? 'none' : 'new' };
  return contextPlan(planAlone({ ...request, summary: 'failed', mode: 'preview' }, controlled.options), request.history);
}

/** Makes a checkpoint now. */
async function compactSession(controlled: Controlled, { focus, abortSignal, ...subject }: CompactOptions): Promise<Compaction> {
  const { options } = controlled;
  const request = { mode: 'compact', focus } as const;
  const { changed, ...rest } = await reworkSession(controlled, { request, subject, options: { ...options, abortSignal: abortSignal ?? options.abortSignal } });
  return { compacted: changed, ...rest };
}

/** Clears old results now. */
async function pruneSession(controlled: Controlled, subject: Subject): Promise<Pruning> {
  const { changed, tokensBefore, tokensAfter } = await reworkSession(controlled, { request: { mode: 'prune' }, subject, options: controlled.options });
  return { pruned: changed, tokensBefore, tokensAfter };
}

/** What is to be done between steps. */
interface Rework {
  readonly request: Pick<StepRequest, 'mode' | 'focus'>;
  readonly subject: Subject;
  readonly options: PrepareStepOptions;
}

/** Decides something between steps, unless a step decides first. */
async function reworkSession(controlled: Controlled, { request: what, subject, options }: Rework): Promise<Omit<Compaction, 'compacted'> & { readonly changed: boolean }> {
  const { conversation, during, calls } = controlled;
  const record = controlled.record();
  const { emit } = record;
  await during('loading', () => conversation.refresh(emit));
  const request: StepRequest = { ...requestOf(what.mode, controlled, subject), ...what };
  const { history, state: base, usage } = request;
  const agent: Agent = { lastCall: () => calls.find(undefined, history, []), model: undefined, spend: (tokens) => conversation.spend(tokens) };
  const answer = await answerOf(request, { options, emit, during, agent });
  const unchanged = (tokens: number, messages: readonly ModelMessage[]) => ({ changed: false, tokensBefore: tokens, tokensAfter: tokens, messages: [...messages] });
  if ('aborted' in answer) return unchanged(answer.tokens, applyEdits(history, answer.aborted));
  if (answer.tokens === undefined) {
    // Messages of another form.
    answer.events.forEach(emit);
    return unchanged(0, history);
  }
  const { before, after } = answer.tokens;
  if (conversation.state !== base) {
    emit({ type: 'session-conflict', reason: 'a step has changed this session meanwhile; its work was kept' });
    return unchanged(before, history);
  }
  answer.events.forEach(emit);
  record.end({ owner: conversation, modelId: request.modelId, history, answer });
  const changed = what.mode === 'prune' ? answer.changesDecisions : answer.makesCheckpoint;
  if (changed) {
    conversation.learnt(usage);
    conversation.replace(answer.state);
    await during('saving', () => conversation.keepFolded(history, answer.edits, emit));
    await during('saving', () => conversation.save(emit));
  }
  return { changed, tokensBefore: before, tokensAfter: after, messages: applyEdits(history, answer.edits) };
}

/** Answers a model that asks to fold or to keep a result, about the messages that it was sent. */
function askSession(controlled: Controlled, question: CompactCall, messages: readonly ModelMessage[] | undefined): string {
  const { conversation, emit } = controlled;
  const { history, counting, redactor, freshFrom: _all, covered: _none, ...request } = requestOf('compactTool', controlled, { messages });
  const entries = entriesOf(history, counting);
  const reply = withBytes(history, (bytes) =>
    callEngine((engine) => engine.replyToModel({ ...request, extends: false, entries, messages: bytes } satisfies PlanRequest, question, counting.tokenizer, redactor)),
  ) as Reply;
  if (reply.compactRequest !== undefined) conversation.requests.add(reply.compactRequest);
  if (reply.event !== undefined) emit(reply.event);
  return reply.text;
}

/** Takes back the newest checkpoint and what was decided since. Returns whether there was any. */
async function undoSession({ conversation, emit, during }: Controlled): Promise<boolean> {
  await during('loading', () => conversation.refresh(emit));
  const before = conversation.state;
  const state = before === undefined ? undefined : askEngine('undo', { state: before });
  if (state === undefined) return false;
  conversation.replace(state);
  await during('saving', () => conversation.save(emit));
  return true;
}

function requestOf(name: string, { conversation, settingsFor }: Controlled, { messages, model: given }: Subject): StepRequest {
  const { state, history: last } = conversation;
  if (messages !== undefined) checkList(name, messages);
  if (messages === undefined && last === undefined) {
    throw new StepfoldError({ code: 'invalid-message', message: `\`${name}\`: no messages are given, and the session has not seen a step yet` });
  }
  const model = given === undefined ? conversation.model : identify(given);
  const { history: all, waiting } = messages === undefined ? { history: last!, waiting: 0 } : conversation.complete(continuation(messages, undefined), state);
  const history = all.slice(0, all.length - waiting);
  return { ...requestFor(settingsFor, model, history), state, usage: conversation.reported, ended: conversation.ended };
}
