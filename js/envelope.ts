// How a session is written: one JSON value with everything that another process needs to go on, and what of a stored one can be used.
// Knows no step and no store.

import type { ModelMessage } from 'ai';
import type { Usage } from './boundary.js';

/** A session as plain JSON, at most 300,000 characters: all that another process needs to go on. What is in it may change with `version`. */
export interface SessionState {
  readonly version: 2;
  readonly [field: string]: unknown;
}

/** Where a message was put into a history: ids of the places before and behind it, of the message before it alone, and of the history's first one. */
export interface Place {
  readonly before: string;
  readonly after: string;
  readonly neighbor: string;
  readonly start: string;
}

/** A message of the user that was put into a session. */
export interface PutIn {
  /** Names it in all processes. */
  readonly id: string;
  readonly message: ModelMessage;
  /** Where it was sent, in the session's history first; none when it was not sent yet. */
  readonly places: readonly Place[];
}

/** The value as it is written; every field but the version may be missing. */
export interface Envelope {
  readonly version: 2;
  /** Names what was decided, `fold` and `pages`: begins with what stands for the session object that decided. */
  readonly revision?: string;
  /** The engine's part: what was decided, numbers of the last run, and the model they are about. */
  readonly fold?: unknown;
  readonly run?: unknown;
  readonly model?: string;
  /** Where folded messages are kept for recall. */
  readonly pages?: readonly string[];
  /** Usage that the app told after that. */
  readonly reported?: Usage;
  /** Messages that were put in and stand in the history that was decided on, and those that wait. */
  readonly inserted?: readonly PutIn[];
  readonly queue?: readonly (PutIn | ModelMessage)[];
  /** Summaries asked ahead of time that no step has put in yet. */
  readonly ahead?: readonly { readonly key: string; readonly text: string }[];
}

/** Version of the shape above. Another one is not used. */
const VERSION = 2;

/** A stored value can be anything: what does not have the shape is not used, and a text says why. The engine checks its own part. */
export function readEnvelope(value: unknown): Envelope | string {
  const refused = 'it is no state of a stepfold session';
  let read = value;
  try {
    if (typeof read === 'string') read = JSON.parse(read);
  } catch {
    return refused;
  }
  const { version, revision, model, reported, inserted, queue, ahead, pages } = (typeof read === 'object' && read !== null ? read : {}) as Readonly<Record<string, unknown>>;
  const isMessage = (message: unknown): boolean => typeof message === 'object' && message !== null && 'role' in message && 'content' in message;
  const isPlace = (place: unknown): boolean => {
    const { before, after, neighbor, start } = (place ?? {}) as Partial<Place>;
    return [before, after, neighbor, start].every((id) => typeof id === 'string');
  };
  const isPutIn = (entry: unknown): boolean => {
    const { id, message, places } = (entry ?? {}) as Partial<PutIn>;
    return typeof id === 'string' && isMessage(message) && Array.isArray(places) && places.every(isPlace);
  };
  const isAhead = (entry: unknown): boolean => {
    const { key, text } = (entry ?? {}) as { key?: unknown; text?: unknown };
    return typeof key === 'string' && typeof text === 'string';
  };
  const isList = (list: unknown, isItem: (item: unknown) => boolean): boolean => list === undefined || (Array.isArray(list) && list.every(isItem));
  if (typeof version === 'number' && version !== VERSION) return `it has version ${version}, this is version ${VERSION}`;
  const isSound =
    version === VERSION &&
    (revision === undefined || typeof revision === 'string') &&
    (model === undefined || typeof model === 'string') &&
    (reported === undefined || (typeof reported === 'object' && reported !== null && Object.values(reported).every((number) => typeof number === 'number'))) &&
    isList(inserted, isPutIn) &&
    isList(queue, (entry) => isPutIn(entry) || isMessage(entry)) &&
    isList(ahead, isAhead) &&
    isList(pages, (page) => typeof page === 'string');
  return isSound ? (read as Envelope) : refused;
}

/** Bytes in messages have a form in JSON that the SDK takes for the same. `Buffer` would write itself as a list of numbers. */
export function bytesAsBase64(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Readonly<Record<string, unknown>>)[key];
  const bytes = original instanceof ArrayBuffer ? new Uint8Array(original) : original;
  if (!(bytes instanceof Uint8Array)) return value;
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
