// What a session remembers beyond one run: the newest state, messages the user put in, and where all that is kept.
// Carries values between runs, store and engine; whether a decision still holds is for the engine to say.

import type { ModelMessage } from 'ai';
import { applyEdits, isCheckpoint } from '../step/apply-edits.js';
import type { Edit, RunState, Usage } from '../bridge/boundary.js';
import { Requests } from '../tools/compact-tool.js';
import { callEngine } from '../bridge/engine.js';
import { messageOf } from '../errors.js';
import type { EngineEvent } from '../observe/events.js';
import { entriesOf } from '../bridge/messages.js';
import type { ModelIdentity } from '../model/models.js';
import { identify } from '../model/models.js';
import { Archive } from '../tools/recall.js';
import type { Continuation } from '../step/runs.js';
import { readStored } from './read-state.js';
import type { Completed, PutIn, Stored } from './session-state.js';
import { PutIns, bytesAsBase64, newId } from './session-state.js';
import type { Patience } from './patience.js';
import { StoreWaits } from './patience.js';
import type { SessionStore } from './store.js';
import { isSameJson, load, update } from './store.js';
import { AheadWorks } from '../summarize/summarizer.js';

type Tell = (event: EngineEvent) => void;

/** What a step of a session goes on from. */
export interface Base {
  readonly state: RunState | undefined;
  /** Something outside the run changed it since the run's last step. */
  readonly moved: boolean;
}

/** What a step has made. */
export interface Commit {
  /** What stands for the run. */
  readonly owner: object;
  readonly state: RunState;
  /** Something was decided in it. */
  readonly changesDecisions: boolean;
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

/** Decisions as they are written, and their name. */
interface Revision {
  readonly name: string | undefined;
  /** Undefined where the store holds older ones of this object, which are not known any more. */
  readonly decisions: string | undefined;
}

/** What a store is to hold. */
interface Next {
  readonly text: string;
  readonly saved: Revision;
  /** Of the messages that were put in. */
  readonly ids: ReadonlySet<string>;
}

/** No decisions, as text. */
const NOTHING = JSON.stringify([undefined, undefined, []]);

/** The engine's state as it stores it: the rest of what was decided as JSON text. */
interface StoredRunState {
  readonly model: string;
  readonly run: unknown;
  readonly envelope?: unknown;
  readonly fold?: string;
}

/** What a stored state gives to go on from, and what of it is not used. */
interface Restored {
  readonly state?: RunState;
  readonly refused?: string;
}

/** Where a session is kept, and what it begins with. */
export interface Kept {
  readonly id: string | undefined;
  readonly store: SessionStore | undefined;
  readonly state: unknown;
  readonly resume: 'all' | 'tail' | undefined;
  /** Milliseconds that a run waits for the store in all. */
  readonly storeTimeoutMs: number | undefined;
}

export class Conversation {
  /** What results can be recalled from. */
  readonly archive: Archive;
  /** What models have asked for. */
  readonly requests = new Requests();
  readonly #id: string | undefined;
  readonly #store: SessionStore | undefined;
  readonly #fromTail: boolean;
  #state: RunState | undefined;
  /** The model of the state, where that was stored. */
  #storedModel: string | undefined;
  /** Usage of the step that the state was made for, until a step learns from it. */
  #reported: Usage | undefined;
  readonly #putIns = new PutIns();
  /** Messages of the option `state`; what the store holds goes before it. */
  #given: readonly PutIn[] = [];
  /** The text that the store holds as far as is known, and the decisions in it. */
  #stored: string | undefined;
  #saved: Revision = { name: undefined, decisions: NOTHING };
  /** Names what is decided here; another process begins its names otherwise. */
  #revision: string | undefined;
  #name: string | undefined;
  #revisions = 0;
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
  /** Loads and saves, one after another, whether or not a run waits for them. */
  #saving: Promise<void> = Promise.resolve();
  /** The save that has not begun, if any: it will write what is there then. */
  #queued: { readonly work: Promise<void>; looks: boolean } | undefined;
  readonly #waits: StoreWaits;

