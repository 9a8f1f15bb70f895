// Made by `npm run api` from file-store.d.ts of the package.

interface SessionStore {
    get(key: string): unknown;
    set(key: string, value: string, previous: string | undefined): unknown;
}
declare function fileStore(directory: string): SessionStore;
export { fileStore };
export type { SessionStore };
