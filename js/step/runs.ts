// What a `prepareStep` remembers of its runs: for each run the history and what was sent; across runs a bounded cache of states.
// Runs are distinguished by their `steps` array, one object per run in ai 5, 6 and 7, so conversations at once do not mix. A new run that
// is given the messages of an earlier one goes on from it.

import type { ModelMessage } from 'ai';
import { originalMessages } from './apply-edits.js';
import type { RunState } from '../bridge/boundary.js';
import type { StepOfRun } from './plan.js';
import { contentLength } from '../bridge/messages.js';
import type { LearntTraits } from '../model/model-traits.js';
import { createLearntTraits } from '../model/model-traits.js';
import { AgentCalls } from '../summarize/agent-calls.js';
import { AheadSummaries } from '../summarize/summarizer.js';

/** What is remembered of a run after a step. Kept when the step is done, so an aborted step changes nothing. */
export interface RunMemory {
  /** The history, without any edit of ours. */
  readonly history: readonly ModelMessage[];
  /** What `prepareStep` was given: the history without what a session inserted. */
  readonly given: readonly ModelMessage[];
  /** Contents of the history when it was measured, to notice replacements. */
  readonly contents: Contents;
  /** What was sent, without a mark for the provider's cache. */
  readonly sent: readonly ModelMessage[];
  /** The same as `prepareStep` returned it: what ai 7 goes on from. */
  readonly returned: readonly ModelMessage[];
  /** What the engine remembers. */
  readonly state: RunState;
  /** How its last step was made. */
  readonly step: StepOfRun;
  /** Once the step is answered, it is to show how many cache marks it has room for. */
  readonly awaitsSlots: boolean;
  /** What was sent in the end is what a model of `model(…)` made of it after a refusal: the next step plans it anew. */
  readonly isRecovered?: boolean;
}

/** A run that has sent something and waits for an answer. */
export interface SentRun {
  readonly memory: RunMemory;
  /** Identifies the run. */
  readonly owner: object;
  /** Puts what is to be remembered of the run in place of what is. */
  readonly replace: (memory: RunMemory) => void;
}

/** Contents of messages and their lengths, in order. Grows with the run: a step adds only what is new. */
interface Contents {
  readonly values: unknown[];
  readonly lengths: number[];
}

/** The steps of a run, as the SDK hands them over: one object for the whole run. */
type Steps = readonly unknown[];

/** Runs and their recent past. */
export interface Memory {
  /** The run that this `steps` array belongs to. */
  find(steps: object): RunMemory | undefined;
  /** An object that identifies a run: its `steps` array would keep the results of all its steps. */
  owner(steps: object): object;
  /** Another run, not gone on from yet, that this list continues: the same objects, and more after them. */
  earlier(messages: readonly ModelMessage[]): RunMemory | undefined;
  keep(steps: Steps, memory: RunMemory): void;
  /** States of recent runs, newest first. */
  recent(): readonly RunState[];
  /** Recent runs that are still remembered, newest first. */
  runs(): readonly RunMemory[];
  /** Recent runs whose last step is not answered, oldest first: of runs with the same messages, the first to send is the first to be answered. */
  unanswered(): readonly SentRun[];
  /** Summaries requested ahead of time. */
  readonly ahead: AheadSummaries;
  /** The newest calls of models of `model(…)`. */
  readonly calls: AgentCalls;
  /** What runs have learnt of models, for the others. */
  readonly traits: LearntTraits;
}

const RECENT_RUNS = 32;
const RECENT_BYTES = 2_000_000;

/** What a new request finds of a run by its messages: nothing once it is no longer a recent one, or another run went on from it. */
interface Trace {
  memory: RunMemory | undefined;
  /** Not the array itself, which would keep the results of all its steps. */
  readonly steps: WeakRef<Steps> | undefined;
}

/** Among the recent runs a run is identified by this, which does not keep its messages. */
interface Key {
  deref?(): Trace | undefined;
}

/** Some edge platforms have no weak references; there a new request is always recognized by what its messages say. */
const keyOf = (trace: Trace): Key => (typeof WeakRef === 'function' ? new WeakRef(trace) : {});