  constructor({ id, store, state, resume, storeTimeoutMs }: Kept) {
    this.#id = id;
    this.#store = store;
    this.#waits = new StoreWaits(storeTimeoutMs);
    this.#fromTail = resume === 'tail';
    this.archive = new Archive({ id, store, fromTail: this.#fromTail });
    const stored = state === undefined ? undefined : this.#read(state);
    if (stored === undefined) return;
    this.#take(stored);
    this.#given = [...this.#putIns.inserted, ...this.#putIns.queue];
  }

  get state(): RunState | undefined {
    return this.#state;
  }

  /** The history of the newest step; undefined before there was one. */
  get history(): readonly ModelMessage[] | undefined {
    return this.#last?.history;
  }

  /** The model of the newest step. */
  get model(): ModelIdentity {
    return this.#last?.model ?? identify(this.#storedModel);
  }

  /** Messages that wait for the next step. */
  get queue(): readonly ModelMessage[] {
    return this.#putIns.queue.map(({ message }) => message);
  }

  /** All messages that were put in and not forgotten since. */
  get putIn(): readonly ModelMessage[] {
    return [...this.delivered, ...this.queue];
  }

  /** Messages that were put into the history, oldest first. */
  get delivered(): readonly ModelMessage[] {
    return this.#putIns.inserted.map(({ message }) => message);
  }

  /** The app tells the usage of the last step. */
  report(usage: Usage | undefined): void {
    this.#reported = usage;
  }

  /** What was told and no step has learnt from. */
  get reported(): Usage | undefined {
    return this.#reported;
  }

  /** A step has learnt from this, unless something newer was told since. */
  learnt(usage: Usage | undefined): void {
    if (this.#reported === usage) this.#reported = undefined;
  }

  get hasDelivered(): boolean {
    return this.#putIns.wereSent;
  }

  /** Everything as text. */
  text(): string {
    const ahead = this.ahead.stored();
    const { inserted, queue } = this.#putIns.stored();
    const stored: Stored = {
      version: 2,
      ...(this.#revision === undefined ? {} : { revision: this.#revision }),
      ...this.#storedState(),
      ...(this.archive.pages.length === 0 ? {} : { pages: this.archive.pages }),
      ...(this.#reported === undefined ? {} : { reported: this.#reported }),
      ...(inserted.length === 0 ? {} : { inserted }),
      ...(queue.length === 0 ? {} : { queue }),
      ...(ahead.length === 0 ? {} : { ahead }),
      ...(this.requests.waiting.length === 0 ? {} : { asked: this.requests.waiting }),
    };
    return JSON.stringify(stored, bytesAsBase64);
  }

  #storedState(): Pick<Stored, 'envelope' | 'fold' | 'run' | 'model'> {
    const state = this.#state;
    if (state === undefined) return {};
    const { fold, ...stored } = callEngine((engine) => engine.storeRunState(state)) as StoredRunState;
    return { ...(fold === undefined ? {} : { fold: JSON.parse(fold) as unknown }), ...stored };
  }

  /** As text: what only one of several processes can be right about. What was learnt of a model holds beside any of it. */
  #decisions(): string {
    const { envelope, fold } = this.#storedState();
    return JSON.stringify([envelope, fold, this.archive.pages]);
  }

  /** Before a run's first step. */
  async begin(owner: object, tell: Tell): Promise<void> {
    this.#waits.begin(owner);
    await this.refresh(tell, this.patienceOf(owner));
    this.#seen.set(owner, this.#version);
    this.#newest = owner;
  }

  /** How long somebody waits for the store who is no run. */
  patience(): Patience {
    return this.#waits.patience();
  }

  /** How long a run still waits for the store. */
  patienceOf(owner: object): Patience {
    return this.#waits.patienceOf(owner);
  }

  /** Looks for what the store holds, unless that is known. */
  async open(tell: Tell, patience: Patience): Promise<void> {
    if (this.#stored === undefined) await this.refresh(tell, patience);
  }

  /** Keeps what is folded for recall. */
  async keepFolded(history: readonly ModelMessage[], edits: readonly Edit[], tell: Tell, patience = this.patience()): Promise<void> {
    await this.#waits.within(patience, 'save', tell, (tellOnce) => this.archive.keep(history, edits, tellOnce));
  }

  /** Looks whether another process has gone on with this session. */
  async refresh(tell: Tell, patience = this.patience()): Promise<void> {
    const [store, id] = [this.#store, this.#id];
    if (store !== undefined && id !== undefined && !this.#waits.isResting) {
      let givenUpAt: number | undefined;
      await this.#waits.within(patience, 'load', tell, (tellOnce) => {
        // Neither before what is being written is there, nor while something is.
        const loading = this.#saving.then(async () => {
          const outcome = await load(store, id, this.#stored);
          if (!outcome.done) this.#waits.failed('load', outcome, tellOnce);
          // A store that has forgotten the session is told of it again.
          else if (outcome.text === undefined) this.#stored = undefined;
          // Late, and something was decided meanwhile: the next save brings both together.
          else if (outcome.text !== this.#stored && (givenUpAt ?? this.#version) === this.#version) this.#takeIn(outcome.text, OUTSIDE);
        });
        // Saves go on, whatever came of it.
        this.#saving = loading.catch(() => undefined);
        return loading;
      });
      givenUpAt = this.#version;
    }
    if (this.#refused !== undefined) tell({ type: 'state-rejected', reason: this.#refused });
    this.#refused = undefined;
  }

  /** What a step goes on from: the run's own state, or the session's where that was changed from outside. */
  base(owner: object, own: RunState | undefined): Base {
    if (own === undefined) return { state: this.#state, moved: false };
    const moved = this.#seen.get(owner) !== this.#version && this.#isAttached(owner);
    if (!moved) return { state: own, moved };
    this.#seen.set(owner, this.#version);
    return { state: this.#state, moved };
  }

  /** The list with everything the session knows of it: the checkpoint it begins behind, messages put in before, and those that wait. */
  complete({ history: known, freshFrom }: Continuation, state: RunState | undefined): Completed {
    let history = known;
    const isNew = freshFrom === undefined;
    if (isNew && this.#fromTail && state !== undefined && !known.some(isCheckpoint)) {
      const edit = callEngine((engine) => engine.tailCheckpoint(entriesOf(known), state)) as Edit | null;
      if (edit !== null) history = applyEdits(known, [edit]);
    }
    return this.#putIns.complete(history, state, isNew);
  }

  /** Takes in what a step has made, unless another run has changed the session since this one began; saves what is new. */
  async commit({ owner, state, changesDecisions, model, history, waiting, tell }: Commit): Promise<void> {
    this.#last = { history, model };
    const isAttached = this.#isAttached(owner);
    const isCurrent = isAttached && this.#seen.get(owner) === this.#version;
    // What was sent was sent.
    const { changed, fresh } = isAttached ? this.#putIns.settle(history, waiting, state) : this.#putIns.note(history, waiting, state);
    if (fresh > 0) tell({ type: 'delivered', messages: fresh });
    if (isCurrent) {
      if (!changesDecisions && changed === 0) {
        if (this.#newest === owner) this.#state = state;
        return;
      }
      this.#state = state;
      this.#change(owner);
      this.#seen.set(owner, this.#version);
    } else {
      const reason = isAttached
        ? 'the session was changed while this step was made; what it decided holds for this step only'
        : 'another run has changed this session; what this run decides holds for this run only';
      if (changesDecisions || waiting > 0) tell({ type: 'session-conflict', reason });
      if (changed === 0) return;
    }
    await this.save(tell, { patience: this.patienceOf(owner) });
  }

  /** Takes in a change made from outside of runs. */
  replace(state: RunState): void {
    this.#state = state;
    this.#change(OUTSIDE);
  }

  /** Lets a message of the user wait for the next step; false when there are too many to be kept. */
  enqueue(message: ModelMessage): boolean {
    return this.#putIns.add(message);
  }

  /** Writes the session to its store, after what is being written already, and waits as long as there is patience; `looks`: looks there also where nothing is new. Never throws. */
  async save(tell: Tell, { looks = false, patience = this.patience() }: { looks?: boolean; patience?: Patience } = {}): Promise<void> {
    const [store, id] = [this.#store, this.#id];
    if (store === undefined || id === undefined || (!looks && this.#waits.isResting)) return;
    await this.#waits.within(patience, 'save', tell, (tellOnce) => this.#enqueueSave(store, id, looks, tellOnce));
  }

  #enqueueSave(store: SessionStore, id: string, looks: boolean, tell: Tell): Promise<void> {
    if (this.#queued !== undefined) {
      this.#queued.looks ||= looks;
      return this.#queued.work;
    }
    const work = this.#saving.then(async () => {
      const isLooking = this.#queued!.looks;
      this.#queued = undefined;
      try {
        if (!isLooking && (this.#waits.isResting || this.text() === this.#stored)) return;
        let next: Next | undefined;
        const outcome = await update(store, id, this.#stored, (found) => (next = this.#next(found, tell))?.text);
        if (outcome.done) {
          this.#stored = outcome.text;
          this.#given = [];
          if (next !== undefined) {
            this.#saved = next.saved;
            this.#putIns.saved(next.ids);
          }
          const { left } = this.#putIns.stored();
          if (left > 0) tell({ type: 'store-failed', operation: 'save', reason: 'failed', message: `${left} messages that were put in have no room in the session any more; they are kept in memory` });
        } else this.#waits.failed('save', outcome, tell);
      } catch (error) {
        // A message that was put in cannot be written as JSON any more.
        tell({ type: 'store-failed', operation: 'save', reason: 'failed', message: messageOf(error) });
      }
    });
    this.#queued = { work, looks };
    this.#saving = work;
    return work;
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

  /** What the store is to hold in place of what was found there: nothing when that is right. */
  #next(found: string | undefined, tell: Tell): Next | undefined {
    const hasNews = found !== undefined && found !== this.#stored;
    if (hasNews && this.#takeIn(found, {})) {
      tell({ type: 'store-conflict', message: 'another process has saved this session since it was loaded; its work was kept' });
    }
    const decisions = this.#decisions();
    if (decisions === this.#saved.decisions) this.#revision = this.#saved.name;
    else {
      this.#name ??= newId();
      this.#revisions += 1;
      this.#revision = `${this.#name} ${this.#revisions}`;
    }
    const text = this.text();
    if (found === text || (hasNews && isSameJson(found, text))) return undefined;
    return { text, saved: { name: this.#revision, decisions }, ids: this.#putIns.stored().ids };
  }

  /**
   * Takes in what another process has saved: its decisions, unless they are those that the ones made here go on from, and the messages
   * that were put in there beside those put in here. Says whether something decided here is lost by that.
   */
  #takeIn(text: string, by: object): boolean {
    const isFirst = this.#stored === undefined;
    this.#stored = text;
    const stored = this.#read(text);
    if (isFirst) this.#putIns.drop(this.#given);
    this.#given = [];
    if (stored === undefined) {
      this.#saved = { name: undefined, decisions: undefined };
      return false;
    }
    const name = stored.revision;
    // A text of this object that was not known to be there: the store wrote it after the time was over, or only its answer was lost.
    const isOwn = this.#name !== undefined && name?.startsWith(`${this.#name} `) === true;
    // Where neither there nor here anything was saved that was decided, there is no name.
    const isUnnamed = name === undefined && stored.fold === undefined && stored.envelope === undefined && this.#saved.name === undefined && this.#saved.decisions === NOTHING;
    const isBase = isUnnamed ? this.#state !== undefined : !isFirst && name !== undefined && name === this.#saved.name;
    if (isOwn || isBase) {
      this.#putIns.merge(stored, true);
      this.ahead.restore(stored.ahead ?? []);
      if (!isBase) this.#saved = { name, decisions: undefined };
      return false;
    }
    const isLost = this.#decisions() !== this.#saved.decisions;
    this.#take(stored);
    this.#change(by);
    return isLost;
  }

  /** Goes on from what was saved elsewhere. */
  #take(stored: Stored): void {
    const { revision, envelope, fold, run, model, reported, ahead, pages, asked } = stored;
    this.#state = undefined;
    this.#storedModel = model;
    if ([run, envelope, fold].some((part) => part !== undefined)) {
      const text = fold === undefined ? undefined : JSON.stringify(fold);
      const { state, refused } = callEngine((engine) => engine.restoreRunState(model ?? '', run, envelope, text)) as Restored;
      this.#state = state;
      // Told at once with what else of it is not used.
      if (refused !== undefined) this.#refused = [refused, ...(this.#refused === undefined ? [] : [this.#refused])].join('; ');
    }
    this.#reported = reported;
    this.#putIns.merge(stored, false);
    this.ahead.restore(ahead ?? []);
    this.archive.pages = pages ?? [];
    asked?.forEach((one) => this.requests.add(one));
    this.#revision = revision;
    this.#saved = { name: revision, decisions: this.#decisions() };
  }

  /** Reads a value or text, as far as it is a stored session. */
  #read(value: unknown): Stored | undefined {
    const { stored, refused } = readStored(value);
    if (refused !== undefined) this.#refused = refused;
    return stored;
  }
}
