// Remembers beside each message what the engine measured of it, so that its text is read only once.
// The entry is opaque bytes here. A message whose content was replaced is measured again; deeper changes are not seen.

import type { ModelMessage } from 'ai';
import { callEngine } from './engine.js';
import { withBytes } from './messages.js';
import type { Counting } from './models.js';

/** Where an entry stands, behind its length in four bytes: among those that were measured together. */
interface Entry {
  readonly batch: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** What is known of a message, and what it held then. */
interface Known extends Entry {
  readonly content: unknown;
  readonly length: number;
}

/** Ways of counting that are remembered at once. */
const WAYS = 32;

/** One map for each way of counting; the oldest way goes when somebody makes a tokenizer for each request. */
const known = new Map<string, WeakMap<object, Known>>();

/** Length of a message's content, to notice additions in place. */
export function contentLength(message: ModelMessage): number {
  return (message as ModelMessage | null)?.content?.length ?? 0;
}

/** The entries of a list, one behind the other; what was not seen before is measured. Without `counting`, entries as any model counts. */
export function entriesOf(messages: readonly ModelMessage[], counting?: Counting): Uint8Array {
  const maps = counting === undefined ? [...known.values()] : [mapOf(counting)];
  const found = messages.map((message) => find(message, maps));
  const unknown = messages.filter((_message, index) => found[index] === undefined);
  if (unknown.length === 0) return joined(found as Entry[]);
  const measured = measure(unknown, counting);
  const entries = split(measured);
  if (counting !== undefined) unknown.forEach((message, index) => remember(message, entries[index]!, maps[0]!));
  if (unknown.length === messages.length) return measured;
  let next = 0;
  return joined(found.map((entry) => entry ?? entries[next++]!));
}

/** The entries of messages, measured anew and not remembered. */
export function measure(messages: readonly ModelMessage[], counting?: Counting): Uint8Array {
  return withBytes(messages, (bytes, written) => callEngine((engine) => engine.measure(bytes, counting?.media ?? 0, written, counting?.tokenizer)));
}

function mapOf({ key }: Counting): WeakMap<object, Known> {
  let map = known.get(key);
  if (map === undefined) {
    known.set(key, (map = new WeakMap()));
    if (known.size > WAYS) known.delete(known.keys().next().value!);
  }
  return map;
}

function find(message: ModelMessage, maps: readonly WeakMap<object, Known>[]): Known | undefined {
  for (const map of maps) {
    const found = map.get(message);
    if (found !== undefined && found.content === message.content && found.length === contentLength(message)) return found;
  }
  return undefined;
}

function remember(message: ModelMessage, { batch, start, end }: Entry, map: WeakMap<object, Known>): void {
  if (typeof message !== 'object' || message === null) return;
  map.set(message, { batch, start, end, content: message.content, length: contentLength(message) });
}

function split(batch: Uint8Array): Entry[] {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
  const entries: Entry[] = [];
  for (let start = 0; start < batch.length; ) {
    const end = start + 4 + view.getUint32(start, true);
    entries.push({ batch, start, end });
    start = end;
  }
  return entries;
}

/** Entries that stand one behind the other already are copied together. */
function joined(entries: readonly Entry[]): Uint8Array {
  const bytes = new Uint8Array(entries.reduce((sum, { start, end }) => sum + end - start, 0));
  let at = 0;
  for (let index = 0; index < entries.length; ) {
    const { batch, start } = entries[index]!;
    let { end } = entries[index]!;
    for (index += 1; entries[index]?.batch === batch && entries[index]!.start === end; index += 1) end = entries[index]!.end;
    bytes.set(batch.subarray(start, end), at);
    at += end - start;
  }
  return bytes;
}
