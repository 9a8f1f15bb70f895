// The entry `stepfold/file-store`, for Node, Bun and Deno: sessions as files. Apart from `stepfold/stores`, because bundlers for browsers
// and edge platforms refuse a module that names `node:fs`, even where it is imported only when needed.

export { fileStore } from './stores/file.js';
export type { SessionStore } from './session/store.js';
