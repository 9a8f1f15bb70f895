// What a session stores: one JSON value with everything that another process needs to go on, and in it the messages that the app enqueued,
// with the places where they stand. Brings together what two processes know of them. Knows no store and no step; what a store hands back
// is read in `read-state.ts`.

import type { ModelMessage } from 'ai';
import { isCheckpoint } from '../step/apply-edits.js';
import type { CallOutcome, CompactRequest, RunState, Usage } from '../bridge/boundary.js';
import { newId } from '../observe/source.js';
import type { SummaryUsage } from '../summarize/summary-usage.js';
import type { Place, QueuedMessage } from './view.js';
import { View } from './view.js';

/** A session as plain JSON, at most 300,000 characters: all that another process needs to go on. What is in it may change with `version`. */
export interface SessionState {
  readonly version: 2;
  readonly [field: string]: unknown;
}

/** The value as it is written; every field but the version may be missing. */
export interface Stored {
  readonly version: 2;
  /** Whose it is: the key under which it is kept. */
  readonly key?: string;
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
export const FORGOTTEN = /* @__PURE__ */ JSON.stringify({ forgotten: true, version: 2 } satisfies Stored);

/** Bytes in messages have a form in JSON that the SDK takes for the same. `Buffer` would write itself as a list of numbers. */
export function bytesAsBase64(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Readonly<Record<string, unknown>>)[key];
  const bytes = original instanceof ArrayBuffer ? new Uint8Array(original) : original;
  if (!(bytes instanceof Uint8Array)) return value;
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Characters of messages that wait, as JSON. What was delivered counts no more. */
const WAITING_CHARACTERS = 32_000;
/** The same in a stored session, of all that were enqueued: up to here with all that is known of their places, */
const WHOLE_CHARACTERS = 32_000;
/** up to here the oldest by their first place alone, */
export const STORED_CHARACTERS = 64_000;
/** and where that is not enough, the oldest go, so many at once that the next ones have room for a while. */
const KEPT_CHARACTERS = 48_000;
/** Places that are remembered of one message: requests at once each send it at a place of their own. */
export const PLACES = 10;

/** The messages that were enqueued in one session. */
export class MessageQueue {
  /** They stand in the session's history, oldest first. */
  #inserted: readonly QueuedMessage[] = [];
  /** They do not yet: no run was sent them, or only runs whose decisions the session does not keep. Those have places. */
  #queue: readonly QueuedMessage[] = [];
  /** Ids of those that the newest list holds as messages of the app's. */
  #held: ReadonlySet<string> = new Set();

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
    if (charactersOf(queue.map((entry) => ({ ...entry, places: [] }))) > WAITING_CHARACTERS) return false;
    this.#queue = queue;
    return true;
  }

