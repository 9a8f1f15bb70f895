// After a refusal: what is to be sent instead, planned on what the run has sent, and what the run then remembers. Which run that is, what
// the refusal says and what gives way is for the engine to say. Makes no call.

import type { ModelMessage } from 'ai';
import { applyEdits, withOriginalParts } from '../step/apply-edits.js';
import type { PlanAnswer, Refusal, RunState } from '../bridge/boundary.js';
import type { Conversation } from '../session/conversation.js';
import { askEngine } from '../bridge/engine.js';
import { createEmit } from '../observe/emit.js';
import type { EventSource } from '../observe/events.js';
import { sourceOf } from '../observe/source.js';
import { entriesOf, measure, withoutInstructions } from '../bridge/messages.js';
import { writeJson } from '../bridge/json-text.js';
import type { SettingsFor } from './models.js';
import { identify } from './models.js';
import type { PrepareStepOptions } from '../options.js';
import type { During, StepRequest } from '../step/plan.js';
import { answerOf, planStep, requestFor } from '../step/plan.js';
import type { Agent, AgentCall } from '../summarize/agent-calls.js';
import type { Recorder } from '../observe/recorder.js';
import type { Memory, RunMemory, SentRun } from '../step/runs.js';

/** What a recovery needs: the runs of a `prepareStep` or session, and their options. */
export interface RecoveryContext {
  readonly options: PrepareStepOptions;
  readonly settingsFor: SettingsFor;
  readonly memory: Memory;
  readonly conversation?: Conversation;
  readonly during?: During;
  readonly recorder?: Recorder | undefined;
}

/** What a model is sent, as far as it is read: `ModelMessage[]` with the instructions in front, and all content in parts. */
export type Prompt = readonly ModelMessage[];

/** A prompt in place of one that was refused. */
export interface Recovered {
  readonly prompt: Prompt;
  /** It was taken: the run goes on from it. */
  readonly taken: () => Promise<void>;
  /** It was not: nothing was decided, and what the provider said of its limit holds. */
  readonly refused: () => Promise<void>;
}

/** A refused call. */
export interface Refused {
  readonly model: unknown;
  readonly prompt: Prompt;
  /** Why it was refused: the first time, and after a recovery the next. */
  readonly refusals: readonly Refusal[];
  readonly abortSignal: AbortSignal | undefined;
}

/** What to send instead; undefined when nothing gives way, or the summarizer was stopped. */
export async function recover(context: RecoveryContext, { model, prompt, refusals, abortSignal }: Refused): Promise<Recovered | undefined> {
  const { options, recorder, during = (_what, work) => work() } = context;
  const ownOptions = abortSignal === undefined ? options : { ...options, abortSignal };
  const start = askEngine('instructionsEnd', { entries: measure(prompt) });
  const messages = prompt.slice(start);
  const run = runOf(context, messages);
  const source = sourceOfRun(context, run, prompt);
  const toListeners = createEmit(options, source);
  const record = recorder?.begin(source, toListeners);
  const emit = record?.emit ?? toListeners;
  const request: StepRequest = { ...(run === undefined ? fresh(context, model, messages) : onceMore(run.memory)), refused: refusals };
  const { memory, conversation } = context;
  const lastCall = (): AgentCall | undefined => (run === undefined ? undefined : memory.calls.find(run.owner, run.memory.history, memory.unanswered()));
  const agent: Agent = { lastCall, model, spend: (tokens) => conversation?.spend(tokens) };
  const answer = await answerOf(request, { options: ownOptions, emit, during, agent });
  const refused = async (): Promise<void> => keep(context, run, { refusals });
  if (run === undefined && !('aborted' in answer)) context.memory.traits.learn(identify(model), answer.traits);
  if ('aborted' in answer) return undefined;
  if (!answer.changesDecisions) {
    await refused();
    return undefined;
  }
  const taken = async (): Promise<void> => {
    answer.events.forEach(emit);
    record?.end({ owner: context.conversation ?? run?.owner ?? messages, modelId: request.modelId, history: request.history, answer });
    await keep(context, run, { answer });
  };
  const sent = run === undefined ? applyEdits(messages, answer.edits) : held(request, answer, withOriginalParts(messages, run.memory.sent));
  return { prompt: [...prompt.slice(0, start), ...sent], taken, refused };
}

/** Runs that a refused prompt was found to belong to: of two with the same messages, each is found once. */
const found = new WeakSet<RunMemory>();

/** The run that a prompt belongs to. */
function runOf(context: RecoveryContext, messages: Prompt, orRecovered = false): SentRun | undefined {
  const runs = context.memory.unanswered().filter(({ memory }) => (orRecovered || memory.isRecovered !== true) && !found.has(memory));
  if (runs.length === 0) return undefined;
  const histories = runs.map(({ memory: { history, step } }) => entriesOf(history, step.counting));
  const index = askEngine('findRun', { prompt: measure(messages), histories });
  const run = runs[index];
  if (run !== undefined) found.add(run.memory);
  return run;
}

/** A prompt that no run has sent, planned for itself. */
const fresh = ({ settingsFor, options, recorder }: RecoveryContext, model: unknown, messages: Prompt): StepRequest => ({
  ...requestFor(settingsFor, identify(model), messages),
  wantsEvents: options.onEvent !== undefined || recorder !== undefined,
});

