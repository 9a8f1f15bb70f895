// What a session remembers beyond one run: the newest record, messages the user put in, and where all that is kept.
// Carries values between runs, store and engine; whether a decision still holds is for the engine to say.

import type { ModelMessage } from 'ai';
import { AheadWorks } from './ahead.js';
import { applyEdits, isCheckpoint } from './apply-edits.js';
import type { Edit } from './apply-edits.js';
import { callEngine } from './core.js';
import type { EngineEvent, ModelIdentity } from './engine-plan.js';
import { NO_USAGE, newRun } from './engine-plan.js';
import type { Envelope, Inserted } from './envelope.js';
import { bytesAsBase64, parts, readEnvelope } from './envelope.js';
import { messageOf } from './errors.js';
import type { Continuation, EngineState, RunRecord } from './memory.js';
import { Archive } from './recall.js';
import { Scan } from './scan.js';
import type { SessionStore } from './store.js';
import { load, save } from './store.js';

type Tell = (event: EngineEvent) => void;

/** What a step of a session goes on from. */
export interface Base {
  readonly record: RunRecord | undefined;
  /** Something outside the run changed it since the run's last step. */
  readonly moved: boolean;
}

/** What a step has made. */
export interface Commit {
  /** What stands for the run. */
  readonly owner: object;
  readonly base: RunRecord | undefined;
  readonly record: RunRecord;
  readonly model: ModelIdentity;
  readonly history: readonly ModelMessage[];
  /** How many messages of the queue stand at the end of the history. */
  readonly waiting: number;
  readonly tell: Tell;
}

/** A change made from outside of runs. */
const OUTSIDE = {};
/** Changes that are looked back on; a run that slept through more goes on by itself. */
const CHANGES = 64;
/** Characters of messages, as JSON, that were put in and must be put in again. */
const INSERTED_CHARACTERS = 32_000;

