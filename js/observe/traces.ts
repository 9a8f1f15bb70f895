// What stepfold did, on the spans of OpenTelemetry: attributes of what was measured, and an event for all else. No dependency: the API
// is found where an app has registered it. Not here: what an event says (`events.ts`).

import type { StepfoldEvent } from './events.js';

type Attributes = Record<string, string | number | boolean>;

/** A span of `@opentelemetry/api` 1.x, as far as it is used. */
export interface Span {
  isRecording(): boolean;
  setAttributes(attributes: Attributes): unknown;
  addEvent(name: string, attributes: Attributes): unknown;
}

interface Api {
  readonly context?: { active(): { getValue(key: symbol): unknown } };
}

const API = Symbol.for('opentelemetry.js.api.1');
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN');

/** Takes an event to a span. */
export type Trace = (event: StepfoldEvent) => void;

/** The span that is active and recorded, if there is one. Never throws. */
export function activeSpan(): Span | undefined {
  try {
    const span = (globalThis as { readonly [API]?: Api })[API]?.context?.active().getValue(SPAN) as Span | undefined;
    return span?.isRecording() === true ? span : undefined;
  } catch {
    return undefined;
  }
}

/** Takes events to the span that is active now, if there is one. */
export function traceOf(): Trace | undefined {
  const span = activeSpan();
  return span === undefined ? undefined : (event) => record(span, event);
}

/** Records an event: all of it as attributes, and what is no measurement also as an event of the span. Never throws. */
export function record(span: Span, event: StepfoldEvent): void {
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

/** Events of a run that wait for the span of its next model call. */
export type Waiting = StepfoldEvent[];

/** What waits, once there is an integration that fetches it. */
interface Waits {
  /** By the list of a step, which integrations receive unless the app hides inputs. */
  readonly byList: WeakMap<object, Waiting>;
  /** By `steps`, one object a run. */
  readonly bySteps: WeakMap<object, Waiting>;
  /** By the call's id. */
  readonly byCall: Map<string, Waiting>;
}

/** Where it is found by `stepfold` and `stepfold/otel`, which are bundled apart. */
const WAITS = Symbol.for('stepfold.traces');
const place = globalThis as { [WAITS]?: Waits };
/** Runs whose telemetry is off never fetch their events. */
const MOST_CALLS = 256;

/** Lets events wait from now on. */
export function startWaiting(): Waits {
  return (place[WAITS] ??= { byList: new WeakMap(), bySteps: new WeakMap(), byCall: new Map() });
}

/** A step of `prepareStep`, as far as traces need it. */
interface TracedStep {
  readonly messages: readonly unknown[];
  readonly steps: readonly unknown[];
  /** Only ai 7 hands it over. */
  readonly initialMessages?: unknown;
}

/** What waits for the span of the model call, where this step's events do: on ai 7 no span of the SDK is active yet. */
function waitsOf(step: TracedStep | undefined): Waits | undefined {
  const isOfSeven = typeof step === 'object' && step?.initialMessages !== undefined && Array.isArray(step.steps) && Array.isArray(step.messages);
  return isOfSeven ? place[WAITS] : undefined;
}

/** Whether this step is traced. */
export const isTraced = (step: TracedStep): boolean => waitsOf(step) !== undefined || activeSpan() !== undefined;

/** Takes the events of a step to the span where they belong. */
export function traceOfStep(step: TracedStep | undefined): Trace | undefined {
  const waits = waitsOf(step);
  if (step === undefined || waits === undefined) return traceOf();
  const waiting = waits.bySteps.get(step.steps) ?? [];
  waits.bySteps.set(step.steps, waiting);
  const callId = (step.steps.at(-1) as { readonly callId?: unknown } | undefined)?.callId;
  if (typeof callId === 'string') {
    waits.byCall.set(callId, waiting);
    if (waits.byCall.size > MOST_CALLS) waits.byCall.delete(waits.byCall.keys().next().value!);
  }
  return (event) => void waiting.push(event);
}

/** Says which list a step sends, so that its model call is recognised. */
export function traceList(step: TracedStep | undefined, messages: readonly unknown[] | undefined): void {
  const waits = waitsOf(step);
  const waiting = step === undefined ? undefined : waits?.bySteps.get(step.steps);
  if (step !== undefined && waiting !== undefined) waits?.byList.set(messages ?? step.messages, waiting);
}
