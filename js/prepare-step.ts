// The drop-in `prepareStep`: recognises the list, asks the engine for a plan, carries it out, remembers.
// Decides nothing about messages. Nothing throws out of a step: on any fault the step goes on and an event says why.

import type { ModelMessage } from 'ai';
import { applyEdits } from './apply-edits.js';
import type { Conversation } from './conversation.js';
import { callEngine } from './core.js';
import { StepfoldError, messageOf } from './errors.js';
import { answerOf } from './answer.js';
import type { During } from './answer.js';
import type { EngineEvent, ModelIdentity, PlanRequest } from './engine-plan.js';
import { NO_USAGE, newRun } from './engine-plan.js';
import { withInstructions } from './instructions.js';
import type { Memory, RunMemory } from './memory.js';
import { continuation, createMemory, remembered } from './memory.js';
import type { PrepareStepOptions } from './options.js';
import type { ProviderOptions } from './provider-options.js';
import { providerOptionsFor } from './provider-options.js';
import { activeSpan, record as recordIn } from './telemetry.js';
import type { Tokenizer } from './tokenizer.js';
import { checkTokenizer, engineTokenizer } from './tokenizer.js';

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
}

/** What the AI SDK passes to `prepareStep`, as far as stepfold reads it. */
export interface PrepareStepInput<Message = ModelMessage> {
  readonly messages: Message[];
  readonly steps: readonly StepView[];
  readonly stepNumber: number;
  readonly model: unknown;
  /** The system prompt (ai 7). */
  readonly instructions?: unknown;
  readonly experimental_steeringMessages?: readonly ModelMessage[] | undefined;
}

/**
 * Fits `prepareStep` of `generateText`, `streamText` and the agents of ai 5, 6 and 7: messages in, messages out. `WorkflowAgent`
 * passes the provider's prompt and gets one back; both have the same form wherever stepfold writes.
 */
export type PrepareStep = <Message extends { readonly role: string; readonly content: unknown } = ModelMessage>(
  input: PrepareStepInput<Message>,
) => Promise<{ messages?: Message[]; providerOptions?: ProviderOptions } | undefined>;

/**
 * Makes a `prepareStep` that keeps every run inside its context window.
 *
 * One `prepareStep` can serve many conversations at once; it tells their runs apart.
 *
 * @example
 * const result = streamText({ model, tools, messages, prepareStep: createPrepareStep({ trigger: 0.8 }) });
 *
 * @throws StepfoldError when an option is unknown, out of range or contradicts another.
 */
export function createPrepareStep(options: PrepareStepOptions = {}): PrepareStep {
  const own = ownOptions(options);
  checkOptions(own);
  const memory = createMemory();
  const settings = createSettings(own);
  return ((input: PrepareStepInput) => prepare({ input, options: own, memory, settings })) as PrepareStep;
}

/** `createPrepareStep()` with every default: limits from the model id, clearing and deterministic checkpoints. */
export const prepareStep: PrepareStep = async (input) => {
  try {
    shared ??= createPrepareStep();
  } catch {
    // The engine cannot be loaded here; inside a step nothing throws.
    return undefined;
  }
  return shared(input);
};
let shared: PrepareStep | undefined;

/** A copy, so that changing the object later changes nothing. */
export function ownOptions(options: PrepareStepOptions): PrepareStepOptions {
  const own: Record<string, unknown> = { ...options };
  for (const name of MUTABLE) {
    const value = own[name];
    if (Array.isArray(value)) own[name] = [...value];
    else if (typeof value === 'object' && value !== null) own[name] = { ...value };
  }
  return own as PrepareStepOptions;
}

/** Options whose values are plain objects or lists. */
const MUTABLE = ['trigger', 'target', 'summarizeAt', 'summarizeAhead', 'protectedTools', 'prices'] as const satisfies readonly (keyof PrepareStepOptions)[];

/** Lets the engine check options. */
export function checkOptions(options: { readonly tokenizer?: Tokenizer | undefined }): void {
  if (options?.tokenizer !== undefined) checkTokenizer(options.tokenizer);
  try {
    callEngine((engine) => engine.checkOptions(options));
  } catch (error) {
    if (error instanceof Error) throw error;
    throw new StepfoldError(error as { code: 'invalid-option' | 'unknown-option'; message: string });
  }
}

