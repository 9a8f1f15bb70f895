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

const known = new WeakMap<object, Known>();

/** Length of a message's content, to notice additions in place. */
export function contentLength(message: ModelMessage): number {
  return (message as ModelMessage | null)?.content?.length ?? 0;
}

/** The entry of a message, unless it was not seen before or has changed since. */
export function knownEntry(message: ModelMessage): Uint8Array | undefined {
  const found = typeof message === 'object' && message !== null ? known.get(message) : undefined;
  const holds = found !== undefined && found.content === message.content && found.length === contentLength(message);
  return holds ? found.batch.subarray(found.start, found.end) : undefined;
}

/** Keeps what the engine measured of these messages. */
export function rememberEntries(messages: readonly ModelMessage[], batch: Uint8Array, ends: Uint32Array): void {
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]!;
    if (typeof message !== 'object' || message === null) continue;
    known.set(message, { batch, start: ends[index - 1] ?? 0, end: ends[index]!, content: message.content, length: contentLength(message) });
  }
}
