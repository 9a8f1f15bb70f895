// What a session stores: one JSON value with everything that another process needs to go on, and in it the messages that the app enqueued,
// with the places where they stand. Brings together what two processes know of them. Knows no store and no step; what a store hands back
// is read in `read-state.ts`.

import type { ModelMessage } from 'ai';
import { isCheckpoint } from '../step/apply-edits.js';
import type { CallOutcome, CompactRequest, RunState, Usage } from '../bridge/boundary.js';
import { askEngine } from '../bridge/engine.js';
import { entriesOf } from '../bridge/messages.js';
import { newId } from '../observe/source.js';
import type { SummaryUsage } from '../summarize/summary-usage.js';

/** A session as plain JSON, at most 300,000 characters: all that another process needs to go on. What is in it may change with `version`. */
export interface SessionState {
  readonly version: 2;
  readonly [field: string]: unknown;
}

/**
 * Where a message was inserted into a history: ids of the places before and behind it, of the message before it alone, and of the history's
 * first one. `turn` is the place behind the user's message that had begun the turn, `request` that message alone.
 */
export interface Place {
  readonly before: string;
  /** The same by the outline of the history, which it has in any form. States of 0.1.0 do not have it. */
  readonly outline?: string;
  readonly after: string;
  readonly neighbor: string;
  readonly start: string;
  readonly turn: string;
  readonly request: string;
}

/** A message that was enqueued in a session. */
export interface QueuedMessage {
  /** Names it in all processes. */
  readonly id: string;
  readonly message: ModelMessage;
  /** Where it was sent, in the session's history first; none when it was not sent yet. */
  readonly places: readonly Place[];
  /** The newest list does not have the turn in which it was said. */
  readonly leftOut?: boolean;
}

/** The value as it is written; every field but the version may be missing. */
export interface Stored {
  readonly version: 2;
  /** The session was forgotten; nothing else is there. */
  readonly forgotten?: boolean;
  /** Names what was decided, `envelope`, `fold` and `pages`: begins with what stands for the session object that decided. */
  readonly revision?: string;
  /** The engine's part: what every version reads of the newest checkpoint; the rest of what was decided, numbers of the last run, and the model they are about. */
  readonly envelope?: unknown;
  readonly fold?: unknown;
  readonly run?: unknown;
  readonly model?: string;
  /** Where folded messages are kept for recall. */
  readonly pages?: readonly string[];
  /** Usage that the app reported after that. */
  readonly reported?: Usage;
  /** How the calls of the step ended that was reported last. */
  readonly ended?: readonly CallOutcome[];
  /** Enqueued messages that stand in the history that was decided on, and those that wait. */
  readonly inserted?: readonly QueuedMessage[];
  readonly queue?: readonly QueuedMessage[];
  /** Summaries requested ahead of time that no step has used yet. */
  readonly ahead?: readonly { readonly key: string; readonly text: string }[];
  /** What summaries cost. */
  readonly spent?: SummaryUsage;
  /** What models have requested with the compact tool and no step has done yet. */
  readonly asked?: readonly CompactRequest[];
}

/** What stands in the store where a session was forgotten. */
export const FORGOTTEN = JSON.stringify({ forgotten: true, version: 2 } satisfies Stored);

/** Bytes in messages have a form in JSON that the SDK takes for the same. `Buffer` would write itself as a list of numbers. */
export function bytesAsBase64(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Readonly<Record<string, unknown>>)[key];
  const bytes = original instanceof ArrayBuffer ? new Uint8Array(original) : original;
  if (!(bytes instanceof Uint8Array)) return value;
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Characters of enqueued messages, as JSON, that later lists must hold again. */
const ACCEPTED_CHARACTERS = 32_000;
/** The same in a stored session: several processes may have accepted as many each before they knew of each other. */
export const STORED_CHARACTERS = 64_000;
/** Places that are remembered of one message: requests at once each send it at a place of their own. */
export const PLACES = 10;

