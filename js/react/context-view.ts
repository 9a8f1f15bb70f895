// What a page knows of its chat's context window: followed event by event, and read off the parts that messages keep.
// Pure, and knows nothing of React. Believes no part: it may come from another version, or from somebody else.

/** An edit, for a list of what was done. */
export interface ContextEdit {
  /** For `key` in a list. */
  readonly key: string;
  readonly type: 'capped' | 'cleared' | 'checkpoint' | 'squeezed';
  readonly checkpointId: string | undefined;
  /** What is shown to people, if anything. */
  readonly label: string | undefined;
  /** The step of its request; unknown after a reload. */
  readonly stepNumber: number | undefined;
  /** Messages that were folded, of a checkpoint. */
  readonly messages: number | undefined;
  /** What stands for them: a summary that a model wrote, or a digest that stepfold made. */
  readonly content: 'summary' | 'digest' | undefined;
  /** Results that were cut, cleared or squeezed. */
  readonly results: number | undefined;
  /** Tokens of the prompt before; unknown of `capped`. */
  readonly tokensBefore: number | undefined;
  /** Tokens after. */
  readonly tokensAfter: number | undefined;
  /** When, as ISO 8601; known of checkpoints that a message keeps. */
  readonly foldedAt: string | undefined;
}

/** What the step waits for: a summary is being written. */
export interface ContextWork {
  /** What is shown to people, if anything. */
  readonly label: string | undefined;
  /** Messages that are being summarized. */
  readonly messages: number | undefined;
}

/** What the events of a page have shown so far. */
export interface ContextView {
  /** How many events there were. */
  readonly events: number;
  readonly tokens: number | undefined;
  readonly uneditedTokens: number | undefined;
  readonly contextWindow: number | undefined;
  readonly isOverBudget: boolean;
  readonly running: ContextWork | undefined;
  readonly edits: readonly ContextEdit[];
}

/** A message as `useChat` has it, as far as it is read. */
export interface PartsOfMessage {
  readonly parts: readonly { readonly type: string }[];
}

export const EMPTY_VIEW: ContextView = { events: 0, tokens: undefined, uneditedTokens: undefined, contextWindow: undefined, isOverBudget: false, running: undefined, edits: [] };

/** Edits that a page remembers: more than anybody reads. */
const MOST_EDITS = 200;

/** The view after the data of a part `data-stepfold`. */
export function follow(view: ContextView, data: unknown): ContextView {
  const event = fieldsOf(data);
  if (typeof event.type !== 'string') return view;
  const next = { ...view, events: view.events + 1 };
  switch (event.type) {
    case 'measured':
      return { ...next, tokens: numberOf(event.tokens), uneditedTokens: numberOf(event.uneditedTokens), contextWindow: numberOf(event.contextWindow), isOverBudget: false, running: undefined };
    case 'checkpoint-started':
      // Nobody waits for a summary that is requested ahead of time.
      return event.ahead === true ? next : { ...next, running: { label: textOf(event.label), messages: numberOf(event.messages) } };
    case 'capped':
    case 'cleared':
    case 'checkpoint':
    case 'squeezed': {
      const edit = editOf(event.type, event, `${event.type}-${next.events}`);
      return { ...next, tokens: edit.tokensAfter ?? view.tokens, running: undefined, edits: [...view.edits, edit].slice(-MOST_EDITS) };
    }
    case 'fallback':
      return { ...next, running: undefined };
    case 'over-budget':
      return { ...next, isOverBudget: event.certain === true };
    default:
      return next;
  }
}

/** The edits of a chat, oldest first: the checkpoints that messages keep, and what events have announced since. */
export function editsOf(messages: readonly PartsOfMessage[], announced: readonly ContextEdit[]): readonly ContextEdit[] {
  const live = new Set(announced.map(({ checkpointId }) => checkpointId));
  const kept: ContextEdit[] = [];
  const foldedAt = new Map<string, string>();
  for (const { parts } of messages) {
    for (const part of Array.isArray(parts) ? (parts as readonly unknown[]) : []) {
      const { type, data } = fieldsOf(part);
      const edit = type === 'data-stepfold-checkpoint' ? editOf('checkpoint', fieldsOf(data), `kept-${kept.length}`) : undefined;
      if (edit?.checkpointId === undefined) continue;
      if (edit.foldedAt !== undefined) foldedAt.set(edit.checkpointId, edit.foldedAt);
      if (!live.has(edit.checkpointId)) kept.push(edit);
    }
  }
  if (foldedAt.size === 0) return announced;
  return [...kept, ...announced.map((edit) => (edit.checkpointId === undefined ? edit : { ...edit, foldedAt: foldedAt.get(edit.checkpointId) }))];
}

function editOf(type: ContextEdit['type'], fields: Fields, key: string): ContextEdit {
  return {
    key,
    type,
    checkpointId: textOf(fields.id),
    label: textOf(fields.label),
    stepNumber: numberOf(fields.stepNumber),
    messages: numberOf(fields.messages),
    content: fields.content === 'summary' || fields.content === 'digest' ? fields.content : undefined,
    results: Array.isArray(fields.results) ? fields.results.length : numberOf(fields.results),
    tokensBefore: numberOf(fields.tokensBefore),
    tokensAfter: numberOf(fields.tokensAfter),
    foldedAt: textOf(fields.foldedAt),
  };
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
