// Where a session is kept between requests: two methods. The adapters that give them to Redis and others are in `stores.ts`.
// Waits a bounded time, never throws, and looks before it writes: what another process has saved since is kept. For two that save at the
// same moment the store must compare and set.

import { isThenable } from '../bridge/thenable.js';
import { waitFor } from '../summarize/waiting.js';

/**
 * Where sessions are kept. A `Map` is a store; `stepfold/stores` has adapters for servers, `stepfold/file-store` one for files.
 * The store decides how long a value lives and when it is deleted: a session only ever calls these two methods.
 */
export interface SessionStore {
  /** The value last set for this key; undefined or null when there is none. A store that parses JSON may return what it parsed. */
  get(key: string): unknown;
  /**
   * Keeps a value. `previous` is the text that this one was made from: a store that can compare and set may return
   * (a promise of) `false` when something else is there now. Whatever else is returned means that it was kept.
   */
  set(key: string, value: string, previous: string | undefined): unknown;
}

/** Milliseconds after which an answer has failed to come. A run waits less (`store-timeout.ts`). */
export const ANSWER_MS = 5_000;

/** How a load or save ended. */
export type StoreOutcome =
  | { readonly done: true; readonly text: string | undefined }
  | { readonly done: false; readonly reason: 'failed' | 'timeout' | 'refused'; readonly message: string };

/** Reads a value as text: as `lastText`, where it says the same. Never throws. */
export function load(store: SessionStore, key: string, lastText?: string): Promise<StoreOutcome> {
  return within(async () => ({ done: true, text: asText(await store.get(key), lastText) }));
}

/** Races that a save may lose before it gives up; each of them another process has won. */
const RACES = 100;
/** The same where nothing was won by anybody: the store refuses. */
const REFUSALS = 3;

/**
 * Reads a value, as `lastText` where it says the same, and writes what is made from it at once; begins again where the store says that
 * something else is there now. Nothing is written when `make` gives nothing. Never throws; `make` is not called after the time is over.
 */
export function update(store: SessionStore, key: string, lastText: string | undefined, make: (found: string | undefined) => string | undefined): Promise<StoreOutcome> {
  return within(async (isOver) => {
    let seen = lastText;
    for (let races = 0, refusals = 0; races < RACES && refusals < REFUSALS; races += 1) {
      const read = store.get(key);
      // Nothing comes between reading a Map and writing to it.
      const found = asText(isThenable(read) ? await read : read, seen);
      if (isOver()) break;
      refusals = found === seen ? refusals + 1 : 1;
      seen = found;
      const value = make(found);
      if (value === undefined) return { done: true, text: found };
      if ((await store.set(key, value, found)) !== false) return { done: true, text: value };
    }
    return { done: false, reason: 'refused', message: 'the store says each time that something else is there now; the session is kept in memory' };
  });
}

/** Whether two texts are the same JSON, whatever the order of keys. */
export function isSameJson(left: string, right: string): boolean {
  try {
    return left === right || sorted(JSON.parse(left)) === sorted(JSON.parse(right));
  } catch {
    return false;
  }
}

/** What a store has handed back as text: as `lastText`, where it says the same. */
const asText = (found: unknown, lastText: string | undefined): string | undefined => (says(found, lastText) ? lastText : textOf(found));

/** unstorage, some Redis clients and databases hand back parsed JSON, some with other keys first. */
function textOf(found: unknown): string | undefined {
  if (found === undefined || found === null) return undefined;
  return typeof found === 'string' ? found : sorted(found);
}

/** Whether what a store holds is this text, or parsed from it. */
function says(found: unknown, text: string | undefined): boolean {
  if (typeof found !== 'object' || found === null || text === undefined) return textOf(found) === text;
  return isSameJson(sorted(found), text);
}

/** As JSON with the keys of every object in order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
}

/** Waits for a store a bounded time. */
async function within(work: (isOver: () => boolean) => Promise<StoreOutcome>): Promise<StoreOutcome> {
  const outcome = await waitFor({ name: 'the store', milliseconds: ANSWER_MS, isBackground: true, work: (signal) => work(() => signal.aborted) });
  return 'reason' in outcome ? { done: false, reason: outcome.reason as 'failed' | 'timeout', message: outcome.message } : outcome.value;
}
