// Carries out edits on the caller's messages: only what an edit names is copied, every other object is reused.
// Decides nothing. The reference for what an edit means is `apply.rs`.

import type { ModelMessage } from 'ai';
import type { Behind, Edit, PartChange, Picked, PickedOption } from '../bridge/boundary.js';
import type { AnyRecord } from '../bridge/record.js';

/** What stands behind a message of ours. */
interface Origin {
  /** The messages it was made from. */
  readonly messages: readonly ModelMessage[];
  /** How many of these stand in the list as well, right before it (a provider's compaction block). */
  readonly before?: number;
  /** The same, right behind it. */
  readonly shown: number;
}

const origins = new WeakMap<object, Origin>();

/**
 * The history behind a list that may hold messages of ours, or copies of those that were sent before: a wrapper that sets
 * cache marks copies them, and ai 7 hands the copies back.
 */
export function originalMessages(messages: readonly ModelMessage[], sent: readonly ModelMessage[] = []): ModelMessage[] {
  const byMarkers = new Map<string, Origin>();
  for (const message of sent) {
    const origin = originOf(message);
    if (origin !== undefined) byMarkers.set(markerKey(message), origin);
  }
  byMarkers.delete('');
  let shown = 0;
  const originals: (readonly ModelMessage[])[] = [];
  for (const message of messages) {
    if (shown > 0) {
      shown -= 1;
      continue;
    }
    const origin = originOf(message) ?? (byMarkers.size > 0 ? byMarkers.get(markerKey(message)) : undefined);
    shown = origin?.shown ?? 0;
    originals.length = Math.max(0, originals.length - (origin?.before ?? 0));
    originals.push(origin?.messages ?? [message]);
  }
  return originals.flat();
}

/**
 * A converted list whose edited parts are those of the history again, so that another edit of them comes out as it does there.
 * As it is where the conversion has merged or left out messages.
 */
export function withOriginalParts(converted: readonly ModelMessage[], sent: readonly ModelMessage[]): readonly ModelMessage[] {
  const isAligned = converted.length === sent.length && converted.every(({ role }, index) => role === sent[index]!.role);
  return isAligned ? converted.map((message, index) => withPartsOf(message, sent[index]!)) : converted;
}

function withPartsOf(message: ModelMessage, edited: ModelMessage): ModelMessage {
  const originals = originOf(edited)?.messages ?? [];
  if (originals.length !== 1) return message;
  const before = partsOf(originals[0]!);
  const after = partsOf(edited);
  const own = partsOf(message);
  if (before.length !== after.length || before.length !== own.length) return message;
  const content = own.map((part, index) => (before[index] === after[index] ? part : before[index]));
  return { ...message, content } as ModelMessage;
}

const partsOf = ({ content }: ModelMessage): readonly unknown[] => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);

/** Whether a message says it is a checkpoint of ours; only the engine can tell whether that is true. */
export function isCheckpoint(message: ModelMessage): boolean {
  return (message?.providerOptions as { stepfold?: { checkpoint?: unknown } } | undefined)?.stepfold?.checkpoint !== undefined;
}

function originOf(message: ModelMessage): Origin | undefined {
  return typeof message === 'object' && message !== null ? origins.get(message) : undefined;
}

/** Remembers what a message of ours was made from. */
export function ownCopy(message: ModelMessage, copy: ModelMessage): ModelMessage {
  origins.set(copy, origins.get(message) ?? { messages: [message], shown: 0 });
  return copy;
}

/** Remembers that nothing stands behind a message of ours. */
export function ownAddition(message: ModelMessage): ModelMessage {
  origins.set(message, { messages: [], shown: 0 });
  return message;
}

/** The markers of a message and its parts, as one text; empty when there are none. */
function markerKey(message: ModelMessage): string {
  const markers = [message, ...(Array.isArray(message?.content) ? (message.content as readonly unknown[]) : [])].map((carrier) => {
    const marker = (carrier as { providerOptions?: { stepfold?: { checkpoint?: unknown; original?: unknown } } } | null)?.providerOptions?.stepfold;
    return String(marker?.checkpoint ?? marker?.original ?? '');
  });
  return markers.join('');
}

/** The list with the edits carried out. The input is not changed. */
export function applyEdits(messages: readonly ModelMessage[], edits: readonly Edit[]): ModelMessage[] {
  const changed: (ModelMessage | undefined)[] = [...messages];
  const bridges = new Map<number, ModelMessage>();
  let fold: Extract<Edit, { type: 'checkpoint' }> | undefined;
  for (const edit of edits) {
    if (edit.type === 'checkpoint') {
      fold = edit;
      continue;
    }
    if (edit.type === 'bridge') {
      bridges.set(edit.before, bridgeOf(edit.text));
      continue;
    }
    const index = edit.type === 'leave-out' ? edit.message : edit.place.message;
    const message = changed[index]!;
    const edited = edit.type === 'leave-out' ? withoutParts(message, edit.parts) : editPart(message, edit);
    changed[index] = edited === undefined ? undefined : ownCopy(message, edited);
  }
  const list = changed.flatMap((message, index) => (bridges.has(index) ? [bridges.get(index), message] : [message]));
  if (fold !== undefined) {
    const block = changed.slice(fold.block.start, fold.block.end).filter((message) => message !== undefined);
    const behind = fold.behind.map((item) => (item.type === 'message' ? changed[item.message] : carriedMessage(item, messages))).filter((message) => message !== undefined);
    const checkpoint = {
      role: 'user',
      content: [{ type: 'text', text: fold.text }, ...fold.copies.map(({ message, part }) => (messages[message]!.content as readonly unknown[])[part])],
      providerOptions: { stepfold: { checkpoint: fold.id } },
    } as ModelMessage;
    origins.set(checkpoint, { messages: originalMessages(messages.slice(fold.start, fold.end)), before: block.length, shown: behind.length });
    // No bridge stands before the end of what is folded.
    list.splice(fold.start, fold.end - fold.start, ...block, checkpoint, ...behind);
  }
  return list.filter((message) => message !== undefined);
}

