// Stores over servers that cannot compare and set: of two saves at the same moment the later one stays.

import { StepfoldError } from '../errors.js';
import type { SessionStore } from '../session/store.js';
import type { StoreOptions } from './options.js';
import { checkClient, checked } from './options.js';

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
  if (prefix.includes('?')) throw new StepfoldError({ code: 'invalid-option', message: `\`prefix\` is ${JSON.stringify(prefix)}; it must be a text without \`?\`, after which unstorage drops the rest of every key` });
  return {
    // No key of today's holds a `?`. Under an earlier one stands what all ids had that are the same up to it.
    get: async (key) => (key.includes('?') ? null : storage.getItem(prefix + key)),
    set: (key, value) => storage.setItem(prefix + key, value, ttlSeconds === undefined ? {} : { ttl: ttlSeconds }),
  };
}
