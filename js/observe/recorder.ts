// Records steps as they are made: for `session.history()`, for `onRecord` and for `debug`, which all show the same edits (history.ts).
// Changes nothing, and nothing that goes wrong here reaches a run.

import { leave } from '../bridge/thenable.js';
import { debugLines } from './debug.js';
import type { EngineEvent, EventSource, StepfoldEvent } from './events.js';
import type { Made, RecordedEdit, RecordedStep } from './history.js';
import { editsOf } from './history.js';
import type { PrepareStepOptions } from '../options.js';
import { tokenBreakdown } from '../count/tokens.js';

/** Edits that a session keeps, and the characters of their texts. The oldest go first. */
const MOST_EDITS = 300;
const MOST_CHARACTERS = 1_000_000;

/** A step that is being recorded. */
export interface StepRecord {
  readonly emit: (event: EngineEvent) => void;
  /** Ends the record; without `made` the step failed or was aborted. Never throws. */
  readonly end: (made: Made | undefined) => void;
}

/** Records steps: of one session, or of all runs of a `prepareStep`. */
export class Recorder {
  /** All events are wanted, not only those of edits. */
  readonly wantsEvents: boolean;
  readonly #options: Pick<PrepareStepOptions, 'onRecord' | 'debug'>;
  #edits: RecordedEdit[] = [];
  #characters = 0;
  readonly #runs = new WeakMap<object, { readonly run: number; messages: number }>();
  #count = 0;

  constructor(options: Pick<PrepareStepOptions, 'onRecord' | 'debug'>) {
    this.#options = options;
    this.wantsEvents = options.onRecord !== undefined || options.debug === true;
  }

  /** Edits so far, oldest first. */
  get edits(): readonly RecordedEdit[] {
    return this.#edits;
  }

  /** Begins the record of a step; `emit` passes its events on. */
  begin(source: EventSource, emit: (event: EngineEvent) => void): StepRecord {
    const events: StepfoldEvent[] = [];
    return {
      emit: (event) => {
        events.push({ ...event, ...source });
        emit(event);
      },
      end: (made) => {
        try {
          this.#end(source, events, made);
        } catch {
          // A record must not end the run, nor what writes it.
        }
      },
    };
  }

  #end(source: EventSource, events: readonly StepfoldEvent[], made: Made | undefined): void {
    const { stepNumber } = source;
    const edits = made === undefined ? [] : editsOf(stepNumber, made);
    this.#keep(edits);
    if (this.#options.debug === true) for (const line of debugLines(source, events, edits)) console.log(line);
    if (this.#options.onRecord === undefined || (made === undefined && events.length === 0)) return;
    const { owner = this, modelId = '', history = [] } = made ?? {};
    const seen = this.#runs.get(owner) ?? { run: (this.#count += 1), messages: made?.answer.knownMessages ?? 0 };
    const fresh = history.slice(seen.messages);
    this.#runs.set(owner, { run: seen.run, messages: Math.max(seen.messages, history.length) });
    const { tools } = fresh.length === 0 ? { tools: {} } : tokenBreakdown(fresh, { model: modelId });
    const step: RecordedStep = { stepfold: 1, run: seen.run, stepNumber, modelId, messages: history.length, tools, events, edits };
    leave(this.#options.onRecord(JSON.stringify(step)));
  }

  #keep(edits: readonly RecordedEdit[]): void {
    if (edits.length === 0) return;
    const size = ({ before, after }: RecordedEdit): number => before.length + after.length;
    this.#edits = [...this.#edits, ...edits];
    for (const edit of edits) this.#characters += size(edit);
    let gone = 0;
    while (gone < this.#edits.length - 1 && (this.#edits.length - gone > MOST_EDITS || this.#characters > MOST_CHARACTERS)) {
      this.#characters -= size(this.#edits[gone]!);
      gone += 1;
    }
    if (gone > 0) this.#edits.splice(0, gone);
  }
}