/** Bridges by their text: one object each, so that the list stays the same from step to step. */
const bridgesByText = new Map<string, ModelMessage>();

function bridgeOf(text: string): ModelMessage {
  let bridge = bridgesByText.get(text);
  if (bridge === undefined) bridgesByText.set(text, (bridge = ownAddition({ role: 'assistant', content: text, providerOptions: { stepfold: { original: 'bridge' } } })));
  return bridge;
}

/** A message that stands behind a checkpoint and is none of the app's. */
function carriedMessage(behind: Exclude<Behind, { type: 'message' }>, messages: readonly ModelMessage[]): ModelMessage {
  switch (behind.type) {
    case 'bridge':
      return bridgeOf(behind.text);
    case 'settings':
      return { role: 'system', content: '', providerOptions: { ...settingsOf(behind.options, messages), stepfold: { original: 'carried' } } } as unknown as ModelMessage;
    case 'parts': {
      const { role, content } = messages[behind.message]!;
      const parts = behind.parts.map((picked) => carriedPart((content as readonly unknown[])[picked.part] as AnyRecord, picked));
      return { role, content: parts, providerOptions: { stepfold: { original: 'carried' } } } as unknown as ModelMessage;
    }
    default: {
      const unknown: never = behind;
      throw new RangeError(`unknown message ${JSON.stringify(unknown)}`);
    }
  }
}

function carriedPart(part: AnyRecord, { items, output, dropsId }: Picked): AnyRecord {
  const own = dropsId ? withoutItemId(part) : part;
  if (output !== null) return { ...own, output: { type: 'text', value: output } };
  if (items.length === 0) return own;
  const { value, ...rest } = part['output'] as { readonly value: readonly unknown[] };
  return { ...own, output: { ...rest, value: items.map((item) => value[item]) } };
}

function settingsOf(picked: readonly PickedOption[], messages: readonly ModelMessage[]): Readonly<Record<string, AnyRecord>> {
  const options: Record<string, Record<string, unknown>> = {};
  for (const { message, provider, key, items } of picked) {
    const given = (messages[message]!.providerOptions as Readonly<Record<string, AnyRecord>>)[provider]![key];
    const own = (options[provider] ??= {});
    own[key] = items.length === 0 ? given : [...((own[key] as readonly unknown[] | undefined) ?? []), ...items.map((item) => (given as readonly unknown[])[item])];
  }
  return options;
}

/** Undefined when nothing is left of the message. */
function withoutParts(message: ModelMessage, parts: readonly number[]): ModelMessage | undefined {
  const content = (message.content as readonly unknown[]).filter((_part, index) => !parts.includes(index));
  return content.length === 0 ? undefined : ({ ...message, content } as ModelMessage);
}

function editPart(message: ModelMessage, { place, id, change }: Extract<Edit, { type: 'part' }>): ModelMessage {
  if (typeof message.content === 'string') return { ...message, content: change.type === 'text' ? change.text : message.content } as ModelMessage;
  const content = [...(message.content as readonly AnyRecord[])];
  content[place.part] = changedPart(content[place.part]!, id, change);
  return { ...message, content } as unknown as ModelMessage;
}

function changedPart(part: AnyRecord, id: string, change: PartChange): AnyRecord {
  switch (change.type) {
    case 'output': {
      const output = part['output'] as AnyRecord;
      // The output's own options stay: OpenAI finds the approval of a denied call there.
      const options = output['providerOptions'] === undefined ? {} : { providerOptions: output['providerOptions'] };
      return {
        ...part,
        output: { type: change.isError ? 'error-text' : 'text', value: change.text, ...options },
        providerOptions: { ...(part['providerOptions'] as AnyRecord | undefined), stepfold: { original: id } },
      };
    }
    case 'input':
      return { ...withoutItemId(part), input: JSON.parse(change.json) as unknown };
    case 'text':
      // A picture or file becomes a text of ours.
      return part['type'] === 'text' ? { ...withoutItemId(part), text: change.text } : { type: 'text', text: change.text, providerOptions: { stepfold: { original: id } } };
    default: {
      const unknown: never = change;
      throw new RangeError(`unknown change ${JSON.stringify(unknown)}`);
    }
  }
}

/**
 * OpenAI's package sends a part with an `itemId` as a reference to what OpenAI has stored: the edit would have no effect. Behind stored
 * reasoning a call may stand without its id: ai 6 and 7 send all calls so (vercel/ai#15795).
 */
function withoutItemId(part: AnyRecord): AnyRecord {
  const options = part['providerOptions'] as Readonly<Record<string, AnyRecord>> | undefined;
  if (options === undefined) return part;
  const kept = Object.entries(options).map(([provider, values]) => {
    const { itemId: _itemId, ...rest } = values ?? {};
    return [provider, rest];
  });
  return { ...part, providerOptions: Object.fromEntries(kept) as unknown };
}
