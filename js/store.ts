// Where a session is kept between requests: two methods that a Map, unstorage, Redis and Cloudflare KV have or nearly have.
// Waits a bounded time, never throws, and looks before it writes: what another process has saved since is kept. For two that save at the
// same moment the store must compare and set.

import { StepfoldError, messageOf } from './errors.js';

/**
 * What keeps sessions: a `Map` is one, other stores need one line (`kvStore`, `redisStore`, `unstorageStore`).
 * How long a value lives and how it is deleted is the store's business: a session asks for nothing but these two.
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

/** Options of the ready-made stores. */
export interface StoreOptions {
  /** Seconds after which a session that was not written again is forgotten: a whole number, for `kvStore` at least 60. @default never */
  readonly ttlSeconds?: number | undefined;
  /** Put before every session id. @default 'stepfold:' */
  readonly prefix?: string | undefined;
}

/** Workers KV refuses a shorter life at every write. */
const KV_SECONDS = 60;

/**
 * A store over Cloudflare Workers KV.
 *
 * @throws StepfoldError when `kv` has no `get` and `put`, or an option is unknown or out of range.
 */
export function kvStore(
  kv: { get(key: string): Promise<string | null>; put(key: string, value: string, options?: { expirationTtl?: number }): Promise<unknown> },
  options: StoreOptions = {},
): SessionStore {
  const { ttlSeconds, prefix } = checked(options, KV_SECONDS);
  checkClient('kvStore', 'kv', kv, ['get', 'put']);
  return {
    get: (key) => kv.get(prefix + key),
    set: (key, value) => kv.put(prefix + key, value, ttlSeconds === undefined ? undefined : { expirationTtl: ttlSeconds }),
  };
}

/**
 * A store over a Redis client: node-redis, ioredis or `@upstash/redis`.
 *
 * @throws StepfoldError when `client` lacks a method, or an option is unknown or out of range.
 */
export function redisStore(
  client: {
    get(key: string): Promise<unknown>;
    set(key: string, value: string): Promise<unknown>;
    setEx?(key: string, seconds: number, value: string): Promise<unknown>;
    setex?(key: string, seconds: number, value: string): Promise<unknown>;
  },
  options: StoreOptions = {},
): SessionStore {
  const { ttlSeconds, prefix } = checked(options);
  // node-redis writes it with a capital letter, the others without.
  const setEx = (client as typeof client | undefined)?.setEx === undefined ? 'setex' : 'setEx';
  checkClient('redisStore', 'client', client, ttlSeconds === undefined ? ['get', 'set'] : ['get', 'set', setEx]);
  return {
    get: (key) => client.get(prefix + key),
    set: (key, value) => (ttlSeconds === undefined ? client.set(prefix + key, value) : client[setEx]!(prefix + key, ttlSeconds, value)),
  };
}

/**
 * A store over unstorage, which brings drivers for files, databases and most clouds.
 *
 * @throws StepfoldError when `storage` has no `getItem` and `setItem`, or an option is unknown or out of range.
 */
export function unstorageStore(
  storage: { getItem(key: string): Promise<unknown>; setItem(key: string, value: string, options?: { ttl?: number }): Promise<unknown> },
  options: StoreOptions = {},
): SessionStore {
  const { ttlSeconds, prefix } = checked(options);
  checkClient('unstorageStore', 'storage', storage, ['getItem', 'setItem']);
  return {
    get: (key) => storage.getItem(prefix + key),
    set: (key, value) => storage.setItem(prefix + key, value, ttlSeconds === undefined ? {} : { ttl: ttlSeconds }),
  };
}

/** Refuses what a store would refuse at the first save. */
function checked(options: StoreOptions, leastSeconds = 1): { readonly ttlSeconds: number | undefined; readonly prefix: string } {
  const { ttlSeconds, prefix = 'stepfold:', ...rest } = options ?? {};
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new StepfoldError({ code: 'unknown-option', message: `\`${unknown}\` is no option of a store; allowed are \`ttlSeconds\` and \`prefix\`` });
  if (ttlSeconds !== undefined && !(Number.isInteger(ttlSeconds) && ttlSeconds >= leastSeconds)) {
    throw new StepfoldError({ code: 'invalid-option', message: `\`ttlSeconds\` is ${String(ttlSeconds)}; it must be a whole number of seconds, at least ${leastSeconds}` });
  }
  return { ttlSeconds, prefix };
}

