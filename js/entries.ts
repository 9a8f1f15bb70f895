// Remembers beside each message what the engine measured of it, so that its text is read only once.
// The entry is opaque bytes here. A message whose content was replaced is measured again; deeper changes are not seen.

import type { ModelMessage } from 'ai';

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

/** For each message its entry, or the message itself when it was not seen before. */
export function entriesOrMessages(messages: readonly ModelMessage[]): (Uint8Array | ModelMessage)[] {
  return messages.map((message) => {
    const found = typeof message === 'object' && message !== null ? known.get(message) : undefined;
    const holds = found !== undefined && found.content === message.content && found.length === contentLength(message);
    return holds ? found.entry : message;
  });
}

/** Keeps what the engine measured. */
export function rememberEntry(message: ModelMessage, entry: Uint8Array): void {
  if (typeof message !== 'object' || message === null) return;
  known.set(message, { entry, content: message.content, length: contentLength(message) });
}
