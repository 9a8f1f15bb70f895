// Types of the events that `onEvent` receives. Made by the engine, apart from those about waiting and failing.
// Every event is plain JSON, small enough to stream to a user interface.

/** What became of one tool result, tool input or text. */
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
}

/** One thing that happened in a step. Tokens are of the whole prompt, as the provider likely counts, where not said otherwise. */
export type StepfoldEvent = { readonly stepNumber: number } & (
  | {
      /** A step was measured: told before what was done to it, after what came of loading and asking. Not of a step that was aborted or failed. */
      readonly type: 'measured';
      readonly tokens: number;
      /** Tokens the prompt would have without any edit. */
      readonly uneditedTokens: number;
      /** Tokens of system prompt and tools, as learnt from usage. */
      readonly overheadTokens: number;
      /** Tokens the messages may have. */
      readonly budgetTokens: number;
      readonly contextWindow: number;
      /** `reported`: the provider's count of the previous prompt plus a count of the additions; `count`: by the option `tokenizer`. */
      readonly source: 'reported' | 'count' | 'estimate';
    }
  | { /** The model id is not known; `contextWindow` is assumed. */ readonly type: 'unknown-model'; readonly modelId: string; readonly contextWindow: number }
  | { /** New results were cut to head and tail before they were ever sent. */ readonly type: 'capped'; readonly results: readonly EventResult[] }
  | { /** Old results were replaced by placeholders. */ readonly type: 'cleared'; readonly results: readonly EventResult[]; readonly tokensBefore: number; readonly tokensAfter: number }
  | { /** The summarizer was asked; the step waits for it, unless it is asked `ahead` of time. */ readonly type: 'checkpoint-started'; readonly messages: number; readonly ahead?: true }
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
      /** The summarizer gave nothing usable; the digest takes its place, or after an abort nothing is folded. */
      readonly type: 'fallback';
      /** The first four are about the call, the others about its text. */
      readonly reason: 'failed' | 'timeout' | 'aborted' | 'empty' | 'short' | 'large' | 'refusal' | 'error' | 'truncated' | 'echo';
      readonly message: string;
    }
  | { /** The summarizer failed three times in a row: for so many steps the digest stands in for it, then it is asked again. */ readonly type: 'summarizer-rests'; readonly steps: number }
  | {
      /** The tail gave way so that the prompt fits. */
      readonly type: 'squeezed';
      readonly results: readonly EventResult[];
      readonly folded: boolean;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | {
      /** What is sent does not fit, by all that is known, and nothing more can be done. */
      readonly type: 'over-budget';
      readonly reason: 'overhead' | 'message' | 'native-compaction';
      /** Index of the message that makes it impossible. */
      readonly messageIndex?: number | null;
      readonly tokens: number;
      /** Window less reserve. Less than `tokens`. */
      readonly limitTokens: number;
      /** Also true if the estimate is as much too high as it can be: what people may be told. */
      readonly certain: boolean;
    }
  | {
      /** The option `workingState` failed or took too long; the checkpoint is made without it. */
      readonly type: 'working-state-failed';
      readonly reason: 'failed' | 'timeout';
      readonly message: string;
    }
  | {
      /** Reasoning is not sent any more: newer Claude models refuse thoughts when anything before them has changed. */
      readonly type: 'reasoning-dropped';
      /** Parts of reasoning that are newly left out; for `history-changed` all that are. */
      readonly parts: number;
      /** `history-changed`: the app has changed messages that were edited in an earlier request. */
      readonly reason: 'edit' | 'history-changed';
    }
  | { /** The provider compacts the messages or edits prompts itself (Anthropic's `contextManagement`); nothing new is edited. */ readonly type: 'stood-down'; readonly reason: string }
  | { /** A stored state could not be used and was ignored. */ readonly type: 'state-rejected'; readonly reason: string }
  | { /** Work of an earlier request was found in memory; a session would make that sure. */ readonly type: 'session-recommended'; readonly reason: string }
  | {
      /** The session's store could not be read or written; the run goes on with what is in memory. */
      readonly type: 'store-failed';
      readonly operation: 'load' | 'save';
      /** `conflict`: another process has saved this session since; its work was kept. */
      readonly reason: 'failed' | 'timeout' | 'conflict';
      readonly message: string;
    }
  | { /** Two runs of one session at once, or `undo` or `compact` while a step was made: what this one decides is not kept for later requests. */ readonly type: 'session-conflict'; readonly reason: string }
  | { /** Messages given to `session.enqueue` are sent for the first time. */ readonly type: 'delivered'; readonly messages: number }
  | { /** stepfold failed; the step goes on as it would have without it. */ readonly type: 'error'; readonly code: string; readonly message: string }
);
