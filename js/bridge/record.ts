// Values of which nothing is known, read without belief.

export type AnyRecord = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is AnyRecord => typeof value === 'object' && value !== null;

/** The object that a value is; an empty one in place of anything else. */
export const asRecord = (value: unknown): AnyRecord => (isObject(value) ? value : {});