/** The step of a run once more, on the history without any edit. */
function onceMore({ history, state, step: { model, stepNumber: _stepNumber, ...step } }: RunMemory): StepRequest {
  return { ...requestFor(() => step, model, history), ...step, state };
}

/** The prompt with what was decided about the history; where that is not recognised, with what is decided about the prompt. */
function held({ refused: _refused, ...request }: StepRequest, { state }: PlanAnswer, messages: Prompt): readonly ModelMessage[] {
  const again: StepRequest = { ...request, state, history: messages, covered: undefined, keepFrom: messages.length, wantsEvents: false };
  const plan = planStep(again);
  // Nobody waits for a second summary.
  const settled = plan.summaryRequest?.ahead === null ? planStep({ ...again, summary: 'failed' }) : plan;
  return applyEdits(messages, settled.edits);
}

/** Where the events of a call come from; of a run that is not known, it is the call itself. */
const sourceOfRun = ({ conversation }: RecoveryContext, run: SentRun | undefined, call: object): EventSource => sourceOf(run?.owner ?? call, run?.memory.step.stepNumber ?? 0, conversation?.id);

/** Lets a run remember the outcome of a recovery. */
async function keep(context: RecoveryContext, run: SentRun | undefined, outcome: { answer: PlanAnswer } | { refusals: readonly Refusal[] }): Promise<void> {
  if (run === undefined) return;
  const { conversation, options, memory: { traits }, during = (_what, work) => work() } = context;
  const { memory, owner, replace } = run;
  const { history, step } = memory;
  const emit = createEmit(options, sourceOfRun(context, run, history));
  const isTaken = 'answer' in outcome;
  const learnt = isTaken ? outcome.answer : askEngine('learnRefusals', { state: memory.state, refusals: outcome.refusals });
  if (learnt === undefined) return;
  const { state } = learnt;
  replace({ ...memory, state, isRecovered: isTaken });
  traits.learn(step.model, learnt.traits);
  if (conversation === undefined) return;
  if (isTaken) await during('saving', () => conversation.keepFolded(history, outcome.answer.edits, emit, conversation.timeoutOf(owner)));
  await during('saving', () => conversation.commit({ owner, state, changesDecisions: isTaken, model: step.model, history, waiting: 0, emit }));
}

/** The provider took a call without `blockBinding` that it refused with it: the run does not send it again. */
export async function learnRefusedBinding(context: RecoveryContext, prompt: Prompt): Promise<void> {
  const run = runOf(context, withoutInstructions(prompt));
  createEmit(context.options, sourceOfRun(context, run, prompt))({ type: 'binding-refused' });
  await keep(context, run, { refusals: ['binding'] });
}

/** A call that was not made yet. */
interface CallToMake extends Omit<Refused, 'refusals'> {
  /** What it asks its provider to do with the history. */
  readonly asks: number;
  /** What it says of its reply, as JSON; empty where it says nothing. */
  readonly request: string;
  /** Its tools, which `prepareStep` does not see. */
  readonly tools: unknown;
}

/** What calls of a run have asked, so that the same is read once. */
const asked = new WeakMap<object, string>();

/**
 * The run that makes a call knows from now on what that asks of its provider. Returns the prompt to send instead where the reply that it asks
 * for leaves the messages too little room.
 */
export async function learnCall(context: RecoveryContext, { asks, request, tools, ...call }: CallToMake): Promise<Prompt | undefined> {
  const both = `${asks} ${request}`;
  if (asks === 0 && context.memory.unanswered().every(({ owner }) => asked.get(owner) === both)) return undefined;
  const messages = withoutInstructions(call.prompt);
  const run = runOf(context, messages, true);
  if (run === undefined) return undefined;
  const { memory } = run;
  const { settings, counting } = memory.step;
  asked.set(run.owner, both);
  // It is found again when the call is refused.
  found.delete(memory);
  const instructions = measure(call.prompt.slice(0, call.prompt.length - messages.length), counting);
  const learnt = askEngine('learnCall', { settings, state: memory.state, asks, request, instructions, tools: writeJson(tools).text });
  if (learnt === undefined) return undefined;
  await keepState(context, run, learnt.state);
  if (!learnt.isOver) return undefined;
  const recovered = await recover(context, { ...call, refusals: [] });
  await recovered?.taken();
  return recovered?.prompt;
}

/** Lets a run remember a state in which nothing new is decided. */
async function keepState(context: RecoveryContext, run: SentRun, state: RunState): Promise<void> {
  const { owner, memory, replace } = run;
  replace({ ...memory, state });
  const { history, step: { model } } = memory;
  await context.conversation?.commit({ owner, state, changesDecisions: false, model, history, waiting: 0, emit: createEmit(context.options, sourceOfRun(context, run, history)) });
}

/** A reply ended because the window was full: the run that sent the prompt knows the limit from now on. */
export async function learnFullWindow(context: RecoveryContext, prompt: Prompt, step: string): Promise<void> {
  // Also one that was recovered before it was answered.
  const run = runOf(context, withoutInstructions(prompt), true);
  if (run === undefined) return;
  const { memory } = run;
  const { state, traits } = askEngine('learnFullWindow', { settings: memory.step.settings, state: memory.state, step });
  context.memory.traits.learn(memory.step.model, traits);
  await keepState(context, run, state);
}
