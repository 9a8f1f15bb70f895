// Reads a stored session, which anybody who may write to the store may have written. What has another shape or size is left out, and a text
// says so, once. Judges no message and no number: the engine does.

import type { ModelMessage } from 'ai';
import type { Usage } from '../bridge/boundary.js';
import { askEngine, callEngine } from '../bridge/engine.js';
import { messageOf } from '../errors.js';
import { withBytes } from '../bridge/messages.js';
import type { AnyRecord } from '../bridge/record.js';
import { asRecord } from '../bridge/record.js';
import type { Stored, Place, QueuedMessage } from './session-state.js';
import { PLACES, STORED_CHARACTERS, charactersOf } from './session-state.js';
import { addUsage } from '../summarize/summary-usage.js';

/** Version of the shape `Stored`. Of another one only what has the same form in all versions is used. */
const VERSION = 2;
/** A text longer than this is not read: the engine's part, messages, summaries and pages have less together. */
const CHARACTERS = 500_000;
/** Levels of nesting: a message with options of a provider has some ten. */
const LEVELS = 64;
/** Characters of an id or a name. */
const NAME_CHARACTERS = 200;
/** Characters of the messages of one list, with the places that were added since they were accepted. */
const QUEUE_CHARACTERS = STORED_CHARACTERS * 2;
/** Characters of summaries that were requested ahead of time. */
const AHEAD_CHARACTERS = 128_000;
/** Calls that one step may have. */
const MOST_ENDED = 200;
/** Characters of what a model wants a summary to look at. */
const FOCUS_CHARACTERS = 2_000;
/** A page is named by its checkpoint; anything else could be the key of something else. */
const PAGE = /^[\w-]{1,64}$/;

/** What was read. */
export interface Read {
  /** Undefined where nothing of it is used. */
  readonly stored: Stored | undefined;
  /** What is not used of it, and why. */
  readonly refused: string | undefined;
}

/** Reads a value that should be a stored session. Never throws. The engine's part is checked when it is restored. */
export function readStored(value: unknown): Read {
  const nothing = (refused: string): Read => ({ stored: undefined, refused });
  const given = read(value);
  if (typeof given === 'string') return nothing(given);
  if (typeof given['version'] !== 'number') return nothing('it is no state of a stepfold session');
  const isOther = given['version'] !== VERSION;
  if (given['forgotten'] === true) return { stored: { version: VERSION, forgotten: true }, refused: undefined };
  const { revision, model, envelope, fold, run, reported, inserted, queue, ahead, pages, asked, spent, ended } = isOther ? lasting(given) : given;
  const refused = new Map<string, number>();
  const refuse = (reason: string): void => void refused.set(reason, (refused.get(reason) ?? 0) + 1);
  const name = (field: string, given: unknown): string | undefined => {
    if (given === undefined || isName(given)) return given;
    refuse(`its ${field} is none`);
    return undefined;
  };
  const list = <Item>(field: string, given: unknown, readItem: (item: unknown, index: number) => Item | string): readonly Item[] => {
    if (given !== undefined && !Array.isArray(given)) refuse(`its ${field} are no list`);
    return (Array.isArray(given) ? given : []).flatMap((item: unknown, index): Item[] => {
      const made = readItem(item, index);
      if (typeof made !== 'string') return [made];
      refuse(`among its ${field} is ${made}`);
      return [];
    });
  };
  const queuedMessages = (field: string, given: unknown): readonly QueuedMessage[] => {
    let left = QUEUE_CHARACTERS;
    return list(field, given, (item, index) => {
      const message = readQueuedMessage(item, index);
      if (typeof message === 'string') return message;
      return (left -= charactersOf(message)) >= 0 ? message : 'more than it can hold';
    });
  };
  let room = AHEAD_CHARACTERS;
  const stored: Stored = {
    version: VERSION,
    ...defined('revision', name('revision', revision)),
    ...defined('model', name('model', model)),
    ...defined('envelope', envelope),
    ...defined('fold', fold),
    ...defined('run', run),
    ...defined('reported', readUsage(reported, refuse)),
    ...defined('spent', spent === undefined ? undefined : addUsage(undefined, Object.fromEntries(Object.entries(asRecord(spent)).filter(([, tokens]) => isCount(tokens))))),
    ended: list('outcomes', ended, (item, index) => {
      const { callId, outcome } = asRecord(item);
      return isName(callId) && isName(outcome) && index < MOST_ENDED ? { callId, outcome } : 'one that is none';
    }),
    inserted: queuedMessages('messages that were sent', inserted),
    queue: queuedMessages('messages that wait', queue),
    ahead: list('summaries', ahead, (item) => {
      const { key, text } = asRecord(item);
      if (!isName(key) || typeof text !== 'string') return 'one that is none';
      return (room -= text.length) >= 0 ? { key, text } : 'more than it can hold';
    }),
    pages: list('pages', pages, (page) => (typeof page === 'string' && PAGE.test(page) ? { page } : 'one that is none')).map(({ page }) => page),
    asked: list("model's requests", asked, (item) => {
      const { callId, folds, focus, pin } = asRecord(item);
      const isOne = isName(callId) && typeof folds === 'boolean' && typeof focus === 'string' && focus.length <= FOCUS_CHARACTERS && isName(pin);
      return isOne ? { callId, folds, focus, pin } : 'one that is none';
    }),
  };
  const reasons = [...refused].map(([reason, count]) => (count === 1 ? reason : `${reason} (${count} times)`));
  if (isOther) reasons.unshift(`it has version ${given['version']}, this is version ${VERSION}`);
  return { stored, refused: reasons.length === 0 ? undefined : `not all of it is used: ${reasons.join('; ')}` };
}

