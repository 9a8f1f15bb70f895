// What a session remembers beyond one run: the newest state, enqueued messages, and where all that is kept.
// Carries values between runs, store and engine; whether a decision still holds is for the engine to say.
//
// Who decides. What was decided has a revision; `base` is the one in the store that it goes on from. A run joins when it begins.
//
//  what happens                                     | decisions        | revision | who may decide from then on
//  -------------------------------------------------|------------------|----------|----------------------------------------
//  a joined run decides                             | its own          | a new one| it alone
//  a joined run is sent what waited                 | its own          | the same | it alone
//  any other run decides (`session-conflict`)       | the session's    | the same | the same runs
//  `undo`, `compact`, `prune`                       | theirs           | a new one| the same runs, from these decisions on
//  the store holds `base`, or one of this object    | the session's    | the same | the same runs
//  the store holds another one, before a run begins | the store's      | its name | the same runs, from these decisions on
//  the same, before a save (`store-conflict` where  | the store's      | its name | no run that is under way
//  the session's own was not saved yet)             |                  |          |
//  a save is done                                   | the session's    | the same | the same runs; `base` is the revision
//  `forget`, here or elsewhere                      | none             | none     | each run for itself; nothing is saved
//
// Enqueued messages are merged whatever happens to decisions: `MessageQueue`.

import type { ModelMessage } from 'ai';
import { applyEdits, isCheckpoint } from '../step/apply-edits.js';
import type { CallOutcome, Edit, RunState, SummaryTokens, Usage } from '../bridge/boundary.js';
import { CompactRequests } from '../tools/compact-tool.js';
import { askEngine } from '../bridge/engine.js';
import type { EngineEvent } from '../observe/events.js';
import { newId } from '../observe/source.js';
import { entriesOf } from '../bridge/messages.js';
import type { ModelIdentity } from '../model/models.js';
import { identify } from '../model/models.js';
import { Archive } from '../tools/recall.js';
import type { Continuation } from '../step/runs.js';
import { readStored } from './read-state.js';
import type { Completed, Stored } from './session-state.js';
import { FORGOTTEN, MessageQueue, bytesAsBase64 } from './session-state.js';
import type { StoreTimeout } from './store-timeout.js';
import type { SessionStore } from './store.js';
import { isSameJson } from './store.js';
import { StoreQueue } from './store-queue.js';
import { AheadSummaries } from '../summarize/summarizer.js';
import type { SummaryUsage } from '../summarize/summary-usage.js';
import { addUsage } from '../summarize/summary-usage.js';

type Emit = (event: EngineEvent) => void;

/** What a step of a session goes on from. */
export interface Base {
  readonly state: RunState | undefined;
  /** Something outside the run changed it since the run's last step. */
  readonly moved: boolean;
}

/** What a step has made. */
export interface Commit {
  /** Identifies the run. */
  readonly owner: object;
  readonly state: RunState;
  /** Something was decided in it. */
  readonly changesDecisions: boolean;
  readonly model: ModelIdentity;
  readonly history: readonly ModelMessage[];
  /** How many messages of the queue stand at the end of the history. */
  readonly waiting: number;
  /** Ids of delivered messages that the list has no place for. */
  readonly leftOut?: ReadonlySet<string> | undefined;
  readonly emit: Emit;
}

/** Where a session is kept, and what it begins with. */
export interface ConversationOptions {
  readonly id: string | undefined;
  readonly store: SessionStore | undefined;
  readonly state: unknown;
  readonly resume: 'all' | 'tail' | undefined;
  /** Milliseconds that a run waits for the store in all. */
  readonly storeTimeoutMs: number | undefined;
}

export class Conversation {
  readonly id: string | undefined;
  /** What results can be recalled from. */
  readonly archive: Archive;
  /** What models have requested. */
  readonly requests = new CompactRequests();
  /** Summaries requested ahead of time. */
  readonly ahead = new AheadSummaries({ isOfOne: true });
  readonly #messageQueue = new MessageQueue();
  readonly #queue: StoreQueue;
  readonly #fromTail: boolean;
  #state: RunState | undefined;
  /** Names what was decided: this object and a count, or what another process has called it. */
  #revision: string | undefined;
  #base: string | undefined;
  readonly #name = newId();
  #count = 0;
  /** Runs that may decide, each with the turn at which it looked last. A turn ends when the session is changed. */
  #joined = new WeakMap<object, number>();
  #turn = 0;
  #isForgotten = false;
  #history: readonly ModelMessage[] | undefined;
  #model: ModelIdentity = identify(undefined);
  /** Usage of the step that the state was made for, until a step learns from it. */
  #reported: Usage | undefined;
  /** How its calls ended. */
  #ended: readonly CallOutcome[] = [];
  /** What summaries cost, here and elsewhere, and what of it was spent here and is not saved yet. */
  #spent: SummaryUsage | undefined;
  #unsaved: SummaryUsage | undefined;
  /** Reported at the next step: a state can be refused before anybody listens. */
  #refused: string | undefined;