/** The messages that were enqueued in one session. */
export class MessageQueue {
  /** They stand in the session's history, oldest first. */
  #inserted: readonly QueuedMessage[] = [];
  /** They do not yet: no run was sent them, or only runs whose decisions the session does not keep. Those have places. */
  #queue: readonly QueuedMessage[] = [];
  /** Ids of those that the store holds. */
  #stored: ReadonlySet<string> = new Set();

  get inserted(): readonly QueuedMessage[] {
    return this.#inserted;
  }

  /** Those of them that the newest list has a place for. */
  get delivered(): readonly QueuedMessage[] {
    return this.#inserted.filter(({ leftOut }) => leftOut !== true);
  }

  get queue(): readonly QueuedMessage[] {
    return this.#queue;
  }

  /** A new request's messages may hold one of them already. */
  get wereSent(): boolean {
    return this.#inserted.length > 0 || this.#queue.some(({ places }) => places.length > 0);
  }

  /** Lets a message wait; false when there are too many to be kept. */
  add(message: ModelMessage): boolean {
    const queue = [...this.#queue, { id: newId(), message, places: [] }];
    if (charactersOf([this.#inserted, queue]) > ACCEPTED_CHARACTERS) return false;
    this.#queue = queue;
    return true;
  }

  /** What a store is given: what it holds already, and all that fits beside it. `left` counts the others. */
  stored(): { readonly inserted: readonly QueuedMessage[]; readonly queue: readonly QueuedMessage[]; readonly ids: ReadonlySet<string>; readonly left: number } {
    const all = [...this.#inserted, ...this.#queue];
    const inStore = all.filter(({ id }) => this.#stored.has(id));
    let room = STORED_CHARACTERS - charactersOf(inStore);
    const fitting = all.filter((entry) => !inStore.includes(entry) && (room -= charactersOf(entry)) >= 0);
    const ids = new Set([...inStore, ...fitting].map(({ id }) => id));
    const kept = (list: readonly QueuedMessage[]): readonly QueuedMessage[] => list.filter(({ id }) => ids.has(id));
    return { inserted: kept(this.#inserted), queue: kept(this.#queue), ids, left: all.length - ids.size };
  }

  /** The store holds these now. */
  saved(ids: ReadonlySet<string>): void {
    this.#stored = ids;
  }

  /**
   * Brings together what a store holds and what is known here; nothing of either is lost. Where the decisions made here are dropped
   * (`keeps` is false), a message that was sent only here waits again: it does not stand in the history that the others decided on.
   */
  merge({ inserted = [], queue = [] }: Stored, keeps: boolean): void {
    const own = new Map([...this.#inserted, ...this.#queue].map((entry) => [entry.id, entry]));
    const isInserted = new Set([...inserted, ...(keeps ? this.#inserted : [])].map(({ id }) => id));
    const merged = new Map<string, QueuedMessage>();
    for (const entry of [...inserted, ...queue, ...own.values()]) {
      if (merged.has(entry.id)) continue;
      const mine = own.get(entry.id) ?? entry;
      const isMine = keeps && this.#inserted.includes(mine);
      // The object that is here: runs that were sent it know it by that.
      merged.set(entry.id, { ...mine, places: isMine ? placesIn(mine.places, entry.places) : placesIn(entry.places, mine.places) });
    }
    this.#inserted = [...merged.values()].filter(({ id }) => isInserted.has(id));
    this.#queue = [...merged.values()].filter(({ id }) => !isInserted.has(id));
    this.#stored = new Set([...inserted, ...queue].map(({ id }) => id));
  }

  /** Forgets them all. */
  clear(): void {
    [this.#inserted, this.#queue, this.#stored] = [[], [], new Set()];
  }

  /**
   * A list with all enqueued messages that belong to it: what was sent before at its place, in a list that is `isNew`, and what waits at its
   * end. `waiting` counts the latter.
   */
  complete(given: readonly ModelMessage[], state: RunState | undefined, isNew: boolean): Completed {
    const view = this.#view(given, state);
    const stands = new Set<QueuedMessage>();
    // Behind a checkpoint a message that is not found is folded.
    const isWhole = isNew && !given.some(isCheckpoint);
    if (isNew) {
      for (const entry of this.#inserted) if (view.insert(entry, entry.places.slice(0, 1))) stands.add(entry);
      const missing = isWhole ? this.#inserted.filter((entry) => !stands.has(entry)) : [];
      // The checkpoint was made from a history that does not have these at these places.
      for (const entry of [...missing, ...this.#queue]) if (view.insert(entry, entry.places, { behindCovered: true })) stands.add(entry);
      // What stood before it is gone: the answer is made anew, or the app has not stored it. What was said in a turn that is gone as well was
      // said in another branch.
      for (const entry of missing) if (!stands.has(entry) && view.insert(entry, entry.places, { behindCovered: true, inTurn: true })) stands.add(entry);
    }
    // What a run that others have overtaken was sent once stays in its own history, and waits for the session's next step as well.
    const waiting = this.#queue.filter((entry) => !stands.has(entry) && !view.history.includes(entry.message));
    const leftOut = isWhole ? new Set(this.#inserted.filter((entry) => !stands.has(entry)).map(({ id }) => id)) : undefined;
    return { history: [...view.history, ...waiting.map(({ message }) => message)], waiting: waiting.length, leftOut };
  }

  /** A step was made with a list that has no place for these. Returns how many were not known to have none. */
  leave(ids: ReadonlySet<string>): number {
    const fresh = this.delivered.filter(({ id }) => ids.has(id)).length;
    this.#inserted = this.#inserted.map(({ leftOut: _before, ...entry }) => (ids.has(entry.id) ? { ...entry, leftOut: true } : entry));
    return fresh;
  }

  #view(history: readonly ModelMessage[], state: RunState | undefined): View {
    return new View(history, state, new Set([...this.#inserted, ...this.#queue].map(({ message }) => message)));
  }

  /** The session's history is this now: what waited and stands in it waits no more. The last `waiting` of it were sent just now. */
  settle(history: readonly ModelMessage[], waiting: number, state: RunState | undefined): Sent {
    const sent = history.slice(history.length - waiting);
    const mayStand = ({ message, places }: QueuedMessage): boolean => places.length > 0 || history.includes(message);
    if (waiting === 0 && !this.#queue.some(mayStand)) return { changed: 0, fresh: 0 };
    const view = this.#view(history, state);
    const placed = (entry: QueuedMessage): QueuedMessage => ({ ...entry, places: placesIn([view.placeAt(history.indexOf(entry.message))], entry.places) });
    const settled = this.#queue.filter(({ message, places }) => history.includes(message) || view.holds(places));
    // Another request may have settled it meanwhile.
    const again = this.#inserted.filter(({ message }) => sent.includes(message));
    this.#inserted = [
      ...this.#inserted.map((entry) => (again.includes(entry) ? placed(entry) : entry)),
      ...settled.map((entry) => (history.includes(entry.message) ? placed(entry) : entry)),
    ];
    this.#queue = this.#queue.filter((entry) => !settled.includes(entry));
    return { changed: settled.length + again.length, fresh: settled.filter(({ places }) => places.length === 0).length };
  }

  /** A run whose decisions the session does not keep was sent the last `waiting` of these: they wait on, and are known to stand there. */
  note(history: readonly ModelMessage[], waiting: number, state: RunState | undefined): Sent {
    if (waiting === 0) return { changed: 0, fresh: 0 };
    const view = this.#view(history, state);
    const sent = history.slice(history.length - waiting);
    const fresh = this.#queue.filter(({ message, places }) => places.length === 0 && sent.includes(message)).length;
    const noted = (entry: QueuedMessage): QueuedMessage =>
      sent.includes(entry.message) ? { ...entry, places: placesIn(entry.places, [view.placeAt(history.indexOf(entry.message))]) } : entry;
    // Another request may have been sent it meanwhile, and have settled it.
    this.#inserted = this.#inserted.map(noted);
    this.#queue = this.#queue.map(noted);
    return { changed: waiting, fresh };
  }
}

/** A list, and how many messages at its end wait to be sent. */
export interface Completed {
  readonly history: readonly ModelMessage[];
  readonly waiting: number;
  /** Ids of delivered messages that it has no place for, where that was looked for. */
  readonly leftOut?: ReadonlySet<string> | undefined;
}

/** What a step has sent: how many messages are now known otherwise, and how many of them were never sent before. */
interface Sent {
  readonly changed: number;
  readonly fresh: number;
}

/** A list in which messages are put at their places. */
class View {
  #history: readonly ModelMessage[];
  readonly #state: RunState | undefined;
  /** Ids of the places, and of what each message says; read when they are needed. */
  #ids: Ids | undefined;
  #contentIds: readonly string[] | undefined;
  /** Index of the first message after what a checkpoint covers. */
  #covered: number | undefined;
  readonly #added = new Set<ModelMessage>();
  /** Messages that are not the app's. */
  readonly #enqueued: ReadonlySet<ModelMessage>;

  constructor(history: readonly ModelMessage[], state: RunState | undefined, enqueued: ReadonlySet<ModelMessage>) {
    this.#history = history;
    this.#state = state;
    this.#enqueued = enqueued;
  }

  get history(): readonly ModelMessage[] {
    return this.#history;
  }

  /** The app has stored a message at one of these places among its own. */
  holds(places: readonly Place[]): boolean {
    const { ids } = (this.#ids ??= placesOf(this.#history, this.#state));
    return places.some(({ after }) => after !== '' && ids.includes(after) && !this.#added.has(this.#history[ids.indexOf(after) - 1]!));
  }

  /** The place of the message at an index. */
  placeAt(at: number): Place {
    const { ids, outlines } = (this.#ids ??= placesOf(this.#history, this.#state));
    const request = this.#history.slice(0, at).map((message) => this.#beginsTurn(message)).lastIndexOf(true);
    return {
      before: ids[at]!,
      outline: outlines[at]!,
      after: ids[at + 1]!,
      neighbor: at === 0 ? '' : contentIdOf(this.#history[at - 1]!),
      start: this.start,
      turn: ids[request + 1]!,
      request: request === -1 ? '' : contentIdOf(this.#history[request]!),
    };
  }

  #beginsTurn(message: ModelMessage): boolean {
    return message.role === 'user' && !isCheckpoint(message) && !this.#enqueued.has(message);
  }

  /** What the first message says, whatever stands before it. */
  get start(): string {
    const first = this.#history.find((message) => message.role !== 'system' && !isCheckpoint(message));
    return first === undefined ? '' : contentIdOf(first);
  }

  /**
   * Puts a message at the first of its places that is found, or `behindCovered`, where that is later; or where the turn was in which it was
   * said (`inTurn`). Returns whether it stands in the list.
   */
  insert(entry: QueuedMessage, places: readonly Place[], { behindCovered = false, inTurn = false } = {}): boolean {
    const { message } = entry;
    if (places.length === 0) return false;
    if (this.#history.includes(message) || this.holds(entry.places)) return true;
    // Of several requests that were sent it, the app may have stored it with any.
    if (entry.places.length > 1 && entry.places.some(({ neighbor }) => this.#isAt(message, this.#read().lastIndexOf(neighbor) + 1))) return true;
    let at = inTurn ? this.#findTurn(places) : this.#find(places);
    if (at === undefined) return false;
    // The app has stored it, and something older is not what it was.
    if (this.#contentIds !== undefined && this.#isAt(message, at)) return true;
    if (behindCovered) {
      this.#covered ??= askEngine('coveredEnd', { entries: entriesOf(this.#history), state: this.#state });
      at = Math.max(at, this.#covered);
      // Those that were inserted there before stand before it.
      while (this.#added.has(this.#history[at]!)) at += 1;
    }
    this.#added.add(message);
    this.#history = [...this.#history.slice(0, at), message, ...this.#history.slice(at)];
    this.#ids = undefined;
    if (this.#contentIds !== undefined) this.#contentIds = [...this.#contentIds.slice(0, at), contentIdOf(message), ...this.#contentIds.slice(at)];
    return true;
  }

  #read(): readonly string[] {
    return (this.#contentIds ??= contentIdsOf(this.#history));
  }

  /** Whether a message of the app's that stands there says the same. */
  #isAt(message: ModelMessage, at: number): boolean {
    return at > 0 && this.#read()[at] === contentIdOf(message) && !this.#added.has(this.#history[at]!);
  }

  #find(places: readonly Place[]): number | undefined {
    const { ids, outlines } = (this.#ids ??= placesOf(this.#history, this.#state));
    for (const { before } of places) if (before !== '' && ids.includes(before)) return ids.indexOf(before);
    // The same history in another form: the app may have stored the message with it.
    const { outline } = places.find((place) => place.outline !== undefined && place.outline !== '' && outlines.includes(place.outline)) ?? {};
    if (outline !== undefined && this.#read().length > 0) return outlines.indexOf(outline);
    // Something older was edited: then it comes after the same message as before.
    for (const { neighbor } of places) {
      const index = this.#read().lastIndexOf(neighbor);
      if (index === -1) continue;
      // Never between a call and its results.
      const isBehind = ({ role }: ModelMessage, at: number): boolean => at > index && role !== 'tool';
      const at = this.#history.findIndex(isBehind);
      return at === -1 ? this.#history.length : at;
    }
    return undefined;
  }

  /** Behind the user's message with which the turn began, and what was said in the same turn before. */
  #findTurn(places: readonly Place[]): number | undefined {
    const { ids } = (this.#ids ??= placesOf(this.#history, this.#state));
    // A list that begins elsewhere has other places: the app sends only its newest messages.
    const isTrimmed = places.every(({ start }) => start !== this.start);
    for (const { turn, request } of places) {
      const index = request === '' ? -1 : isTrimmed ? this.#read().lastIndexOf(request) : ids.indexOf(turn) - 1;
      if (index < 0) continue;
      const rest = this.#history.slice(index + 1);
      const next = rest.findIndex((message) => this.#beginsTurn(message));
      const turnMessages = next === -1 ? rest : rest.slice(0, next);
      return index + 2 + turnMessages.map((message) => this.#added.has(message)).lastIndexOf(true);
    }
    return undefined;
  }
}

/** Names of the places before each message and at the end: by what stands before them, and by its outline. */
interface Ids {
  readonly ids: readonly string[];
  readonly outlines: readonly string[];
}

function placesOf(messages: readonly ModelMessage[], state: RunState | undefined): Ids {
  const [ids = [], outlines = []] = askEngine('places', { entries: entriesOf(messages), state }).split('\n').map((line) => line.split(' '));
  return { ids, outlines };
}

/** Ids of what messages say, wherever they stand. */
export const contentIdsOf = (messages: readonly ModelMessage[]): readonly string[] =>
  askEngine('contentIds', { entries: entriesOf(messages) }).split(' ');

const contentIdOf = (message: ModelMessage): string => contentIdsOf([message])[0]!;

/** All places, those that count more first. */
function placesIn(first: readonly Place[], second: readonly Place[]): readonly Place[] {
  const others = second.filter(({ before, after }) => !first.some((place) => place.before === before && place.after === after));
  return [...first, ...others].slice(0, PLACES);
}

export const charactersOf = (value: unknown): number => JSON.stringify(value, bytesAsBase64).length;

