// What goes to a provider beside the messages: provider options of the request, a mark on a copy of the last message, and a word of the model
// where a message that was put in would be refused without.
// The engine says which (`sending.rs`); this reads them off the model's object, keeps them, and puts them where they belong.

import type { ModelMessage } from 'ai';
import { ownAddition, ownCopy } from './apply-edits.js';
import { callEngine } from './engine.js';
import { writeJson } from './json-text.js';
import { entriesOf } from './messages.js';
import { identify } from './models.js';
import { sayingsOf } from './session-state.js';

/** As in the AI SDK: options by provider. */
export type ProviderOptions = Record<string, { readonly [key: string]: JsonValue }>;
type JsonValue = string | { readonly [key: string]: JsonValue };

/** What goes beside the messages of a step. */
export interface Sending {
  /** For the request: ai 6 and 7 merge them with the user's. */
  readonly providerOptions?: ProviderOptions;
  /** For the last message. */
  readonly mark?: ProviderOptions;
}

/** What the engine says of a step. */
interface Facts {
  readonly hasDecisions: boolean;
  readonly asksCache: boolean;
}

/** Finds what goes beside the messages to a model, `last` being the step before. */
export type SendingFor = (model: unknown, facts: Facts, last: FinishedStep | undefined) => Sending;

/** What is read of a finished step: which cache was asked for with its request, and what came of it. */
interface FinishedStep {
  readonly request?: { readonly body?: unknown };
  readonly providerMetadata?: unknown;
}

const NOTHING: Sending = {};

/** `session` is the id of the session that the steps belong to. Each model is asked for its package once: its headers may be made anew each time. */
export function createSending(session?: string): SendingFor {
  const known = new WeakMap<object, Map<string, Answer>>();
  // By the names of models, as apps make their objects anew for each request.
  const rooms = new Map<string, boolean>();
  return (model, { hasDecisions, asksCache }, last) => {
    if (typeof model !== 'object' || model === null || !(hasDecisions || asksCache)) return NOTHING;
    let ways = known.get(model);
    if (ways === undefined) known.set(model, (ways = new Map()));
    const find = (hasRoom: boolean): Answer => {
      const way = `${hasDecisions} ${asksCache} ${hasRoom}`;
      let found = ways.get(way);
      if (found === undefined) ways.set(way, (found = ask(model, { hasDecisions, asksCache, hasRoom }, session)));
      return found;
    };
    const first = find(false);
    return first.awaitsRoom && hasRoomForMark(model, last, rooms) ? find(true) : first;
  };
}

/** Whether a step with this model has shown that there is room for a mark. Once it has told, it holds: options of the request are the app's. */
function hasRoomForMark(model: object, last: FinishedStep | undefined, rooms: Map<string, boolean>): boolean {
  const { modelId, provider } = identify(model);
  const name = `${provider} ${modelId}`;
  const known = rooms.get(name);
  if (known !== undefined || last === undefined) return known ?? false;
  const { text: step } = writeJson({ sent: sentWith(last), providerMetadata: last.providerMetadata });
  const told = callEngine((engine) => engine.hasRoomForMark(step));
  if (told !== undefined) rooms.set(name, told);
  return told ?? false;
}

/** Anthropic's option for the whole request, as its own package or the gateway's has sent it; undefined where the body is not kept. */
function sentWith({ request }: FinishedStep): { readonly cacheControl: unknown } | undefined {
  let body = request?.body;
  try {
    if (typeof body === 'string') body = JSON.parse(body);
  } catch {
    // No JSON: it tells nothing.
  }
  if (typeof body !== 'object' || body === null) return undefined;
  const { cache_control, providerOptions } = body as { cache_control?: unknown; providerOptions?: { anthropic?: { cacheControl?: unknown } } };
  return { cacheControl: cache_control ?? providerOptions?.anthropic?.cacheControl };
}

/** What the engine answers. */
interface Answer extends Sending {
  readonly awaitsRoom: boolean;
}

function ask(model: object, { hasDecisions, asksCache, hasRoom }: Facts & { readonly hasRoom: boolean }, session: string | undefined): Answer {
  const { specificationVersion } = model as { specificationVersion?: unknown };
  const request = { ...identify(model), ...configOf(model), specification: text(specificationVersion), edited: hasDecisions, caches: asksCache, hasRoom, session };
  const answer = callEngine((engine) => engine.sending(request)) as { readonly providerOptions: string | null; readonly mark: string | null; readonly awaitsRoom: boolean };
  return {
    awaitsRoom: answer.awaitsRoom,
    ...(answer.providerOptions === null ? {} : { providerOptions: JSON.parse(answer.providerOptions) as ProviderOptions }),
    ...(answer.mark === null ? {} : { mark: JSON.parse(answer.mark) as ProviderOptions }),
  };
}

/** With which user agent a model's package sends its requests, and where to; empty where that cannot be known before one is sent. */
function configOf(model: object): { readonly package: string; readonly baseURL: string } {
  try {
    const { config } = model as { config?: { headers?: () => unknown; baseURL?: unknown } };
    const baseURL = text(config?.baseURL);
    const headers = config?.headers?.() as Record<string, unknown> | undefined;
    return { package: text(headers?.['user-agent']), baseURL };
  } catch {
    // Without a key there are no headers, and no request either.
    return { package: '', baseURL: '' };
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The list with the mark on a copy of its last message; all others stay the same objects. */
export function marked(messages: readonly ModelMessage[], mark: ProviderOptions | undefined): readonly ModelMessage[] {
  const last = messages.at(-1);
  if (mark === undefined || typeof last !== 'object' || last === null) return messages;
  const providerOptions = { ...(last.providerOptions as ProviderOptions | undefined) };
  for (const [provider, options] of Object.entries(mark)) providerOptions[provider] = { ...providerOptions[provider], ...options };
  return [...messages.slice(0, -1), ownCopy(last, { ...last, providerOptions })];
}

/** Words of the model between results and a message, by their text: one object each, so that the list stays the same from step to step. */
const bridges = new Map<string, ModelMessage>();

function bridgeOf(text: string): ModelMessage {
  let bridge = bridges.get(text);
  if (bridge === undefined) bridges.set(text, (bridge = ownAddition({ role: 'assistant', content: text, providerOptions: { stepfold: { original: 'bridge' } } })));
  return bridge;
}

/** The list with a word of the model before each of these messages that stands right behind results, where the model refuses it there. */
export function bridged(messages: readonly ModelMessage[], model: unknown, putIn: readonly ModelMessage[]): readonly ModelMessage[] {
  if (putIn.length === 0) return messages;
  const { modelId, provider } = identify(model);
  const { text, before } = callEngine((engine) => engine.bridges(entriesOf(messages), modelId, provider)) as { readonly text: string; readonly before: readonly number[] };
  if (before.length === 0) return messages;
  // By what they say: a wrapper may have copied them.
  const said = new Set(sayingsOf(putIn));
  const places = new Set(before.filter((index) => said.has(sayingsOf([messages[index]!])[0]!)));
  return places.size === 0 ? messages : messages.flatMap((message, index) => (places.has(index) ? [bridgeOf(text), message] : [message]));
}
