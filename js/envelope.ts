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

/** A message of the user that was put into the history, and where: ids of the places before and behind it, and of the message before it alone. */
export interface Inserted {
  readonly message: ModelMessage;
  readonly before: string;
  readonly after: string;
  readonly neighbor: string;
}

/** The value as it is written; every field but the version may be missing. */
export interface Envelope {
  readonly version: 1;
  /** The engine's state. */
  readonly fold?: unknown;
  /** The engine's numbers of the last run, and the model they are about. */
  readonly numbers?: readonly number[];
  readonly model?: string;
  /** Usage that the app told after that, as `usageOf` reads it; what is no number becomes null. */
  readonly reported?: readonly (number | null)[];
  readonly inserted?: readonly Inserted[];
  readonly queue?: readonly ModelMessage[];
  /** Summaries asked ahead of time that no step has put in yet. */
  readonly ahead?: readonly { readonly key: string; readonly text: string }[];
  /** Where folded messages are kept for recall. */
  readonly pages?: readonly string[];
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
  const { version, numbers, model, reported, inserted, queue, ahead, pages } = (typeof read === 'object' && read !== null ? read : {}) as Readonly<Record<string, unknown>>;
  const isMessage = (message: unknown): boolean => typeof message === 'object' && message !== null && 'role' in message && 'content' in message;
  const isInserted = (entry: unknown): boolean => {
    const { message, ...places } = (entry ?? {}) as Partial<Inserted>;
    return isMessage(message) && [places.before, places.after, places.neighbor].every((place) => typeof place === 'string');
  };
  const isAhead = (entry: unknown): boolean => {
    const { key, text } = (entry ?? {}) as { key?: unknown; text?: unknown };
    return typeof key === 'string' && typeof text === 'string';
  };
  const isList = (list: unknown, isItem: (item: unknown) => boolean): boolean => list === undefined || (Array.isArray(list) && list.every(isItem));
  const isSound =
    version === 1 &&
    isList(numbers, (number) => Number.isFinite(number)) &&
    (model === undefined || typeof model === 'string') &&
    isList(reported, (value) => value === null || typeof value === 'number') &&
    isList(inserted, isInserted) &&
    isList(queue, isMessage) &&
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
