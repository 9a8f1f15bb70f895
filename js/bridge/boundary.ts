// What crosses the boundary to the engine and back, field by field: `src/wasm/` reads what is given, `src/run/step/` writes what comes of a step.
// Types alone.

import type { EngineEvent } from '../observe/events.js';

/** What a plan is made from. */
export interface PlanRequest {
  /** Options and numbers of the model. Opaque. */
  readonly settings: Uint8Array;
  readonly modelId: string;
  /** `all`: a step. `preview`: the same, to be shown as a table. `compact`: a checkpoint now, whatever the budget. `prune`: clearing now, down to the target. */
  readonly mode: 'all' | 'preview' | 'clear' | 'checkpoint' | 'compact' | 'prune';
  /** What the step before left. */
  readonly state: RunState | undefined;
  /** The entries of the list, of whose beginning those of `Covered` say enough; to skip a plan only those of new messages, where the list `extends` the one before. */
  readonly entries: Uint8Array;
  /** All messages, for a plan; empty records in place of those that an answer before named as covered. */
  readonly messages?: Uint8Array;
  /** The list is what was planned last and new messages after it. */
  readonly extends: boolean;
  /** Index from which on nothing may be folded: steering messages of this step. */
  readonly keepFrom: number;
  /** Indices of messages that the session has inserted: the app's list does not have them. To skip a plan, of new ones. */
  readonly inserted?: readonly number[];
  /** Indices of messages that somebody put in behind what was sent, as ai 7 does with a catalog of tools. To skip a plan, of new ones. */
  readonly putIn?: readonly number[];
  /** What was reported of the step before. */
  readonly usage: Usage | undefined;
  /** No message is of another form than the SDK's, whatever it looks like. */
  readonly isKnownForm?: boolean;
  /** What this step's own provider options ask of the provider, as the engine's question `asks` says; undefined where nobody knows them. */
  readonly asks: number | undefined;
  /** How calls ended since. */
  readonly ended: readonly CallOutcome[];
  /** For how many cache marks of stepfold's the step before has shown room. */
  readonly markSlots: MarkSlots | undefined;
  /** What another run has learnt of this model. */
  readonly traits: ModelTraits | undefined;
  /** What the request of the step before held beside its lists, as JSON, where that was seen for the first time. */
  readonly sentBeside?: string | undefined;
  /** The list was sent, and the provider refused it: for this first, and after a recovery for the next. */
  readonly refused?: readonly Refusal[];
  /** Entries of the system prompt, on the first step of a run of ai 7. */
  readonly instructions: Uint8Array | undefined;
  readonly summary: SummaryAnswer;
  /** The span that it is about, from the answer's `summaryRequest`. */
  readonly requestedSpan?: Pick<SummaryWanted, 'start' | 'end' | 'part' | 'previousSummary' | 'shown'>;
  /** What the summary is to look at this time. */
  readonly focus?: string | undefined;
  /** What models of the session have requested with the compact tool. */
  readonly compactRequests?: readonly CompactRequest[];
  /** What the app says of its own state, as JSON. */
  readonly workingState?: string;
  /** What the app says at the end of a checkpoint, where a function was asked. */
  readonly checkpointNote?: string;
  /** The user's digests of results that a plan of this step has wanted. */
  readonly digests?: readonly DigestGiven[];
  /** Summaries requested ahead of time, for this conversation or others. */
  readonly ahead: readonly { readonly key: string; readonly answer: SummaryAnswer }[];
  /** States of other conversations that this list may continue. */
  readonly candidates: readonly RunState[];
  readonly wantsEvents: boolean;
  /** Edits are recorded: their events are wanted, whoever listens. */
  readonly recordsEdits?: boolean;
  /** Results can be recalled by an id. */
  readonly recalls: boolean;
  /** Results are put as files into the directory of the option `offload`. `all`: also those that were named before. */
  readonly offloads: 'none' | 'new' | 'all';
  /** The first step of a run. */
  readonly startsRun: boolean;
  /** A new request, without a session, goes on from what an earlier one left. */
  readonly continuesRequest: boolean;
}

