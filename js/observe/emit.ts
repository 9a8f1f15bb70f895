// Telling what happened: to whoever listens, to the traces, and to the console where nobody does. Not what there is to tell (`events.ts`).

import { callEngine } from '../bridge/engine.js';
import type { EngineEvent, StepfoldEvent } from './events.js';
import { traceOf } from './traces.js';
import { warn } from './warnings.js';

/** Who is told of events: the options of a `prepareStep` or session. */
export interface Listening {
  readonly onEvent?: ((event: StepfoldEvent) => unknown) | undefined;
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
    clean = callEngine((engine) => engine.cleanError(text));
  } catch {
    // Told is that there was an error, and not what it says.
  }
  return { ...event, [event.type === 'state-rejected' ? 'reason' : 'message']: clean } as EngineEvent;
}

/** Tells whoever listens, and the console where nobody does. A listener must not end the run, whether it throws or returns a promise that rejects. */
export function createEmit({ onEvent }: Listening, stepNumber: number, trace = traceOf()): (event: EngineEvent) => void {
  return (given) => {
    const event = cleaned(given);
    trace?.({ ...event, stepNumber });
    if (onEvent === undefined) warn(event);
    try {
      const returned: unknown = onEvent?.({ ...event, stepNumber });
      if (returned instanceof Promise) returned.catch(() => undefined);
    } catch {
      // Told is told.
    }
  };
}
