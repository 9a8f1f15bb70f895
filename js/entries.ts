// Remembers beside each message what the engine measured of it, so that its text is read only once.
// The entry is opaque bytes here. A message whose content was replaced is measured again; deeper changes are not seen.

import type { ModelMessage } from 'ai';

interface Known {
  /** Entries that were measured together; this one lies at `start..end`. */
  readonly batch: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly content: unknown;
  readonly length: number;
}

/** One map for each way of counting: models differ in what an image costs. */
const known = new Map<number, WeakMap<object, Known>>();

/** What counting depends on: the last of a model's settings. */
export function countingOf(settings: Float64Array): number {
  return settings[settings.length - 1]!;
}

/** Length of a message's content, to notice additions in place. */
export function contentLength(message: ModelMessage): number {
  return (message as ModelMessage | null)?.content?.length ?? 0;
}

/** The entry of a message, unless it was not seen before or has changed since. */
export function knownEntry(message: ModelMessage, counting: number): Uint8Array | undefined {
  const found = typeof message === 'object' && message !== null ? known.get(counting)?.get(message) : undefined;
  const holds = found !== undefined && found.content === message.content && found.length === contentLength(message);
  return holds ? found.batch.subarray(found.start, found.end) : undefined;
}

/** What was measured: entries one behind the other in `batch`, each up to where `ends` says. */
export interface Measured {
  readonly counting: number;
  readonly messages: readonly ModelMessage[];
  readonly batch: Uint8Array;
  readonly ends: Uint32Array;
}

/** Keeps what the engine measured of messages. */
export function rememberEntries({ counting, messages, batch, ends }: Measured): void {
  const entries = known.get(counting) ?? new WeakMap<object, Known>();
  known.set(counting, entries);
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]!;
    if (typeof message !== 'object' || message === null) continue;
    entries.set(message, { batch, start: ends[index - 1] ?? 0, end: ends[index]!, content: message.content, length: contentLength(message) });
  }
}