export function identify(model: unknown): ModelIdentity {
  const { modelId = model, provider = '' } = (typeof model === 'object' && model !== null ? model : {}) as Record<string, unknown>;
  return { modelId: text(modelId), provider: text(provider) };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const MODELS = 64;

/** The engine's numbers for each model, made once. */
export function createSettings(options: object): (model: ModelIdentity) => Float64Array {
  const known = new Map<string, Float64Array>();
  return ({ modelId, provider }) => {
    const key = `${provider} ${modelId}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MODELS) known.clear();
    const settings = callEngine((engine) => engine.settingsFor(options, modelId, provider));
    known.set(key, settings);
    return settings;
  };
}

/** What a step is made with. */
export interface Preparation {
  readonly input: PrepareStepInput;
  readonly options: PrepareStepOptions;
  readonly memory: Memory;
  readonly settings: (model: ModelIdentity) => Float64Array;
  /** The session that the step belongs to. */
  readonly conversation?: Conversation;
  /** Wraps what takes time, so that a session can say what it is doing. */
  readonly during?: During;
}

/** What a step is to be made with; undefined when nothing differs from what the SDK would do. */
type Prepared = { messages?: ModelMessage[]; providerOptions?: ProviderOptions } | undefined;

/** One step. Never throws. */
export async function prepare({
  input,
  options,
  memory,
  settings,
  conversation,
  during = (_what, work) => work(),
}: Preparation): Promise<Prepared> {
  const tell = createTell(options.onEvent, input?.stepNumber);
  try {
    const { messages, steps } = input;
    const own = memory.find(steps);
    const owner = memory.owner(steps);
    if (own === undefined && conversation !== undefined) await during('loading', () => conversation.begin(owner, tell));
    const reported = conversation?.reported ?? NO_USAGE;
    // What a session put in may stand in a new request's messages already, as an object of the app's.
    const earlier = own === undefined && conversation?.hasDelivered !== true ? memory.earlier(messages) : undefined;
    const { record: base, moved } = conversation?.base(owner, own?.record) ?? { record: (own ?? earlier)?.record, moved: false };
    const run = own ?? (earlier?.record === base ? earlier : undefined);
    const known = continuation(messages, run);
    const { history, waiting } = conversation?.complete(known, base?.state) ?? { history: known.history, waiting: 0 };
    const works = conversation?.ahead ?? memory.ahead;
    // A run's first step looks whether one of an earlier request is about this conversation.
    const ahead = works.of(own === undefined ? undefined : owner);
    // What was decided outside of the run is not in what it sent last: everything is planned anew. So it is when a summary
    // that was asked ahead of time is there, or may be this run's.
    const replans = moved || ahead.some(({ text: there }) => own === undefined || there !== undefined);
    const freshFrom = replans ? undefined : known.freshFrom;
    const model = identify(input.model);
    const numbers = base === undefined ? newRun() : base.numbers.slice();
    const request: PlanRequest = {
      settings: withInstructions(settings(model), own === undefined ? input.instructions : undefined, options.tokenizer),
      numbers,
      usage: own === undefined ? reported : moved ? NO_USAGE : usageOf(steps.at(-1)),
      history,
      freshFrom,
      keepFrom: steeringStart(known.history, input.experimental_steeringMessages) + history.length - waiting - known.history.length,
      modelId: model.modelId,
      previousModelId: base?.modelId || undefined,
      wantsEvents: options.onEvent !== undefined || activeSpan() !== undefined,
      recalls: conversation?.archive.isUsed,
      starts: own === undefined,
      begins: run !== own && conversation === undefined,
      options,
      state: base?.state,
      candidates: base === undefined && conversation === undefined ? memory.recent() : [],
      ahead,
      summary: undefined,
      rungs: 'all',
    };
    const answer = await answerOf(request, { options, tell, during, works, owner, afterAhead: async () => conversation?.save(tell) });
    tellOfTokenizer(options, tell);
    // An aborted step goes on with what was decided before, and changes nothing.
    if (answer !== undefined && 'aborted' in answer) {
      const before = freshFrom === undefined ? applyEdits(history, answer.aborted) : extended(run, history, freshFrom);
      return send(messages, before.slice(0, before.length - waiting), base?.state === undefined ? undefined : providerOptionsFor(input.model, model));
    }
    answer?.events.forEach(tell);
    // Without `tokens` the engine only looked: everything decided before still holds.
    const held = answer?.tokens === undefined;
    const sent = held ? extended(run, history, freshFrom) : answer.edits.length === 0 ? history : applyEdits(history, answer.edits);
    const record = { modelId: model.modelId, numbers, state: held ? base?.state : answer.state };
    memory.keep(steps, remembered({ history, given: messages, sent, record }, freshFrom === undefined ? undefined : run));
    conversation?.archive.see(owner, history);
    conversation?.learnt(reported);
    if (conversation !== undefined && answer !== undefined) await during('saving', () => conversation.archive.keep(history, answer.edits, tell));
    if (conversation !== undefined) await during('saving', () => conversation.commit({ owner, base, record, model, history, waiting, tell }));
    return send(messages, sent, record.state === undefined ? undefined : providerOptionsFor(input.model, model));
  } catch (cause) {
    const code = StepfoldError.isInstance(cause) ? cause.code : 'unexpected';
    tell({ type: 'error', code, message: messageOf(cause) });
    return undefined;
  }
}

/** Options whose tokenizer was told to have failed: once is enough. */
const told = new WeakSet<PrepareStepOptions>();

function tellOfTokenizer(options: PrepareStepOptions, tell: (event: EngineEvent) => void): void {
  const failure = options.tokenizer === undefined ? undefined : engineTokenizer(options.tokenizer).failure;
  if (failure === undefined || told.has(options)) return;
  told.add(options);
  tell({ type: 'error', code: 'tokenizer-failed', message: failure });
}

/** A listener must not end the run, whether it throws or returns a promise that rejects. */
export function createTell(onEvent: PrepareStepOptions['onEvent'], stepNumber: number): (event: EngineEvent) => void {
  const span = activeSpan();
  return (event) => {
    if (span !== undefined) recordIn(span, event);
    try {
      const returned: unknown = onEvent?.({ ...event, stepNumber });
      if (returned instanceof Promise) returned.catch(() => undefined);
    } catch {
      // Told is told.
    }
  };
}

/** What was sent before, with the additions. */
function extended(run: RunMemory | undefined, history: readonly ModelMessage[], freshFrom: number | undefined): readonly ModelMessage[] {
  if (run === undefined || freshFrom === undefined || run.sent === run.history) return history;
  return [...run.sent, ...history.slice(freshFrom)];
}

/** No messages when the list is what would be sent: on ai 7 it then stays in force by itself. */
function send(messages: ModelMessage[], sent: readonly ModelMessage[], providerOptions: ProviderOptions | undefined): Prepared {
  const same = messages.length === sent.length && messages.every((message, index) => message === sent[index]);
  if (same && providerOptions === undefined) return undefined;
  return { ...(same ? {} : { messages: [...sent] }), ...(providerOptions === undefined ? {} : { providerOptions }) };
}

/** Steering messages of ai 7 stand at the end and must be sent as they are. */
function steeringStart(history: readonly ModelMessage[], steering: readonly ModelMessage[] | undefined): number {
  if (steering === undefined || steering.length === 0) return history.length;
  const found = history.findIndex((message) => steering.includes(message));
  return found === -1 ? Math.max(0, history.length - steering.length) : found;
}

/** Usage as the SDK reports it, in a step or alone: names differ between majors and providers, missing numbers are not numbers. None where it cannot be read. */
export function usageOf(given: StepView | StepView['usage'] | undefined): readonly number[] {
  try {
    const step = given as Partial<StepView> | undefined;
    return readUsage(typeof step?.usage === 'object' ? step : { usage: given as StepView['usage'] });
  } catch {
    // A getter threw.
    return NO_USAGE;
  }
}

function readUsage({ usage, providerMetadata }: Partial<StepView>): readonly number[] {
  const details = usage?.inputTokenDetails;
  const { anthropic, bedrock, google, vertex, googleVertex } = (providerMetadata ?? {}) as Record<string, ProviderNumbers>;
  const gemini = google ?? googleVertex ?? vertex;
  return [
    usage?.inputTokens,
    details?.cacheReadTokens ?? usage?.cachedInputTokens,
    details?.cacheWriteTokens ?? anthropic?.cacheCreationInputTokens ?? bedrock?.usage?.cacheWriteInputTokens,
    details?.noCacheTokens ?? details?.cacheWriteTokens,
    gemini?.initialPromptTokenCount ?? gemini?.usageMetadata?.promptTokenCount,
    ...appliedEdits(anthropic?.contextManagement?.appliedEdits),
  ].map((value) => (typeof value === 'number' ? value : Number.NaN));
}

/** What Anthropic edited in the prompt by itself: how many edits, how many of them of thinking alone, how many tokens they took away. */
function appliedEdits(edits: unknown): readonly unknown[] {
  if (!Array.isArray(edits)) return NO_EDITS;
  const list = edits as readonly ({ readonly type?: unknown; readonly clearedInputTokens?: unknown } | null | undefined)[];
  const ofThinking = list.filter((edit) => typeof edit?.type === 'string' && edit.type.startsWith('clear_thinking'));
  return [list.length, ofThinking.length, list.reduce((sum, edit) => sum + (typeof edit?.clearedInputTokens === 'number' ? edit.clearedInputTokens : 0), 0)];
}

const NO_EDITS = [undefined, undefined, undefined];

/** What providers say of the prompt in their metadata. Comes from outside: nothing about it is certain. */
type ProviderNumbers =
  | {
      readonly cacheCreationInputTokens?: unknown;
      readonly contextManagement?: { readonly appliedEdits?: unknown } | null;
      readonly usage?: { readonly cacheWriteInputTokens?: unknown } | null;
      readonly initialPromptTokenCount?: unknown;
      readonly usageMetadata?: { readonly promptTokenCount?: unknown } | null;
    }
  | null
  | undefined;
