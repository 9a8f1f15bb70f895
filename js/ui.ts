// The entry `stepfold/ui`: shows events in a user interface, as data parts of a UI message stream. Needs no engine.
// The labels are for people; nothing of this is shown to a model. Messages keep none of it but, where asked for, a part for each checkpoint.

import type { StepfoldEvent } from './observe/events.js';

export type { StepfoldEvent };

/** An event as people may see it: what an error says and the key of the session are left out, unless they are asked for. */
type Shown<Event> = Event extends { readonly message: string } ? Omit<Event, 'message'> & { readonly message?: string } : Event;

/** The data of a part `data-stepfold`: the event, and a label to show to people. */
export type StepfoldData = Shown<StepfoldEvent> & { readonly label?: string };

/** The data of a part `data-stepfold-checkpoint`: here older messages were folded. A message keeps it, so that it is there after a reload. */
export interface StepfoldCheckpoint {
  /** Id of the checkpoint, and of the part. */
  readonly id: string;
  /** Messages that were folded. */
  readonly messages: number;
  /** What stands for them: a summary that a model wrote, or a digest that stepfold made. */
  readonly content: 'summary' | 'digest';
  /** When, as ISO 8601. */
  readonly foldedAt: string;
  /** Tokens of the prompt before. */
  readonly tokensBefore: number;
  /** Tokens after. */
  readonly tokensAfter: number;
  /** What is shown to people. */
  readonly label?: string;
}

/** The data parts of stepfold, for the second parameter of `UIMessage`: `UIMessage<never, StepfoldDataParts>`. */
export type StepfoldDataParts = { stepfold: StepfoldData; 'stepfold-checkpoint': StepfoldCheckpoint };

/** The writer of `createUIMessageStream` in ai 5, 6 and 7. */
export interface EventWriter {
  write(part: { type: 'data-stepfold'; data: StepfoldData; transient: true }): void;
}

/** The same, of messages that keep the part `data-stepfold-checkpoint`. */
export interface CheckpointWriter {
  write(part: { type: 'data-stepfold'; data: StepfoldData; transient: true } | { type: 'data-stepfold-checkpoint'; id: string; data: StepfoldCheckpoint } | { type: 'start' }): void;
}

type Type = StepfoldEvent['type'];

/** What is shown for an event: a text, a function of the event, or nothing. */
export type EventLabels = { readonly [Name in Type]?: string | ((event: Extract<StepfoldEvent, { type: Name }>) => string | undefined) | undefined };

/** Options of `writeEvents`. */
export interface WriteOptions {
  /** What is shown instead of stepfold's own labels, by type of event. */
  readonly labels?: EventLabels | undefined;
  /** Whether the message also keeps a part `data-stepfold-checkpoint` where older messages were folded. @default false */
  readonly keepCheckpoints?: boolean | undefined;
  /**
   * Also writes the session's `id`, and the texts of errors: of your store, your summarizer, your tokenizer. Secrets of known forms and control characters are left out, but names
   * of hosts and paths are not: for an interface that only its developers see. @default false
   */
  readonly errors?: boolean | undefined;
}

const results = (count: number): string => (count === 1 ? '1 result' : `${count} results`);

const LABELS: EventLabels = {
  capped: (event) => `Shortened ${results(event.results.length)}.`,
  cleared: (event) => `Cleared ${results(event.results.length)} that were read before.`,
  'images-cleared': (event) => `Cleared old images of ${results(event.results.length)}.`,
  pinned: (event) => `Keeping a result of ${event.toolName}.`,
  'checkpoint-started': 'Summarizing conversation…',
  // Summarized only where a model did.
  checkpoint: (event) => (event.content === 'summary' ? 'Conversation summarized.' : 'Older messages condensed.'),
  fallback: 'Going on without a summary by the model.',
  squeezed: 'Made room for the newest messages.',
  // What may be the estimate's fault is no reason to alarm anybody: the provider may well take it.
  'over-budget': (event) => (event.certain ? 'The conversation is too long for this model.' : undefined),
  delivered: (event) => (event.messages === 1 ? 'Your message was delivered.' : 'Your messages were delivered.'),
};

/**
 * Makes an `onEvent` that writes every event into a UI message stream. The parts are transient: clients receive them in `onData`,
 * and no message keeps them; they hold labels, numbers and names, and texts of errors only with `errors`. With `keepCheckpoints` the
 * message keeps a part for each checkpoint.
 *
 * @example
 * createUIMessageStream({
 *   execute: ({ writer }) => {
 *     const session = createSession({ id, store, onEvent: writeEvents(writer) });
 *     const { stream } = streamText({ model, messages, prepareStep: session.prepareStep });
 *     writer.merge(toUIMessageStream({ stream }));
 *   },
 * });
 */
export function writeEvents(writer: EventWriter, options?: WriteOptions & { readonly keepCheckpoints?: false | undefined }): (event: StepfoldEvent) => void;
export function writeEvents(writer: CheckpointWriter, options: WriteOptions): (event: StepfoldEvent) => void;
export function writeEvents(writer: CheckpointWriter, { labels = {}, keepCheckpoints = false, errors = false }: WriteOptions = {}): (event: StepfoldEvent) => void {
  const all = { ...LABELS, ...labels } as Readonly<Record<Type, string | ((event: StepfoldEvent) => string | undefined) | undefined>>;
  return (event) => {
    const given = all[event.type];
    const label = typeof given === 'function' ? given(event) : given;
    const data = errors === true ? event : withoutText(event);
    writer.write({ type: 'data-stepfold', data: label === undefined ? data : { ...data, label }, transient: true });
    if (keepCheckpoints && event.type === 'checkpoint') keep(writer, event, label);
  };
}

function withoutText({ sessionId: _id, ...event }: StepfoldEvent): Shown<StepfoldEvent> {
  if (!('message' in event)) return event;
  const { message, ...rest } = event;
  return rest;
}

/** Writes the part that a message keeps. */
function keep(writer: CheckpointWriter, { id, messages, content, tokensBefore, tokensAfter, stepNumber }: Extract<StepfoldEvent, { type: 'checkpoint' }>, label: string | undefined): void {
  // The event of a fold before the first call may come before the stream has begun. `useChat` then starts a message under an id of its own, and may
  // show it twice when the server's id comes with `start`. The SDK puts that id into this `start`, too, and takes a second one.
  if (stepNumber === 0) writer.write({ type: 'start' });
  const data = { id, messages, content, foldedAt: new Date().toISOString(), tokensBefore, tokensAfter };
  writer.write({ type: 'data-stepfold-checkpoint', id, data: label === undefined ? data : { ...data, label } });
}
