// Where a session is kept between requests: two methods that a Map, unstorage, Redis and Cloudflare KV have or nearly have.
// Waits a bounded time, never throws, and looks before it writes: what another process has saved since is kept. For two that save at the
// same moment the store must compare and set.

import { messageOf } from './errors.js';

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
  /** Seconds after which a session that was not written again is forgotten. @default never */
  readonly ttlSeconds?: number | undefined;
  /** Put before every session id. @default 'stepfold:' */
  readonly prefix?: string | undefined;
}

/** A store over Cloudflare Workers KV. */
export function kvStore(
  kv: { get(key: string): Promise<string | null>; put(key: string, value: string, options?: { expirationTtl?: number }): Promise<unknown> },
  { ttlSeconds, prefix = 'stepfold:' }: StoreOptions = {},
): SessionStore {
  return {
    get: (key) => kv.get(prefix + key),
    set: (key, value) => kv.put(prefix + key, value, ttlSeconds === undefined ? undefined : { expirationTtl: ttlSeconds }),
  };
}

/** A store over a Redis client: node-redis, ioredis or `@upstash/redis`. */
export function redisStore(
  client: {
    get(key: string): Promise<unknown>;
    set(key: string, value: string): Promise<unknown>;
    setEx?(key: string, seconds: number, value: string): Promise<unknown>;
    setex?(key: string, seconds: number, value: string): Promise<unknown>;
  },
  { ttlSeconds, prefix = 'stepfold:' }: StoreOptions = {},
): SessionStore {
  return {
    get: (key) => client.get(prefix + key),
    set: (key, value) => {
      if (ttlSeconds === undefined) return client.set(prefix + key, value);
      // node-redis writes it with a capital letter, the others without.
      return client.setEx === undefined ? client.setex!(prefix + key, ttlSeconds, value) : client.setEx(prefix + key, ttlSeconds, value);
    },
  };
}

/** A store over unstorage, which brings drivers for files, databases and most clouds. */
export function unstorageStore(
  storage: { getItem(key: string): Promise<unknown>; setItem(key: string, value: string, options?: { ttl?: number }): Promise<unknown> },
  { ttlSeconds, prefix = 'stepfold:' }: StoreOptions = {},
): SessionStore {
  return {
    get: (key) => storage.getItem(prefix + key),
    set: (key, value) => storage.setItem(prefix + key, value, ttlSeconds === undefined ? {} : { ttl: ttlSeconds }),
  };
}

/** Milliseconds a store may take; a step does not wait longer. */
const STORE_MS = 5_000;

/** What came of a load or save. */
export type StoreOutcome =
  | { readonly done: true; readonly text: string | undefined }
  | { readonly done: false; readonly reason: 'failed' | 'timeout' | 'conflict'; readonly message: string };

/** Reads a value as text. Never throws. */
export function load(store: SessionStore, key: string): Promise<StoreOutcome> {
  return within(async () => ({ done: true, text: textOf(await store.get(key)) }));
}

/** Writes a value where `previous` still stands. Never throws. */
export function save(store: SessionStore, key: string, value: string, previous: string | undefined): Promise<StoreOutcome> {
  return within(async () => {
    const conflict = { done: false, reason: 'conflict', message: 'another process has saved this session since it was loaded; its work was kept' } as const;
    if (textOf(await store.get(key)) !== previous) return conflict;
    return (await store.set(key, value, previous)) === false ? conflict : { done: true, text: value };
  });
}

/** unstorage and some Redis clients hand back parsed JSON; written again it is the same text. */
function textOf(found: unknown): string | undefined {
  if (found === undefined || found === null) return undefined;
  return typeof found === 'string' ? found : JSON.stringify(found);
}

async function within(work: () => Promise<StoreOutcome>): Promise<StoreOutcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<StoreOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ done: false, reason: 'timeout', message: `the store took more than ${STORE_MS} ms` }), STORE_MS);
  });
  try {
    return await Promise.race([work().catch((error: unknown): StoreOutcome => ({ done: false, reason: 'failed', message: messageOf(error) })), late]);
  } finally {
    clearTimeout(timer);
  }
}
