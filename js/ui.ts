// The entry `stepfold/ui`: shows events in a user interface, as transient data parts of a UI message stream. Needs no engine.
// The labels are for people; nothing of this is kept in messages or shown to a model.

import type { StepfoldEvent } from './events.js';

export type { StepfoldEvent };

/** An event as people may see it: what an error says is left out, unless it is asked for. */
type Shown<Event> = Event extends { readonly message: string } ? Omit<Event, 'message'> & { readonly message?: string } : Event;

/** The data of a part `data-stepfold`: the event, and a label to show to people. */
export type StepfoldData = Shown<StepfoldEvent> & { readonly label?: string };

/** The writer of `createUIMessageStream` in ai 5, 6 and 7. */
export interface EventWriter {
  write(part: { type: 'data-stepfold'; data: StepfoldData; transient: true }): void;
}

type Type = StepfoldEvent['type'];

/** What is shown for an event: a text, a function of the event, or nothing. */
export type EventLabels = { readonly [Name in Type]?: string | ((event: Extract<StepfoldEvent, { type: Name }>) => string | undefined) | undefined };

/** What `writeEvents` writes: labels by type of event, and whether it shows what errors say. */
export type WriteOptions = EventLabels & {
  /**
   * Also writes the texts of errors: of your store, your summarizer, your tokenizer. Secrets of known forms and control characters are left out, but names
   * of hosts and paths are not: for an interface that only its developers see. @default false
   */
  readonly errors?: boolean | undefined;
};

const results = (count: number): string => (count === 1 ? '1 result' : `${count} results`);

const LABELS: EventLabels = {
  capped: (event) => `Shortened ${results(event.results.length)}.`,
  cleared: (event) => `Cleared ${results(event.results.length)} that were read before.`,
  'images-cleared': (event) => `Cleared old images of ${results(event.results.length)}.`,
  'checkpoint-started': 'Summarizing conversation…',
  checkpoint: 'Conversation summarized.',
  fallback: 'Going on without a summary by the model.',
  squeezed: 'Made room for the newest messages.',
  // What may be the estimate's fault is no reason to alarm anybody: the provider may well take it.
  'over-budget': (event) => (event.certain ? 'The conversation is too long for this model.' : undefined),
  delivered: 'Your message was delivered.',
};

/**
 * Makes an `onEvent` that writes every event into a UI message stream. The parts are transient: clients receive them in `onData`,
 * and no message keeps them. They hold labels, numbers and names; texts of errors only where `errors` asks for them.
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
export function writeEvents(writer: EventWriter, { errors = false, ...labels }: WriteOptions = {}): (event: StepfoldEvent) => void {
  const all = { ...LABELS, ...labels } as Readonly<Record<Type, string | ((event: StepfoldEvent) => string | undefined) | undefined>>;
  return (event) => {
    const given = all[event.type];
    const label = typeof given === 'function' ? given(event) : given;
    const data = errors === true ? event : withoutText(event);
    writer.write({ type: 'data-stepfold', data: label === undefined ? data : { ...data, label }, transient: true });
  };
}

function withoutText(event: StepfoldEvent): Shown<StepfoldEvent> {
  if (!('message' in event)) return event;
  const { message, ...rest } = event;
  return rest;
}