/** What has the same form in all versions. */
const lasting = ({ revision, envelope, inserted, queue }: AnyRecord): AnyRecord => ({ revision, envelope, inserted, queue });

/** As plain JSON of this reader's own; a text says why not. */
function read(value: unknown): AnyRecord | string {
  const refused = 'it is no state of a stepfold session';
  try {
    // A value is written as well: it may be shared, change later, or be no plain JSON.
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (typeof text !== 'string') return refused;
    if (text.length > CHARACTERS) return `it has ${text.length} characters, ${CHARACTERS} are allowed`;
    const parsed = JSON.parse(text) as unknown;
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return refused;
    return repair(parsed) ? (parsed as AnyRecord) : `it is nested more than ${LEVELS} levels deep`;
  } catch {
    // Broken JSON; a getter threw; a value was nested too deeply to be written.
    return refused;
  }
}

/** Takes out what no JSON of ours has: keys of prototypes, and halves of characters, which providers refuse. False where it is too deep. */
function repair(root: object): boolean {
  const open: [object, number][] = [[root, 1]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [holder, level] = next as [Record<string, unknown>, number];
    if (level > LEVELS) return false;
    for (const key of Object.keys(holder)) {
      const value = holder[key];
      if (key === '__proto__') delete holder[key];
      else if (typeof value === 'string') holder[key] = value.replace(/\p{Cs}/gu, '\ufffd');
      else if (typeof value === 'object' && value !== null) open.push([value, level + 1]);
    }
  }
  return true;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const isName = (value: unknown): value is string => typeof value === 'string' && value.length <= NAME_CHARACTERS;

const defined = <Name extends string, Value>(name: Name, value: Value | undefined): { readonly [Key in Name]?: Value } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };

/** An enqueued message. One written by hand may be the message alone. */
function readQueuedMessage(item: unknown, index: number): QueuedMessage | string {
  const { id = `${index}`, message = item, places = [], leftOut } = asRecord(item);
  if (!isName(id) || !Array.isArray(places)) return 'one that is none';
  // What it says is not repeated: people may be shown the reason.
  if (refusalOf(message) !== undefined) return 'one that is no message of the user';
  return { id, message: withoutMarkers(message as ModelMessage), places: places.filter(isPlace).slice(0, PLACES), ...(leftOut === true ? { leftOut } : {}) };
}

function isPlace(place: unknown): place is Place {
  const { before, outline = '', after, neighbor, start, turn, request } = asRecord(place);
  return [before, outline, after, neighbor, start, turn, request].every(isName);
}

/** Why a message cannot be enqueued; undefined where it can. */
export function refusalOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('role' in message && 'content' in message)) return 'it is no message';
  return withBytes([message as ModelMessage], (bytes, written) => callEngine((engine) => engine.checkQueuedMessage(bytes, written)));
}

/** The message without what says that it, or a part of it, is stepfold's own. */
function withoutMarkers(message: ModelMessage): ModelMessage {
  const { content } = message;
  return { ...unmarked(message), ...(Array.isArray(content) ? { content: content.map(unmarked) } : {}) } as ModelMessage;
}

function unmarked<Carrier extends object>(carrier: Carrier): Carrier {
  const { providerOptions } = carrier as { readonly providerOptions?: AnyRecord };
  if (providerOptions === undefined || providerOptions === null || !('stepfold' in providerOptions)) return carrier;
  const { stepfold: _forged, ...rest } = providerOptions;
  return { ...carrier, providerOptions: rest };
}

function readUsage(reported: unknown, refuse: (reason: string) => void): Usage | undefined {
  if (reported === undefined) return undefined;
  try {
    // A list would be taken for the numbers in their order.
    return askEngine('restoreUsage', { reported: Array.isArray(reported) ? null : reported });
  } catch (error) {
    refuse(messageOf(error));
    return undefined;
  }
}