  /** What a store is given, newest first where it has no room for all: what waits, what was delivered, and last what the app has stored itself or left out. */
  stored(): { readonly messages: StoredMessages; readonly left: number } {
    const isSpare = ({ id, leftOut }: QueuedMessage): boolean => leftOut === true || this.#held.has(id);
    const newest = [...this.#queue, ...[...this.#inserted].reverse().sort((one, other) => Number(isSpare(one)) - Number(isSpare(other)))];
    const within = (most: number): ReadonlyMap<string, QueuedMessage | BriefMessage> => {
      const kept = new Map<string, QueuedMessage | BriefMessage>();
      let used = 0;
      for (const [index, entry] of newest.entries()) {
        const whole = charactersOf(entry);
        const isWhole = entry.places.length === 0 || used + whole <= WHOLE_CHARACTERS;
        const written = isWhole ? entry : brief(entry);
        used += isWhole ? whole : charactersOf(written);
        // What waits goes only where there is no room at all: nobody has read it.
        if (used > (index < this.#queue.length ? STORED_CHARACTERS : most)) break;
        kept.set(entry.id, written);
      }
      return kept;
    };
    const all = within(STORED_CHARACTERS);
    const kept = all.size === newest.length ? all : within(KEPT_CHARACTERS);
    const written = (list: readonly QueuedMessage[]): readonly (QueuedMessage | BriefMessage)[] => list.flatMap(({ id }) => kept.get(id) ?? []);
    return { messages: { inserted: written(this.#inserted), queue: written(this.#queue) }, left: newest.length - kept.size };
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
  }

  /** Forgets them all. */
  clear(): void {
    [this.#inserted, this.#queue, this.#held] = [[], [], new Set()];
  }

  /**
   * A list with all enqueued messages that belong to it: what was sent before at its place, in a list that is `isNew`, and what waits at its
   * end. `waiting` counts the latter.
   */
  complete(given: readonly ModelMessage[], state: RunState | undefined, isNew: boolean): Completed {
    const view = this.#view(given, state);
    const stands = new Set<QueuedMessage>();
    const stand = (entries: readonly QueuedMessage[]): void => entries.forEach((entry) => stands.add(entry));
    // Behind a checkpoint a message that is not found is folded.
    const isWhole = isNew && !given.some(isCheckpoint);
    if (isNew) {
      stand(view.insert(this.#inserted, ({ places }) => places.slice(0, 1)));
      const missing = isWhole ? this.#inserted.filter((entry) => !stands.has(entry)) : [];
      // The checkpoint was made from a history that does not have these at these places.
      stand(view.insert([...missing, ...this.#queue], ({ places }) => places, { behindCovered: true }));
      // What stood before it is gone: the answer is made anew, or the app has not stored it. What was said in a turn that is gone as well was
      // said in another branch.
      stand(view.insertInTurn(missing.filter((entry) => !stands.has(entry))));
    }
    const objects = new Set(view.history);
    if (isNew) this.#held = new Set([...stands].filter(({ message }) => !objects.has(message)).map(({ id }) => id));
    // What a run that others have overtaken was sent once stays in its own history, and waits for the session's next step as well.
    const waiting = this.#queue.filter((entry) => !stands.has(entry) && !objects.has(entry.message));
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
    if (waiting === 0 && this.#queue.length === 0) return { changed: 0, fresh: 0 };
    const sent = new Set(history.slice(history.length - waiting));
    const at = new Map(history.map((message, index) => [message, index]));
    if (waiting === 0 && !this.#queue.some(({ message, places }) => places.length > 0 || at.has(message))) return { changed: 0, fresh: 0 };
    const view = this.#view(history, state);
    const placed = (entry: QueuedMessage): QueuedMessage => ({ ...entry, places: placesIn([view.placeAt(at.get(entry.message)!)], entry.places) });
    const settled = new Set(this.#queue.filter(({ message, places }) => at.has(message) || view.holds(places)));
    // Another request may have settled it meanwhile.
    const again = new Set(this.#inserted.filter(({ message }) => sent.has(message)));
    this.#inserted = [
      ...this.#inserted.map((entry) => (again.has(entry) ? placed(entry) : entry)),
      ...[...settled].map((entry) => (at.has(entry.message) ? placed(entry) : entry)),
    ];
    this.#queue = this.#queue.filter((entry) => !settled.has(entry));
    return { changed: settled.size + again.size, fresh: [...settled].filter(({ places }) => places.length === 0).length };
  }

  /** A run whose decisions the session does not keep was sent the last `waiting` of these: they wait on, and are known to stand there. */
  note(history: readonly ModelMessage[], waiting: number, state: RunState | undefined): Sent {
    if (waiting === 0) return { changed: 0, fresh: 0 };
    const view = this.#view(history, state);
    const sent = new Map(history.slice(history.length - waiting).map((message, index) => [message, history.length - waiting + index]));
    const fresh = this.#queue.filter(({ message, places }) => places.length === 0 && sent.has(message)).length;
    const noted = (entry: QueuedMessage): QueuedMessage =>
      sent.has(entry.message) ? { ...entry, places: placesIn(entry.places, [view.placeAt(sent.get(entry.message)!)]) } : entry;
    // Another request may have been sent it meanwhile, and have settled it.
    this.#inserted = this.#inserted.map(noted);
    this.#queue = this.#queue.map(noted);
    return { changed: waiting, fresh };
  }
}

/** Enqueued messages as they are written. */
export interface StoredMessages {
  readonly inserted: readonly (QueuedMessage | BriefMessage)[];
  readonly queue: readonly (QueuedMessage | BriefMessage)[];
}

/** A message with its first place alone, as the ids before and behind it. */
interface BriefMessage extends Omit<QueuedMessage, 'places'> {
  readonly places: readonly string[];
}

const brief = (entry: QueuedMessage): BriefMessage => ({ ...entry, places: entry.places.slice(0, 1).map(({ before, after }) => `${before} ${after}`) });

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

/** All places, those that count more first. */
function placesIn(first: readonly Place[], second: readonly Place[]): readonly Place[] {
  const others = second.filter(({ before, after }) => !first.some((place) => place.before === before && place.after === after));
  return [...first, ...others].slice(0, PLACES);
}

export const charactersOf = (value: unknown): number => JSON.stringify(value, bytesAsBase64).length;

