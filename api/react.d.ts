// Made by `npm run api` from react.d.ts of the package.

type ChatOrMessages = readonly PartsOfMessage[] | {
    readonly messages: readonly PartsOfMessage[];
    readonly status?: string;
};
interface ContextEdit {
    readonly key: string;
    readonly type: "capped" | "cleared" | "checkpoint" | "squeezed";
    readonly checkpointId: string | undefined;
    readonly label: string | undefined;
    readonly stepNumber: number | undefined;
    readonly messages: number | undefined;
    readonly content: "summary" | "digest" | undefined;
    readonly results: number | undefined;
    readonly tokensBefore: number | undefined;
    readonly tokensAfter: number | undefined;
    readonly foldedAt: string | undefined;
}
interface ContextEvents {
    readonly onData: (part: {
        readonly type: string;
        readonly data?: unknown;
    }) => void;
    readonly settle: () => void;
    readonly subscribe: (changed: () => void) => () => void;
    readonly view: () => ContextView;
    readonly firstView: () => ContextView;
}
interface ContextEventsOptions {
    readonly id?: string | undefined;
    readonly past?: readonly StepfoldData[] | undefined;
}
interface ContextView {
    readonly events: number;
    readonly tokens: number | undefined;
    readonly uneditedTokens: number | undefined;
    readonly contextWindow: number | undefined;
    readonly isOverBudget: boolean;
    readonly running: ContextWork | undefined;
    readonly edits: readonly ContextEdit[];
}
interface ContextWindow {
    readonly status: "no-events" | "idle" | "running";
    readonly tokens: number | undefined;
    readonly uneditedTokens: number | undefined;
    readonly contextWindow: number | undefined;
    readonly share: number | undefined;
    readonly isOverBudget: boolean;
    readonly edits: readonly ContextEdit[];
    readonly running: ContextWork | undefined;
}
interface ContextWork {
    readonly label: string | undefined;
    readonly messages: number | undefined;
}
interface EventResult {
    readonly toolName: string;
    readonly toolCallId: string;
    readonly messageIndex: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly stale: boolean;
}
interface PartsOfMessage {
    readonly parts: readonly {
        readonly type: string;
    }[];
}
type Shown<Event> = Event extends {
    readonly message: string;
} ? Omit<Event, "message"> & {
    readonly message?: string;
} : Event;
interface StepfoldCheckpoint {
    readonly id: string;
    readonly messages: number;
    readonly content: "summary" | "digest";
    readonly foldedAt: string;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly label?: string;
}
type StepfoldData = Shown<StepfoldEvent> & {
    readonly label?: string;
};
type StepfoldDataParts = {
    stepfold: StepfoldData;
    "stepfold-checkpoint": StepfoldCheckpoint;
};
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
declare function useContextEvents({ id, past }?: ContextEventsOptions): ContextEvents;
declare function useContextWindow(chat: ChatOrMessages, events?: ContextEvents): ContextWindow;
export { useContextEvents, useContextWindow };
export type { ChatOrMessages, ContextEdit, ContextEvents, ContextEventsOptions, ContextWindow, ContextWork, StepfoldCheckpoint, StepfoldData, StepfoldDataParts };