/** What a model has requested for the next step of its run, by the call `callId` of the compact tool. The rest is the engine's. */
export interface CompactRequest {
  readonly callId: string;
  readonly folds: boolean;
  readonly focus: string;
  readonly pin: string;
}

/** The answer to a call of the compact tool. */
export interface Reply {
  readonly text: string;
  readonly compactRequest?: CompactRequest;
  readonly event?: EngineEvent;
}

/** How a call ended. Plain JSON. */
export interface CallOutcome {
  readonly callId: string;
  readonly outcome: string;
}

/** What is left for stepfold of the cache marks that a request may have. Opaque. */
export type MarkSlots = Readonly<Record<string, number | boolean>>;

/** What a model turned out to be, beside what its id says. Opaque. */
export type ModelTraits = Readonly<Record<string, unknown>>;

/**
 * Why a provider refused a request that another would not be. `overflow`: the prompt is too large, with its tokens, 0 where it does not
 * say. `too-many-images`: how many it may hold, 0 where it does not say. `thoughts`: what stood before a thought has changed. `binding`: it does not take the option `blockBinding`.
 */
export type Refusal =
  | { readonly overflow: { readonly promptTokens: number; readonly windowTokens: number; readonly replyTokens: number; readonly byBytes: boolean } }
  | { readonly 'too-many-images': number }
  | 'thoughts'
  | 'binding';

/** All that the engine remembers of a conversation between two steps. Opaque; valid in this process only. */
export type RunState = Uint8Array;

/** A summary: not there or not requested yet, none to be had, or its text. */
export type SummaryAnswer = 'pending' | 'failed' | { readonly given: string };

/** What a provider reported of a step. Opaque, and plain JSON. */
export type Usage = Readonly<Record<string, number>>;

/** The answer to a step. */
export interface PlanAnswer {
  /** A message looks as if it were of another form than the SDK's: ask `formOf`. No plan was skipped, and none is made. */
  readonly isSuspicious: boolean;
  /** A message was left out that has to be read: plan again with all of them. */
  readonly needsAll: boolean;
  /** What the next plan on this history need not be given. Missing where no plan was made. */
  readonly covered?: Covered;
  readonly state: RunState;
  /** The list is sent with edits, now or since earlier. */
  readonly hasDecisions: boolean;
  /** The provider is to be asked to leave out thoughts whose prefix has changed, where it can be asked. */
  readonly dropsThoughts: boolean;
  /** What the run has learnt of its model. */
  readonly traits?: ModelTraits;
  /** The provider is to be asked to cache the prompt, where it does so only when asked. */
  readonly asksCache: boolean;
  /** For how many cache marks of stepfold's there is room, once a step has shown it. */
  readonly markSlots?: MarkSlots;
  /** More was added than a cache mark at the end looks back over. */
  readonly isFar: boolean;
  /** What was decided is not what it was before. */
  readonly changesDecisions: boolean;
  /** What was learnt before anything was planned. Holds also when the plan then waits. */
  readonly learnt: readonly EngineEvent[];
  readonly events: readonly EngineEvent[];
  readonly edits: readonly Edit[];
  /** What must be written before the edits may be sent: they name it. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** The newest file that was named before, if any was. */
  readonly namedFile?: string;
  readonly makesCheckpoint: boolean;
  /** Results whose digests the user's functions are to give; the plan is then made again with them. */
  readonly digests: readonly DigestWanted[];
  /** Calls of the compact tool that are done with. */
  readonly handledCalls: readonly string[];
  /** Messages at the start of the list that were planned before, in whichever process. */
  readonly knownMessages: number;
  readonly summaryRequest?: SummaryWanted;
  /** Which of the summaries requested ahead of time is of this conversation. `isDue`: wait for it and plan again. */
  readonly ahead?: { readonly index: number; readonly isPending: boolean; readonly isDue: boolean };
  /** Tokens of the whole prompt, as the provider likely counts. Missing where no plan was needed: everything decided before still holds. */
  readonly tokens?: { readonly before: number; readonly after: number; readonly limit: number; readonly trigger: number; readonly target: number };
  /** What becomes of each message, as a table. */
  readonly preview?: string;
  /** With a table, where prices are known. */
  readonly cost?: { readonly next: number; readonly later: number; readonly unedited: number };
}

