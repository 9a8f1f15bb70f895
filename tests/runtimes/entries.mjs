// The entries of the package that every runtime is tested with. A new entry is one line here.

import { amount } from '../amount.mjs';

/**
 * @typedef {object} Variant What a handler is built with: the default entry, another one beside it, or nothing.
 * @property {string} id Names files and routes.
 * @property {string} [specifier] What users import; without it the agent runs without stepfold.
 * @property {number} [bundleLimit] Most bytes that it may add to a worker, minified and gzipped, with all it comes beside.
 * @property {number} [workerLimit] Most bytes of a Cloudflare worker with `ai`, a provider and this entry, gzipped.
 * @property {string} [tokenizer] What the entry exports for the option `tokenizer`. Such an entry comes beside the default one.
 */

export const entries = [
  { id: 'default', specifier: 'stepfold', bundleLimit: 460_000, workerLimit: 1_000_000 },
  { id: 'o200k', specifier: 'stepfold/o200k', tokenizer: 'o200k', bundleLimit: 1_117_000, workerLimit: 3_000_000 },
  { id: 'cl100k', specifier: 'stepfold/cl100k', tokenizer: 'cl100k', bundleLimit: 780_000, workerLimit: 1_035_000 },
];

/** What a runtime runs: at a push one agent, with the default entry and a table of tokens beside it; at night one with each. */
export const played = amount({ push: entries.filter(({ id }) => id === 'o200k'), night: entries });

/** Entries of JavaScript alone, the same file everywhere: tests/package imports, requires and weighs them. */
export const plainEntries = [
  { specifier: 'stepfold/stores', names: ['DurableSession', 'durableObjectStore', 'kvStore', 'redisStore', 'sqlStore', 'unstorageStore'] },
  { specifier: 'stepfold/ui', names: ['writeEvents'] },
  { specifier: 'stepfold/otel', names: ['telemetryIntegration'] },
];

/** Entries for Node, Bun and Deno alone, which import modules of Node: tests/package imports, requires and weighs them. */
export const nodeEntries = [{ specifier: 'stepfold/file-store', names: ['fileStore'] }];

/** Entries that stand beside a peer of the user's, and import nothing else: tests/package weighs them, tests of their own run them. */
export const peerEntries = [{ specifier: 'stepfold/react', peer: 'react' }];

/** The same agent without stepfold: what sizes, times and memory are compared with. */
export const baseline = { id: 'none' };

export const variants = [baseline, ...entries];
