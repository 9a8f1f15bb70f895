// What stepfold did, on the spans of OpenTelemetry: attributes of what was measured, and an event for all else. No dependency: the API
// is found where an app has registered it. Not here: what an event says (`events.ts`).

import type { StepfoldEvent } from './events.js';

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

/** Takes an event to a span. */
export type Trace = (event: StepfoldEvent) => void;

/** The span that is active and recorded, if there is one. Never throws. */
function activeSpan(): Span | undefined {
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
function record(span: Span, event: StepfoldEvent): void {
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

/** A telemetry integration of ai 7, as far as it is one. */
export interface TelemetryIntegration {
  /** Called around each call of a model, by ai 7. */
  executeLanguageModelCall<Result>(call: { readonly callId: string; readonly messages?: unknown; readonly execute: () => PromiseLike<Result> }): PromiseLike<Result>;
}

/** Events of a run that wait for the span of its next model call. */
type Waiting = StepfoldEvent[];

/** By the list of a step, which is told to integrations unless the app hides inputs; by `steps`, one object a run; and by the call's id. */
const waitingByList = new WeakMap<object, Waiting>();
const waitingBySteps = new WeakMap<object, Waiting>();
const waitingByCall = new Map<string, Waiting>();
/** Runs whose telemetry is off never fetch their events. */
const MOST_CALLS = 256;
let isIntegrated = false;

/**
 * An integration for the telemetry of ai 7: what stepfold did in a step stands on the span of the step's model call. ai 5 and 6 need
 * none: there a span of the SDK is active while `prepareStep` runs. Register it before the integration that makes the spans.
 *
 * @example
 * registerTelemetry(telemetryIntegration(), new OpenTelemetry());
 */
export function telemetryIntegration(): TelemetryIntegration {
  isIntegrated = true;
  return {
    executeLanguageModelCall({ callId, messages, execute }) {
      const span = activeSpan();
      const lists = [waitingByCall.get(callId), typeof messages === 'object' && messages !== null ? waitingByList.get(messages) : undefined];
      waitingByCall.delete(callId);
      for (const waiting of lists) for (const event of waiting?.splice(0) ?? []) if (span !== undefined) record(span, event);
      return execute();
    },
  };
}

/** A step of `prepareStep`, as far as traces need it. */
interface TracedStep {
  readonly messages: readonly unknown[];
  readonly steps: readonly unknown[];
  /** Only ai 7 hands it over. */
  readonly initialMessages?: unknown;
}

/** Whether events wait for the span of the model call: on ai 7 no span of the SDK is active yet. */
function waits(step: TracedStep | undefined): step is TracedStep {
  return isIntegrated && typeof step === 'object' && step?.initialMessages !== undefined && Array.isArray(step.steps) && Array.isArray(step.messages);
}

/** Whether somebody traces this step. */
export const isTraced = (step: TracedStep): boolean => waits(step) || activeSpan() !== undefined;

/** Takes the events of a step to the span where they belong. */
export function traceOfStep(step: TracedStep | undefined): Trace | undefined {
  if (!waits(step)) return traceOf();
  const waiting = waitingBySteps.get(step.steps) ?? [];
  waitingBySteps.set(step.steps, waiting);
  const callId = (step.steps.at(-1) as { readonly callId?: unknown } | undefined)?.callId;
  if (typeof callId === 'string') {
    waitingByCall.set(callId, waiting);
    if (waitingByCall.size > MOST_CALLS) waitingByCall.delete(waitingByCall.keys().next().value!);
  }
  return (event) => void waiting.push(event);
}

/** Says which list a step sends, so that its model call is recognised. */
export function traceList(step: TracedStep | undefined, messages: readonly unknown[] | undefined): void {
  if (!waits(step)) return;
  const waiting = waitingBySteps.get(step.steps);
  if (waiting !== undefined) waitingByList.set(messages ?? step.messages, waiting);
}