export class Conversation {
  /** What results can be recalled from. */
  readonly archive: Archive;
  readonly #id: string | undefined;
  readonly #store: SessionStore | undefined;
  readonly #fromTail: boolean;
  #record: RunRecord | undefined;
  /** Usage of the step that the record was made for, until a step learns from it. */
  #reported: readonly number[] = NO_USAGE;
  #inserted: readonly Inserted[] = [];
  #queue: readonly ModelMessage[] = [];
  /** Messages put in here that the store does not hold yet, waiting or delivered. */
  #unsaved: readonly ModelMessage[] = [];
  /** The text that the store holds as far as is known. */
  #stored: string | undefined;
  /** Counts accepted changes; who made each of the last ones. */
  #version = 0;
  readonly #changes: object[] = [];
  readonly #seen = new WeakMap<object, number>();
  #newest: object = OUTSIDE;
  #last: { readonly history: readonly ModelMessage[]; readonly model: ModelIdentity } | undefined;
  /** Summaries asked ahead of time. */
  readonly ahead = new AheadWorks({ isOfOne: true });
  /** Told at the next step: a state can be refused before there is anybody to tell. */
  #refused: string | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor({ id, store, state, resume }: { id: string | undefined; store: SessionStore | undefined; state: unknown; resume: 'all' | 'tail' | undefined }) {
    this.#id = id;
    this.#store = store;
    this.#fromTail = resume === 'tail';
    this.archive = new Archive({ id, store, fromTail: this.#fromTail });
    if (state !== undefined) this.#take(state);
  }

  get record(): RunRecord | undefined {
    return this.#record;
  }

  /** The history of the newest step and its model. */
  get last(): { readonly history: readonly ModelMessage[]; readonly model: ModelIdentity } | undefined {
    return this.#last;
  }

  /** Messages that wait for the next step. */
  get queue(): readonly ModelMessage[] {
    return this.#queue;
  }

  /** Messages that were put into the history, oldest first. */
  get delivered(): readonly ModelMessage[] {
    return this.#inserted.map(({ message }) => message);
  }

  /** The app tells the usage of the last step. */
  report(usage: readonly number[]): void {
    this.#reported = usage;
  }

  /** What was told and no step has learnt from. */
  get reported(): readonly number[] {
    return this.#reported;
  }

  /** A step has learnt from this, unless something newer was told since. */
  learnt(usage: readonly number[]): void {
    if (this.#reported === usage) this.#reported = NO_USAGE;
  }

  get hasDelivered(): boolean {
    return this.#inserted.length > 0;
  }

  /** Everything as text. */
  text(): string {
    const { fold, numbers, model } = parts(this.#record);
    const ahead = this.ahead.stored();
    const envelope: Envelope = {
      version: 1,
      ...(fold === undefined ? {} : { fold }),
      ...(numbers === undefined ? {} : { numbers, model }),
      ...(this.#reported.length === 0 ? {} : { reported: this.#reported }),
      ...(this.#inserted.length === 0 ? {} : { inserted: this.#inserted }),
      ...(this.#queue.length === 0 ? {} : { queue: this.#queue }),
      ...(ahead.length === 0 ? {} : { ahead }),
      ...(this.archive.pages.length === 0 ? {} : { pages: this.archive.pages }),
    };
    return JSON.stringify(envelope, bytesAsBase64);
  }

  /** Before a run's first step. */
  async begin(owner: object, tell: Tell): Promise<void> {
    await this.refresh(tell);
    this.#seen.set(owner, this.#version);
    this.#newest = owner;
  }

  /** Looks for what the store holds, unless that is known. */
  async open(tell: Tell): Promise<void> {
    if (this.#stored === undefined) await this.refresh(tell);
  }

  /** Looks whether another process has gone on with this session. */
  async refresh(tell: Tell): Promise<void> {
    if (this.#store !== undefined && this.#id !== undefined) {
      await this.#saving;
      const outcome = await load(this.#store, this.#id, this.#stored);
      if (!outcome.done) tell({ type: 'store-failed', operation: 'load', reason: outcome.reason, message: outcome.message });
      else if (outcome.text !== this.#stored) {
        this.#stored = outcome.text;
        // A store that has forgotten the session is told of it again.
        if (outcome.text !== undefined) {
          this.#take(outcome.text);
          this.#change(OUTSIDE);
        }
      }
    }
    if (this.#refused !== undefined) tell({ type: 'state-rejected', reason: this.#refused });
    this.#refused = undefined;
  }

  /** What a step goes on from: the run's own record, or the session's where that was changed from outside. */
  base(owner: object, own: RunRecord | undefined): Base {
    if (own === undefined) return { record: this.#record, moved: false };
    const moved = this.#seen.get(owner) !== this.#version && this.#isAttached(owner);
    if (!moved) return { record: own, moved };
    this.#seen.set(owner, this.#version);
    return { record: this.#record, moved };
  }

  /** The list with everything the session knows of it: the checkpoint it begins behind, messages put in before, and those that wait. */
  complete({ history: known, freshFrom }: Continuation, state: EngineState | undefined): { readonly history: readonly ModelMessage[]; readonly waiting: number } {
    let history = known;
    if (freshFrom === undefined) {
      if (this.#fromTail && state !== undefined && !known.some(isCheckpoint)) {
        const json = callEngine((engine) => engine.tailCheckpoint(new Scan(known, { reuse: true }) as never, state));
        if (json !== undefined) history = applyEdits(known, [JSON.parse(json) as Edit]);
      }
      let places = this.#inserted.length === 0 ? [] : placesOf(history, state);
      for (const { message, before, after, neighbor } of this.#inserted) {
        // The app has stored it among its own messages.
        if (places.includes(after)) continue;
        let at = places.indexOf(before);
        // Something older was edited: then it stands behind the same message as before.
        if (at === -1) at = history.map(neighborOf).lastIndexOf(neighbor) + 1 || -1;
        if (at === -1) continue;
        history = [...history.slice(0, at), message, ...history.slice(at)];
        places = placesOf(history, state);
      }
    }
    // What a run that others have overtaken was sent once stays in its own history, and waits for the session's next step as well.
    const waiting = this.#queue.filter((message) => !history.includes(message));
    return { history: waiting.length === 0 ? history : [...history, ...waiting], waiting: waiting.length };
  }

  /** Takes in what a step has made, unless another run has changed the session since this one began; saves what is new. */
  async commit({ owner, base, record, model, history, waiting, tell }: Commit): Promise<void> {
    this.#last = { history, model };
    const isChange = !isSame(record.state, base?.state) || waiting > 0;
    const isAttached = this.#isAttached(owner);
    if (!isAttached || this.#seen.get(owner) !== this.#version) {
      const reason = isAttached
        ? 'the session was changed while this step was made; what it decided holds for this step only'
        : 'another run has changed this session; what this run decides holds for this run only';
      if (isChange) tell({ type: 'session-conflict', reason });
      if (!isAttached || waiting === 0) return;
      // What was sent was sent.
      this.#deliver(history, waiting, tell);
      await this.save(tell);
      return;
    }
    if (!isChange) {
      if (this.#newest === owner) this.#record = record;
      return;
    }
    this.#record = record;
    if (waiting > 0) this.#deliver(history, waiting, tell);
    this.#change(owner);
    this.#seen.set(owner, this.#version);
    await this.save(tell);
  }

  /** Takes in a change made from outside of runs. */
  replace(record: RunRecord | undefined): void {
    this.#record = record;
    this.#change(OUTSIDE);
  }

  /** Lets a message of the user wait for the next step; false when there are too many to be kept. */
  enqueue(message: ModelMessage): boolean {
    const queue = [...this.#queue, message];
    if (JSON.stringify([this.#inserted, queue], bytesAsBase64).length > INSERTED_CHARACTERS) return false;
    this.#queue = queue;
    this.#unsaved = [...this.#unsaved, message];
    return true;
  }

  /** Writes the session to its store, after what is being written already. Never throws. */
  save(tell: Tell): Promise<void> {
    const store = this.#store;
    const id = this.#id;
    if (store === undefined || id === undefined) return Promise.resolve();
    this.#saving = this.#saving.then(async () => {
      try {
        const text = this.text();
        if (text === this.#stored) return;
        const unsaved = this.#unsaved;
        const outcome = await save(store, id, text, this.#stored);
        if (outcome.done) {
          this.#stored = text;
          this.#unsaved = this.#unsaved.filter((message) => !unsaved.includes(message));
        } else tell({ type: 'store-failed', operation: 'save', reason: outcome.reason, message: outcome.message });
      } catch (error) {
        // A message that was put in cannot be written as JSON any more.
        tell({ type: 'store-failed', operation: 'save', reason: 'failed', message: messageOf(error) });
      }
    });
    return this.#saving;
  }

  #deliver(history: readonly ModelMessage[], waiting: number, tell: Tell): void {
    const places = placesOf(history, this.#record?.state);
    const first = history.length - waiting;
    const added = history.slice(first).map((message, index) => {
      const at = first + index;
      return { message, before: places[at]!, after: places[at + 1]!, neighbor: at === 0 ? '' : neighborOf(history[at - 1]!) };
    });
    this.#inserted = [...this.#inserted, ...added];
    // Messages may have been added to the queue meanwhile.
    this.#queue = this.#queue.filter((message) => !history.includes(message));
    tell({ type: 'delivered', messages: waiting });
  }

  #change(by: object): void {
    this.#version += 1;
    this.#changes.push(by);
    if (this.#changes.length > CHANGES) this.#changes.shift();
  }

  /** Whether only this run, or somebody outside of runs, has changed the session since the run last looked. */
  #isAttached(owner: object): boolean {
    const missed = this.#version - (this.#seen.get(owner) ?? 0);
    return missed <= this.#changes.length && this.#changes.slice(this.#changes.length - missed).every((by) => by === OUTSIDE || by === owner);
  }

  /** Restores from a value or text, unless it is something else. */
  #take(value: unknown): void {
    const envelope = readEnvelope(value);
    if (envelope === undefined) {
      this.#refused = 'it is no state of a stepfold session';
      return;
    }
    const { fold, numbers, model, reported, inserted, queue, ahead, pages } = envelope;
    this.#record =
      fold === undefined && numbers === undefined
        ? undefined
        : { modelId: model ?? '', numbers: numbers?.length === newRun().length ? numbers : newRun(), state: fold === undefined ? undefined : JSON.stringify(fold) };
    this.#reported = (reported ?? NO_USAGE).map((value) => value ?? Number.NaN);
    this.#inserted = inserted ?? [];
    // What was put in here since, waits for the next step of whoever goes on from this.
    this.#queue = [...(queue ?? []), ...this.#unsaved];
    this.ahead.restore(ahead ?? []);
    this.archive.pages = pages ?? [];
  }
}

/** Looks from the end, where what changes most often stands. */
function isSame(left: EngineState | undefined, right: EngineState | undefined): boolean {
  if (left === right || typeof left !== 'object' || typeof right !== 'object' || left.length !== right.length) return left === right;
  let at = left.length - 1;
  while (at >= 0 && left[at] === right[at]) at -= 1;
  return at < 0;
}

function placesOf(messages: readonly ModelMessage[], state: EngineState | undefined): readonly string[] {
  return callEngine((engine) => engine.places(new Scan(messages, { reuse: true }) as never, state)).split(' ');
}

/** What a message says, wherever it stands. */
const neighborOf = (message: ModelMessage): string => placesOf([message], undefined).at(-1)!;
