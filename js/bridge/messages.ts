// Messages on their way to the engine: written into one buffer, and what was measured of them, remembered so that a text is read only once.
// Knows which fields exist and not what they mean; bytes of media and parts of unknown type stay here until the engine asks.

import type { ModelMessage } from 'ai';
import type { Span } from './boundary.js';
import { askEngine, callEngine } from './engine.js';
import { writeJson } from './json-text.js';
import type { AnyRecord } from './record.js';
import { isObject } from './record.js';
import { count } from './turns.js';
import type { Counting } from '../model/models.js';

/** Tags, as `src/model/scan.rs` reads them. */
const NOTHING = 0;
const TEXT = 1;
const LIST = 2;
const JSON_TEXT = 3;

/** Bytes a message takes as a rule; the buffer grows when it is more. */
const USUAL_BYTES = 1_024;
/** Longest text that is written letter by letter, which is faster than an encoder for a short one. */
const SHORT_LETTERS = 40;
/** Longest text and deepest nesting in provider options that are looked at; signatures are longer, and only their presence counts. */
const OPTION_LETTERS = 128;
const OPTION_LEVELS = 3;
/** A message's own options go deeper, and list changes of tools. */
const MESSAGE_LEVELS = 5;
const OPTION_NAMES = 32;
/** Longest address of a picture or file that is looked at. */
const ADDRESS_LETTERS = 2_000;

const encoder = /* @__PURE__ */ new TextEncoder();

/** A buffer that was read and may be written again; a large one is not kept. */
let spare: Uint8Array | undefined;
const SPARE_BYTES = 4 << 20;

/** The bytes of a list that is measured and then planned on: handed from one to the other, it is written once. */
export interface Once {
  messages?: readonly ModelMessage[];
  bytes?: Uint8Array;
}

/** Writes messages, and hands the bytes to a call that copies them: they are written over later. What is left out becomes an empty record. */
export function withBytes<Result>(
  messages: readonly ModelMessage[],
  use: (bytes: Uint8Array, written: WrittenMessages) => Result,
  { leftOut = [], once }: { leftOut?: readonly Span[]; once?: Once | undefined } = {},
): Result {
  const isWhole = leftOut.length === 0;
  if (isWhole && once?.bytes !== undefined && once.messages === messages) return use(once.bytes, new WrittenMessages(messages));
  const writer = new Writer(messages.length, leftOut.reduce((rest, { start, end }) => rest - (end - start), messages.length), spare);
  spare = undefined;
  for (let index = 0; index < messages.length; index += 1) {
    if (leftOut.some(({ start, end }) => index >= start && index < end)) writer.nothing();
    else writer.message(messages[index]!);
  }
  const bytes = writer.bytes();
  count(bytes.length);
  try {
    return use(bytes, new WrittenMessages(messages));
  } finally {
    if (isWhole && once !== undefined) Object.assign(once, { messages, bytes });
    else if (bytes.buffer.byteLength <= SPARE_BYTES) spare = new Uint8Array(bytes.buffer);
  }
}

/** What of messages is not in their bytes; the engine asks for it while it measures them. */
export class WrittenMessages {
  readonly #messages: readonly ModelMessage[];

  constructor(messages: readonly ModelMessage[]) {
    this.#messages = messages;
  }

  /** Of a part all of it (`item` is -2), its output (-1), or an item of that. */
  pick(message: number, part: number, item: number): unknown {
    try {
      const picked = (this.#messages[message]?.content as readonly AnyRecord[] | undefined)?.[part];
      if (item === -2) return picked;
      const output = picked?.['output'] as { value?: readonly unknown[] } | undefined;
      return item === -1 ? output : output?.value?.[item];
    } catch {
      return undefined;
    }
  }

  /** Bytes of the JSON text of the same, those of typed arrays included. */
  size(message: number, part: number, item: number): number {
    const { text, omittedBytes } = writeJson(this.pick(message, part, item));
    return text.length + omittedBytes;
  }
}

class Writer {
  #bytes: Uint8Array;
  #at = 0;

  /** For a list of `messages`, of which `written` are not left out. */
  constructor(messages: number, written: number, spare: Uint8Array | undefined) {
    const usual = 64 + 4 * messages + written * USUAL_BYTES;
    this.#bytes = spare !== undefined && spare.length >= usual ? spare : new Uint8Array(usual);
    this.#number(messages);
  }

  /** What was written. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  /** Stands for a message that is left out: a real one is never empty. */
  nothing(): void {
    this.#number(0);
  }

  /** Writes a message after its length. */
  message(message: ModelMessage): void {
    const start = this.#at;
    this.#number(0);
    try {
      this.#head(message as unknown as AnyRecord);
      this.#content(message?.content, (part) => this.#part(part));
    } catch {
      // A getter threw: what can be read is copied first.
      this.#at = start + 4;
      const copy = readable(message, 4) as { role?: unknown; content?: unknown };
      this.#head(copy);
      this.#content(copy?.content, (part) => this.#part(part));
    }
    const end = this.#at;
    this.#at = start;
    this.#number(end - start - 4);
    this.#at = end;
  }

