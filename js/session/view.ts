// A list in which enqueued messages are put at their places again. What a place is, and which is whose, is for the engine to say.
// Each question is asked once for all messages: a list is read as often whether one message was enqueued or a thousand.

import type { ModelMessage } from 'ai';
import { isCheckpoint } from '../step/apply-edits.js';
import type { RunState } from '../bridge/boundary.js';
import { askEngine } from '../bridge/engine.js';
import { entriesOf } from '../bridge/messages.js';

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

/** What a place is known by, as in `src/model/history/inserted.rs`: the id before it, its outline, the id behind it; an index of the list; another message. */
const [BEFORE, OUTLINE, AFTER, AT, BEHIND] = [0, 1, 2, 3, 4];
const knownBy = (kind: number, id: string | number | undefined = ''): readonly string[] => (id === '' ? [] : [`${kind}${id.toString(16).padStart(12, '0')}`]);

/** What is read of a list when it is needed. */
interface Reading {
  covered: number;
  places: readonly (readonly string[])[];
  contentIds: readonly string[];
  firstPlaces: ReadonlyMap<string, number>;
  lastContents: ReadonlyMap<string, number>;
  requests: readonly number[];
}

export class View {
  #history: readonly ModelMessage[];
  readonly #state: RunState | undefined;
  /** Messages that are not the app's. */
  readonly #enqueued: ReadonlySet<ModelMessage>;
  /** Those of them that were put in here. */
  readonly #added = new Set<ModelMessage>();
  /** What was read of the list as it is now. */
  #read: Partial<Reading> = {};

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
    return places.some(({ after }) => {
      const behind = after === '' ? undefined : this.#firstPlaces.get(after);
      return behind !== undefined && !this.#added.has(this.#history[behind - 1]!);
    });
  }

  /** The place of the message at an index. */
  placeAt(at: number): Place {
    const [ids, outlines] = this.#places as [readonly string[], readonly string[]];
    const request = this.#requests[at]!;
    return {
      before: ids[at]!,
      outline: outlines[at]!,
      after: ids[at + 1]!,
      neighbor: this.#contentIds[at - 1] ?? '',
      start: this.#start,
      turn: ids[request + 1]!,
      request: this.#contentIds[request] ?? '',
    };
  }

  /**
   * Puts messages at the first of the places that are looked at that is found, or `behindCovered`, where that is later. Returns those that
   * stand in the list.
   */
  insert(entries: readonly QueuedMessage[], looked: (entry: QueuedMessage) => readonly Place[], { behindCovered = false } = {}): readonly QueuedMessage[] {
    const objects = new Set(this.#history);
    const stands = entries.filter((entry) => entry.places.length > 0 && (objects.has(entry.message) || this.#isStoredElsewhere(entry)));
    const standing = new Set(stands);
    const sought = entries.filter((entry) => entry.places.length > 0 && !standing.has(entry));
    if (sought.length === 0) return stands;
    const given = { entries: entriesOf(this.#history), state: this.#state, inserted: entriesOf(sought.map(({ message }) => message)) };
    const arrange = (placesOf: (entry: QueuedMessage, number: number) => readonly string[]): ReadonlyMap<number, string> => {
      const lines = askEngine('arranged', { ...given, places: sought.map((entry, number) => placesOf(entry, number).join(' ')).join('\n') });
      return new Map(lines.split('\n').slice(0, -1).map((line) => [Number.parseInt(line, 10), line.split(' ')[1]!]));
    };
    const known = (entry: QueuedMessage): readonly string[] => [...looked(entry).flatMap(({ before }) => knownBy(BEFORE, before)), ...entry.places.flatMap(({ after }) => knownBy(AFTER, after))];
    let found = arrange(known);
    if (found.size < sought.length) {
      // What is put in moves the chains of what comes later: that belongs where it was found, too.
      const belonging = this.#belonging(sought, looked);
      const held = [...sought.keys()].filter((number) => found.get(number) === '' || (!found.has(number) && belonging[number] === ''));
      const isHeld = new Set(held);
      const again = arrange((entry, number) => {
        if (isHeld.has(number)) return [];
        const outlines = found.has(number) ? [] : looked(entry).flatMap(({ outline }) => knownBy(OUTLINE, outline));
        return [...known(entry), ...outlines, belonging[number] ?? ''];
      });
      found = new Map([...held.map((number) => [number, ''] as const), ...again]);
    }
    const placed = [...found].filter(([, at]) => at !== '');
    const covered = behindCovered ? this.#covered : 0;
    this.#put(placed.map(([number, at]) => ({ message: sought[number]!.message, at: behindCovered ? this.#behindAdded(Math.max(Number(at), covered)) : Number(at) })));
    return [...stands, ...[...found.keys()].map((number) => sought[number]!)];
  }

  /** Puts messages where the turn was in which they were said. Returns those that stand in the list now. */
  insertInTurn(entries: readonly QueuedMessage[]): readonly QueuedMessage[] {
    const ends = new Map<number, number>();
    const own = contentIdsOf(entries.map(({ message }) => message));
    const placed: { readonly message: ModelMessage; readonly at: number }[] = [];
    const stands = entries.filter(({ places, message }, number) => {
      const at = this.#findTurn(places, ends);
      if (at !== undefined && !this.#isAt(own[number]!, at)) placed.push({ message, at: this.#behindAdded(Math.max(at, this.#covered)) });
      return at !== undefined;
    });
    this.#put(placed);
    return stands;
  }

  /**
   * Where messages belong that no chain finds: something older was edited, so they come after the same message as before. Empty where one stands
   * there already.
   */
  #belonging(sought: readonly QueuedMessage[], looked: (entry: QueuedMessage) => readonly Place[]): readonly (string | undefined)[] {
    const own = contentIdsOf(sought.map(({ message }) => message));
    const before = new Map<string, number>();
    return sought.map((entry, number) => {
      const belongs = ({ neighbor }: Place): string | undefined => {
        const index = this.#lastContents.get(neighbor);
        if (index === undefined) return before.has(neighbor) ? knownBy(BEHIND, before.get(neighbor))[0] : undefined;
        const at = this.#behindResults(index + 1);
        return this.#isAt(own[number]!, at) ? '' : knownBy(AT, at)[0];
      };
      const belonging = looked(entry).map(belongs).find((one) => one !== undefined);
      before.set(own[number]!, number);
      return belonging;
    });
  }

  /** Of several requests that were sent a message, the app may have stored it with any. */
  #isStoredElsewhere({ message, places }: QueuedMessage): boolean {
    if (places.length <= 1) return false;
    const [content] = contentIdsOf([message]);
    return places.some(({ neighbor }) => this.#isAt(content!, (this.#lastContents.get(neighbor) ?? -1) + 1));
  }

  /** Whether a message of the app's that stands there says this. */
  #isAt(content: string, at: number): boolean {
    return at > 0 && this.#contentIds[at] === content && !this.#added.has(this.#history[at]!);
  }

  /** Never between a call and its results. */
  #behindResults(index: number): number {
    let at = index;
    while (this.#history[at]?.role === 'tool') at += 1;
    return at;
  }

  /** Those that were put in there before stand before it. */
  #behindAdded(index: number): number {
    let at = index;
    while (this.#added.has(this.#history[at]!)) at += 1;
    return at;
  }

  /** Behind the user's message with which the turn began, and what was said in the same turn before. */
  #findTurn(places: readonly Place[], ends: Map<number, number>): number | undefined {
    // A list that begins elsewhere has other places: the app sends only its newest messages.
    const isTrimmed = places.every(({ start }) => start !== this.#start);
    for (const { turn, request } of places) {
      const index = request === '' ? -1 : isTrimmed ? (this.#lastContents.get(request) ?? -1) : (this.#firstPlaces.get(turn) ?? 0) - 1;
      if (index < 0) continue;
      let end = ends.get(index);
      if (end === undefined) {
        end = index + 1;
        for (let at = index + 1; at < this.#history.length && !this.#beginsTurn(this.#history[at]!); at += 1) if (this.#added.has(this.#history[at]!)) end = at + 1;
        ends.set(index, end);
      }
      return end;
    }
    return undefined;
  }

  #beginsTurn(message: ModelMessage): boolean {
    return message.role === 'user' && !isCheckpoint(message) && !this.#enqueued.has(message);
  }

  /** Puts messages before those that stand at these indices, in their order. */
  #put(placed: readonly { readonly message: ModelMessage; readonly at: number }[]): void {
    if (placed.length === 0) return;
    const byIndex = new Map<number, ModelMessage[]>();
    for (const { message, at } of placed) {
      const there = byIndex.get(at);
      if (there === undefined) byIndex.set(at, [message]);
      else there.push(message);
      this.#added.add(message);
    }
    const history: ModelMessage[] = [];
    for (let index = 0; index <= this.#history.length; index += 1) {
      for (const message of byIndex.get(index) ?? []) history.push(message);
      if (index < this.#history.length) history.push(this.#history[index]!);
    }
    this.#history = history;
    this.#read = {};
  }

  /** Index of the first message after what a checkpoint covers. */
  get #covered(): number {
    return (this.#read.covered ??= askEngine('coveredEnd', { entries: entriesOf(this.#history), state: this.#state }));
  }

  /** Ids of the places before each message, and behind the last; and the same by the outlines there. */
  get #places(): readonly (readonly string[])[] {
    return (this.#read.places ??= askEngine('places', { entries: entriesOf(this.#history), state: this.#state }).split('\n').map((line) => line.split(' ')));
  }

  get #firstPlaces(): ReadonlyMap<string, number> {
    return (this.#read.firstPlaces ??= new Map(this.#places[0]!.map((id, index) => [id, index] as const).reverse()));
  }

  /** Ids of what each message says. */
  get #contentIds(): readonly string[] {
    return (this.#read.contentIds ??= contentIdsOf(this.#history));
  }

  get #lastContents(): ReadonlyMap<string, number> {
    return (this.#read.lastContents ??= new Map(this.#contentIds.map((id, index) => [id, index])));
  }

  /** The newest message before each with which the user began a turn; -1 where there is none. */
  get #requests(): readonly number[] {
    let newest = -1;
    return (this.#read.requests ??= this.#history.map((message, index) => {
      const before = newest;
      if (this.#beginsTurn(message)) newest = index;
      return before;
    }));
  }

  /** What the first message says, whatever stands before it. */
  get #start(): string {
    const first = this.#history.findIndex((message) => message.role !== 'system' && !isCheckpoint(message));
    return this.#contentIds[first] ?? '';
  }
}

/** Ids of what messages say, wherever they stand. */
export const contentIdsOf = (messages: readonly ModelMessage[]): readonly string[] => askEngine('contentIds', { entries: entriesOf(messages) }).split(' ');
