// A store over Redis, atomic: one script compares and sets. Knows the three ways in which clients are handed a script.

import type { SessionStore } from '../session/store.js';
import type { StoreOptions } from './options.js';
import { checkClient, checked } from './options.js';

/** Writes where the key holds what was read. Nothing there counts as an empty text, which no session is. */
const COMPARE_AND_SET = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[3] == '0' then redis.call('SET', KEYS[1], ARGV[2]) else redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3]) end
return 1`;

/** The text after a letter: Upstash would hand back JSON parsed, and the script compares what Redis holds. */
const READ = `return 't' .. (redis.call('GET', KEYS[1]) or '')`;

/** A client of Redis, as far as it is used. */
interface RedisClient {
  eval(script: string, ...rest: never[]): Promise<unknown>;
}

/**
 * Keeps sessions in Redis or Valkey, through a client of node-redis, ioredis or `@upstash/redis`. Atomic: a script compares and sets, so
 * the client's user must be allowed `EVAL`.
 *
 * @example
 * createSession({ id, store: redisStore(redis, { ttlSeconds: 86_400 }) });
 *
 * @throws StepfoldError when `client` lacks a method, or an option is unknown or out of range.
 */
export function redisStore(client: RedisClient, options: StoreOptions = {}): SessionStore {
  const { ttlSeconds = 0, prefix } = checked(options);
  checkClient('redisStore', 'client', client, ['eval']);
  const run = runnerOf(client);
  return {
    get: async (key) => String(await run(READ, prefix + key, [])).slice(1) || undefined,
    set: async (key, value, previous = '') => Number(await run(COMPARE_AND_SET, prefix + key, [previous, value, String(ttlSeconds)])) !== 0,
  };
}

/** node-redis is handed an object, Upstash two lists, ioredis and Bun everything one after another. */
function runnerOf(client: RedisClient): (script: string, key: string, values: readonly string[]) => Promise<unknown> {
  const { setEx, createScript } = client as { readonly setEx?: unknown; readonly createScript?: unknown };
  const run = (...given: readonly unknown[]): Promise<unknown> => client.eval(...(given as Parameters<RedisClient['eval']>));
  if (typeof setEx === 'function') return (script, key, values) => run(script, { keys: [key], arguments: values });
  if (typeof createScript === 'function') return (script, key, values) => run(script, [key], values);
  return (script, key, values) => run(script, 1, key, ...values);
}
