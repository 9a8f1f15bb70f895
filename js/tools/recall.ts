// Recall: finds the messages whose results a call may bring back, and makes the tool that the model calls for it.
// What an id or a pattern means, and every text for the model, is the engine's. A call sees what its own run was sent, and what that stands
// for: messages of other runs are never read.

import type { ModelMessage, Tool } from 'ai';
import { isCheckpoint, originalMessages } from '../step/apply-edits.js';
import type { Edit } from '../bridge/boundary.js';
import { askEngine } from '../bridge/engine.js';
import type { EngineEvent } from '../observe/events.js';
import { addressOf, entriesOf, withBytes } from '../bridge/messages.js';
import type { AnyRecord } from '../bridge/record.js';
import { asRecord, isObject } from '../bridge/record.js';
import type { ModelIdentity } from '../model/models.js';
import type { Memory } from '../step/runs.js';
import { bytesAsBase64 } from '../session/session-state.js';
import { earlierPageKeyOf, pageKeyOf, withEarlier } from '../session/keys.js';
import type { SessionStore } from '../session/store.js';
import { contentIdsOf } from '../session/view.js';
import { load, update } from '../session/store.js';
import { inputSchemaOf } from './schema.js';

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
  /** `media`: made here, in the form of ai 5. */
  readonly stepfold: 'output' | 'media';
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
/** How the engine names a checkpoint, and so its page. */
const PAGE_NAME = /^[0-9a-f]{12}$/;

/** Folded messages in the store. They say whose they are: earlier versions gave the page of one session the key of another. */
interface Page {
  readonly stepfold: 'page';
  readonly session: string;
  readonly messages: readonly ModelMessage[];
}

/** Where results are brought back from. */
export interface RecallSource {
  /** The tool was asked for: placeholders then name ids. */
  isUsed: boolean;
  /** Answers the model, which was sent these messages: a text, or the output of a result as it stands in its message. */
  recall(input: RecallInput, messages: readonly ModelMessage[]): Promise<string | Output>;
}

/** A run, as far as it identifies the messages of a call. */
export interface SentList {
  readonly history: readonly ModelMessage[];
  /** What `prepareStep` was given, and what it returned: with messages that a session inserted, which ai 5 and 6 show to no tool. */
  readonly given: readonly ModelMessage[];
  readonly returned: readonly ModelMessage[];
  readonly step: { readonly model: ModelIdentity };
}

/** What messages stand for. */
interface Behind {
  readonly messages: readonly ModelMessage[];
  /** They are those that one of the runs was sent. */
  readonly isOfRun: boolean;
  /** The model of that run. */
  readonly model?: ModelIdentity;
}

/**
 * What the messages of a call stand for. The SDK hands a tool what the model was sent (ai 7) or the history behind it (ai 5 and 6): so the
 * list itself leads to all that its run said, and to nothing else. Copies of messages of ours lost what they were made from. They get it
 * back from the run whose every message the list then holds: what is found there stands in this conversation, word for word.
 */
function behind(messages: readonly ModelMessage[], runs: readonly SentList[]): Behind {
  let best: Behind = { messages: originalMessages(messages), isOfRun: false };
  let most = 0;
  for (const { history, given, returned, step } of runs) {
    const originals = originalMessages(messages, returned);
    if (history.length <= most || ![given, returned].some((list) => holds(originals, originalMessages(list, returned)))) continue;
    most = history.length;
    best = { messages: originals, isOfRun: true, model: step.model };
  }
  return best;
}

/** Whether a list holds all these messages, or others that say the same. */
function holds(list: readonly ModelMessage[], messages: readonly ModelMessage[]): boolean {
  const objects = new Set(list);
  const others = messages.filter((message) => !objects.has(message));
  if (others.length === 0) return messages.length > 0;
  const listed = new Set(contentIdsOf(list));
  return contentIdsOf(others).every((id) => listed.has(id));
}

