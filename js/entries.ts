// Remembers beside each message what the engine measured of it, so that its text is read only once.
// The entry is opaque bytes here. A message whose content was replaced is measured again; deeper changes are not seen.

import type { ModelMessage } from 'ai';
import { callEngine, host } from './core.js';

interface Known {
  readonly entry: Uint8Array;
  readonly content: unknown;
  readonly length: number;
}

const known = new WeakMap<object, Known>();

/** Length of a message's content, to notice additions in place. */
export function contentLength(message: ModelMessage): number {
  return (message as ModelMessage | null)?.content?.length ?? 0;
}

/** The entries of messages; only those not seen before are read. */
export function entriesOf(messages: readonly ModelMessage[]): Uint8Array[] {
  const unseen = messages.filter((message) => find(message) === undefined);
  const measured = unseen.length === 0 ? [] : (callEngine((engine) => engine.measure(unseen, host)) as Uint8Array[]);
  let next = 0;
  return messages.map((message) => {
    if (next >= unseen.length || unseen[next] !== message) return find(message)!;
    const entry = measured[next++]!;
    if (typeof message === 'object' && message !== null) known.set(message, { entry, content: message.content, length: contentLength(message) });
    return entry;
  });
}

function find(message: ModelMessage): Uint8Array | undefined {
  const found = typeof message === 'object' && message !== null ? known.get(message) : undefined;
  return found !== undefined && found.content === message.content && found.length === contentLength(message) ? found.entry : undefined;
}