  #content(content: unknown, write: (item: AnyRecord) => void): void {
    if (typeof content === 'string') {
      this.#byte(TEXT);
      this.#text(content);
    } else if (Array.isArray(content)) {
      this.#byte(LIST);
      this.#number(content.length);
      for (let index = 0; index < content.length; index += 1) write(content[index] as AnyRecord);
    } else this.#byte(NOTHING);
  }

  #part(part: AnyRecord): void {
    this.#fields(part);
    const output = isObject(part) ? part['output'] : undefined;
    if (!isObject(output)) {
      this.#byte(NOTHING);
      return;
    }
    this.#byte(LIST);
    this.#item(output);
    const value = output['value'];
    if (typeof value === 'string' || (output['type'] === 'content' && Array.isArray(value))) {
      this.#content(value, (item) => this.#item(item));
    } else if (value === undefined) this.#byte(NOTHING);
    else {
      this.#byte(JSON_TEXT);
      this.#json(value);
    }
  }

  /** The fields of a message, behind two bytes that say which there are; every object of the SDK is written like this. */
  #head(message: AnyRecord): void {
    const mask = this.#mask();
    if (!isObject(message)) return;
    const first = this.#string(message['role']) ? 1 : 0;
    this.#setMask(mask, first, this.#providerOptions(message['providerOptions'], MESSAGE_LEVELS));
  }

  #item(item: AnyRecord): void {
    const mask = this.#mask();
    if (!isObject(item)) return;
    const first = (this.#string(item['type']) ? 1 : 0) | (this.#string(item['text']) ? 2 : 0) | (this.#string(item['reason']) ? 64 : 0);
    this.#setMask(mask, first, this.#file(item) | this.#providerOptions(item['providerOptions']));
  }

  #fields(part: AnyRecord): void {
    const mask = this.#mask();
    if (!isObject(part)) return;
    let first = 0;
    if (this.#string(part['type'])) first |= 1;
    if (this.#string(part['text'])) first |= 2;
    if (this.#string(part['toolCallId'])) first |= 4;
    if (this.#string(part['toolName'])) first |= 8;
    if (this.#string(part['approvalId'])) first |= 16;
    if (this.#string(part['kind'])) first |= 32;
    if (this.#string(part['reason'])) first |= 64;
    const input = part['input'];
    if (input !== undefined) {
      first |= 128;
      this.#json(input);
    }
    const executed = part['providerExecuted'] ? 1 : 0;
    const denied = part['approved'] === false ? 8 : 0;
    const automatic = part['isAutomatic'] === true ? 16 : 0;
    const second = executed | denied | automatic | this.#file(part);
    this.#setMask(mask, first, second | this.#providerOptions(part['providerOptions']));
  }

  #file(part: AnyRecord): number {
    return (this.#string(part['mediaType']) ? 4 : 0) | (this.#string(part['filename'] ?? addressOf(part)?.slice(0, ADDRESS_LETTERS)) ? 32 : 0);
  }

  #mask(): number {
    const mask = this.#at;
    this.#byte(0);
    this.#byte(0);
    return mask;
  }

  /** A call, so that its arguments are written before the buffer is looked up: writing may replace it. */
  #setMask(mask: number, first: number, second: number): void {
    this.#bytes[mask] = first;
    this.#bytes[mask + 1] = second;
  }

  #providerOptions(options: unknown, levels = OPTION_LEVELS): number {
    if (!isObject(options)) return 0;
    this.#options(options, levels);
    return 2;
  }

  #string(value: unknown): boolean {
    if (typeof value !== 'string') return false;
    this.#text(value);
    return true;
  }

  #json(value: unknown): void {
    const { text, omittedBytes } = writeJson(value);
    this.#number(Math.min(omittedBytes, 0xffff_ffff));
    this.#text(text);
  }

  #options(options: AnyRecord, levels: number): void {
    const count = this.#at;
    this.#byte(0);
    let names = 0;
    for (const name in options) {
      const value = options[name];
      if (value === undefined || names === OPTION_NAMES) continue;
      names += 1;
      this.#text(name.slice(0, OPTION_LETTERS));
      this.#option(value, levels);
    }
    this.#bytes[count] = names;
  }

  #option(value: unknown, levels: number): void {
    if (typeof value === 'string') {
      this.#byte(TEXT);
      this.#text(value.slice(0, OPTION_LETTERS));
    } else if (Array.isArray(value) && levels > OPTION_LEVELS - 1) {
      this.#byte(JSON_TEXT);
      this.#number(value.length);
      for (let index = 0; index < value.length; index += 1) this.#option(value[index], levels - 1);
    } else if (isObject(value) && levels > 1 && !Array.isArray(value)) {
      this.#byte(LIST);
      this.#options(value, levels - 1);
    } else this.#byte(NOTHING);
  }

  #text(text: string): void {
    const { length } = text;
    this.#reserve(4 + length * 3);
    const start = this.#at + 4;
    let at = start;
    if (length <= SHORT_LETTERS) {
      const bytes = this.#bytes;
      for (let index = 0; index < length; index += 1) {
        const code = text.charCodeAt(index);
        if (code > 0x7f) {
          at = -1;
          break;
        }
        bytes[at++] = code;
      }
    } else at = -1;
    if (at < 0) at = start + encoder.encodeInto(text, this.#bytes.subarray(start)).written;
    this.#number(at - start);
    this.#at = at;
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = byte;
  }

  #number(number: number): void {
    this.#reserve(4);
    const bytes = this.#bytes;
    bytes[this.#at++] = number;
    bytes[this.#at++] = number >>> 8;
    bytes[this.#at++] = number >>> 16;
    bytes[this.#at++] = number >>> 24;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + bytes));
    grown.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = grown;
  }
}

/** Where a picture or file stands, if it is not at hand. */
export function addressOf({ image, data = image, url }: AnyRecord): string | undefined {
  const given = isObject(data) && data['type'] === 'url' ? data['url'] : (data ?? url);
  if (given instanceof URL) return given.href;
  return typeof given === 'string' && /^https?:/i.test(given) ? given : undefined;
}

const FIELDS = ['role', 'content', 'type', 'text', 'toolCallId', 'toolName', 'approvalId', 'approved', 'kind', 'reason', 'mediaType', 'filename', 'input', 'output', 'value', 'providerExecuted', 'providerOptions'];

/** A copy of what can be read of a value, a few levels deep: what throws is left out. */
function readable(value: unknown, levels: number): unknown {
  if (!isObject(value) || levels === 0) return value;
  const read = (name: string | number): unknown => {
    try {
      return readable((value as Record<string | number, unknown>)[name], levels - 1);
    } catch {
      return undefined;
    }
  };
  try {
    if (Array.isArray(value)) return Array.from({ length: value.length }, (_, index) => read(index));
    return Object.fromEntries(FIELDS.map((name) => [name, read(name)]));
  } catch {
    // A revoked proxy cannot even be asked what it is.
    return undefined;
  }
}

/** Where an entry stands, behind its length in four bytes: among those that were measured together. */
interface Entry {
  readonly batch: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** What is remembered of a message, and what it held then. */
interface Remembered extends Entry {
  readonly content: unknown;
  readonly length: number;
}

/** Ways of counting that are remembered at once. */
const COUNTINGS = 32;

/** One map for each way of counting; the oldest way goes when somebody makes a tokenizer for each request. */
const remembered = new Map<string, WeakMap<object, Remembered>>();

/** Length of a message's content, to notice additions in place. */
export function contentLength(message: ModelMessage): number {
  return (message as ModelMessage | null)?.content?.length ?? 0;
}

/** The entries of a list, one after the other; what was not seen before is measured. Without `counting`, entries as any model counts. */
export function entriesOf(messages: readonly ModelMessage[], counting?: Counting, once?: Once): Uint8Array {
  const maps = counting === undefined ? [...remembered.values()] : [mapOf(counting)];
  const found: (Remembered | undefined)[] = [];
  const unknown: ModelMessage[] = [];
  // Not by `map`, which leaves out the holes of a sparse list.
  for (const message of messages) {
    const entry = find(message, maps);
    if (entry === undefined) unknown.push(message);
    found.push(entry);
  }
  if (unknown.length === 0) return joined(found as Entry[]);
  const areAll = unknown.length === messages.length;
  const measured = measure(areAll ? messages : unknown, counting, once);
  const entries = split(measured);
  if (counting !== undefined) unknown.forEach((message, index) => remember(message, entries[index]!, maps[0]!));
  if (areAll) return measured;
  let next = 0;
  return joined(found.map((entry) => entry ?? entries[next++]!));
}

/** The entries of messages, measured anew and not remembered. */
export function measure(messages: readonly ModelMessage[], counting?: Counting, once?: Once): Uint8Array {
  return withBytes(messages, (bytes, written) => callEngine((engine) => engine.measure(bytes, counting?.media ?? 0, written, counting?.tokenizer)), { once });
}

/** The messages of a prompt behind the instructions, which the SDK puts in front. */
export const withoutInstructions = (prompt: readonly ModelMessage[]): readonly ModelMessage[] => prompt.slice(askEngine('instructionsEnd', { entries: measure(prompt) }));

function mapOf({ key }: Counting): WeakMap<object, Remembered> {
  let map = remembered.get(key);
  if (map === undefined) {
    remembered.set(key, (map = new WeakMap()));
    if (remembered.size > COUNTINGS) remembered.delete(remembered.keys().next().value!);
  }
  return map;
}

function find(message: ModelMessage, maps: readonly WeakMap<object, Remembered>[]): Remembered | undefined {
  for (const map of maps) {
    const found = map.get(message);
    if (found !== undefined && found.content === message.content && found.length === contentLength(message)) return found;
  }
  return undefined;
}

function remember(message: ModelMessage, { batch, start, end }: Entry, map: WeakMap<object, Remembered>): void {
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

/** One behind the other. */
export function joinedBytes(first: Uint8Array, then: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + then.length);
  bytes.set(first);
  bytes.set(then, first.length);
  return bytes;
}

/** Entries that stand one after the other already are copied together. */
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
