// Remembers beside each message what the engine measured of it, so that its text is read only once.
// The entry is opaque bytes here. A message whose content was replaced is measured again; deeper changes are not seen.

import type { ModelMessage } from 'ai';
import type { Tokenizer, Utf8Tokenizer } from './tokenizer.js';
import { checkTokenizer } from './tokenizer.js';

interface Known {
  /** Entries that were measured together; this one lies at `start..end`. */
  readonly batch: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly content: unknown;
  readonly length: number;
}

/** How messages are counted: models differ in what an image costs, tokenizers in what a text does. */
export interface Counting {
  readonly key: string;
  readonly tokenizer: Utf8Tokenizer | undefined;
}

/** One map for each way of counting. */
const known = new Map<string, WeakMap<object, Known>>();

/** How a model counts, which the last of its settings says, with this tokenizer. */
export function countingOf(settings: Float64Array, tokenizer: Tokenizer | undefined): Counting {
  const exact = tokenizer === undefined ? undefined : checkTokenizer(tokenizer);
  return { key: `${exact?.name ?? ''} ${settings.at(-1)}`, tokenizer: exact };
}

/** Length of a message's content, to notice additions in place. */
export function contentLength(message: ModelMessage): number {
  return (message as ModelMessage | null)?.content?.length ?? 0;
}

/** The entry of a message, unless it was not seen before or has changed since; without `counting`, as any model counts. */
export function knownEntry(message: ModelMessage, counting: Counting | undefined): Uint8Array | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if (counting !== undefined) return entryIn(known.get(counting.key), message);
  for (const entries of known.values()) {
    const entry = entryIn(entries, message);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function entryIn(entries: WeakMap<object, Known> | undefined, message: ModelMessage): Uint8Array | undefined {
  const found = entries?.get(message);
  const holds = found !== undefined && found.content === message.content && found.length === contentLength(message);
  return holds ? found.batch.subarray(found.start, found.end) : undefined;
}

/** What was measured: entries one behind the other in `batch`, each up to where `ends` says. */
export interface Measured {
  readonly counting: Counting;
  readonly messages: readonly ModelMessage[];
  readonly batch: Uint8Array;
  readonly ends: Uint32Array;
}

/** Keeps what the engine measured of messages. */
export function rememberEntries({ counting, messages, batch, ends }: Measured): void {
  const entries = known.get(counting.key) ?? new WeakMap<object, Known>();
  known.set(counting.key, entries);
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]!;
    if (typeof message !== 'object' || message === null) continue;
    entries.set(message, { batch, start: ends[index - 1] ?? 0, end: ends[index]!, content: message.content, length: contentLength(message) });
  }
}
