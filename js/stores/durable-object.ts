// A store over Cloudflare Durable Objects, atomic: each session is an object, and nothing comes between what one reads and writes.
// Both sides: the class that a worker exports, and the store that asks it. Imports nothing of Cloudflare's.

import type { SessionStore } from '../session/store.js';
import type { StoreOptions } from './options.js';
import { checkClient, checked } from './options.js';

/** The storage of a Durable Object, as far as it is used. */
export interface ObjectStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: string): Promise<unknown>;
  setAlarm(time: number): Promise<unknown>;
  deleteAll(): Promise<unknown>;
}

/** A binding of Durable Objects, as far as it is used. */
export interface DurableObjectNamespace {
  idFromName(name: string): any;
  get(id: any): { fetch(url: string, init?: { method: string; body: string }): Promise<Response> };
}

/** Keeps one session. Export it from your worker, as a class with SQLite (`new_sqlite_classes`): others hold 128 KB a value. */
export class DurableSession {
  readonly #storage: ObjectStorage;

  constructor(state: { readonly storage: ObjectStorage }) {
    this.#storage = state.storage;
  }

  async fetch(request: Request): Promise<Response> {
    const given = request.method === 'PUT' ? ((await request.json()) as { value: string; previous?: string; ttlSeconds?: number }) : undefined;
    const found = await this.#storage.get('session');
    if (given === undefined) return Response.json({ value: found });
    if (found !== given.previous) return Response.json({ isKept: false });
    await this.#storage.put('session', given.value);
    if (given.ttlSeconds !== undefined) await this.#storage.setAlarm(Date.now() + given.ttlSeconds * 1_000);
    return Response.json({ isKept: true });
  }

  /** Its time to live is over. */
  async alarm(): Promise<void> {
    await this.#storage.deleteAll();
  }
}

/**
 * Keeps sessions in Durable Objects of the class `DurableSession`.
 *
 * @example
 * export { DurableSession } from 'stepfold/stores';
 * createSession({ id, store: durableObjectStore(env.SESSIONS) });
 *
 * @throws StepfoldError when `namespace` is no binding of Durable Objects, or an option is unknown or out of range.
 */
export function durableObjectStore(namespace: DurableObjectNamespace, options: StoreOptions = {}): SessionStore {
  const { ttlSeconds, prefix } = checked(options);
  checkClient('durableObjectStore', 'namespace', namespace, ['idFromName', 'get']);
  const ask = async (key: string, init?: { method: string; body: string }): Promise<{ readonly value?: string; readonly isKept?: boolean }> => {
    const response = await namespace.get(namespace.idFromName(prefix + key)).fetch('https://session/', init);
    if (!response.ok) throw new Error(`the Durable Object answered ${response.status}`);
    return (await response.json()) as { value?: string; isKept?: boolean };
  };
  return {
    get: async (key) => (await ask(key)).value,
    set: async (key, value, previous) => (await ask(key, { method: 'PUT', body: JSON.stringify({ value, previous, ttlSeconds }) })).isKept === true,
  };
}
