// Recall: keeps at hand what results can be brought back from, and makes the tool that the model calls for it.
// What an id or a pattern means, and every text for the model, is the engine's. Sees only messages of its own session.

import type { ModelMessage, Tool } from 'ai';
import { isCheckpoint } from './apply-edits.js';
import type { Edit, Place } from './boundary.js';
import { callEngine } from './engine.js';
import type { EngineEvent } from './events.js';
import { entriesOf, withBytes } from './messages.js';
import { bytesAsBase64 } from './session-state.js';
import type { SessionStore } from './store.js';
import { load, update } from './store.js';

/** What the model asks for. */
export interface RecallInput {
  readonly id?: string | undefined;
  readonly pattern?: string | undefined;
  readonly fromLine?: number | undefined;
  readonly toLine?: number | undefined;
}

type Output = Readonly<Record<string, unknown>> & { readonly type?: unknown; readonly value?: unknown };

/** A result that is neither text nor JSON, such as one with images, on its way to `toModelOutput`. */
interface Carried {
  readonly stepfold: 'output';
  readonly output: Output;
}

/** As much of a pattern counts: it is looked for everywhere, and a longer one takes longer. */
const PATTERN_CHARACTERS = 200;
/** Runs whose messages are kept at hand: two requests at once have two. */
const RUNS = 4;
/** Pages in the store that are remembered. */
const PAGES = 500;
/** Messages that the engine looks through at once: reading more takes longer than a model should wait. */
const MESSAGES = 20_000;
/** How the engine names a checkpoint, and so its page: a key that ends with it belongs to one session only. */
const PAGE_NAME = /^[0-9a-f]{12}$/;

/** Folded messages in the store. They say whose they are: the key of one session's page may be the id of another. */
interface Page {
  readonly stepfold: 'page';
  readonly session: string;
  readonly messages: readonly ModelMessage[];
}

/** The messages that results can be brought back from. */
export class Archive {
  /** The tool was asked for: placeholders then name ids. */
  isUsed = false;
  /** Keys of messages in the store, oldest first; only for a session whose requests begin behind the newest checkpoint. */
  pages: readonly string[] = [];
  readonly #key: string | undefined;
  readonly #store: SessionStore | undefined;
  /** Of each run the newest history, without any edit of ours; newest last. */
  readonly #histories = new Map<object, readonly ModelMessage[]>();
  readonly #kept = new WeakSet<object>();

  constructor({ id, store, fromTail }: { id: string | undefined; store: SessionStore | undefined; fromTail: boolean }) {
    this.#key = fromTail ? id : undefined;
    this.#store = store;
  }

