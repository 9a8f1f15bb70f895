// Remembers beside each message what the engine measured of it, so that its text is read only once.
// The entry is opaque bytes here. A message whose content was replaced is measured again; deeper changes are not seen.

import type { ModelMessage } from 'ai';
import type { EngineTokenizer, Tokenizer } from './tokenizer.js';
import { engineTokenizer } from './tokenizer.js';

/**
 * Messages that were new together and stood one behind the other. A group has one place in a map, that of its first message:
 * a place costs as much as measuring a short message. While that one lives, so do the others, which is why they are few.
 */
interface Group {
  readonly messages: readonly ModelMessage[];
  readonly contents: readonly unknown[];
  readonly lengths: readonly number[];
  /** Entries that were measured together; that of message `i` lies from `ends[first + i - 1]` to `ends[first + i]`. */
  readonly batch: Uint8Array;
  readonly ends: Uint32Array;
  readonly first: number;
}

const GROUP_MESSAGES = 8;
/** Ways of counting that are remembered at once. */
const WAYS = 32;

/** How messages are counted: models differ in what an image costs, tokenizers in what a text does. */
export interface Counting {
  readonly key: string;
  readonly tokenizer: EngineTokenizer | undefined;
}

/** One map for each way of counting; the oldest way goes when somebody makes a tokenizer for each request. */
const known = new Map<string, WeakMap<object, Group>>();

/** How a model counts, which the last of its settings says, with this tokenizer. */
export function countingOf(settings: Float64Array, tokenizer: Tokenizer | undefined): Counting {
  if (last.settings !== settings || last.given !== tokenizer) {
    const exact = tokenizer === undefined ? undefined : engineTokenizer(tokenizer);
    last = { settings, given: tokenizer, counting: { key: `${exact?.id ?? 0} ${settings.at(-1)}`, tokenizer: exact } };
  }
  return last.counting;
}

/** What was asked last: as a rule it is asked again. */
let last: { readonly settings?: Float64Array; readonly given?: Tokenizer | undefined; readonly counting: Counting } = { counting: { key: '', tokenizer: undefined } };

/** Length of a message's content, to notice additions in place. */
export function contentLength(message: ModelMessage): number {
  return (message as ModelMessage | null)?.content?.length ?? 0;
}

/**
 * Finds the entries of a list's messages, asked for in order: undefined for one that was not seen before or has changed since.
 * Without `counting`, entries as any model counts.
 */
export function createFinder(counting: Counting | undefined): (message: ModelMessage) => Uint8Array | undefined {
  const maps = counting === undefined ? [...known.values()] : [known.get(counting.key)].filter((map) => map !== undefined);
  // The groups met last: that of the message before, and the one around it where it was put in or changed later.
  let near: readonly Group[] = [];
  return (message) => {
    if (typeof message !== 'object' || message === null) return undefined;
    for (const group of near) {
      const entry = entryIn(group, message);
      if (entry !== undefined) return entry;
    }
    for (const map of maps) {
      const group = map.get(message);
      const entry = group === undefined ? undefined : entryIn(group, message);
      if (entry === undefined) continue;
      near = [group!, ...near.slice(0, 1)];
      return entry;
    }
    return undefined;
  };
}

function entryIn({ messages, contents, lengths, batch, ends, first }: Group, message: ModelMessage): Uint8Array | undefined {
  const place = messages.indexOf(message);
  if (place === -1 || contents[place] !== message.content || lengths[place] !== contentLength(message)) return undefined;
  return batch.subarray(ends[first + place - 1] ?? 0, ends[first + place]);
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
  const entries = known.get(counting.key) ?? new WeakMap<object, Group>();
  known.set(counting.key, entries);
  if (known.size > WAYS) known.delete(known.keys().next().value!);
  for (let first = 0; first < messages.length; first += GROUP_MESSAGES) {
    const group = messages.slice(first, first + GROUP_MESSAGES);
    const head = group[0];
    if (typeof head !== 'object' || head === null) continue;
    entries.set(head, { messages: group, contents: group.map((message) => message?.content), lengths: group.map(contentLength), batch, ends, first });
  }
}
