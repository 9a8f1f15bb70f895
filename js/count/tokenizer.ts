// Tokenizers: ours, each a WebAssembly module loaded at first use and thrown away after a trap, and those that users bring.
// Knows nothing of the engine, of messages, or of which encoding it runs.

import { leave } from '../bridge/thenable.js';
import { StepfoldError, messageOf } from '../errors.js';

/** Counts the tokens of a text. `o200k()` and `cl100k()` are tokenizers, and so is any object of yours with this method. */
export interface Tokenizer {
  /** The tokens of a text, at once: a promise is not a number. */
  count(text: string): number;
}

/** A tokenizer of ours. Made by `o200k()` from `stepfold/o200k` and `cl100k()` from `stepfold/cl100k`. */
export interface ExactTokenizer extends Tokenizer {
  /** The encoding, e.g. `o200k_base`. */
  readonly name: string;
  /**
   * The tokens of a text. Special tokens in it, such as `<|endoftext|>`, are ordinary text; lone surrogates count as U+FFFD.
   *
   * @throws StepfoldError `invalid-option` when `text` is no string, `engine-failed` when memory runs out.
   */
  count(text: string): number;
}

/** Of a text in UTF-8. A registered symbol, because each entry of the package is a bundle of its own. */
const countUtf8 = Symbol.for('stepfold.countUtf8');

/** What a tokenizer offers the engine, whose texts are UTF-8 already. */
interface Utf8Tokenizer extends ExactTokenizer {
  [countUtf8](text: Uint8Array): number;
}

/** The exports of a module (crates/exact/wasm). */
interface Counter {
  readonly memory: WebAssembly.Memory;
  /** Makes room for this many bytes and says where. May move everything. */
  reserve(bytes: number): number;
  /** Counts the first bytes of the room. */
  count(bytes: number): number;
}

/** Memory never shrinks: a counter that needed more than this for one huge text is not kept for the next. */
const KEPT_MEMORY_BYTES = 64 * 1024 * 1024;
/** Up to this length a text gets the room that the worst case needs, and is never written twice. */
const SHORT_TEXT = 100_000;
/** A UTF-16 unit takes at most this many bytes in UTF-8. */
const BYTES_PER_UNIT = 3;

/** Makes a tokenizer. Nothing is compiled before its first count. */
export function createTokenizer({ name, loadModule }: { name: string; loadModule: () => WebAssembly.Module }): ExactTokenizer {
  const encoder = new TextEncoder();
  let kept: Counter | undefined;

  /** Writes a text into the room of a counter, which then counts it. */
  const countWritten = (write: (counter: Counter) => number): number => {
    try {
      const counter = (kept ??= new WebAssembly.Instance(loadModule()).exports as unknown as Counter);
      // The count is a number without sign, which WebAssembly does not know.
      const tokens = counter.count(write(counter)) >>> 0;
      if (counter.memory.buffer.byteLength > KEPT_MEMORY_BYTES) kept = undefined;
      return tokens;
    } catch (cause) {
      kept = undefined;
      throw new StepfoldError({ code: 'engine-failed', message: `${name} could not count: ${(cause as Error).message}`, cause });
    }
  };

  const writeString = (counter: Counter, text: string): number => {
    const most = text.length * BYTES_PER_UNIT;
    // Most long texts are ASCII almost all through; the others are written again.
    const likely = text.length < SHORT_TEXT ? most : text.length + (text.length >> 3);
    for (const bytes of [likely, most]) {
      const start = counter.reserve(bytes);
      const { read, written } = encoder.encodeInto(text, new Uint8Array(counter.memory.buffer, start, bytes));
      if (read === text.length) return written;
    }
    throw new RangeError(`a text of ${text.length} characters did not fit into ${most} bytes`);
  };

  const tokenizer: Utf8Tokenizer = {
    name,
    count: (text) => {
      const checked = checkText(text);
      return countWritten((counter) => writeString(counter, checked));
    },
    [countUtf8]: (text) =>
      countWritten((counter) => {
        const start = counter.reserve(text.length);
        new Uint8Array(counter.memory.buffer).set(text, start);
        return text.length;
      }),
  };
  return Object.freeze(tokenizer);
}

/** A tokenizer as the engine calls it: never throws. Not a number where the tokenizer fails; the engine then estimates. */
export interface EngineTokenizer {
  /** Distinguishes this way of counting from others. */
  readonly id: number;
  countUtf8(text: Uint8Array): number;
  /** What went wrong first, if anything did. */
  failure: string | undefined;
}

/** A text has no more tokens than bytes, and these for marks of beginning and end. */
const MARK_TOKENS = 16;

const adapted = new WeakMap<Tokenizer, EngineTokenizer>();
let ids = 0;

/** The tokenizer as the engine calls it. The same for the same tokenizer. */
export function engineTokenizer(tokenizer: Tokenizer): EngineTokenizer {
  const cached = adapted.get(tokenizer);
  if (cached !== undefined) return cached;
  const count = countUtf8 in tokenizer ? (tokenizer as Utf8Tokenizer)[countUtf8] : countDecoded(tokenizer);
  // One that answers later is not asked again.
  let isAsync = false;
  const made: EngineTokenizer = {
    id: (ids += 1),
    failure: undefined,
    countUtf8(text) {
      if (isAsync) return Number.NaN;
      try {
        const tokens: unknown = count(text);
        if (typeof tokens === 'number' && tokens >= 0 && tokens <= text.length + MARK_TOKENS) return Math.ceil(tokens);
        isAsync = leave(tokens);
        made.failure ??= isAsync
          ? '`tokenizer.count` returned a promise; it must return a number at once. All texts are estimated'
          : `\`tokenizer.count\` returned ${describe(tokens)} for a text of ${text.length} bytes; such texts are estimated`;
      } catch (error) {
        made.failure ??= `\`tokenizer.count\` failed: ${messageOf(error)}; such texts are estimated`;
      }
      return Number.NaN;
    },
  };
  adapted.set(tokenizer, made);
  return made;
}

function countDecoded(tokenizer: Tokenizer): (text: Uint8Array) => unknown {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return (text) => tokenizer.count(decoder.decode(text));
}

/** Refuses what is not a tokenizer. */
export function checkTokenizer(tokenizer: unknown): void {
  const isObject = typeof tokenizer === 'object' && tokenizer !== null;
  if (isObject && typeof (tokenizer as Partial<Tokenizer>).count === 'function') return;
  throw invalid({ path: 'tokenizer', given: tokenizer, allowed: 'an object with a method `count(text)` that returns a number, such as `o200k()` from stepfold/o200k' });
}

function checkText(text: string): string {
  if (typeof text !== 'string') throw invalid({ path: 'text', given: text, allowed: 'a string' });
  return text;
}

function invalid({ path, given, allowed }: { path: string; given: unknown; allowed: string }): StepfoldError {
  return new StepfoldError({ code: 'invalid-option', message: `\`${path}\` is ${describe(given)}; it must be ${allowed}` });
}

/** What was given, without running any code of it. */
function describe(given: unknown): string {
  if (given === null || given === undefined || typeof given === 'number' || typeof given === 'boolean') return String(given);
  if (typeof given === 'string') return JSON.stringify(given.slice(0, 40));
  return Array.isArray(given) ? 'an array' : `${typeof given === 'object' ? 'an' : 'a'} ${typeof given}`;
}
