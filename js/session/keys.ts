// Under which keys a session is kept. Two ids never meet, and no store reads anything into one: some take upper and lower case for the same,
// normalize letters, drop what follows a `?`, or make directories of `/` and `:`. Earlier versions handed ids to stores as they are; what stands
// there is found.

import { isThenable } from '../bridge/thenable.js';
import { sha256 } from './sha256.js';
import type { SessionStore } from './store.js';

/** Names that Windows keeps for devices, also with an ending. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;
/** Characters of a key, with room for a prefix and the name of a page: file systems allow 255 bytes for a name, Workers KV 512 for a key. */
const LONGEST_KEY = 180;

/**
 * The key of a session: its id, in which all but small letters, digits, `-` and `_` is a dot and the four digits of its code unit. A long one
 * is a hash. What every object has, such as `constructor`, begins with such a dot, too: a store may be one.
 */
export function keyOf(id: string): string {
  const escaped = (text: string): string => `.${text.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const key = id.replace(/[^a-z0-9_-]/g, escaped);
  if (key.length > LONGEST_KEY) return `sha256.x${sha256(key)}`;
  return DEVICE.test(key) || key in {} ? escaped(key) + key.slice(1) : key;
}

/** The key of one of a session's pages: no directory below the session's own, and no id has it. */
export const pageKeyOf = (id: string, page: string): string => `${keyOf(id)}.p${page}`;
/** Where earlier versions put it. */
export const earlierPageKeyOf = (id: string, page: string): string => `${id}:${page}`;

/**
 * A store in which a value that stands nowhere else is found under its earlier key. The first save moves it: what is left there says whose it
 * was, and so it is nobody else's whose id had the same earlier key.
 */
export function withEarlier(store: SessionStore, earlier: string): SessionStore {
  let isThere = false;
  const found = (value: unknown): unknown => {
    isThere = !isNothing(value) && !isTaken(value);
    return isThere ? value : undefined;
  };
  const look = (key: string, tries: number): unknown => {
    // A store that answers for one key and not for the other, twice, has never kept anything under that.
    const failed = (): unknown => then(store.get(key), (value) => (tries === 1 || !isNothing(value) ? value : look(key, tries - 1)));
    try {
      const value = store.get(earlier);
      return isThenable(value) ? value.then(found, failed) : found(value);
    } catch {
      return failed();
    }
  };
  return {
    get(key) {
      isThere = false;
      return then(store.get(key), (value) => (key === earlier || !isNothing(value) ? value : look(key, 2)));
    },
    set(key, value, previous) {
      if (!isThere) return store.set(key, value, previous);
      const leave = (kept: unknown): unknown => (kept === false ? kept : then(store.set(earlier, JSON.stringify({ version: 2, key }), previous), () => kept));
      return then(store.set(key, value, undefined), leave);
    },
  };
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

/** At once where it can be: nothing comes between reading a Map and writing to it. */
const then = (value: unknown, next: (value: unknown) => unknown): unknown => (isThenable(value) ? value.then(next) : next(value));

/** Whether a value is none of an earlier version: those of today say whose they are, and of what every object has none is a session. */
function isTaken(value: unknown): boolean {
  try {
    const { key, version, stepfold } = (typeof value === 'string' ? JSON.parse(value) : value) as { readonly [name in 'key' | 'version' | 'stepfold']?: unknown };
    return typeof key === 'string' || (version === undefined && stepfold === undefined);
  } catch {
    // What is damaged is found, and refused.
    return false;
  }
}
