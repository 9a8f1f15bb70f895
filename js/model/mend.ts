// After a refusal: what is to be sent instead, planned on what the run has sent, and what the run then remembers. Which run that is, what
// the refusal says and what gives way is for the engine to say. Makes no call.

import type { ModelMessage } from 'ai';
import { applyEdits, withOriginalParts } from '../step/apply-edits.js';
import type { ModelTraits, PlanAnswer, Refusal, RunState } from '../bridge/boundary.js';
import type { Conversation } from '../session/conversation.js';
import { callEngine } from '../bridge/engine.js';
import { createTell } from '../observe/tell.js';
import { entriesOf, measure } from '../bridge/messages.js';
import type { SettingsFor } from './models.js';
import { identify } from './models.js';
import type { PrepareStepOptions } from '../options.js';
import type { During, StepRequest } from '../step/plan.js';
import { answerOf, planStep, requestFor } from '../step/plan.js';
import type { Recorder } from '../observe/recorder.js';
import type { Memory, RunMemory, SentRun } from '../step/runs.js';

/** Whose runs they are. */
export interface Keeper {
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
export interface Mended {
  readonly prompt: Prompt;
  /** It was taken: the run goes on from it. */
  readonly taken: () => Promise<void>;
  /** It was not: nothing was decided, and what the provider told of its limit holds. */
  readonly refused: () => Promise<void>;
}

/** A refused call. */
export interface Refused {
  readonly model: unknown;
  readonly prompt: Prompt;
  /** Why it was refused: the first time, and when that was mended the next. */
  readonly refusals: readonly Refusal[];
  readonly abortSignal: AbortSignal | undefined;
}

/** What to send instead; undefined when nothing gives way, or the summarizer was stopped. */
export async function mend(keeper: Keeper, { model, prompt, refusals, abortSignal }: Refused): Promise<Mended | undefined> {
  const { options, recorder, during = (_what, work) => work() } = keeper;
  const asking = abortSignal === undefined ? options : { ...options, abortSignal };
  const start = callEngine((engine) => engine.instructionsEnd(measure(prompt)));
  const messages = prompt.slice(start);
  const run = runOf(keeper, messages);
  const stepNumber = run?.memory.step.stepNumber ?? 0;
  const told = createTell(options, stepNumber);
  const record = recorder?.begin(stepNumber, told);
  const tell = record?.tell ?? told;
  const request: StepRequest = { ...(run === undefined ? fresh(keeper, model, messages) : onceMore(run.memory)), refused: refusals };
  const answer = await answerOf(request, { options: asking, tell, during });
  const refused = async (): Promise<void> => keep(keeper, run, { refusals });
  if (run === undefined && !('aborted' in answer)) keeper.memory.traits.learn(identify(model), answer.traits);
  if ('aborted' in answer) return undefined;
  if (!answer.changesDecisions) {
    await refused();
    return undefined;
  }
  const taken = async (): Promise<void> => {
    answer.events.forEach(tell);
    record?.end({ owner: keeper.conversation ?? run?.owner ?? messages, modelId: request.modelId, history: request.history, answer });
    await keep(keeper, run, { answer });
  };
  const sent = run === undefined ? applyEdits(messages, answer.edits) : held(request, answer, withOriginalParts(messages, run.memory.sent));
  return { prompt: [...prompt.slice(0, start), ...sent], taken, refused };
}

/** What runs have sent and a prompt was found to be: of two that said the same, each is found once. */
const found = new WeakSet<RunMemory>();

/** The run that a prompt belongs to. */
function runOf(keeper: Keeper, messages: Prompt, orMended = false): SentRun | undefined {
  const runs = keeper.memory.unanswered().filter(({ memory }) => (orMended || memory.isMended !== true) && !found.has(memory));
  if (runs.length === 0) return undefined;
  const index = callEngine((engine) => engine.findRun(measure(messages), runs.map(({ memory: { history, step } }) => entriesOf(history, step.counting))));
  const run = runs[index];
  if (run !== undefined) found.add(run.memory);
  return run;
}

/** A prompt that no run has sent, planned for itself. */
const fresh = ({ settingsFor, options, recorder }: Keeper, model: unknown, messages: Prompt): StepRequest => ({
  ...requestFor(settingsFor, identify(model), messages),
  wantsEvents: options.onEvent !== undefined || recorder !== undefined,
});

/** The step of a run once more, on the history without any edit. */
function onceMore({ history, state, step: { model, stepNumber: _stepNumber, ...step } }: RunMemory): StepRequest {
  return { ...requestFor(() => step, model, history), ...step, state };
}

/** The prompt with what was decided about the history; where that is not recognised, with what is decided about the prompt. */
function held({ refused: _refused, ...request }: StepRequest, { state }: PlanAnswer, messages: Prompt): readonly ModelMessage[] {
  const again: StepRequest = { ...request, state, history: messages, covered: [], keepFrom: messages.length, wantsEvents: false };
  const plan = planStep(again);
  // Nobody waits for a second summary.
  const settled = plan.summaryRequest?.ahead === null ? planStep({ ...again, summary: 'failed' }) : plan;
  return applyEdits(messages, settled.edits);
}

const traitsOf = (state: RunState): ModelTraits | undefined => callEngine((engine) => engine.traitsOf(state)) as ModelTraits | undefined;

/** Lets a run remember what came of a refusal. */
async function keep({ conversation, options, memory: { traits }, during = (_what, work) => work() }: Keeper, run: SentRun | undefined, came: { answer: PlanAnswer } | { refusals: readonly Refusal[] }): Promise<void> {
  if (run === undefined) return;
  const { memory, owner, replace } = run;
  const { history, step } = memory;
  const tell = createTell(options, step.stepNumber);
  const isTaken = 'answer' in came;
  const state = isTaken ? came.answer.state : callEngine((engine) => engine.learnRefusals(step.settings, memory.state, came.refusals));
  if (state === undefined) return;
  replace({ ...memory, state, isMended: isTaken });
  traits.learn(step.model, traitsOf(state));
  if (conversation === undefined) return;
  if (isTaken) await during('saving', () => conversation.keepFolded(history, came.answer.edits, tell, conversation.patienceOf(owner)));
  await during('saving', () => conversation.commit({ owner, state, changesDecisions: isTaken, model: step.model, history, waiting: 0, tell }));
}

/** The provider took a call without `blockBinding` that it refused with it: the run does not send it again. */
export async function learnRefusedBinding(keeper: Keeper, prompt: Prompt): Promise<void> {
  const start = callEngine((engine) => engine.instructionsEnd(measure(prompt)));
  const run = runOf(keeper, prompt.slice(start));
  createTell(keeper.options, run?.memory.step.stepNumber ?? 0)({ type: 'binding-refused' });
  await keep(keeper, run, { refusals: ['binding'] });
}

/** A reply ended because the window was full: the run that sent the prompt knows the limit from now on. */
export async function learnFullWindow(keeper: Keeper, prompt: Prompt, step: string): Promise<void> {
  const start = callEngine((engine) => engine.instructionsEnd(measure(prompt)));
  // Also one that was mended before it was answered.
  const run = runOf(keeper, prompt.slice(start), true);
  if (run === undefined) return;
  const { memory, owner, replace } = run;
  const state = callEngine((engine) => engine.learnFullWindow(memory.step.settings, memory.state, step));
  replace({ ...memory, state });
  keeper.memory.traits.learn(memory.step.model, traitsOf(state));
  const { history, step: { model, stepNumber } } = memory;
  await keeper.conversation?.commit({ owner, state, changesDecisions: false, model, history, waiting: 0, tell: createTell(keeper.options, stepNumber) });
}
