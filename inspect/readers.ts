// The readers of logs as a module of their own, for the replay bench. Part of no package.

export { findSources } from './files.js';
export type { Source } from './files.js';
export type { Log } from './log.js';
export { readSource } from './read.js';
