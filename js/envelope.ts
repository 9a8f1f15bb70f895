// How a session is written: one JSON value with everything that another process needs to go on, and what of a stored one can be used.
// Knows no step and no store.

import type { ModelMessage } from 'ai';
import { callEngine } from './core.js';
import type { EngineState, RunRecord } from './memory.js';

/** A session as plain JSON, at most 300,000 characters: all that another process needs to go on. What is in it may change with `version`. */
export interface SessionState {
  readonly version: 1;
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
  readonly version: 1;
  /** Names what was decided, `fold` and `pages`: begins with what stands for the session object that decided. */
  readonly revision?: string;
  /** The engine's state. */
  readonly fold?: unknown;
  /** Where folded messages are kept for recall. */
  readonly pages?: readonly string[];
  /** The engine's numbers of the last run, and the model they are about. */
  readonly numbers?: readonly number[];
  readonly model?: string;
  /** Usage that the app told after that, as `usageOf` reads it; what is no number becomes null. */
  readonly reported?: readonly (number | null)[];
  /** Messages that were put in and stand in the history that was decided on, and those that wait. */
  readonly inserted?: readonly PutIn[];
  readonly queue?: readonly (PutIn | ModelMessage)[];
  /** Summaries asked ahead of time that no step has put in yet. */
  readonly ahead?: readonly { readonly key: string; readonly text: string }[];
}

/** The parts of an envelope that are a record's. */
export function parts(record: RunRecord | undefined): { fold?: unknown; numbers?: readonly number[]; model?: string } {
  if (record === undefined) return {};
  return { ...(record.state === undefined ? {} : { fold: JSON.parse(jsonOf(record.state)) as unknown }), numbers: [...record.numbers], model: record.modelId };
}

/** What is kept elsewhere is JSON; a state that was restored and not changed since still is. */
function jsonOf(state: EngineState): string {
  return typeof state === 'string' ? state : callEngine((engine) => engine.stateJson(state));
}

/** A stored value can be anything: what does not have the shape is not used. The engine checks its own part. */
export function readEnvelope(value: unknown): Envelope | undefined {
  let read = value;
  try {
    if (typeof read === 'string') read = JSON.parse(read);
  } catch {
    return undefined;
  }
  const { version, revision, numbers, model, reported, inserted, queue, ahead, pages } = (typeof read === 'object' && read !== null ? read : {}) as Readonly<Record<string, unknown>>;
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
  const isSound =
    version === 1 &&
    (revision === undefined || typeof revision === 'string') &&
    isList(numbers, (number) => Number.isFinite(number)) &&
    (model === undefined || typeof model === 'string') &&
    isList(reported, (value) => value === null || typeof value === 'number') &&
    isList(inserted, isPutIn) &&
    isList(queue, (entry) => isPutIn(entry) || isMessage(entry)) &&
    isList(ahead, isAhead) &&
    isList(pages, (page) => typeof page === 'string');
  return isSound ? (read as Envelope) : undefined;
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
