// Carries out edits on the caller's messages: only what an edit names is copied, every other object is reused.
// Decides nothing. The reference for what an edit means is `apply.rs`.

import type { ModelMessage } from 'ai';

/** One change, as the engine writes it. Indices refer to the list that was planned on. */
export type Edit =
  | { readonly type: 'checkpoint'; readonly start: number; readonly end: number; readonly head: readonly [number, number]; readonly id: string; readonly text: string; readonly copies: readonly (readonly [number, number])[] }
  | { readonly type: 'output'; readonly message: number; readonly part: number; readonly id: string; readonly text: string; readonly error: boolean }
  | { readonly type: 'input'; readonly message: number; readonly part: number; readonly json: string }
  | { readonly type: 'text'; readonly message: number; readonly part: number; readonly text: string }
  | { readonly type: 'leave-out'; readonly message: number; readonly parts: readonly number[] };

type AnyRecord = Readonly<Record<string, unknown>>;

/** What stands behind a message of ours. */
interface Origin {
  /** The messages it was made from. */
  readonly messages: readonly ModelMessage[];
  /** How many of these stand in the list as well, right behind it. */
  readonly shown: number;
}

const origins = new WeakMap<object, Origin>();

/**
 * The history behind a list that may hold messages of ours, or copies of those that were sent before: a wrapper that sets
 * cache marks copies them, and ai 7 hands the copies back.
 */
export function originalMessages(messages: readonly ModelMessage[], sent: readonly ModelMessage[] = []): ModelMessage[] {
  const bySign = new Map<string, Origin>();
  for (const message of sent) {
    const origin = originOf(message);
    if (origin !== undefined) bySign.set(signOf(message), origin);
  }
  bySign.delete('');
  let shown = 0;
  return messages.flatMap((message) => {
    if (shown > 0) {
      shown -= 1;
      return [];
    }
    const origin = originOf(message) ?? (bySign.size > 0 ? bySign.get(signOf(message)) : undefined);
    shown = origin?.shown ?? 0;
    return origin?.messages ?? [message];
  });
}

/** Whether a message says it is a checkpoint of ours; only the engine can tell whether that is true. */
export function isCheckpoint(message: ModelMessage): boolean {
  return (message?.providerOptions as { stepfold?: { checkpoint?: unknown } } | undefined)?.stepfold?.checkpoint !== undefined;
}

function originOf(message: ModelMessage): Origin | undefined {
  return typeof message === 'object' && message !== null ? origins.get(message) : undefined;
}

/** The markers of a message and its parts, as one text; empty when there are none. */
function signOf(message: ModelMessage): string {
  const markers = [message, ...(Array.isArray(message?.content) ? (message.content as readonly unknown[]) : [])].map((carrier) => {
    const marker = (carrier as { providerOptions?: { stepfold?: { checkpoint?: unknown; original?: unknown } } } | null)?.providerOptions?.stepfold;
    return String(marker?.checkpoint ?? marker?.original ?? '');
  });
  return markers.join('');
}

/** The list with the edits carried out. The input is not changed. */
export function applyEdits(messages: readonly ModelMessage[], edits: readonly Edit[]): ModelMessage[] {
  const changed: (ModelMessage | undefined)[] = [...messages];
  let fold: Extract<Edit, { type: 'checkpoint' }> | undefined;
  for (const edit of edits) {
    if (edit.type === 'checkpoint') {
      fold = edit;
      continue;
    }
    const message = changed[edit.message]!;
    const edited = edit.type === 'leave-out' ? withoutParts(message, edit.parts) : editPart(message, edit);
    if (edited !== undefined) origins.set(edited, origins.get(message) ?? { messages: [message], shown: 0 });
    changed[edit.message] = edited;
  }
  if (fold !== undefined) {
    const head = changed.slice(...fold.head);
    const checkpoint = {
      role: 'user',
      content: [{ type: 'text', text: fold.text }, ...fold.copies.map(([message, part]) => (messages[message]!.content as readonly unknown[])[part])],
      providerOptions: { stepfold: { checkpoint: fold.id } },
    } as ModelMessage;
    const shown = head.filter((message) => message !== undefined).length;
    origins.set(checkpoint, { messages: originalMessages(messages.slice(fold.start, fold.end)), shown });
    changed.splice(fold.start, fold.end - fold.start, checkpoint, ...head);
  }
  return changed.filter((message) => message !== undefined);
}

/** Undefined when nothing is left of the message. */
function withoutParts(message: ModelMessage, parts: readonly number[]): ModelMessage | undefined {
  const content = (message.content as readonly unknown[]).filter((_part, index) => !parts.includes(index));
  return content.length === 0 ? undefined : ({ ...message, content } as ModelMessage);
}

function editPart(message: ModelMessage, edit: Exclude<Edit, { type: 'checkpoint' | 'leave-out' }>): ModelMessage {
  if (typeof message.content === 'string') return { ...message, content: edit.type === 'text' ? edit.text : message.content } as ModelMessage;
  const content = [...(message.content as readonly AnyRecord[])];
  const part = content[edit.part]!;
  switch (edit.type) {
    case 'output': {
      const output = part['output'] as AnyRecord;
      // The output's own options stay: OpenAI finds the approval of a denied call there.
      const options = output['providerOptions'] === undefined ? {} : { providerOptions: output['providerOptions'] };
      content[edit.part] = {
        ...part,
        output: { type: edit.error ? 'error-text' : 'text', value: edit.text, ...options },
        providerOptions: { ...(part['providerOptions'] as AnyRecord | undefined), stepfold: { original: edit.id } },
      };
      break;
    }
    case 'input':
      content[edit.part] = { ...withoutItemId(part), input: JSON.parse(edit.json) as unknown };
      break;
    case 'text':
      content[edit.part] = { ...withoutItemId(part), text: edit.text };
      break;
    default: {
      const unknown: never = edit;
      throw new RangeError(`unknown edit ${JSON.stringify(unknown)}`);
    }
  }
  return { ...message, content } as unknown as ModelMessage;
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
