// The entry `stepfold/ui`: shows events in a user interface, as transient data parts of a UI message stream. Needs no engine.
// The labels are for people; nothing of this is kept in messages or shown to a model.

import type { StepfoldEvent } from './events.js';

export type { StepfoldEvent };

/** The data of a part `data-stepfold`: the event, and a label to show to people. */
export type StepfoldData = StepfoldEvent & { readonly label?: string };

/** The writer of `createUIMessageStream` in ai 5, 6 and 7. */
export interface EventWriter {
  write(part: { type: 'data-stepfold'; data: StepfoldData; transient: true }): void;
}

type Type = StepfoldEvent['type'];

/** What is shown for an event: a text, a function of the event, or nothing. */
export type EventLabels = { readonly [Name in Type]?: string | ((event: Extract<StepfoldEvent, { type: Name }>) => string | undefined) | undefined };

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
 * and no message keeps them.
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
export function writeEvents(writer: EventWriter, labels: EventLabels = {}): (event: StepfoldEvent) => void {
  const all = { ...LABELS, ...labels } as Readonly<Record<Type, string | ((event: StepfoldEvent) => string | undefined) | undefined>>;
  return (event) => {
    const given = all[event.type];
    const label = typeof given === 'function' ? given(event) : given;
    writer.write({ type: 'data-stepfold', data: label === undefined ? event : { ...event, label }, transient: true });
  };
}
