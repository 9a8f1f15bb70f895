// What goes to a provider beside the messages: provider options of the request, and cache marks on copies of messages.
// The engine says which (`sending.rs`); this reads facts off the model's object, keeps answers, and puts them where they belong.

import type { ModelMessage } from 'ai';
import { isCheckpoint, ownCopy } from './apply-edits.js';
import type { MarkSlots, SentBeside } from '../bridge/boundary.js';
import { askEngine } from '../bridge/engine.js';
import { writeJson } from '../bridge/json-text.js';
import type { ModelIdentity } from '../model/models.js';
import { identify } from '../model/models.js';

/** As in the AI SDK: options by provider. */
export type ProviderOptions = Record<string, { readonly [key: string]: JsonValue }>;
type JsonValue = string | { readonly [key: string]: JsonValue };

/** What goes beside the messages of a step. */
export interface Sending {
  /** For the request: ai 6 and 7 merge them with the user's. */
  readonly providerOptions?: ProviderOptions;
  readonly marks: readonly Mark[];
  /** The engine wants to know how many marks the step has room for. */
  readonly awaitsSlots: boolean;
}

/** A cache mark. */
interface Mark {
  readonly place: 'end' | 'end-before' | 'checkpoint' | 'checkpoint-part';
  readonly options: ProviderOptions;
}

/** What the engine says of a step. */
interface Facts {
  readonly hasDecisions: boolean;
  readonly dropsThoughts: boolean;
  readonly asksCache: boolean;
  readonly markSlots?: MarkSlots;
  readonly isFar?: boolean;
}

/** Finds what goes beside the messages to a model. */
export type SendingFor = (model: unknown, facts: Facts) => Sending;

/** What is read of a finished step: which cache was asked for with its request, and what was reported of it. */
interface FinishedStep {
  readonly request?: { readonly body?: unknown };
  readonly providerMetadata?: unknown;
}

const NOTHING: Sending = { marks: [], awaitsSlots: false };

/** `session` is the id of the session that the steps belong to. Each model is asked for its package once: its headers may be made anew each time. */
export function createSending(session?: string): SendingFor {
  const byModel = new WeakMap<object, Map<string, Sending>>();
  return (model, { hasDecisions, dropsThoughts, asksCache, markSlots, isFar = false }) => {
    if (typeof model !== 'object' || model === null || !(hasDecisions || asksCache)) return NOTHING;
    let byFacts = byModel.get(model);
    if (byFacts === undefined) byModel.set(model, (byFacts = new Map()));
    const key = `${hasDecisions} ${dropsThoughts} ${asksCache} ${JSON.stringify(markSlots)} ${isFar}`;
    let found = byFacts.get(key);
    if (found === undefined) byFacts.set(key, (found = ask(model, { edited: hasDecisions, dropsThoughts, caches: asksCache, markSlots, isFar, session })));
    return found;
  };
}

/** For how many marks a finished step has shown room; undefined where it does not show it. */
export function markSlotsAfter(last: FinishedStep | undefined): MarkSlots | undefined {
  if (last === undefined) return undefined;
  const { text: step } = writeJson({ request: requestOf(last), providerMetadata: last.providerMetadata });
  return askEngine('markSlots', { step });
}

/** What the request of a finished step held beside its lists, as JSON; undefined where the body is not kept. */
export function sentBeside(last: FinishedStep | undefined): string | undefined {
  const request = typeof last !== 'object' || last === null ? undefined : requestOf(last);
  return request === undefined ? undefined : writeJson(Object.fromEntries(Object.entries(request).filter(([, value]) => !Array.isArray(value)))).text;
}

/** What was sent, without the messages; undefined where the body is not kept. */
function requestOf({ request }: FinishedStep): object | undefined {
  let body = request?.body;
  try {
    if (typeof body === 'string') body = JSON.parse(body);
  } catch {
    // No JSON: it shows nothing.
  }
  if (typeof body !== 'object' || body === null) return undefined;
  const { messages: _messages, ...rest } = body as { messages?: unknown };
  return rest;
}

function ask(model: object, step: Omit<SentBeside, keyof ModelIdentity | keyof ReturnType<typeof configOf> | 'specification'>): Sending {
  const request = { specification: '', ...identify(model), ...configOf(model), ...step };
  const answer = askEngine('sending', request) as {
    readonly providerOptions: string | null;
    readonly marks: readonly { readonly place: Mark['place']; readonly options: string }[];
    readonly awaitsSlots: boolean;
  };
  return {
    awaitsSlots: answer.awaitsSlots,
    marks: answer.marks.map(({ place, options }) => ({ place, options: JSON.parse(options) as ProviderOptions })),
    ...(answer.providerOptions === null ? {} : { providerOptions: JSON.parse(answer.providerOptions) as ProviderOptions }),
  };
}

/** With which user agent a model's package sends its requests, and where to; empty where that cannot be known before one is sent. */
function configOf(model: object): { readonly package: string; readonly baseURL: string } {
  const { config } = model as { config?: { headers?: () => unknown; baseURL?: unknown; url?: (call: object) => unknown } };
  const tried = (read: () => unknown): unknown => {
    try {
      return read();
    } catch {
      // Without a key there are no headers, and no request either.
      return undefined;
    }
  };
  const headers = tried(() => config?.headers?.()) as Record<string, unknown> | undefined;
  // Clouds fetch a token for theirs; an error in that is for the call itself to report.
  void Promise.resolve(headers).catch(() => undefined);
  return {
    package: text(tried(() => headers?.['user-agent'])),
    // OpenAI's package puts it in front of a path.
    baseURL: text(tried(() => config?.baseURL) ?? tried(() => config?.url?.({ path: '', modelId: identify(model).modelId }))),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The list with marks on copies of messages; all others stay the same objects. `before` is how many messages the step before has sent. */
export function marked(messages: readonly ModelMessage[], marks: readonly Mark[], before: number | undefined): readonly ModelMessage[] {
  if (marks.length === 0) return messages;
  const places: Readonly<Record<Mark['place'], () => number>> = {
    end: () => messages.length - 1,
    'end-before': () => (before ?? 0) - 1,
    checkpoint: () => messages.findIndex(isCheckpoint),
    'checkpoint-part': () => messages.findIndex(isCheckpoint),
  };
  const list = [...messages];
  for (const { place, options } of marks) {
    const index = places[place]();
    const message = list[index];
    if (typeof message !== 'object' || message === null) continue;
    list[index] = place === 'checkpoint-part' ? withMarkedPart(message, options) : ownCopy(message, withOptions(message, options));
  }
  return list;
}

/** Messages whose last part has a mark: the same one at each step, so that ai 7 need not be given what it has. */
const withMarkedParts = new WeakMap<ModelMessage, ModelMessage>();

function withMarkedPart(message: ModelMessage, options: ProviderOptions): ModelMessage {
  let copy = withMarkedParts.get(message);
  if (copy === undefined) {
    const parts = message.content as readonly WithOptions[];
    const content = [...parts.slice(0, -1), withOptions(parts.at(-1)!, options)];
    withMarkedParts.set(message, (copy = ownCopy(message, { ...message, content } as ModelMessage)));
  }
  return copy;
}

type WithOptions = object & { readonly providerOptions?: unknown };

function withOptions<Carrier extends WithOptions>(carrier: Carrier, options: ProviderOptions): Carrier {
  const providerOptions = { ...(carrier.providerOptions as ProviderOptions | undefined) };
  for (const [provider, more] of Object.entries(options)) providerOptions[provider] = { ...providerOptions[provider], ...more };
  return { ...carrier, providerOptions };
}
