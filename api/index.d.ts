// Made by `npm run api` from index.d.ts of the package.

import { ToolSet, InferToolInput, InferToolOutput, ModelMessage, LanguageModel, Tool } from "ai";
type Beside<Result> = [
    Extract<Result, object>
] extends [
    never
] ? unknown : Extract<Result, object> extends infer Each ? (Each extends object ? Partial<Omit<Each, "messages">> : never) : never;
interface BreakdownOptions extends EstimateOptions {
    readonly reportedTokens?: number | undefined;
}
interface BudgetOptions<TOOLS extends ToolSet = ToolSet> {
    readonly contextWindow?: number | undefined;
    readonly reserveTokens?: number | undefined;
    readonly trigger?: Mark | undefined;
    readonly target?: Mark | undefined;
    readonly optimize?: "balanced" | "cost" | "recall" | undefined;
    readonly prices?: Prices | undefined;
    readonly keepRecent?: KeepRecent | undefined;
    readonly maxImages?: number | undefined;
    readonly maxImageBytes?: number | undefined;
    readonly minClearTokens?: number | undefined;
    readonly maxResultTokens?: number | undefined;
    readonly tools?: ToolRules<TOOLS> | undefined;
    readonly redact?: boolean | ((text: string) => string) | undefined;
    readonly overheadTokens?: number | undefined;
    readonly modelFamily?: ModelFamily | undefined;
    readonly tokenizer?: Tokenizer | undefined;
}
interface CompactInput {
    readonly focus?: string | undefined;
    readonly pin?: string | undefined;
    readonly containing?: string | undefined;
}
interface CompactOptions extends Subject {
    readonly focus?: string | undefined;
    readonly abortSignal?: AbortSignal | undefined;
}
interface Compaction {
    readonly compacted: boolean;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly messages: ModelMessage[];
}
type Composable<Result> = {
    prepareStep(input: PrepareStepInput): Result | PromiseLike<Result>;
}["prepareStep"];
type ComposedPrepareStep<First, Second> = <Message extends {
    readonly role: string;
    readonly content: unknown;
} = ModelMessage>(input: PrepareStepInput<Message>) => Promise<(Beside<First> & Beside<Second> & {
    messages?: Message[];
}) | undefined>;
interface ContextPlan {
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly limitTokens: number;
    readonly triggerTokens: number;
    readonly targetTokens: number;
    readonly table: string;
    readonly cost: {
        readonly next: number;
        readonly later: number;
        readonly unedited: number;
    } | undefined;
    readonly events: readonly EngineEvent[];
    readonly messages: ModelMessage[];
}
interface EditedMessages {
    readonly messages: ModelMessage[];
    readonly checkpoint: ModelMessage | undefined;
    readonly events: readonly EngineEvent[];
}
type EngineEvent = WithoutSource<StepfoldEvent>;
interface EstimateOptions {
    readonly model?: unknown;
    readonly modelFamily?: ModelFamily | undefined;
    readonly overheadTokens?: number | undefined;
    readonly tokenizer?: Tokenizer | undefined;
}
interface EventResult {
    readonly toolName: string;
    readonly toolCallId: string;
    readonly messageIndex: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly stale: boolean;
}
type EventSource = Pick<StepfoldEvent, "stepNumber" | "runId" | "sessionId">;
type JsonValue = string | {
    readonly [key: string]: JsonValue;
};
interface KeepRecent {
    readonly tokens?: number | undefined;
    readonly turns?: number | undefined;
    readonly messages?: number | undefined;
    readonly images?: number | undefined;
}
type Mark = number | {
    readonly tokens: number;
};
interface MessageTokens extends Tokens {
    readonly role: string;
    readonly parts: readonly PartTokens[];
}
type ModelFamily = "gpt" | "claude" | "gemini" | "glm-qwen-deepseek" | "llama-mistral" | "other";
interface ModelLimits {
    readonly contextWindow: number;
    readonly maxOutputTokens: number;
    readonly family: ModelFamily;
    readonly known: boolean;
    readonly verified: boolean;
    readonly prices?: ModelPrices;
}
interface ModelPrices {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
    readonly upToTokens?: number;
}
interface Offload {
    readonly write: (path: string, text: string, options: {
        readonly abortSignal: AbortSignal;
    }) => unknown;
    readonly exists?: ((path: string, options: {
        readonly abortSignal: AbortSignal;
    }) => boolean | PromiseLike<boolean>) | undefined;
    readonly directory?: string | undefined;
}
interface PartTokens extends Tokens {
    readonly kind: Exclude<TokenKind, "message">;
    readonly toolName?: string;
}
interface PlanOptions<TOOLS extends ToolSet = ToolSet> extends BudgetOptions<TOOLS> {
    readonly model?: unknown;
}
type PrepareStep = <Message extends {
    readonly role: string;
    readonly content: unknown;
} = ModelMessage>(input: PrepareStepInput<Message>) => Promise<{
    messages?: Message[];
    providerOptions?: ProviderOptions;
} | undefined>;
interface PrepareStepInput<Message = ModelMessage> {
    readonly messages: Message[];
    readonly steps: readonly StepView[];
    readonly stepNumber: number;
    readonly model: unknown;
    readonly instructions?: unknown;
    readonly initialMessages?: unknown;
    readonly experimental_steeringMessages?: readonly ModelMessage[] | undefined;
    readonly providerOptions?: unknown;
}
interface PrepareStepOptions<TOOLS extends ToolSet = ToolSet> extends BudgetOptions<TOOLS> {
    readonly summarize?: Summarize | SummarizerModel | "agent" | (string & {}) | undefined;
    readonly summarizeAt?: Mark | undefined;
    readonly summarizeAhead?: boolean | Mark | undefined;
    readonly waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
    readonly workingState?: (() => WorkingState | PromiseLike<WorkingState>) | undefined;
    readonly checkpointNote?: string | (() => string | PromiseLike<string>) | undefined;
    readonly offload?: Offload | undefined;
    readonly summaryTokens?: number | undefined;
    readonly summarizeWindow?: number | undefined;
    readonly summarizeTimeoutMs?: number | undefined;
    readonly summaryInstructions?: string | ((instruction: string) => string) | undefined;
    readonly promptCache?: boolean | undefined;
    readonly abortSignal?: AbortSignal | undefined;
    readonly onEvent?: ((event: StepfoldEvent) => void) | undefined;
    readonly warnings?: boolean | undefined;
    readonly onRecord?: ((line: string) => void) | undefined;
    readonly debug?: boolean | undefined;
}
interface Prices {
    readonly input: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
    readonly output?: number;
}
type ProviderOptions = Record<string, {
    readonly [key: string]: JsonValue;
}>;
interface Pruning {
    readonly pruned: boolean;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
}
interface RecallInput {
    readonly id?: string | undefined;
    readonly pattern?: string | undefined;
    readonly fromLine?: number | undefined;
    readonly toLine?: number | undefined;
}
type RecallingPrepareStep = RecoveringPrepareStep & {
    readonly recallTool: () => Tool<RecallInput, unknown>;
};
interface RecordedEdit {
    readonly stepNumber: number;
    readonly type: "capped" | "cleared" | "checkpoint" | "squeezed" | "images-cleared" | "reasoning-dropped";
    readonly reason: string;
    readonly messageIndex: number;
    readonly messages: number;
    readonly toolName: string;
    readonly toolCallId: string;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly before: string;
    readonly after: string;
}
interface RecordedStep {
    readonly stepfold: 1;
    readonly run: number;
    readonly stepNumber: number;
    readonly modelId: string;
    readonly messages: number;
    readonly tools: Readonly<Record<string, number>>;
    readonly events: readonly StepfoldEvent[];
    readonly edits: readonly RecordedEdit[];
}
type Recover = <Model extends object | string>(model: Model) => Model extends string ? Exclude<LanguageModel, string> : Model;
type RecoveringPrepareStep = PrepareStep & {
    readonly model: Recover;
};
interface Session {
    readonly prepareStep: PrepareStep;
    readonly model: Recover;
    readonly state: SessionState;
    readonly status: SessionStatus;
    readonly onStepEnd: (step: StepView | StepView["usage"]) => void;
    readonly enqueue: (message: ModelMessage | string) => void;
    readonly pending: () => readonly ModelMessage[];
    readonly delivered: () => readonly ModelMessage[];
    readonly recallTool: () => Tool<RecallInput, unknown>;
    readonly compactTool: () => Tool<CompactInput, string>;
    readonly plan: (messages?: readonly ModelMessage[], options?: Pick<Subject, "model">) => Promise<ContextPlan>;
    readonly compact: (options?: CompactOptions) => Promise<Compaction>;
    readonly prune: (subject?: Subject) => Promise<Pruning>;
    readonly undo: () => Promise<boolean>;
    readonly history: () => readonly RecordedEdit[];
    readonly summaryUsage: SummaryUsage;
    readonly forget: () => Promise<boolean>;
    readonly dispose: () => Promise<void>;
    readonly [Symbol.asyncDispose]: () => Promise<void>;
}
interface SessionOptions<TOOLS extends ToolSet = ToolSet> extends PrepareStepOptions<TOOLS> {
    readonly id?: string | undefined;
    readonly store?: SessionStore | undefined;
    readonly state?: SessionState | string | undefined;
    readonly resume?: "all" | "tail" | undefined;
    readonly storeTimeoutMs?: number | undefined;
}
interface SessionState {
    readonly version: 2;
    readonly [field: string]: unknown;
}
type SessionStatus = "idle" | "loading" | "compacting" | "saving" | "disposed";
interface SessionStore {
    get(key: string): unknown;
    set(key: string, value: string, previous: string | undefined): unknown;
}
interface StepView {
    readonly usage: {
        readonly inputTokens?: number | undefined;
        readonly outputTokens?: number | undefined;
        readonly cachedInputTokens?: number | undefined;
        readonly inputTokenDetails?: {
            readonly noCacheTokens?: number | undefined;
            readonly cacheReadTokens?: number | undefined;
            readonly cacheWriteTokens?: number | undefined;
        };
    };
    readonly providerMetadata?: unknown;
    readonly finishReason?: unknown;
    readonly content?: unknown;
    readonly rawFinishReason?: unknown;
    readonly request?: {
        readonly body?: unknown;
    };
    readonly response?: {
        readonly modelId?: unknown;
        readonly messages?: unknown;
    };
}
declare class StepfoldError extends Error {
    readonly code: StepfoldErrorCode;
    readonly [marker] = true;
    constructor({ code, message, cause }: {
        code: StepfoldErrorCode;
        message: string;
        cause?: unknown;
    });
    static isInstance(error: unknown): error is StepfoldError;
}
type StepfoldErrorCode = "invalid-option" | "unknown-option" | "invalid-message" | "engine-failed";
type StepfoldEvent = {
    readonly stepNumber: number;
    readonly runId: string;
    readonly sessionId?: string;
} & ({
    readonly type: "measured";
    readonly tokens: number;
    readonly uneditedTokens: number;
    readonly overheadTokens: number;
    readonly budgetTokens: number;
    readonly contextWindow: number;
    readonly reserveTokens: number;
    readonly reserveSource: "option" | "call" | "model" | "default";
    readonly source: "reported" | "count" | "estimate";
    readonly cachedTokens: number | null;
    readonly cacheWriteTokens: number | null;
    readonly cacheSavings: number | null;
} | {
    readonly type: "unknown-model";
    readonly modelId: string;
    readonly contextWindow: number;
    readonly reason: "model-id" | "local-runtime";
} | {
    readonly type: "usage-not-reported";
    readonly assumedTokens: number;
    readonly contextWindow: number;
} | {
    readonly type: "overflow";
    readonly tokens: number;
    readonly contextWindow: number;
    readonly reported: boolean;
} | {
    readonly type: "image-limit";
    readonly maxImages?: number;
    readonly maxImageBytes?: number;
    readonly reported: boolean;
} | {
    readonly type: "truncated-by-provider";
    readonly reportedTokens: number;
    readonly expectedTokens: number;
    readonly contextWindow: number;
} | {
    readonly type: "capped";
    readonly results: readonly EventResult[];
    readonly reason: "window" | "option";
} | {
    readonly type: "cleared";
    readonly results: readonly EventResult[];
    readonly tokensBefore: number;
    readonly tokensAfter: number;
} | {
    readonly type: "images-cleared";
    readonly results: readonly EventResult[];
    readonly tokensBefore: number;
    readonly tokensAfter: number;
} | {
    readonly type: "compact-requested";
    readonly focus: string;
} | {
    readonly type: "pinned";
    readonly toolName: string;
    readonly toolCallId: string;
    readonly tokens: number;
} | {
    readonly type: "pins-released";
    readonly toolNames: readonly string[];
} | {
    readonly type: "checkpoint-started";
    readonly messages: number;
    readonly ahead?: true;
} | {
    readonly type: "summary-usage";
    readonly modelId: string;
    readonly inputTokens: number | null;
    readonly cachedTokens: number | null;
    readonly cacheWriteTokens: number | null;
    readonly outputTokens: number | null;
} | {
    readonly type: "checkpoint";
    readonly id: string;
    readonly messages: number;
    readonly checkpointTokens: number;
    readonly content: "summary" | "digest";
    readonly tokensBefore: number;
    readonly tokensAfter: number;
} | {
    readonly type: "checkpoint-lost";
    readonly id: string;
    readonly messages: number;
    readonly difference?: "changed" | "added" | "missing" | null;
    readonly messageIndex?: number | null;
    readonly role?: "system" | "user" | "assistant" | "tool" | "unknown" | null;
    readonly part?: "text" | "file" | "tool-call" | "other" | null;
    readonly toolName?: string | null;
} | {
    readonly type: "unfolded";
    readonly messages: number;
} | {
    readonly type: "fallback";
    readonly reason: "failed" | "timeout" | "aborted" | "empty" | "short" | "large" | "refusal" | "error" | "truncated" | "echo";
    readonly message: string;
} | {
    readonly type: "summarizer-rests";
    readonly steps: number;
} | {
    readonly type: "squeezed";
    readonly results: readonly EventResult[];
    readonly folded: boolean;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
} | {
    readonly type: "over-budget";
    readonly reason: "overhead" | "message" | "native-compaction";
    readonly messageIndex?: number | null;
    readonly tokens: number;
    readonly limitTokens: number;
    readonly certain: boolean;
} | {
    readonly type: "working-state-failed";
    readonly reason: "failed" | "timeout";
    readonly message: string;
} | {
    readonly type: "checkpoint-note-failed";
    readonly reason: "failed" | "timeout";
    readonly message: string;
} | {
    readonly type: "offloaded";
    readonly files: number;
    readonly bytes: number;
} | {
    readonly type: "offload-failed";
    readonly reason: "failed" | "timeout" | "aborted";
    readonly message: string;
} | {
    readonly type: "reasoning-dropped";
    readonly parts: number;
    readonly reason: "edit" | "history-changed" | "instructions-changed" | "refused";
} | {
    readonly type: "binding-refused";
} | {
    readonly type: "stood-down";
    readonly reason: string;
} | {
    readonly type: "foreign-messages";
    readonly form: string;
    readonly message: string;
} | {
    readonly type: "state-rejected";
    readonly reason: string;
} | {
    readonly type: "folded-anew";
} | {
    readonly type: "session-recommended";
    readonly reason: string;
} | {
    readonly type: "store-failed";
    readonly operation: "load" | "save";
    readonly reason: "failed" | "timeout" | "refused";
    readonly message: string;
} | {
    readonly type: "no-store";
} | {
    readonly type: "store-conflict";
    readonly message: string;
} | {
    readonly type: "session-conflict";
    readonly reason: string;
} | {
    readonly type: "delivered";
    readonly messages: number;
} | {
    readonly type: "left-out";
    readonly messages: number;
} | {
    readonly type: "error";
    readonly code: string;
    readonly message: string;
});
interface Subject {
    readonly messages?: readonly ModelMessage[] | undefined;
    readonly model?: unknown;
}
type Summarize = (request: SummaryRequest) => SummaryReply | PromiseLike<SummaryReply>;
interface SummarizerModel {
    readonly specificationVersion: string;
    readonly modelId: string;
    readonly provider: string;
    doGenerate(options: never): PromiseLike<unknown>;
}
type SummaryReply = string | {
    readonly text: string | PromiseLike<string>;
    readonly usage: unknown;
    readonly toolCalls?: unknown;
};
interface SummaryRequest {
    readonly prompt: string;
    readonly messages: ModelMessage[];
    readonly instruction: string;
    readonly previousSummary: string | undefined;
    readonly maxOutputTokens: number;
    readonly abortSignal: AbortSignal;
}
interface SummaryUsage {
    readonly calls: number;
    readonly inputTokens: number;
    readonly cachedTokens: number;
    readonly cacheWriteTokens: number;
    readonly outputTokens: number;
}
interface TokenBreakdown extends Tokens {
    readonly overhead: Tokens;
    readonly messages: readonly MessageTokens[];
    readonly kinds: {
        readonly [kind in TokenKind]?: number;
    };
    readonly tools: Readonly<Record<string, number>>;
}
type TokenKind = "message" | "text" | "reasoning" | "image" | "pdf" | "audio" | "video" | "file" | "tool-call" | "tool-result" | "approval" | "other";
type TokenSource = "reported" | "count" | "estimate";
interface Tokenizer {
    count(text: string): number;
}
interface Tokens {
    readonly tokens: number;
    readonly source: TokenSource;
}
interface ToolRule<Input = any, Output = any> {
    readonly effect?: "reads" | "acts" | undefined;
    readonly speaksForUser?: boolean | undefined;
    readonly keep?: "always" | "normal" | "never" | undefined;
    readonly digest?: ((input: Input, output: Output) => string) | undefined;
}
type ToolRules<TOOLS extends ToolSet = ToolSet> = string extends keyof TOOLS ? Readonly<Record<string, ToolRule | undefined>> : {
    readonly [NAME in keyof TOOLS]?: ToolRule<InferToolInput<TOOLS[NAME]>, InferToolOutput<TOOLS[NAME]>> | undefined;
};
interface Violation {
    readonly rule: string;
    readonly rejectedBy: "all" | "anthropic" | "openai" | "google";
    readonly path: string;
    readonly message: string;
}
type WithoutSource<Event> = Event extends unknown ? Omit<Event, keyof EventSource> : never;
interface WorkingState {
    readonly plan?: unknown;
    readonly documents?: unknown;
    readonly notes?: unknown;
}
declare function buildCheckpoint<TOOLS extends ToolSet = ToolSet>(messages: readonly ModelMessage[], { summary, ...options }?: PlanOptions<TOOLS> & {
    readonly summary?: string;
}): EditedMessages;
declare function clearToolResults<TOOLS extends ToolSet = ToolSet>(messages: readonly ModelMessage[], options?: PlanOptions<TOOLS>): EditedMessages;
declare function composePrepareStep<First, Second>(first: Composable<First>, second: Composable<Second>): ComposedPrepareStep<First, Second>;
declare function createPrepareStep<TOOLS extends ToolSet = ToolSet>(options?: PrepareStepOptions<TOOLS>): RecallingPrepareStep;
declare function createSession<TOOLS extends ToolSet = ToolSet>(options?: SessionOptions<TOOLS>): Session;
declare function estimateTokens(messages: readonly ModelMessage[], options?: EstimateOptions): number;
declare function extractText(message: ModelMessage): string;
declare function isContextOverflow(error: unknown): boolean;
declare const marker: unique symbol;
declare function mentionedTools<TOOLS extends ToolSet>(messages: readonly ModelMessage[], tools: TOOLS): (keyof TOOLS & string)[];
declare function mentionedTools<NAME extends string>(messages: readonly ModelMessage[], tools: readonly NAME[]): NAME[];
declare function modelLimits(model: string | {
    readonly modelId: string;
    readonly provider?: string;
}): ModelLimits;
declare function planContext<TOOLS extends ToolSet = ToolSet>(messages: readonly ModelMessage[], options?: PlanOptions<TOOLS>): ContextPlan;
declare const prepareStep: RecoveringPrepareStep;
declare function tokenBreakdown(messages: readonly ModelMessage[], { reportedTokens, ...options }?: BreakdownOptions): TokenBreakdown;
declare function validateMessages(messages: readonly ModelMessage[], { previous }?: {
    readonly previous?: readonly ModelMessage[] | undefined;
}): Violation[];
export { StepfoldError, buildCheckpoint, clearToolResults, composePrepareStep, createPrepareStep, createSession, estimateTokens, extractText, isContextOverflow, mentionedTools, modelLimits, planContext, prepareStep, tokenBreakdown, validateMessages };
export type { BreakdownOptions, BudgetOptions, CompactInput, CompactOptions, Compaction, ContextPlan, EditedMessages, EstimateOptions, EventResult, KeepRecent, Mark, MessageTokens, ModelFamily, ModelLimits, ModelPrices, Offload, PartTokens, PlanOptions, PrepareStep, PrepareStepInput, PrepareStepOptions, Prices, Pruning, RecallInput, RecallingPrepareStep, RecordedEdit, RecordedStep, Recover, RecoveringPrepareStep, Session, SessionOptions, SessionState, SessionStatus, SessionStore, StepView, StepfoldErrorCode, StepfoldEvent, Subject, Summarize, SummarizerModel, SummaryReply, SummaryRequest, SummaryUsage, TokenBreakdown, TokenKind, TokenSource, Tokenizer, Tokens, ToolRule, ToolRules, Violation, WorkingState };
