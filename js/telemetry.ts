// Tells what happens in a step: to the user's listener, and as attributes and events of the OpenTelemetry span that is active there.
// Does not import `@opentelemetry/api`: that registers itself under a symbol, and where it is not, there is nothing to do.

import type { EngineEvent } from './events.js';
import type { PrepareStepOptions } from './options.js';

type Attributes = Record<string, string | number | boolean>;

/** A span of `@opentelemetry/api` 1.x, as far as it is used. */
interface Span {
  isRecording(): boolean;
  setAttributes(attributes: Attributes): unknown;
  addEvent(name: string, attributes: Attributes): unknown;
}

interface Api {
  readonly context?: { active(): { getValue(key: symbol): unknown } };
}

const API = Symbol.for('opentelemetry.js.api.1');
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN');

/** The span that is active and recorded, if there is one. Never throws. */
export function activeSpan(): Span | undefined {
  try {
    const span = (globalThis as { readonly [API]?: Api })[API]?.context?.active().getValue(SPAN) as Span | undefined;
    return span?.isRecording() === true ? span : undefined;
  } catch {
    return undefined;
  }
}

/** Records an event: what was measured as attributes, all else also as an event of the span. Never throws. */
function record(span: Span, event: EngineEvent): void {
  try {
    const name = `stepfold.${event.type.replaceAll('-', '_')}`;
    const values: Attributes = {};
    for (const [field, value] of Object.entries(event)) {
      if (field === 'type') continue;
      const key = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      if (Array.isArray(value)) values[key] = value.length;
      else if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') values[key] = value;
    }
    span.setAttributes(Object.fromEntries(Object.entries(values).map(([key, value]) => [`${name}.${key}`, value])));
    if (event.type !== 'measured') span.addEvent(name, values);
  } catch {
    // A span that cannot be written to is none.
  }
}

/** A listener must not end the run, whether it throws or returns a promise that rejects. */
export function createTell(onEvent: PrepareStepOptions['onEvent'], stepNumber: number): (event: EngineEvent) => void {
  const span = activeSpan();
  return (event) => {
    if (span !== undefined) record(span, event);
    try {
      const returned: unknown = onEvent?.({ ...event, stepNumber });
      if (returned instanceof Promise) returned.catch(() => undefined);
    } catch {
      // Told is told.
    }
  };
}
