// The entries of the package that every runtime is tested with. A new entry is one line here.

/**
 * @typedef {object} Variant What a handler is built with: an entry of the package, or nothing.
 * @property {string} id Names files and routes.
 * @property {string} [specifier] What users import; without it the agent runs without stepfold.
 * @property {number} [bundleLimit] Most bytes that the entry may add to any bundle, minified and gzipped.
 * @property {number} [workerLimit] Most bytes of a Cloudflare worker with `ai`, a provider and this entry, gzipped.
 */

/** @type {readonly Variant[]} */
export const entries = [{ id: 'default', specifier: 'stepfold', bundleLimit: 200_000, workerLimit: 1_000_000 }];

/** The same agent without stepfold: what sizes, times and memory are compared with. @type {Variant} */
export const baseline = { id: 'none' };

/** @type {readonly Variant[]} */
export const variants = [baseline, ...entries];
