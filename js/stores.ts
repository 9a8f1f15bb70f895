// The entry `stepfold/stores`: adapters that turn a client of Redis, Cloudflare KV or unstorage into the store of a session.
// Needs no engine. Loading, saving and merging are in `store.ts`.

import { StepfoldError } from './errors.js';
import type { SessionStore } from './store.js';

export type { SessionStore };

/** Options of the adapters. */
export interface StoreOptions {
  /** Seconds after its last save until a session is forgotten: a whole number, for `kvStore` at least 60. @default never */
  readonly ttlSeconds?: number | undefined;
  /** Text before every key. @default 'stepfold:' */
  readonly prefix?: string | undefined;
}

/** Workers KV refuses a shorter life at every write. */
const KV_SECONDS = 60;

/**
 * Keeps sessions in Cloudflare Workers KV.
 *
 * @example
 * createSession({ id, store: kvStore(env.KV, { ttlSeconds: 86_400 }) });
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
 * Keeps sessions in Redis, through a client of node-redis, ioredis or `@upstash/redis`.
 *
 * @example
 * createSession({ id, store: redisStore(redis, { ttlSeconds: 86_400 }) });
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
 * Keeps sessions in unstorage, which has drivers for files, databases and most clouds.
 *
 * @example
 * createSession({ id, store: unstorageStore(useStorage()) });
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