  constructor({ id, store, state, resume, storeTimeoutMs }: ConversationOptions) {
    this.id = id;
    this.#queue = new StoreQueue({ id, store, storeTimeoutMs });
    this.#fromTail = resume === 'tail';
    this.archive = new Archive({ id, store, fromTail: this.#fromTail });
    const stored = state === undefined ? undefined : this.#read(state);
    if (stored !== undefined) this.#take(stored);
  }

  get state(): RunState | undefined {
    return this.#state;
  }

  /** The history of the newest step; undefined before there was one. */
  get history(): readonly ModelMessage[] | undefined {
    return this.#history;
  }

  /** The model of the newest step. */
  get model(): ModelIdentity {
    return this.#model;
  }

  /** Messages that wait for the next step. */
  get queue(): readonly ModelMessage[] {
    return this.#messageQueue.queue.map(({ message }) => message);
  }

  /** All messages that were enqueued and not forgotten since. */
  get enqueued(): readonly ModelMessage[] {
    return [...this.#messageQueue.inserted, ...this.#messageQueue.queue].map(({ message }) => message);
  }

  /** Enqueued messages that stand in the history, oldest first. */
  get delivered(): readonly ModelMessage[] {
    return this.#messageQueue.delivered.map(({ message }) => message);
  }

  get hasDelivered(): boolean {
    return this.#messageQueue.wereSent;
  }

  /** The app reports the last step: its usage, and how its calls ended. */
  report(usage: Usage | undefined, ended: readonly CallOutcome[]): void {
    [this.#reported, this.#ended] = [usage, ended];
  }

  /** How the calls ended of the step that was reported last. */
  get ended(): readonly CallOutcome[] {
    return this.#ended;
  }

  /** What was reported and no step has learnt from. */
  get reported(): Usage | undefined {
    return this.#reported;
  }

  /** A step has learnt from this, unless something newer was reported since. */
  learnt(usage: Usage | undefined): void {
    if (this.#reported !== usage) return;
    [this.#reported, this.#ended] = [undefined, []];
  }

  /** A summary has cost this. */
  spend(tokens: SummaryTokens): void {
    const more = { calls: 1, ...tokens };
    [this.#spent, this.#unsaved] = [addUsage(this.#spent, more), addUsage(this.#unsaved, more)];
  }

  get summaryUsage(): SummaryUsage {
    return addUsage(this.#spent);
  }

  /** Everything as text. */
  text(): string {
    if (this.#isForgotten) return FORGOTTEN;
    const ahead = this.ahead.stored();
    const { inserted, queue } = this.#messageQueue.stored();
    const stored: Stored = {
      version: 2,
      ...(this.#revision === undefined ? {} : { revision: this.#revision }),
      ...this.#storedState(),
      ...(this.archive.pages.length === 0 ? {} : { pages: this.archive.pages }),
      ...(this.#reported === undefined ? {} : { reported: this.#reported }),
      ...(this.#ended.length === 0 ? {} : { ended: this.#ended }),
      ...(this.#spent === undefined ? {} : { spent: this.#spent }),
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
    const { envelope, fold, run, model } = askEngine('storeRunState', { state });
    const parsed = (name: string, text: string | undefined): object => (text === undefined ? {} : { [name]: JSON.parse(text) as unknown });
    return { ...parsed('envelope', envelope), ...parsed('fold', fold), ...parsed('run', run), model };
  }

  /** Before a run's first step. */
  async begin(owner: object, emit: Emit): Promise<void> {
    this.#queue.waits.begin(owner);
    await this.refresh(emit, this.timeoutOf(owner));
    this.#joined.set(owner, this.#turn);
  }

  /** For a caller that is no run. */
  newTimeout(): StoreTimeout {
    return this.#queue.waits.newTimeout();
  }

  /** How long a run still waits for the store. */
  timeoutOf(owner: object): StoreTimeout {
    return this.#queue.waits.timeoutOf(owner);
  }

  /** Loads what the store holds, unless that was done. */
  async open(emit: Emit, timeout: StoreTimeout): Promise<void> {
    if (this.#queue.storedText === undefined) await this.refresh(emit, timeout);
  }

  /** Keeps what is folded for recall. */
  async keepFolded(history: readonly ModelMessage[], edits: readonly Edit[], emit: Emit, timeout = this.newTimeout()): Promise<void> {
    if (this.#isForgotten) return;
    const { pages } = this.archive;
    await this.#queue.waits.within(timeout, 'save', emit, (emitOnce) => this.archive.keep(history, edits, emitOnce));
    if (this.archive.pages !== pages) this.#decided();
  }

  /** Looks whether another process has gone on with this session. */
  async refresh(emit: Emit, timeout = this.newTimeout()): Promise<void> {
    let givenUpAt: number | undefined;
    const take = (text: string): boolean => {
      // Late, and something was decided meanwhile: the next save brings both together. Not with the mark of a conversation forgotten before this one.
      const isWanted = (givenUpAt ?? this.#turn) === this.#turn || (!this.#queue.hasLooked && isSameJson(text, FORGOTTEN));
      if (isWanted) this.#takeIn(text, { endsRuns: false });
      return isWanted;
    };
    if (!this.#isGone) await this.#queue.load(emit, timeout, take);
    givenUpAt = this.#turn;
    if (this.#refused !== undefined) emit({ type: 'state-rejected', reason: this.#refused });
    this.#refused = undefined;
  }

  /** What a step goes on from: the run's own state, or the session's where that was changed from outside. */
  base(owner: object, own: RunState | undefined): Base {
    if (own === undefined) return { state: this.#state, moved: false };
    const moved = this.#joined.has(owner) && this.#joined.get(owner) !== this.#turn;
    if (!moved) return { state: own, moved };
    this.#joined.set(owner, this.#turn);
    return { state: this.#state, moved };
  }

  /** The list with everything the session knows of it: the checkpoint it begins behind, messages delivered before, and those that wait. */
  complete({ history: given, freshFrom }: Continuation, state: RunState | undefined): Completed {
    let history = given;
    const isNew = freshFrom === undefined;
    if (isNew && this.#fromTail && state !== undefined && !given.some(isCheckpoint)) {
      const edit = askEngine('tailCheckpoint', { entries: entriesOf(given), state });
      if (edit !== null) history = applyEdits(given, [edit]);
    }
    return this.#messageQueue.complete(history, state, isNew);
  }

  /** Takes in what a step has made, unless another run has changed the session since this one began; saves what is new. */
  async commit({ owner, state, changesDecisions, model, history, waiting, leftOut, emit }: Commit): Promise<void> {
    [this.#history, this.#model] = [history, model];
    const isJoined = this.#joined.has(owner);
    // Delivered messages count as delivered, whoever decides.
    const { changed, fresh } = isJoined ? this.#messageQueue.settle(history, waiting, state) : this.#messageQueue.note(history, waiting, state);
    if (fresh > 0) emit({ type: 'delivered', messages: fresh });
    const left = leftOut === undefined ? 0 : this.#messageQueue.leave(leftOut);
    if (left > 0) emit({ type: 'left-out', messages: left });
    if (this.#joined.get(owner) === this.#turn) {
      this.#state = state;
      if (!changesDecisions && changed === 0) return;
      if (changesDecisions) this.#decided();
      this.#turn += 1;
      this.#joined = new WeakMap([[owner, this.#turn]]);
    } else {
      const reason = isJoined
        ? 'the session was changed while this step was made; what it decided holds for this step only'
        : 'another run has changed this session; what this run decides holds for this run only';
      if (!this.#isForgotten && (changesDecisions || waiting > 0)) emit({ type: 'session-conflict', reason });
      if (changed === 0) return;
    }
    await this.save(emit, { timeout: this.timeoutOf(owner) });
  }

  /** Takes in a change made from outside of runs. */
  replace(state: RunState): void {
    this.#state = state;
    this.#decided();
    this.#turn += 1;
  }

  /** Lets a message of the user wait for the next step; false when there are too many to be kept. */
  enqueue(message: ModelMessage): boolean {
    return this.#messageQueue.add(message);
  }

  /** Writes the session to its store, after what is being written already, and waits until the time is over; `looks`: looks there also where nothing is new. Never throws. */
  async save(emit: Emit, { looks = false, timeout = this.newTimeout() }: { looks?: boolean; timeout?: StoreTimeout } = {}): Promise<void> {
    if (this.#isGone) return;
    let [revision, ids, spent] = [this.#revision, this.#messageQueue.stored().ids, this.#unsaved];
    await this.#queue.save(emit, timeout, looks, {
      isDue: () => this.text() !== this.#queue.storedText,
      make: (news) => {
        if (news !== undefined && this.#takeIn(news, { endsRuns: true })) {
          emit({ type: 'store-conflict', message: 'another process has saved this session since it was loaded; its work was kept' });
        }
        [revision, ids, spent] = [this.#revision, this.#messageQueue.stored().ids, this.#unsaved];
        return this.text();
      },
      done: () => {
        this.#base = revision;
        this.#messageQueue.saved(ids);
        if (this.#unsaved === spent) this.#unsaved = undefined;
        const { left } = this.#messageQueue.stored();
        if (left > 0) emit({ type: 'store-failed', operation: 'save', reason: 'failed', message: `${left} enqueued messages have no room in the session any more; they are kept in memory` });
      },
    });
    // It was forgotten elsewhere, after this run had written pages.
    if (this.#isForgotten) await this.#queue.waits.within(timeout, 'save', emit, async (emitOnce) => void (await this.archive.forget(emitOnce)));
  }

  /** Takes all that is stored of the session away, and saves nothing any more. False where the store did not answer: then it can be done again. */
  async forget(emit: Emit): Promise<boolean> {
    const timeout = this.newTimeout();
    await this.refresh(emit, timeout);
    this.#forget();
    // A mark stands in its place: without one a run of another process would save the session again. Pages are known by it, so they go first.
    if (await this.archive.forget(emit)) await this.save(emit, { looks: true, timeout });
    return this.#isGone && this.archive.forget(emit);
  }

  /** It was forgotten, and the store knows. What comes there later is another conversation's. */
  get #isGone(): boolean {
    return this.#isForgotten && this.#queue.isStored(FORGOTTEN);
  }

  #forget(): void {
    this.#isForgotten = true;
    [this.#state, this.#revision, this.#base, this.#reported, this.#history] = [undefined, undefined, undefined, undefined, undefined];
    [this.#ended, this.#spent, this.#unsaved] = [[], undefined, undefined];
    this.#turn += 1;
    this.#joined = new WeakMap();
    this.#messageQueue.clear();
    this.requests.settle(this.requests.waiting.map(({ callId }) => callId));
    for (const summary of this.ahead.of(undefined)) this.ahead.drop(summary);
  }

  #decided(): void {
    this.#count += 1;
    this.#revision = `${this.#name} ${this.#count}`;
  }

  /**
   * Takes in what another process has saved: its decisions, unless they are those that the ones made here go on from, and the messages
   * that were enqueued there beside those enqueued here. Returns whether something decided here is lost by that.
   */
  #takeIn(text: string, { endsRuns }: { readonly endsRuns: boolean }): boolean {
    const stored = this.#read(text);
    // Before the first look it was another conversation that was forgotten.
    if (stored?.forgotten === true && this.#queue.hasLooked) this.#forget();
    if (this.#isForgotten) this.archive.pages = [...new Set([...this.archive.pages, ...(stored?.pages ?? [])])];
    if (this.#isForgotten || stored?.forgotten === true) return false;
    const name = stored?.revision;
    // A text of this object that was not known to be there: the store wrote it after the time was over, or only its answer was lost.
    const isOwn = name?.startsWith(`${this.#name} `) === true;
    const keeps = stored === undefined || isOwn || (name === this.#base && this.#state !== undefined);
    const isLost = !keeps && this.#revision !== this.#base;
    this.#base = name;
    if (stored === undefined) return false;
    if (keeps) {
      this.#messageQueue.merge(stored, true);
      this.ahead.restore(stored.ahead ?? []);
      return false;
    }
    this.#take(stored);
    this.#turn += 1;
    if (endsRuns) this.#joined = new WeakMap();
    return isLost;
  }

  /** Goes on from what was saved elsewhere. */
  #take(stored: Stored): void {
    const { revision, envelope, fold, run, model, reported, ahead, pages, asked, spent, ended } = stored;
    this.#state = undefined;
    if (this.#history === undefined) this.#model = identify(model);
    if ([run, envelope, fold].some((part) => part !== undefined)) {
      const text = (part: unknown): string | undefined => (part === undefined ? undefined : JSON.stringify(part));
      const { state, refused } = askEngine('restoreRunState', { model, run: text(run), envelope: text(envelope), fold: text(fold) });
      this.#state = state;
      // Reported together with what else of it is not used.
      if (refused !== undefined) this.#refused = [refused, ...(this.#refused === undefined ? [] : [this.#refused])].join('; ');
    }
    [this.#reported, this.#ended] = [reported, ended ?? []];
    if (spent !== undefined) this.#spent = addUsage(spent, this.#unsaved);
    this.#messageQueue.merge(stored, false);
    this.ahead.restore(ahead ?? []);
    this.archive.pages = pages ?? [];
    asked?.forEach((one) => this.requests.add(one));
    [this.#revision, this.#base] = [revision, revision];
  }

  /** Reads a value or text, as far as it is a stored session. */
  #read(value: unknown): Stored | undefined {
    const { stored, refused } = readStored(value);
    if (refused !== undefined) this.#refused = refused;
    return stored;
  }
}
