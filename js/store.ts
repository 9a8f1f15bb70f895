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
  /** Seconds after which a session that was not written again is forgotten: a whole number, for Workers KV at least 60. @default never */
  readonly ttlSeconds?: number | undefined;
  /** Put before every session id. @default 'stepfold:' */
  readonly prefix?: string | undefined;
}

/** A store over Cloudflare Workers KV. */
export function kvStore(
  kv: { get(key: string): Promise<string | null>; put(key: string, value: string, options?: { expirationTtl?: number }): Promise<unknown> },
  options: StoreOptions = {},
): SessionStore {
  const { ttlSeconds, prefix } = checked(options);
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
  options: StoreOptions = {},
): SessionStore {
  const { ttlSeconds, prefix } = checked(options);
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
  options: StoreOptions = {},
): SessionStore {
  const { ttlSeconds, prefix } = checked(options);
  return {
    get: (key) => storage.getItem(prefix + key),
    set: (key, value) => storage.setItem(prefix + key, value, ttlSeconds === undefined ? {} : { ttl: ttlSeconds }),
  };
}

/** Refuses what a store would refuse at the first save. */
function checked({ ttlSeconds, prefix = 'stepfold:', ...rest }: StoreOptions): { readonly ttlSeconds: number | undefined; readonly prefix: string } {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new StepfoldError({ code: 'unknown-option', message: `\`${unknown}\` is no option of a store; allowed are \`ttlSeconds\` and \`prefix\`` });
  if (ttlSeconds !== undefined && !(Number.isInteger(ttlSeconds) && ttlSeconds > 0)) {
    throw new StepfoldError({ code: 'invalid-option', message: `\`ttlSeconds\` is ${String(ttlSeconds)}; it must be a whole number of seconds, at least 1` });
  }
  return { ttlSeconds, prefix };
}

/** Milliseconds a store may take; a step does not wait longer. */
const STORE_MS = 5_000;

/** What came of a load or save. */
export type StoreOutcome =
  | { readonly done: true; readonly text: string | undefined }
  | { readonly done: false; readonly reason: 'failed' | 'timeout' | 'conflict'; readonly message: string };

/** Reads a value as text: as `known`, where it says the same. Never throws. */
export function load(store: SessionStore, key: string, known?: string): Promise<StoreOutcome> {
  return within(async () => {
    const found = await store.get(key);
    return { done: true, text: says(found, known) ? known : textOf(found) };
  });
}

/** Writes a value where `previous` still stands. Never throws. */
export function save(store: SessionStore, key: string, value: string, previous: string | undefined): Promise<StoreOutcome> {
  return within(async () => {
    const conflict = { done: false, reason: 'conflict', message: 'another process has saved this session since it was loaded; its work was kept' } as const;
    if (!says(await store.get(key), previous)) return conflict;
    return (await store.set(key, value, previous)) === false ? conflict : { done: true, text: value };
  });
}

/** unstorage, some Redis clients and databases hand back parsed JSON, some with other keys first. */
function textOf(found: unknown): string | undefined {
  if (found === undefined || found === null) return undefined;
  return typeof found === 'string' ? found : sorted(found);
}

/** Whether what a store holds is this text, or parsed from it. */
function says(found: unknown, text: string | undefined): boolean {
  if (typeof found !== 'object' || found === null || text === undefined) return textOf(found) === text;
  try {
    return sorted(found) === sorted(JSON.parse(text));
  } catch {
    return false;
  }
}

/** As JSON with the keys of every object in order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
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
