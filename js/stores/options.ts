// Options that all stores take, and what is refused when a store is made. Knows no client.

import { StepfoldError } from '../errors.js';

/** Options of the adapters. */
export interface StoreOptions {
  /** Seconds after its last save until a session is forgotten: a whole number, for `kvStore` at least 60. @default never */
  readonly ttlSeconds?: number | undefined;
  /** Text before every key. @default 'stepfold:' */
  readonly prefix?: string | undefined;
}

/** Refuses what a store would refuse at the first save. */
export function checked(options: StoreOptions, leastSeconds = 1, others: readonly string[] = []): { readonly ttlSeconds: number | undefined; readonly prefix: string } {
  const { ttlSeconds, prefix = 'stepfold:', ...rest } = options ?? {};
  const [unknown] = Object.keys(rest).filter((name) => !others.includes(name));
  if (unknown !== undefined) throw new StepfoldError({ code: 'unknown-option', message: `\`${unknown}\` is no option of a store; allowed are ${['ttlSeconds', 'prefix', ...others].map((name) => `\`${name}\``).join(', ')}` });
  if (ttlSeconds !== undefined && !(Number.isInteger(ttlSeconds) && ttlSeconds >= leastSeconds)) {
    throw new StepfoldError({ code: 'invalid-option', message: `\`ttlSeconds\` is ${String(ttlSeconds)}; it must be a whole number of seconds, at least ${leastSeconds}` });
  }
  return { ttlSeconds, prefix };
}

/** A binding that is missing shows where the store is made, and not as a store that fails at every step. */
export function checkClient(store: string, name: string, client: unknown, methods: readonly string[]): void {
  const isThing = (typeof client === 'object' && client !== null) || typeof client === 'function';
  const missing = isThing ? methods.filter((method) => typeof (client as Readonly<Record<string, unknown>>)[method] !== 'function') : methods;
  if (missing.length === 0) return;
  const shown = isThing ? `has no ${missing.map((method) => `\`${method}\``).join(' and no ')}` : `is ${client === null ? 'null' : `of type ${typeof client}`}`;
  const wanted = methods.map((method) => `\`${method}\``).join(' and ');
  throw new StepfoldError({ code: 'invalid-option', message: `\`${store}\`: \`${name}\` ${shown}; it must have the method${methods.length === 1 ? '' : 's'} ${wanted}` });
}