/** A result whose digest the user's function is to give. */
export interface DigestWanted {
  readonly tool: string;
  /** Its call, if that is there. */
  readonly call: Place | null;
  readonly result: Place;
}

/** What it gave: null where there is none. */
export interface DigestGiven {
  readonly result: Place;
  readonly text: string | null;
}

/** The summary that is to be requested. */
export interface SummaryWanted {
  readonly prompt: string;
  readonly instruction: string;
  readonly previousSummary: string | null;
  readonly maxOutputTokens: number;
  readonly start: number;
  readonly end: number;
  /** Which part of what this step folds it is, from 1. */
  readonly part: number;
  /** What the summarizer is told and shown without the summary before, to be handed back with its answer. */
  readonly shown: string;
  /** Requested ahead of time: the name of the span. The rest of the answer is carried out without it. */
  readonly ahead: string | null;
}

/** Messages that a checkpoint covers. */
export interface Covered {
  /** They need not be given. */
  readonly spans: readonly Span[];
  /** The entries of the list up to their end, as far as a plan asks for them; empty where all are to be given. */
  readonly entries: Uint8Array;
}

/** Messages from `start` on, before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a part stands. */
export interface Place {
  readonly message: number;
  readonly part: number;
}

/** One change of the list that was planned on, to which its indices refer. */
export type Edit =
  | {
      readonly type: 'checkpoint';
      readonly start: number;
      readonly end: number;
      readonly block: Span;
      readonly behind: readonly Behind[];
      readonly id: string;
      readonly text: string;
      readonly copies: readonly Place[];
    }
  | { readonly type: 'bridge'; readonly before: number; readonly text: string }
  | { readonly type: 'leave-out'; readonly message: number; readonly parts: readonly number[] }
  | { readonly type: 'part'; readonly place: Place; readonly id: string; readonly change: PartChange };

/** What stands behind a checkpoint: a message as it is, parts of one, a message that changes settings, or one of the assistant between two of the user. */
export type Behind =
  | { readonly type: 'message'; readonly message: number }
  | { readonly type: 'parts'; readonly message: number; readonly parts: readonly Picked[] }
  | { readonly type: 'settings'; readonly options: readonly PickedOption[] }
  | { readonly type: 'bridge'; readonly text: string };

/** A part of a message; of its content these `items`, all where there are none, or `output` in place of it. */
export interface Picked {
  readonly part: number;
  readonly items: readonly number[];
  readonly output: string | null;
  readonly dropsId: boolean;
}

/** An option of a message; of its list these `items`, all where there are none. */
export interface PickedOption {
  readonly message: number;
  readonly provider: string;
  readonly key: string;
  readonly items: readonly number[];
}

/** What becomes of one part. */
export type PartChange =
  | { readonly type: 'output'; readonly text: string; readonly isError: boolean }
  | { readonly type: 'input'; readonly json: string }
  | { readonly type: 'text'; readonly text: string };

/**
 * Questions whose answer depends on nothing but what is given with them, by the names that `src/wasm/answer.rs` gives them and explains. Where
 * an answer is unknown here, the caller has its type.
 */
