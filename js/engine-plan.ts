// One call of the engine's planner, with what it may ask for. Carries values across; reads nothing into them.

import type { ModelMessage } from 'ai';
import type { AheadWork } from './ahead.js';
import type { Edit } from './apply-edits.js';
import { callEngine } from './core.js';
import type { Counting } from './entries.js';
import { countingOf } from './entries.js';
import type { StepfoldEvent } from './events.js';
import type { EngineState, RunRecord } from './memory.js';
import { Scan } from './scan.js';
import type { Tokenizer } from './tokenizer.js';

/** An event before its step number is known. */
type WithoutStep<Event> = Event extends unknown ? Omit<Event, 'stepNumber'> : never;
export type EngineEvent = WithoutStep<StepfoldEvent>;

/** Tokens of the whole prompt, as the provider likely counts. */
export interface PlanTokens {
  readonly unedited: number;
  readonly before: number;
  readonly after: number;
  readonly limit: number;
  readonly trigger: number;
  readonly target: number;
}

/** A model as the engine is told of it. */
export interface ModelIdentity {
  readonly modelId: string;
  readonly provider: string;
}

export interface PlanAnswer {
  readonly events: readonly EngineEvent[];
  readonly edits: readonly Edit[];
  readonly state?: EngineState;
  readonly summaryRequest?: {
    readonly prompt: string;
    readonly instruction: string;
    readonly previousSummary: string | null;
    readonly maxOutputTokens: number;
    readonly start: number;
    readonly end: number;
    /** Asked ahead of time: the name of the span. The rest of the answer is carried out without it. */
    readonly ahead: string | null;
  };
  /** Which of the summaries asked ahead of time is of this conversation. `isDue`: wait for it and plan again. */
  readonly ahead?: { readonly index: number; readonly isPending: boolean; readonly isDue: boolean };
  readonly tokens?: PlanTokens;
  /** A checkpoint was made. */
  readonly folds?: boolean;
  /** What becomes of each message, as a table. */
  readonly preview?: string;
}

export interface PlanRequest {
  readonly settings: Float64Array;
  /** Brought up to date by the call. */
  readonly numbers: number[];
  /** The numbers of `usageOf` for the step before; empty when there is none. */
  readonly usage: readonly number[];
  readonly history: readonly ModelMessage[];
  /** Index of the first message not planned on before; undefined when the history does not continue the run. */
  readonly freshFrom: number | undefined;
  /** Index from which on nothing may be folded: steering messages of this step. */
  readonly keepFrom: number;
  readonly modelId: string;
  /** The model of the step before; null when it was another one and the change is made. */
  readonly previousModelId: string | null | undefined;
  readonly wantsEvents: boolean;
  /** Results can be recalled by an id. */
  readonly recalls?: boolean | undefined;
  /** The first step of a run. */
  readonly starts?: boolean | undefined;
  /** A new request, without a session: everything else is what an earlier one left. */
  readonly begins?: boolean | undefined;
  readonly options: { readonly tokenizer?: Tokenizer | undefined };
  readonly state: EngineState | undefined;
  readonly candidates: readonly RunRecord[];
  /** Summaries asked ahead of time, for this conversation or others. */
  readonly ahead?: readonly AheadWork[];
  /** The summarizer's answer: undefined before it was asked, null when there is none. */
  readonly summary: string | null | undefined;
  readonly rungs: 'all' | 'preview' | 'clear' | 'checkpoint' | 'compact';
  /** What the app says of its own state, as JSON; null when it could not be had, undefined before it was asked. */
  readonly working?: string | null | undefined;
  /** What the summary is to look at this time. */
  readonly focus?: string | undefined;
}

/** Numbers of a run before its first step. Lists, not typed arrays: one is made at every step, which takes a list far less time. */
export const newRun = (): number[] => new Array<number>(27).fill(0);
export const NO_USAGE: readonly number[] = [];

/** What the engine is handed, and hands back brought up to date. */
const carried = new Float64Array(27);

/** Calls the engine with the numbers of a run, which it brings up to date. */
export function withNumbers<Result>(numbers: number[], call: (carried: Float64Array) => Result): Result {
  carried.set(numbers);
  const result = call(carried);
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = carried[index]!;
  return result;
}

/** Plans a step. Undefined when there is nothing to do and nobody to tell. */
export function plan(request: PlanRequest): PlanAnswer | undefined {
  const { settings, numbers, usage, history, freshFrom = 0 } = request;
  const counting = countingOf(settings, request.options.tokenizer);
  const source = new PlanSource(request, counting);
  const fresh = new Scan(freshFrom === 0 ? history : history.slice(freshFrom), { counting, reuse: true });
  const json = withNumbers(numbers, (run) => callEngine((engine) => engine.plan(settings, run, usage as never, fresh as never, source as never)));
  return json === undefined ? undefined : { ...(JSON.parse(json) as PlanAnswer), state: source.nextState };
}

/** What the engine may ask for while it plans. A class, because one is made at every step, and almost none is asked for anything. */
class PlanSource {
  readonly extends: boolean;
  readonly sameModel: boolean;
  readonly wantsEvents: boolean;
  readonly starts: boolean;
  readonly begins: boolean;
  nextState: Uint8Array | undefined;
  readonly #request: PlanRequest;
  readonly #counting: Counting;

  constructor(request: PlanRequest, counting: Counting) {
    const { freshFrom, modelId, previousModelId, wantsEvents, starts = false, begins = false } = request;
    this.extends = freshFrom !== undefined;
    this.sameModel = previousModelId === undefined || previousModelId === modelId;
    this.wantsEvents = wantsEvents;
    this.starts = starts;
    this.begins = begins;
    this.#request = request;
    this.#counting = counting;
  }

  get modelId(): string {
    return this.#request.modelId;
  }

  get previousModelId(): string | undefined {
    return this.#request.previousModelId ?? undefined;
  }

  get options(): object {
    return this.#request.options;
  }

  get summary(): string | null | undefined {
    return this.#request.summary;
  }

  get rungs(): string {
    return this.#request.rungs;
  }

  get keepFrom(): number {
    return this.#request.keepFrom;
  }

  get recalls(): boolean {
    return this.#request.recalls ?? false;
  }

  get focus(): string | undefined {
    return this.#request.focus;
  }

  get working(): string | undefined {
    return this.#request.working ?? undefined;
  }

  entries(): Scan {
    return new Scan(this.#request.history, { counting: this.#counting, reuse: true });
  }

  messages(indices: Uint32Array, textOnly: boolean): Scan {
    return new Scan(Array.from(indices, (index) => this.#request.history[index]!), { textOnly });
  }

  state(): EngineState | undefined {
    return this.#request.state;
  }

  keepState(state: Uint8Array): void {
    this.nextState = state;
  }

  ahead(): unknown {
    return (this.#request.ahead ?? []).map(({ key, text }) => [key, text]);
  }

  candidates(): unknown {
    return this.#request.candidates.map((record) => [record.modelId, record.numbers, record.state]);
  }
}
