// The entry `stepfold/otel`: what stepfold did, on the spans that ai 7 makes. Needs no engine and no package of OpenTelemetry.

export type { TelemetryIntegration } from './observe/integration.js';
export { telemetryIntegration } from './observe/integration.js';