export interface Questions {
  settingsFor(given: { readonly options: Uint8Array; readonly specification: string } & ModelNames): { readonly settings: Uint8Array; readonly media: number };
  modelLimits(given: ModelNames): unknown;
  estimateTokens(given: Counted): number;
  tokenBreakdown(given: Counted & { readonly messages: Uint8Array; readonly reportedTokens: number | undefined }): unknown;
  extractText(given: { readonly messages: Uint8Array }): string;
  mentionedNames(given: { readonly messages: Uint8Array; readonly names: readonly string[] }): readonly number[];
  cleanError(given: { readonly text: string }): string;
  readUsage(given: { readonly step: string }): Usage;
  restoreUsage(given: { readonly reported: unknown }): Usage;
  summaryUsage(given: { readonly step: string } & ModelNames): SummaryTokens;
  readOutcomes(given: { readonly parts: string }): readonly CallOutcome[];
  runsTools(given: { readonly toolIds: readonly string[]; readonly optionNames: readonly string[] }): boolean;
  fillsWindow(given: { readonly step: string }): boolean;
  asks(given: { readonly options: string }): number;
  learnCall(given: { readonly settings: Uint8Array; readonly state: RunState; readonly asks: number; readonly request: string; readonly instructions: Uint8Array; readonly tools: string }): CallLearnt | undefined;
  formOf(given: { readonly shapes: string }): Form | undefined;
  markSlots(given: { readonly step: string }): MarkSlots | undefined;
  sending(given: SentBeside): unknown;
  readRefusal(given: { readonly names: readonly string[]; readonly statusCodes: readonly number[]; readonly codes: readonly string[]; readonly texts: readonly string[] }): Refusal | undefined;
  instructionsEnd(given: { readonly entries: Uint8Array }): number;
  bridge(given: { readonly entries: Uint8Array }): string;
  findRun(given: { readonly prompt: Uint8Array; readonly histories: readonly Uint8Array[] }): number;
  learnRefusals(given: { readonly state: RunState; readonly refusals: readonly Refusal[] }): Learnt | undefined;
  learnFullWindow(given: { readonly settings: Uint8Array; readonly state: RunState; readonly step: string }): Learnt;
  recall(given: RecallWanted): Recalled;
  storeRunState(given: { readonly state: RunState }): StoredRunState;
  restoreRunState(given: { readonly [Part in keyof StoredRunState]: string | undefined }): { readonly state?: RunState; readonly refused?: string };
  places(given: Found): string;
  arranged(given: Found & { readonly inserted: Uint8Array; readonly places: string }): string;
  contentIds(given: { readonly entries: Uint8Array }): string;
  coveredEnd(given: Found): number;
  tailCheckpoint(given: Found): Edit | null;
  undo(given: { readonly state: RunState }): RunState | undefined;
}

/** A form of messages that is not the SDK's: its name, and what to do. */
interface Form {
  readonly form: string;
  readonly message: string;
}

/** What a summarizer read and wrote, as the provider reported it; null where it did not. */
export interface SummaryTokens {
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly outputTokens: number | null;
}

/** A model, as far as the engine knows it. */
interface ModelNames {
  readonly modelId: string;
  readonly provider: string;
}

/** What is counted for a model. */
export interface Counted {
  readonly settings: Uint8Array;
  readonly entries: Uint8Array;
}

/** A list, and what was decided about it. */
interface Found {
  readonly entries: Uint8Array;
  readonly state: RunState | undefined;
}

/** What goes to a provider beside the messages, for a model and a step. */
export interface SentBeside extends ModelNames {
  readonly specification: string;
  readonly package: string;
  readonly baseURL: string;
  readonly edited: boolean;
  readonly dropsThoughts: boolean;
  readonly caches: boolean;
  readonly isFar: boolean;
  readonly markSlots: MarkSlots | undefined;
  readonly session: string | undefined;
}

/** What a run has learnt of its model outside of a step. */
export interface Learnt {
  readonly state: RunState;
  readonly traits?: ModelTraits;
}

/** The same of a call that was not made yet. */
export interface CallLearnt extends Learnt {
  /** The reply that it asks for leaves its messages too little room. */
  readonly isOver: boolean;
}

/** What the model asks the recall tool for, and the list it is looked for in. */
interface RecallWanted {
  readonly messages: Uint8Array;
  readonly entries: Uint8Array;
  readonly id: string;
  readonly pattern: string;
  readonly fromLine: number;
  readonly toLine: number;
  readonly olderMessages: number;
  readonly refusedPages: number;
  readonly provider: string;
  readonly specification: string;
}

/** What was found: a text for the model, where a whole result stands, where a picture or file does and what that is, or a text that says that there is none. */
type Recalled = { readonly text: string } | { readonly whole: Place } | { readonly media: readonly [Place, string] } | { readonly nothing: string };

/** A state as a session stores it: what was decided and the run's numbers as JSON texts. */
interface StoredRunState {
  readonly model: string;
  readonly run?: string | undefined;
  readonly envelope?: string | undefined;
  readonly fold?: string | undefined;
}
