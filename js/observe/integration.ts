// The integration for the telemetry of ai 7: takes what waits for a model call to the call's span. What waits is put there by `traces.ts`.

import type { Waiting } from './traces.js';
import { activeSpan, record, startWaiting } from './traces.js';

/** A telemetry integration of ai 7, as far as it is one. */
export interface TelemetryIntegration {
  /** Called around each call of a model, by ai 7. */
  executeLanguageModelCall<Result>(call: { readonly callId: string; readonly messages?: unknown; readonly execute: () => PromiseLike<Result> }): PromiseLike<Result>;
}

/**
 * An integration for the telemetry of ai 7: what stepfold did in a step stands on the span of the step's model call. ai 5 and 6 need
 * none: there a span of the SDK is active while `prepareStep` runs. Register it before the integration that makes the spans.
 *
 * @example
 * registerTelemetry(telemetryIntegration(), new OpenTelemetry());
 */
export function telemetryIntegration(): TelemetryIntegration {
  const { byList, byCall } = startWaiting();
  return {
    executeLanguageModelCall({ callId, messages, execute }) {
      const span = activeSpan();
      const lists: (Waiting | undefined)[] = [byCall.get(callId), typeof messages === 'object' && messages !== null ? byList.get(messages) : undefined];
      byCall.delete(callId);
      for (const waiting of lists) for (const event of waiting?.splice(0) ?? []) if (span !== undefined) record(span, event);
      return execute();
    },
  };
}
