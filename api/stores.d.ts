// Made by `npm run api` from stores.d.ts of the package.

interface DurableObjectNamespace {
    idFromName(name: string): any;
    get(id: any): {
        fetch(url: string, init?: {
            method: string;
            body: string;
        }): Promise<Response>;
    };
}
declare class DurableSession {
    #private;
    constructor(state: {
        readonly storage: ObjectStorage;
    });
    fetch(request: Request): Promise<Response>;
    alarm(): Promise<void>;
}
interface ObjectStorage {
    get(key: string): Promise<unknown>;
    put(key: string, value: string): Promise<unknown>;
    setAlarm(time: number): Promise<unknown>;
    deleteAll(): Promise<unknown>;
}
interface RedisClient {
    eval(script: string, ...rest: never[]): Promise<unknown>;
}
interface SessionStore {
    get(key: string): unknown;
    set(key: string, value: string, previous: string | undefined): unknown;
}
type SqlClient = ((strings: TemplateStringsArray, ...values: any[]) => unknown) | {
    prepare(text: string): unknown;
} | {
    execute(statement: {
        sql: string;
        args: any[];
    }): unknown;
} | {
    query(text: string, values?: any[]): unknown;
};
interface SqlStore extends SessionStore {
    readonly migration: string;
    readonly createTable: () => Promise<void>;
}
interface SqlStoreOptions extends StoreOptions {
    readonly table?: string | undefined;
}
interface StoreOptions {
    readonly ttlSeconds?: number | undefined;
    readonly prefix?: string | undefined;
}
declare function durableObjectStore(namespace: DurableObjectNamespace, options?: StoreOptions): SessionStore;
declare function kvStore(kv: {
    get(key: string): Promise<string | null>;
    put(key: string, value: string, options?: {
        expirationTtl?: number;
    }): Promise<unknown>;
}, options?: StoreOptions): SessionStore;
declare function redisStore(client: RedisClient, options?: StoreOptions): SessionStore;
declare function sqlStore(client: SqlClient, { table, ...options }?: SqlStoreOptions): SqlStore;
declare function unstorageStore(storage: {
    getItem(key: string): Promise<unknown>;
    setItem(key: string, value: string, options?: {
        ttl?: number;
    }): Promise<unknown>;
}, options?: StoreOptions): SessionStore;
export { DurableSession, durableObjectStore, kvStore, redisStore, sqlStore, unstorageStore };
export type { DurableObjectNamespace, ObjectStorage, SessionStore, SqlClient, SqlStore, SqlStoreOptions, StoreOptions };
