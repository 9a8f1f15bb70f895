// The newest calls that agents have made through `model(…)`, whole: with `summarize: 'agent'` a summary is requested with the same one and an
// instruction behind it. Keeps and finds; which call a history belongs to is for the engine to say.

import type { ModelMessage } from 'ai';
import type { SummaryTokens } from '../bridge/boundary.js';
import { askEngine } from '../bridge/engine.js';
import { entriesOf, measure, withoutInstructions } from '../bridge/messages.js';
import type { SummarizerModel } from './summarizer-model.js';

/** The options of a call, as far as they are read; all others are handed on as they are. */
export interface CallOptions {
  readonly prompt: readonly ModelMessage[];
  readonly tools?: readonly { readonly type?: string; readonly id?: string }[] | undefined;
  readonly toolChoice?: { readonly type?: string } | undefined;
  readonly responseFormat?: { readonly type?: string } | undefined;
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> | undefined;
}

/** A call that was answered. */
export interface AgentCall {
  readonly model: SummarizerModel;
  readonly call: CallOptions;
}

/** The agent whose conversation is summarized. */
export interface Agent {
  /** Its last call, where that is known. */
  readonly lastCall: () => AgentCall | undefined;
  /** Its model, as far as the step knows it. */
  readonly model: unknown;
  /** Takes in what a summary cost. */
  readonly spend: (tokens: SummaryTokens) => void;
}

/** A run that may have made a call: one that has sent something and waits for an answer. */
interface AskingRun {
  readonly owner: object;
  readonly memory: { readonly step: { readonly stepNumber: number }; readonly history: readonly ModelMessage[] };
}

/** The calls made while a step of a run was not answered: its own, and those of runs beside it. */
interface Calls {
  readonly stepNumber: number;
  readonly made: AgentCall[];
}

/** Calls kept for one step. */
const MOST_CALLS = 16;

export class AgentCalls {
  readonly #calls = new WeakMap<object, Calls>();
  /** The run that made the newest call, where all runs are of one conversation: what it was sent last is the agent's last request for the next run, too. */
  #newest: object | undefined;
  readonly #isOfOne: boolean;

  constructor({ isOfOne }: { readonly isOfOne: boolean }) {
    this.#isOfOne = isOfOne;
  }

  /** Keeps a call for all runs that may have made it: those that wait for an answer. */
  note(call: AgentCall, runs: readonly AskingRun[]): void {
    for (const { owner, memory: { step: { stepNumber } } } of runs) {
      const known = this.#calls.get(owner);
      const calls = known?.stepNumber === stepNumber ? known : { stepNumber, made: [] };
      if (calls.made.length < MOST_CALLS) calls.made.push(call);
      this.#calls.set(owner, calls);
      if (this.#isOfOne) this.#newest = owner;
    }
  }

  /** The last call about a history, of its run or the run before; `others` are runs that may have made it as well. */
  find(owner: object | undefined, history: readonly ModelMessage[], others: readonly AskingRun[]): AgentCall | undefined {
    const of = (run: object | undefined): Calls | undefined => (run === undefined ? undefined : this.#calls.get(run));
    const made = [...((of(owner) ?? of(this.#newest))?.made ?? [])].reverse();
    if (made.length === 0) return undefined;
    const histories = [history, ...others.filter((run) => run.owner !== owner).map(({ memory }) => memory.history)].map((messages) => entriesOf(messages));
    return made.find(({ call: { prompt } }) => askEngine('findRun', { prompt: measure(withoutInstructions(prompt)), histories }) === 0);
  }
}