  /** Keeps the history of a run at hand. */
  see(owner: object, history: readonly ModelMessage[]): void {
    this.#histories.delete(owner);
    this.#histories.set(owner, history);
    if (this.#histories.size > RUNS) this.#histories.delete(this.#histories.keys().next().value!);
  }

  /** Writes to the store what is folded here for the first time and will not be given again. Never throws. */
  async keep(history: readonly ModelMessage[], edits: readonly Edit[], tell: (event: EngineEvent) => void): Promise<void> {
    const fold = edits.find((edit) => edit.type === 'checkpoint');
    if (!this.isUsed || this.#key === undefined || this.#store === undefined || fold === undefined) return;
    const messages = history.slice(fold.start, fold.end).filter((message) => !this.#kept.has(message) && !isCheckpoint(message));
    if (messages.length === 0) return;
    // A page is named by what it holds: one that is there is kept, unless it is something else.
    const page: Page = { stepfold: 'page', session: this.#key, messages };
    const write = (found: string | undefined): string | undefined => {
      if (found === undefined) return JSON.stringify(page, bytesAsBase64);
      if (readPage(found, page.session) === undefined) throw new Error(`\`${this.#pageKey(fold.id)}\` holds no page of this session; use ids of which none begins with another and a colon`);
      return undefined;
    };
    const outcome = await update(this.#store, this.#pageKey(fold.id), undefined, write);
    if (outcome.done) {
      for (const message of messages) this.#kept.add(message);
      this.pages = [...this.pages.filter((page) => page !== fold.id), fold.id].slice(-PAGES);
    } else tell({ type: 'store-failed', operation: 'save', reason: outcome.reason, message: outcome.message });
  }

  /** Answers the model: a text, or the output of a result as it stands in its message. */
  async recall({ id = '', pattern = '', fromLine = 0, toLine = 0 }: RecallInput): Promise<string | Output> {
    const ask = (messages: readonly ModelMessage[], refusedPages: number | undefined): string | Output | undefined => {
      // One result is looked for everywhere, a portion at a time; all results only in the newest.
      for (let end = messages.length; ; end -= MESSAGES) {
        const start = Math.max(0, end - MESSAGES);
        const portion = messages.slice(start, Math.max(0, end));
        const entries = entriesOf(portion);
        const found = withBytes(portion, (bytes) =>
          callEngine((engine) => engine.recall({ messages: bytes, entries, id, pattern, fromLine, toLine, olderMessages: start, refusedPages: start > 0 ? 0 : (refusedPages ?? 0) })),
        ) as Recalled;
        if ('text' in found) return found.text;
        if ('nothing' in found) {
          if (start > 0 && id !== '') continue;
          return refusedPages === undefined ? undefined : found.nothing;
        }
        const content = portion[found.whole.message]!.content as readonly { readonly output?: unknown }[];
        return content[found.whole.part]!.output as Output;
      }
    };
    const atHand = [...this.#histories.values()].reverse();
    // For one result it suffices to look where it stands; a list of results is one of all.
    for (const messages of id === '' ? [] : atHand) {
      const found = ask(messages, undefined);
      if (found !== undefined) return found;
    }
    const { messages, refused } = await this.#stored();
    return ask([...messages, ...(atHand[0] ?? [])], refused)!;
  }

  /** The messages in the store, and how many pages are refused: missing ones have expired, which is no error. */
  async #stored(): Promise<{ readonly messages: readonly ModelMessage[]; readonly refused: number }> {
    const store = this.#store;
    const session = this.#key;
    if (store === undefined || session === undefined) return { messages: [], refused: 0 };
    const pages = await Promise.all(
      this.pages.map(async (page) => {
        if (!PAGE_NAME.test(page)) return undefined;
        const outcome = await load(store, this.#pageKey(page));
        if (!outcome.done) return undefined;
        return outcome.text === undefined ? [] : readPage(outcome.text, session);
      }),
    );
    return { messages: pages.flatMap((page) => page ?? []), refused: pages.filter((page) => page === undefined).length };
  }

  #pageKey(page: string): string {
    return `${this.#key}:${page}`;
  }
}

/** What the engine found: a text for the model, where a whole result stands, or a text that says that there is none. */
type Recalled = { readonly text: string } | { readonly whole: Place } | { readonly nothing: string };

/** What the tool is, whatever it is called. */
const DESCRIPTION =
  'Brings back results of earlier tool calls that were cleared or folded into a checkpoint to save context. ' +
  'Give the id that a placeholder names to get a result exactly as it was; add lines or a pattern to get only a part of it. ' +
  'Give a pattern alone to search all results, and nothing to list them.';

/** The schema as `jsonSchema()` makes it: ai 5, 6 and 7 know it by these symbols, so that `ai` need not be imported. */
const inputSchema = {
  [Symbol.for('vercel.ai.schema')]: true,
  [Symbol.for('vercel.ai.validator')]: true,
  _type: undefined,
  validate: undefined,
  jsonSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The id named by the placeholder.' },
      pattern: { type: 'string', description: 'Plain text to find, letter case ignored. | separates alternatives, * stands for anything on the same line.' },
      fromLine: { type: 'integer', minimum: 1, description: 'First line, counted from 1.' },
      toLine: { type: 'integer', minimum: 1, description: 'Last line.' },
    },
    additionalProperties: false,
  },
};

/** The tool for an archive, as `tool()` would make it. */
export function createRecallTool(archive: Archive): Tool<RecallInput, unknown> {
  archive.isUsed = true;
  const tool = {
    description: DESCRIPTION,
    inputSchema,
    execute: async (input: unknown): Promise<unknown> => {
      const found = await archive.recall(readInput(input));
      if (typeof found === 'string') return found;
      return found.type === 'text' || found.type === 'json' ? found.value : ({ stepfold: 'output', output: found } satisfies Carried);
    },
    // ai 5 hands over the output, ai 6 and 7 an object that holds it. The first two cases are what they do by themselves.
    toModelOutput: (given: unknown): unknown => {
      const output = isObject(given) && 'output' in given && 'toolCallId' in given ? given['output'] : given;
      if (typeof output === 'string') return { type: 'text', value: output };
      return isObject(output) && output['stepfold'] === 'output' ? output['output'] : { type: 'json', value: output ?? null };
    },
  };
  return tool as unknown as Tool<RecallInput, unknown>;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** A model may write anything: what is not of its type is not given. */
function readInput(input: unknown): RecallInput {
  const { id, pattern, fromLine, toLine } = isObject(input) ? input : {};
  const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
  const line = (value: unknown): number => (Number.isInteger(value) && (value as number) > 0 ? Math.min(value as number, 0xffff_ffff) : 0);
  return { id: text(id).trim(), pattern: text(pattern).slice(0, PATTERN_CHARACTERS), fromLine: line(fromLine), toLine: line(toLine) };
}

/** The messages of a page; undefined when it is none of this session. */
function readPage(text: string, session: string): readonly ModelMessage[] | undefined {
  try {
    const page = JSON.parse(text) as Partial<Page> | null;
    return page?.stepfold === 'page' && page.session === session && Array.isArray(page.messages) ? page.messages : undefined;
  } catch {
    return undefined;
  }
}
