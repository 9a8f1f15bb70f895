// Emits events: to `onEvent`, to traces, and what a developer must know to the console. Not which events there are (`events.ts`).

import { askEngine } from '../bridge/engine.js';
import type { EngineEvent, EventSource, StepfoldEvent } from './events.js';
import { traceOf } from './traces.js';
import { warn } from './warnings.js';

/** Who listens to events: the options of a `prepareStep` or session. */
export interface EventOptions {
  readonly onEvent?: ((event: StepfoldEvent) => unknown) | undefined;
  readonly warnings?: boolean | undefined;
}

/** The text where there is no engine to clean it. */
const UNREAD = 'its text may hold secrets and cannot be cleaned, because the engine does not run';

/** Errors of others quote connection strings, tokens and what steers a terminal: their texts leave here without them. Never throws. */
export function cleaned(event: EngineEvent): EngineEvent {
  const text = 'message' in event ? event.message : event.type === 'state-rejected' ? event.reason : undefined;
  // What the platform says of loading the engine is about no request of the user's.
  if (text === undefined || (event.type === 'error' && event.code === 'engine-failed')) return event;
  let clean = UNREAD;
  try {
    clean = askEngine('cleanError', { text });
  } catch {
    // The event is emitted without the text.
  }
  return { ...event, [event.type === 'state-rejected' ? 'reason' : 'message']: clean } as EngineEvent;
}

/** A function that emits events to whoever listens; the console is told also where somebody does, as a page that is shown events warns nobody. A listener must not end the run, whether it throws or returns a promise that rejects. */
export function createEmit({ onEvent, warnings = true }: EventOptions, source: EventSource, trace = traceOf()): (event: EngineEvent) => void {
  return (given) => {
    const event: StepfoldEvent = { ...cleaned(given), ...source };
    trace?.(event);
    if (warnings) warn(event);
    try {
      const returned: unknown = onEvent?.(event);
      if (returned instanceof Promise) returned.catch(() => undefined);
    } catch {
      // The event was delivered; what the listener makes of it is its own.
    }
  };
}
