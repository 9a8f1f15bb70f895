// Promises of any realm or library: another realm's are no `Promise` of this one, and a library's may be objects with a `then` alone.

/** Whether a value can be awaited. Never throws. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  try {
    return ((typeof value === 'object' && value !== null) || typeof value === 'function') && typeof (value as { readonly then?: unknown }).then === 'function';
  } catch {
    // A getter threw.
    return false;
  }
}

/** Listens to a promise for which nobody waits, so that its failure ends no process. Returns whether it is one. Never throws. */
export function leave(value: unknown, failed: (error: unknown) => void = () => undefined): boolean {
  if (!isThenable(value)) return false;
  // Also where `then` throws.
  Promise.resolve(value).then(undefined, failed);
  return true;
}

/** What a function of the user's returned in place of a text or number, in words. Nobody waits for it where it is a promise. */
export function kindOf(value: unknown): string {
  if (leave(value)) return 'a promise';
  return value === null ? 'null' : `a value of type ${typeof value}`;
}
