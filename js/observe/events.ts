// The events that `onEvent` receives: their types. Made by the engine, apart from those about waiting and failing; emitted by `emit.ts`.
// Every event is plain JSON, small enough to stream to a user interface.

/** How one tool result, tool input or text was changed. */
export interface EventResult {
  /** Name of the tool; empty for text. */
  readonly toolName: string;
  /** Id of the call; empty for text. */
  readonly toolCallId: string;
  /** Index of its message in the history. */
  readonly messageIndex: number;
  /** Tokens before, as the provider likely counts. */
  readonly tokensBefore: number;
  /** Tokens after. */
  readonly tokensAfter: number;
  /** A later call has made it obsolete: it was made again, or the file was read again or changed. */
  readonly stale: boolean;
}

/** One thing that happened in a step. Unless stated otherwise, tokens are those of the whole prompt, as the provider is likely to count them. */
export type StepfoldEvent = {
  /** As the AI SDK counts: from 0 on in each run, so in a session from 0 on in each request. */
  readonly stepNumber: number;
  /** Names the run: one call of `generateText` or `streamText`. Between runs (`session.compact()` and the like) that of the newest; empty before the first. */
  readonly runId: string;
  /** The session's `id`; not there without one. */
  readonly sessionId?: string;
} & (
  | {
      /** A step was measured. Emitted before the events of what was done to it, and after those of loading and asking; not for a step that was aborted or failed. */
      readonly type: 'measured';
      readonly tokens: number;
      /** Tokens that the prompt would have without any edit. */
      readonly uneditedTokens: number;
      /** Tokens of system prompt and tools, as learnt from usage. */
      readonly overheadTokens: number;
      /** Tokens that the messages may take up. */
      readonly budgetTokens: number;
      readonly contextWindow: number;
      /** Tokens kept free for the reply. */
      readonly reserveTokens: number;
      /**
       * What these are by: your `option`; what the `call` asks for, which `model(…)` sees; the longest reply of the `model`, because its
       * provider refuses a prompt that does not leave it free; or the `default`.
       */
      readonly reserveSource: 'option' | 'call' | 'model' | 'default';
      /** `reported`: the provider's count of the previous prompt plus a count of the additions; `count`: by the option `tokenizer`. */
      readonly source: 'reported' | 'count' | 'estimate';
      /** Tokens that the provider read from its prompt cache in the step before, as it reported; null where it did not. */
      readonly cachedTokens: number | null;
      /** Tokens that it wrote there. */
      readonly cacheWriteTokens: number | null;
      /**
       * What that saved: US dollars by the model's list prices, or the currency of your `prices` (for a million tokens). Below zero
       * where writing cost more than reading saved; null where a price is not known or nothing was reported.
       */
      readonly cacheSavings: number | null;
    }
  | {
      /** What the model takes is unknown; `contextWindow` is assumed. */
      readonly type: 'unknown-model';
      readonly modelId: string;
      readonly contextWindow: number;
      /** `local-runtime`: Ollama, LM Studio or llama.cpp decides what the model takes. Give the option `contextWindow`. */
      readonly reason: 'model-id' | 'local-runtime';
    }
  | {
      /**
       * The provider reports no usage, so stepfold cannot learn how large the system prompt and the tools are, and leaves room for them.
       * Said at the first edit of a run. Let the provider report usage (`includeUsage: true` of `@ai-sdk/openai-compatible`), give the
       * option `overheadTokens`, or wrap the model in `model(…)`, which sees both.
       */
      readonly type: 'usage-not-reported';
      /** Tokens of the window that are left free for them. */
      readonly assumedTokens: number;
      readonly contextWindow: number;
    }
  | {
      /** The provider refused the prompt as too large. A model of `model(…)` folds more and sends it once more; the events of that follow when it was taken. */
      readonly type: 'overflow';
      /** Tokens of the refused prompt, as the provider said or as is likely. */
      readonly tokens: number;
      /** Tokens that the model takes, as learnt. */
      readonly contextWindow: number;
      /** The provider named its limit; else it is a guess. */
      readonly reported: boolean;
    }
  | {
      /** The provider refused a prompt for its images, by their number or their bytes. A model of `model(…)` leaves out older ones and sends it once more; `images-cleared` follows when it was taken. */
      readonly type: 'image-limit';
      /** Images that a request may hold, as learnt. */
      readonly maxImages?: number;
      /** Bytes that images and files may have together, as base64, as learnt. */
      readonly maxImageBytes?: number;
      /** The provider named its limit; else it is a guess. */
      readonly reported: boolean;
    }
  | {
      /** The provider cut the last prompt without a word: it was the one before and more, and no more was read. */
      readonly type: 'truncated-by-provider';
      /** What the provider reported of it. */
      readonly reportedTokens: number;
      /** What it likely had. */
      readonly expectedTokens: number;
      /** Tokens that the model takes, as learnt: those of the largest prompt that was read whole. */
      readonly contextWindow: number;
    }
  | {
      /** New results were cut before they were ever sent: to head and tail, and what stands out between them. */
      readonly type: 'capped';
      readonly results: readonly EventResult[];
      /** `window`: they do not fit, even if all that may give way has. `option`: your `maxResultTokens`. */
      readonly reason: 'window' | 'option';
    }
  | { /** Old results were replaced by placeholders. */ readonly type: 'cleared'; readonly results: readonly EventResult[]; readonly tokensBefore: number; readonly tokensAfter: number }
  | { /** Images of old results gave way to newer ones (`keepRecent.images`), or to a limit of the host (`maxImages`, `maxImageBytes`). */ readonly type: 'images-cleared'; readonly results: readonly EventResult[]; readonly tokensBefore: number; readonly tokensAfter: number }
  | { /** The model asked to fold by itself (`session.compactTool`). Its next step does, where that saves anything. */ readonly type: 'compact-requested'; readonly focus: string }
  | { /** The model asked to keep a result whole. */ readonly type: 'pinned'; readonly toolName: string; readonly toolCallId: string; /** Tokens of the result. */ readonly tokens: number }
  | { /** Results of these tools are not pinned any more: there were too many, or the window has become too small for them. */ readonly type: 'pins-released'; readonly toolNames: readonly string[] }
  | { /** The summarizer was asked. The step waits for it, unless it was asked `ahead` of time. */ readonly type: 'checkpoint-started'; readonly messages: number; readonly ahead?: true }
  | {
      /**
       * What a call of the summarizer cost, whether its answer was used or not. Null where nothing was reported. Of a function, where it
       * returns what `generateText` made, not its text alone.
       */
      readonly type: 'summary-usage';
      readonly modelId: string;
      /** Tokens of its prompt, cached ones included. */
      readonly inputTokens: number | null;
      /** Tokens of it that were read from the provider's prompt cache. */
      readonly cachedTokens: number | null;
      /** Tokens that were written there. */
      readonly cacheWriteTokens: number | null;
      readonly outputTokens: number | null;
    }
  | {
      /** Older messages were folded into one. */
      readonly type: 'checkpoint';
      readonly id: string;
      /** Messages newly folded. */
      readonly messages: number;
      readonly checkpointTokens: number;
      readonly content: 'summary' | 'digest';
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | {
      /**
       * The newest checkpoint of an earlier request does not stand any more: a message that it covers was changed, left out or put in by
       * your app. An older one stands in its place, or the messages themselves, which may be summarized anew.
       */
      readonly type: 'checkpoint-lost';
      readonly id: string;
      /** Messages that it covered. */
      readonly messages: number;
      /** How the list begins to differ from what it covered; null where that is not known, as with a state of an earlier version. */
      readonly difference?: 'changed' | 'added' | 'missing' | null;
      /** Index of the first message that differs; where messages or parts are missing, of the one in their place. */
      readonly messageIndex?: number | null;
      /** Whose the part is that was changed or added, and what it is; null where something is missing. */
      readonly role?: 'system' | 'user' | 'assistant' | 'tool' | 'unknown' | null;
      readonly part?: 'text' | 'file' | 'tool-call' | 'other' | null;
      /** The tool of a call. */
      readonly toolName?: string | null;
    }
  | {
      /**
       * This request goes to another model than the one before, which takes so much that all messages are sent as they are: what was folded
       * and cleared for a smaller window is taken back. A checkpoint with a summary stays.
       */
      readonly type: 'unfolded';
      /** Messages that are sent so. */
      readonly messages: number;
    }
  | {
      /** The summarizer gave nothing usable. The digest takes its place; after an abort nothing is folded. */
      readonly type: 'fallback';
      /** The first four are about the call, the others about its text. */
      readonly reason: 'failed' | 'timeout' | 'aborted' | 'empty' | 'short' | 'large' | 'refusal' | 'error' | 'truncated' | 'echo';
      readonly message: string;
    }
  | { /** The summarizer failed three times in a row. For this many steps the digest stands in for it, then it is asked again. */ readonly type: 'summarizer-rests'; readonly steps: number }
  | {
      /** Newer messages gave way too, as the prompt would not fit otherwise. */
      readonly type: 'squeezed';
      readonly results: readonly EventResult[];
      readonly folded: boolean;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | {
      /** As far as stepfold knows, what is sent does not fit, and nothing more can give way. */
      readonly type: 'over-budget';
      /** `overhead`: the system prompt and the tools take more than any other message. `message`: one message does. */
      readonly reason: 'overhead' | 'message' | 'native-compaction';
      /** Index of the message that makes it impossible to fit; of the overhead that of a system message, where it stands among the messages. */
      readonly messageIndex?: number | null;
      readonly tokens: number;
      /** Window less reserve. Less than `tokens`. */
      readonly limitTokens: number;
      /** The provider refuses it: it does not fit into the window, which is known, even if the estimate is too high. Safe to tell your user. */
      readonly certain: boolean;
    }
  | {
      /** The option `workingState` failed or took too long; the checkpoint is made without it. */
      readonly type: 'working-state-failed';
      readonly reason: 'failed' | 'timeout';
      readonly message: string;
    }
  | {
      /** The option `checkpointNote` failed or took too long; the checkpoint is made without it. */
      readonly type: 'checkpoint-note-failed';
      readonly reason: 'failed' | 'timeout';
      readonly message: string;
    }
  | { /** What was cleared or folded was written as files (`offload`). */ readonly type: 'offloaded'; readonly files: number; readonly bytes: number }
  | {
      /** The option `offload` failed or took too long: for this step and some more, what stands for results names no new file. */
      readonly type: 'offload-failed';
      readonly reason: 'failed' | 'timeout' | 'aborted';
      readonly message: string;
    }
  | {
      /** Reasoning is no longer sent, because newer Claude models refuse a thought when anything before it has changed. */
      readonly type: 'reasoning-dropped';
      /** Reasoning parts that are newly left out; for `history-changed` all that are left out. */
      readonly parts: number;
      /**
       * `edit`: stepfold edited what stands before. `history-changed`: your app has changed messages that were sent in an earlier request.
       * `instructions-changed`: the system prompt is another one than in the request before (seen on ai 7). `refused`: the provider said
       * so, and `model(…)` made the call once more.
       */
      readonly reason: 'edit' | 'history-changed' | 'instructions-changed' | 'refused';
    }
  | { /** The provider refuses the option `blockBinding`; `model(…)` made the call once more without it, and it is not sent again. */ readonly type: 'binding-refused' }
  | {
      /**
       * stepfold edits nothing new: the provider edits prompts itself (such as Anthropic's `contextManagement`; said at each step), or has the
       * history and adds it (`previousResponseId`, `conversation`, …; said once a run).
       */
      readonly type: 'stood-down';
      readonly reason: string;
    }
  | {
      /** What was given are no messages of the AI SDK, but of another framework or API. Nothing is measured or edited; said once. */
      readonly type: 'foreign-messages';
      readonly form: string;
      /** What they are, and what to do. */
      readonly message: string;
    }
  | { /** A stored state, or a part of it, could not be used and was ignored; of another version the newest checkpoint is kept. */ readonly type: 'state-rejected'; readonly reason: string }
  | {
      /**
       * A request brings earlier turns of which nothing is remembered, and they are folded as if for the first time. The next request does
       * the same again, and asks the summarizer again, unless one `createPrepareStep` serves all requests or a session has a store.
       */
      readonly type: 'folded-anew';
    }
  | { /** Work of an earlier request was found in memory. A session would make sure that it is found. */ readonly type: 'session-recommended'; readonly reason: string }
  | {
      /** The session's store could not be read or written; the run goes on with what is in memory. */
      readonly type: 'store-failed';
      readonly operation: 'load' | 'save';
      /** `timeout`: the run has waited as long as it may (`storeTimeoutMs`). `refused`: the store compares and sets, and never takes what is new. */
      readonly reason: 'failed' | 'timeout' | 'refused';
      readonly message: string;
    }
  | { /** The session was given the option `store`, but no store: `store: undefined`, as from an environment variable that is not set. It is kept in memory. Said at its first step. */ readonly type: 'no-store' }
  | { /** Another process has saved this session since it was loaded. Its decisions were kept, and all enqueued messages: no failure. */ readonly type: 'store-conflict'; readonly message: string }
  | { /** Two runs used one session at once, or `undo`, `compact` or `prune` came while a step was made. What this run decides is not kept for later requests. */ readonly type: 'session-conflict'; readonly reason: string }
  | { /** Messages given to `session.enqueue` were sent for the first time. */ readonly type: 'delivered'; readonly messages: number }
  | {
      /**
       * Messages given to `session.enqueue` that were sent before are left out: the user's message in whose turn they were said is not in the
       * list any more, as after a fork. They stand again where it comes back.
       */
      readonly type: 'left-out';
      readonly messages: number;
    }
  | { /** Something failed inside stepfold, and the step goes on without it; or the option `tokenizer` failed (code `tokenizer-failed`), and its texts are estimated; or the option `redact` failed (code `redact-failed`), and its texts are cleaned by stepfold's own rules; or the `digest` of a tool failed (code `digest-failed`), and parts that stepfold chose stand in its place. */ readonly type: 'error'; readonly code: string; readonly message: string }
);

/** Where an event comes from. */
export type EventSource = Pick<StepfoldEvent, 'stepNumber' | 'runId' | 'sessionId'>;

/** An event before it is known where it comes from. */
type WithoutSource<Event> = Event extends unknown ? Omit<Event, keyof EventSource> : never;
export type EngineEvent = WithoutSource<StepfoldEvent>;
