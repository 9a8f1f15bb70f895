// Made by `npm run api` from otel.d.ts of the package.

interface TelemetryIntegration {
    executeLanguageModelCall<Result>(call: {
        readonly callId: string;
        readonly messages?: unknown;
        readonly execute: () => PromiseLike<Result>;
    }): PromiseLike<Result>;
}
declare function telemetryIntegration(): TelemetryIntegration;
export { telemetryIntegration };
export type { TelemetryIntegration };
