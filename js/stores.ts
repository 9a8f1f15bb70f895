// The entry `stepfold/stores`: adapters that turn a client of a server into the store of a session. A file for each kind is in `stores/`.
// Needs no engine. Loading, saving and merging are in `store.ts`.

export type { SessionStore } from './session/store.js';
export type { StoreOptions } from './stores/options.js';
export type { DurableObjectNamespace, ObjectStorage } from './stores/durable-object.js';
export { DurableSession, durableObjectStore } from './stores/durable-object.js';
export { kvStore, unstorageStore } from './stores/plain.js';
export { redisStore } from './stores/redis.js';
export type { SqlClient, SqlStore, SqlStoreOptions } from './stores/sql.js';
export { sqlStore } from './stores/sql.js';
