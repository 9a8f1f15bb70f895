// The entry `stepfold`. Built twice: for platforms that may compile WebAssembly at run time, and for those that forbid it
// (conditions `workerd` and `edge-light`), where `#load-module` is another file.

export type { EventResult, StepfoldEvent } from './observe/events.js';
export type { RecordedEdit, RecordedStep } from './observe/history.js';
export type { SummarizerModel } from './summarize/summarizer-model.js';
export type { BudgetOptions, KeepRecent, Mark, ModelFamily, Offload, PrepareStepOptions, Prices, Summarize, SummaryReply, SummaryRequest, ToolRule, ToolRules, WorkingState } from './options.js';
export type { StepfoldErrorCode } from './errors.js';
export { StepfoldError } from './errors.js';
export type { PrepareStep, PrepareStepInput, RecallingPrepareStep, RecoveringPrepareStep, StepView } from './step/prepare-step.js';
export type { Recover } from './model/model.js';
export { composePrepareStep } from './step/compose.js';
export { createPrepareStep, prepareStep } from './step/prepare-step.js';
export type { ContextPlan, EditedMessages, PlanOptions } from './step/plan.js';
export { buildCheckpoint, clearToolResults, planContext } from './step/plan.js';
export type { BreakdownOptions, EstimateOptions, MessageTokens, ModelLimits, ModelPrices, PartTokens, TokenBreakdown, TokenKind, TokenSource, Tokens, Violation } from './count/tokens.js';
export type { SessionState } from './session/session-state.js';
export type { SummaryUsage } from './summarize/summary-usage.js';
export type { CompactOptions, Compaction, Pruning, Subject } from './session/session.js';
export type { CompactInput } from './tools/compact-tool.js';
export type { RecallInput } from './tools/recall.js';
export type { Session, SessionOptions, SessionStatus } from './session/session.js';
export { createSession } from './session/session.js';
export type { SessionStore } from './session/store.js';
export { estimateTokens, extractText, mentionedTools, modelLimits, tokenBreakdown, validateMessages } from './count/tokens.js';
export { isContextOverflow } from './model/overflow.js';
export type { Tokenizer } from './count/tokenizer.js';
