// Remembers beside each message what the engine measured of it, so that its text is read only once.
// The entry is opaque bytes here. A message whose content was replaced is measured again; deeper changes are not seen.

import type { ModelMessage } from 'ai';
import { callEngine } from './engine.js';
import { withBytes } from './messages.js';
import type { Counting } from './models.js';

/** What is known of a message, and what it held then. */
interface Known {
  readonly content: unknown;
  readonly length: number;
  /** Behind its length in four bytes, as the engine writes entries one behind the other. */
  readonly entry: Uint8Array;
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
  const found: (Uint8Array | undefined)[] = [];
  const unknown: ModelMessage[] = [];
  for (const message of messages) {
    const entry = find(message, maps);
    if (entry === undefined) unknown.push(message);
    found.push(entry);
  }
  if (unknown.length === 0) return joined(found as Uint8Array[]);
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

function find(message: ModelMessage, maps: readonly WeakMap<object, Known>[]): Uint8Array | undefined {
  for (const map of maps) {
    const found = map.get(message);
    if (found !== undefined && found.content === message.content && found.length === contentLength(message)) return found.entry;
  }
  return undefined;
}

function remember(message: ModelMessage, entry: Uint8Array, map: WeakMap<object, Known>): void {
  if (typeof message !== 'object' || message === null) return;
  map.set(message, { content: message.content, length: contentLength(message), entry });
}

function split(measured: Uint8Array): Uint8Array[] {
  const view = new DataView(measured.buffer, measured.byteOffset, measured.byteLength);
  const entries: Uint8Array[] = [];
  for (let start = 0; start < measured.length; ) {
    const end = start + 4 + view.getUint32(start, true);
    entries.push(measured.subarray(start, end));
    start = end;
  }
  return entries;
}

function joined(entries: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(entries.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const entry of entries) {
    bytes.set(entry, at);
    at += entry.length;
  }
  return bytes;
}