/** `isOfOne`: all runs are of one conversation. */
export function createMemory({ isOfOne }: { readonly isOfOne: boolean } = { isOfOne: false }): Memory {
  const owners = new WeakMap<object, object>();
  const runs = new WeakMap<object, { memory: RunMemory; readonly trace: Trace; readonly key: Key }>();
  // By the last message a run was given, so that it is forgotten with the conversation.
  const traces = new WeakMap<object, Trace>();
  // A Map keeps insertion order; the oldest come first.
  const recent = new Map<Key, RunState>();
  let bytes = 0;
  const forget = (key: Key): void => {
    bytes -= recent.get(key)?.length ?? 0;
    recent.delete(key);
  };
  const ownerOf = (steps: object): object => {
    let owner = owners.get(steps);
    if (owner === undefined) owners.set(steps, (owner = {}));
    return owner;
  };
  return {
    find: (steps) => runs.get(steps)?.memory,
    owner: ownerOf,
    earlier(messages) {
      let last = messages.length - 1;
      while (last >= 0 && !traces.has(messages[last]!)) last -= 1;
      const trace = traces.get(messages[last]!);
      const memory = trace?.memory;
      if (memory === undefined || continuation(messages, memory).freshFrom === undefined) return undefined;
      trace!.memory = undefined;
      const { values, lengths } = memory.contents;
      return { ...memory, contents: { values: [...values], lengths: [...lengths] } };
    },
    keep(steps, memory) {
      let run = runs.get(steps);
      if (run === undefined) {
        const trace: Trace = { memory, steps: typeof WeakRef === 'function' ? new WeakRef(steps) : undefined };
        run = { memory, trace, key: keyOf(trace) };
        runs.set(steps, run);
      }
      const newest: unknown = memory.given.at(-1);
      if (run.key.deref !== undefined && typeof newest === 'object' && newest !== null) {
        traces.delete(run.memory.given.at(-1) as object);
        traces.set(newest, run.trace);
      }
      run.memory = memory;
      run.trace.memory = memory;
      forget(run.key);
      recent.set(run.key, memory.state);
      bytes += memory.state.length;
      for (const key of recent.keys()) {
        if (recent.size <= RECENT_RUNS && bytes <= RECENT_BYTES) break;
        const trace = key.deref?.();
        if (trace !== undefined) trace.memory = undefined;
        forget(key);
      }
    },
    recent: () => [...recent.values()].reverse(),
    runs: () => [...recent.keys()].reverse().flatMap((key) => key.deref?.()?.memory ?? []),
    unanswered: () =>
      [...recent.keys()].flatMap((key) => {
        const trace = key.deref?.();
        const steps = trace?.steps?.deref();
        const run = steps === undefined ? undefined : runs.get(steps);
        // The SDK adds a step to its list when that is answered.
        if (trace?.memory === undefined || run === undefined || steps!.length !== trace.memory.step.stepNumber) return [];
        const replace = (memory: RunMemory): void => {
          run.memory = trace.memory = memory;
        };
        return [{ memory: trace.memory, owner: ownerOf(steps!), replace }];
      }),
    ahead: new AheadSummaries({ isOfOne: false }),
    calls: new AgentCalls({ isOfOne }),
    traits: createLearntTraits(),
  };
}

/** How a list relates to what a run remembers. */
export interface Continuation {
  /** The history behind the list. */
  readonly history: readonly ModelMessage[];
  /** Index of the first message that the run has not seen, or undefined when the list does not continue the run. */
  readonly freshFrom: number | undefined;
}

/** Recognises a list by object identity: the raw history (ai 5 and 6) or what was sent before (ai 7), with additions. */
export function continuation(messages: readonly ModelMessage[], memory: RunMemory | undefined): Continuation {
  if (memory !== undefined && isUnchanged(memory)) {
    const { history, given, sent, returned } = memory;
    const continued = (start: readonly ModelMessage[]): Continuation => ({
      history: start === history ? messages : [...history, ...messages.slice(start.length)],
      freshFrom: history.length,
    });
    if (startsWith(messages, returned)) return continued(returned);
    if (startsWith(messages, sent)) return continued(sent);
    if (startsWith(messages, history)) return continued(history);
    if (startsWith(messages, given)) return continued(given);
  }
  return { history: originalMessages(messages, memory?.returned ?? []), freshFrom: undefined };
}

/** What to remember of a history; `before` is the run it continues, if it does. */
export function remembered(
  { history, given, sent, returned, state, step, awaitsSlots }: Omit<RunMemory, 'contents'>,
  before: RunMemory | undefined,
): RunMemory {
  const contents = before?.contents ?? { values: [], lengths: [] };
  for (let index = contents.values.length; index < history.length; index += 1) {
    contents.values.push(history[index]?.content);
    contents.lengths.push(contentLength(history[index]!));
  }
  // Copies: an app may go on writing into the array it gave, and take messages out of it again.
  const own = [...history];
  return { history: own, given: given === history ? own : [...given], contents, sent: sent === history ? own : sent, returned: returned === history ? own : returned, state, step, awaitsSlots };
}

function isUnchanged({ history, contents: { values, lengths } }: RunMemory): boolean {
  for (let index = 0; index < history.length; index += 1) {
    const message = history[index]!;
    if (message?.content !== values[index] || contentLength(message) !== lengths[index]) return false;
  }
  return true;
}

function startsWith(list: readonly unknown[], start: readonly unknown[]): boolean {
  if (list.length < start.length) return false;
  for (let index = 0; index < start.length; index += 1) if (list[index] !== start[index]) return false;
  return true;
}