/** Recall for the runs of a `prepareStep`: memory is enough, and none of its own is needed. */
export function recallOfRuns(memory: Memory): RecallSource {
  const recall = async (input: RecallInput, messages: readonly ModelMessage[]): Promise<string | Output> => {
    const { messages: sent, model } = behind(messages, memory.runs());
    return ask(input, sent, 0, model);
  };
  return { isUsed: false, recall };
}

/** The messages that results of a session can be brought back from. */
export class Archive implements RecallSource {
  isUsed = false;
  /** Keys of messages in the store, oldest first; only for a session whose requests begin after the newest checkpoint. */
  pages: readonly string[] = [];
  readonly #key: string | undefined;
  /** Whether messages are kept in the store. */
  readonly #keeps: boolean;
  readonly #store: SessionStore | undefined;
  /** Of each run its last step; newest last. */
  readonly #runs = new Map<object, SentList>();
  readonly #kept = new WeakSet<object>();

  constructor({ id, store, fromTail }: { id: string | undefined; store: SessionStore | undefined; fromTail: boolean }) {
    this.#key = id;
    this.#keeps = fromTail;
    this.#store = store;
  }

  /** Keeps the last step of a run at hand. */
  see(owner: object, run: SentList): void {
    this.#runs.delete(owner);
    this.#runs.set(owner, run);
    if (this.#runs.size > RUNS) this.#runs.delete(this.#runs.keys().next().value!);
  }

  /** Writes to the store what is folded here for the first time and will not be given again. Never throws. */
  async keep(history: readonly ModelMessage[], edits: readonly Edit[], emit: (event: EngineEvent) => void): Promise<void> {
    const fold = edits.find((edit) => edit.type === 'checkpoint');
    if (!this.isUsed || !this.#keeps || this.#key === undefined || this.#store === undefined || fold === undefined) return;
    const messages = history.slice(fold.start, fold.end).filter((message) => !this.#kept.has(message) && !isCheckpoint(message));
    if (messages.length === 0) return;
    // A page is named by what it holds: one that is there is kept, unless it is something else.
    const page: Page = { stepfold: 'page', session: this.#key, messages };
    const write = (found: string | undefined): string | undefined => {
      if (found === undefined) return JSON.stringify(page, bytesAsBase64);
      if (readPage(found, page.session) === undefined) throw new Error(`\`${pageKeyOf(page.session, fold.id)}\` holds no page of this session`);
      return undefined;
    };
    const outcome = await update(this.#store, pageKeyOf(page.session, fold.id), undefined, write);
    if (outcome.done) {
      for (const message of messages) this.#kept.add(message);
      this.pages = [...this.pages.filter((page) => page !== fold.id), fold.id].slice(-PAGES);
    } else emit({ type: 'store-failed', operation: 'save', reason: outcome.reason, message: outcome.message });
  }

  /** Takes what the pages say out of the store. Returns whether all is gone; what is not can be tried again. Never throws. */
  async forget(emit: (event: EngineEvent) => void): Promise<boolean> {
    const store = this.#store;
    const key = this.#key;
    if (store === undefined || key === undefined) return true;
    for (const page of this.pages) {
      const empty = JSON.stringify({ stepfold: 'page', session: key, messages: [] } satisfies Page);
      const write = (found: string | undefined): string | undefined => (found === undefined || readPage(found, key) === undefined ? undefined : empty);
      const outcome = PAGE_NAME.test(page) ? await update(withEarlier(store, earlierPageKeyOf(key, page)), pageKeyOf(key, page), undefined, write) : { done: true as const };
      if (!outcome.done) {
        emit({ type: 'store-failed', operation: 'save', reason: outcome.reason, message: outcome.message });
        return false;
      }
      this.pages = this.pages.filter((other) => other !== page);
    }
    return true;
  }

  async recall(input: RecallInput, messages: readonly ModelMessage[]): Promise<string | Output> {
    const runs = [...this.#runs.values()].reverse();
    const { messages: sent, isOfRun, model } = behind(messages, runs);
    // Messages that no run of this session was sent are another conversation's, which sees its own.
    if (messages.length > 0 && !isOfRun) return ask(input, sent, 0);
    // Called by hand, without messages, it is about the session.
    const lists = isOfRun ? [sent] : runs.map(({ history }) => history);
    // For one result it suffices to look where it stands; a list of results is one of all.
    for (const list of input.id ? lists : []) {
      const found = ask(input, list, undefined, model);
      if (found !== undefined) return found;
    }
    const stored = await this.#stored();
    return ask(input, [...stored.messages, ...(lists[0] ?? [])], stored.refused, model);
  }

  /** The messages in the store, and how many pages are refused: missing ones have expired, which is no error. */
  async #stored(): Promise<{ readonly messages: readonly ModelMessage[]; readonly refused: number }> {
    const store = this.#store;
    const session = this.#key;
    if (store === undefined || session === undefined || !this.#keeps) return { messages: [], refused: 0 };
    const pages = await Promise.all(
      this.pages.map(async (page) => {
        if (!PAGE_NAME.test(page)) return undefined;
        const outcome = await load(withEarlier(store, earlierPageKeyOf(session, page)), pageKeyOf(session, page));
        if (!outcome.done) return undefined;
        return outcome.text === undefined ? [] : readPage(outcome.text, session);
      }),
    );
    return { messages: pages.flatMap((page) => page ?? []), refused: pages.filter((page) => page === undefined).length };
  }
}

/**
 * Answers the model from a list. Stored pages that were `refused` are named in the answer; where that is undefined there are other lists yet, and
 * finding nothing is no answer yet.
 */
function ask(input: RecallInput, messages: readonly ModelMessage[], refused: number, model?: ModelIdentity): string | Output;
function ask(input: RecallInput, messages: readonly ModelMessage[], refused: number | undefined, model?: ModelIdentity): string | Output | undefined;
function ask({ id = '', pattern = '', fromLine = 0, toLine = 0 }: RecallInput, messages: readonly ModelMessage[], refused: number | undefined, model?: ModelIdentity): string | Output | undefined {
  const { provider = '', specification = '' } = model ?? {};
  // One result is looked for everywhere, a portion at a time; all results only in the newest.
  for (let end = messages.length; ; end -= MESSAGES) {
    const start = Math.max(0, end - MESSAGES);
    const portion = messages.slice(start, Math.max(0, end));
    const entries = entriesOf(portion);
    const found = withBytes(portion, (bytes) =>
      askEngine('recall', { messages: bytes, entries, id, pattern, fromLine, toLine, olderMessages: start, refusedPages: start > 0 ? 0 : (refused ?? 0), provider, specification }),
    );
    if ('text' in found) return found.text;
    if ('nothing' in found) {
      if (start > 0 && id !== '') continue;
      return refused === undefined ? undefined : found.nothing;
    }
    if ('media' in found) {
      const [{ message, part }, title] = found.media;
      return outputOf((portion[message]!.content as readonly AnyRecord[])[part]!, title);
    }
    const content = portion[found.whole.message]!.content as readonly { readonly output?: unknown }[];
    return (content[found.whole.part]!.output ?? { type: 'json', value: null }) as Output;
  }
}

/** How base64 of images begins whose kind nobody said. */
const BEGINNINGS: readonly (readonly [string, string])[] = [['iVBORw', 'image/png'], ['/9j/', 'image/jpeg'], ['R0lGOD', 'image/gif'], ['UklGR', 'image/webp']];

/** A picture or file of a message as the output of a result, in the form of ai 5. Its bytes are those of the message, and nobody else keeps them. */
function outputOf(part: AnyRecord, title: string): Output {
  const address = addressOf(part);
  if (address !== undefined) return { type: 'text', value: `${title}${address}` };
  const tagged = part['image'] ?? part['data'];
  const given = isObject(tagged) && (tagged['type'] === 'data' || tagged['type'] === 'url') ? tagged[tagged['type']] : tagged;
  const [, typeOfUrl, ofUrl] = typeof given === 'string' ? (/^data:([^;,]*);base64,(.*)$/s.exec(given) ?? []) : [];
  const data = ofUrl ?? bytesAsBase64.call({ given }, 'given', given);
  if (typeof data !== 'string') return { type: 'text', value: title };
  const said = [part['mediaType'], typeOfUrl].find((type) => typeof type === 'string' && /^[^*]+\/[^*]+$/.test(type));
  const mediaType = said ?? BEGINNINGS.find(([beginning]) => data.startsWith(beginning))?.[1] ?? 'image/png';
  const output: Output = { type: 'content', value: [{ type: 'text', text: title.trimEnd() }, { type: 'media', data, mediaType }] };
  made.add(output);
  return output;
}

/** Outputs that were made here. */
const made = new WeakSet<object>();

/** The same as ai 6 and 7 have it. */
function asInNewer(output: Output): Output {
  const item = (given: unknown): unknown => {
    if (!isObject(given) || given['type'] !== 'media') return given;
    return { ...given, type: String(given['mediaType']).startsWith('image/') ? 'image-data' : 'file-data' };
  };
  return output.type === 'content' && Array.isArray(output.value) ? { ...output, value: output.value.map(item) } : output;
}

/** What the tool is, whatever it is called. */
const DESCRIPTION =
  'Brings back results of earlier tool calls, long messages of the user, and pictures and files by their names, that were cleared or folded into a checkpoint to save context. ' +
  'Give the id that a placeholder names to get a result exactly as it was; add lines or a pattern to get only a part of it. ' +
  'Give a pattern alone to search them all and the inputs of the calls, and nothing to list them.';

const inputSchema = /* @__PURE__ */ inputSchemaOf({
  id: { type: 'string', description: 'The id named by the placeholder.' },
  pattern: { type: 'string', description: 'Plain text to find, letter case ignored. | separates alternatives, * stands for anything on the same line.' },
  fromLine: { type: 'integer', minimum: 1, description: 'First line, counted from 1.' },
  toLine: { type: 'integer', minimum: 1, description: 'Last line.' },
});

/** The tool, as `tool()` would make it. */
export function createRecallTool(source: RecallSource): Tool<RecallInput, unknown> {
  source.isUsed = true;
  const tool = {
    description: DESCRIPTION,
    inputSchema,
    execute: async (input: unknown, options: unknown): Promise<unknown> => {
      const { messages } = asRecord(options);
      const found = await source.recall(readInput(input), Array.isArray(messages) ? (messages as readonly ModelMessage[]) : []);
      if (typeof found === 'string') return found;
      if (found.type === 'text' || found.type === 'json') return found.value;
      return { stepfold: made.has(found) ? 'media' : 'output', output: found } satisfies Carried;
    },
    // ai 5 hands over the output, ai 6 and 7 an object that holds it. The first two cases are what they do by themselves.
    toModelOutput: (given: unknown): unknown => {
      const output = isObject(given) && 'output' in given && 'toolCallId' in given ? given['output'] : given;
      if (typeof output === 'string') return { type: 'text', value: output };
      const carried = isObject(output) && (output['stepfold'] === 'output' || output['stepfold'] === 'media') ? (output as unknown as Carried) : undefined;
      if (carried === undefined) return { type: 'json', value: output ?? null };
      return carried.stepfold === 'media' && given !== output ? asInNewer(carried.output) : carried.output;
    },
  };
  return tool as unknown as Tool<RecallInput, unknown>;
}

/** A model may write anything: what is not of its type is not given. */
function readInput(input: unknown): RecallInput {
  const { id, pattern, fromLine, toLine } = asRecord(input);
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