/** A binding that is missing shows where the store is made, and not as a store that fails at every step. */
function checkClient(store: string, name: string, client: unknown, methods: readonly string[]): void {
  const isThing = (typeof client === 'object' && client !== null) || typeof client === 'function';
  const missing = isThing ? methods.filter((method) => typeof (client as Readonly<Record<string, unknown>>)[method] !== 'function') : methods;
  if (missing.length === 0) return;
  const shown = isThing ? `has no ${missing.map((method) => `\`${method}\``).join(' and no ')}` : `is ${client === null ? 'null' : `of type ${typeof client}`}`;
  const wanted = methods.map((method) => `\`${method}\``).join(', ');
  throw new StepfoldError({ code: 'invalid-option', message: `\`${store}\`: \`${name}\` ${shown}; it must have the methods ${wanted}` });
}

/** Milliseconds a store may take; a step does not wait longer. */
const STORE_MS = 5_000;

/** What came of a load or save. */
export type StoreOutcome =
  | { readonly done: true; readonly text: string | undefined }
  | { readonly done: false; readonly reason: 'failed' | 'timeout' | 'conflict'; readonly message: string };

/** Reads a value as text: as `known`, where it says the same. Never throws. */
export function load(store: SessionStore, key: string, known?: string): Promise<StoreOutcome> {
  return within(async () => ({ done: true, text: asText(await store.get(key), known) }));
}

/** Races that a save may lose before it gives up; each of them another process has won. */
const RACES = 100;
/** The same where nothing was won by anybody: the store refuses. */
const REFUSALS = 3;

/**
 * Reads a value, as `known` where it says the same, and writes what is made from it at once; begins again where the store says that
 * something else is there now. Nothing is written when `make` gives nothing. Never throws; `make` is not called after the time is over.
 */
export function update(store: SessionStore, key: string, known: string | undefined, make: (found: string | undefined) => string | undefined): Promise<StoreOutcome> {
  return within(async (isOver) => {
    let seen = known;
    for (let races = 0, refusals = 0; races < RACES && refusals < REFUSALS; races += 1) {
      const read = store.get(key);
      // Nothing comes between reading a Map and writing to it.
      const found = asText(isPromise(read) ? await read : read, seen);
      if (isOver()) break;
      refusals = found === seen ? refusals + 1 : 1;
      seen = found;
      const value = make(found);
      if (value === undefined) return { done: true, text: found };
      if ((await store.set(key, value, found)) !== false) return { done: true, text: value };
    }
    return { done: false, reason: 'conflict', message: 'other processes were faster each time this session was saved; it is kept in memory' };
  });
}

const isPromise = (value: unknown): value is PromiseLike<unknown> => typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';

/** Whether two texts are the same JSON, whatever the order of keys. */
export function isSameJson(left: string, right: string): boolean {
  try {
    return left === right || sorted(JSON.parse(left)) === sorted(JSON.parse(right));
  } catch {
    return false;
  }
}

/** What a store has handed back as text: as `known`, where it says the same. */
const asText = (found: unknown, known: string | undefined): string | undefined => (says(found, known) ? known : textOf(found));

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

async function within(work: (isOver: () => boolean) => Promise<StoreOutcome>): Promise<StoreOutcome> {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<StoreOutcome>((resolve) => {
    timer = setTimeout(() => {
      isOver = true;
      resolve({ done: false, reason: 'timeout', message: `the store took more than ${STORE_MS} ms` });
    }, STORE_MS);
  });
  const failed = (error: unknown): StoreOutcome => ({ done: false, reason: 'failed', message: messageOf(error) });
  try {
    return await Promise.race([work(() => isOver).catch(failed), late]);
  } finally {
    clearTimeout(timer);
  }
}
