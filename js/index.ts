// The entry `stepfold`. Built twice: for platforms that may compile WebAssembly at run time, and for those that forbid it
// (conditions `workerd` and `edge-light`), where `#load-module` is another file.

export type { EventResult, StepfoldEvent } from './events.js';
export type { RecordedEdit, RecordedStep } from './history.js';
export type { SummarizerModel } from './model-summarizer.js';
export type { BudgetOptions, Mark, ModelFamily, Offload, PrepareStepOptions, Prices, Summarize, SummaryRequest, ToolRule, ToolRules, WorkingState } from './options.js';
export type { StepfoldErrorCode } from './errors.js';
export { StepfoldError } from './errors.js';
export type { PrepareStep, PrepareStepInput, RecallingPrepareStep, RecoveringPrepareStep, StepView } from './prepare-step.js';
export type { Recover } from './model.js';
export { createPrepareStep, prepareStep } from './prepare-step.js';
export type { ContextPlan, EditedMessages, PlanOptions } from './plan.js';
export { buildCheckpoint, clearToolResults, planContext } from './plan.js';
export type { BreakdownOptions, EstimateOptions, MessageTokens, ModelLimits, ModelPrices, PartTokens, TokenBreakdown, TokenKind, TokenSource, Tokens, Violation } from './tokens.js';
export type { SessionState } from './session-state.js';
export type { CompactOptions, Compaction } from './session.js';
export type { CompactInput } from './compact-tool.js';
export type { RecallInput } from './recall.js';
export type { Session, SessionOptions, SessionStatus } from './session.js';
export { createSession } from './session.js';
export type { SessionStore } from './store.js';
export { estimateTokens, extractText, modelLimits, tokenBreakdown, validateMessages } from './tokens.js';
export { isContextOverflow } from './overflow.js';
export type { Tokenizer } from './tokenizer.js';
export type { TelemetryIntegration } from './traces.js';
export { telemetryIntegration } from './traces.js';
