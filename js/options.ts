// Types of the options. Their names, ranges and relations are checked by the engine (`settings.rs`); nothing is decided here.

import type { InferToolInput, InferToolOutput, ModelMessage, ToolSet } from 'ai';
import type { StepfoldEvent } from './observe/events.js';
import type { SummarizerModel } from './summarize/summarizer-model.js';
import type { Tokenizer } from './count/tokenizer.js';

/** A place for files that the model's tools can read: a directory, a sandbox, the file system of a bash tool. */
export interface Offload {
  /** Writes a file, and the directory if it is not there. A step waits at most 2 seconds for all its files. */
  readonly write: (path: string, text: string, options: { readonly abortSignal: AbortSignal }) => unknown;
  /** Whether a file is there. Asked for one file at the start of a run: where it is gone, all are written again. @default files stay */
  readonly exists?: ((path: string, options: { readonly abortSignal: AbortSignal }) => boolean | PromiseLike<boolean>) | undefined;
  /** Begins every path, as the model's tools see it. One for each conversation. @default "tool-results" */
  readonly directory?: string | undefined;
}

/** A threshold: a share of the budget (`0.8`) or tokens of messages (`{ tokens: 50_000 }`). */
export type Mark = number | { readonly tokens: number };

/** Families of tokenizers. */
export type ModelFamily = 'gpt' | 'claude' | 'gemini' | 'glm-qwen-deepseek' | 'llama-mistral' | 'other';

/** What the summarizer receives. Use `prompt`, or `messages` followed by `instruction`. A long span comes in parts, each with the summary so far. */
export interface SummaryRequest {
  /** Prompt for a separate, small model: instruction, and all that is folded as it first came, also what was cleared since. */
  readonly prompt: string;
  /** The conversation exactly as it was last sent, up to the end of what is folded: rides the prompt cache of the same model. */
  readonly messages: ModelMessage[];
  /** What to ask after `messages`; it also says to call no tool. */
  readonly instruction: string;
  /** The summary of what was folded before; it is part of `prompt` already. */
  readonly previousSummary: string | undefined;
  /** Most tokens of the summary. */
  readonly maxOutputTokens: number;
  /** Aborts when the step is aborted or the time is up. */
  readonly abortSignal: AbortSignal;
}

/** A summary: its text, or what `generateText` or `streamText` made, which also says what it cost. An answer with calls counts as failed. */
export type SummaryReply = string | { readonly text: string | PromiseLike<string>; readonly usage: unknown; readonly toolCalls?: unknown };

/** Writes a summary of a part of the conversation. */
export type Summarize = (request: SummaryRequest) => SummaryReply | PromiseLike<SummaryReply>;

/** What your app knows about the work in hand: texts, or any JSON. Lists are written one item a line. */
export interface WorkingState {
  /** The plan or todo list. */
  readonly plan?: unknown;
  /** Documents in use. */
  readonly documents?: unknown;
  readonly notes?: unknown;
}

/** Prices for the same number of tokens each, in any currency, such as dollars for a million. What is left out is the model's own share of `input`, or its family's. */
export interface Prices {
  /** Input that no cache holds; above 0. */
  readonly input: number;
  /** Input read from the prompt cache; the price of `input` where there is none. @default a tenth of `input`, for GLM, Qwen and DeepSeek a fifth */
  readonly cacheRead?: number;
  /** Input written into the cache. @default 1.25 of `input` for GPT and Claude, else the price of `input` */
  readonly cacheWrite?: number;
  /** Output. @default 4 to 6 times `input` */
  readonly output?: number;
}

/** What you say of one tool. */
export interface ToolRule<Input = any, Output = any> {
  /** Whether its calls only look something up, or change something. @default from approvals, from the input, from the name */
  readonly effect?: 'reads' | 'acts' | undefined;
  /** Its results are the user's own words. @default false */
  readonly speaksForUser?: boolean | undefined;
  /**
   * How long its results are worth keeping. `'always'`: they are cleared only when nothing else helps, and checkpoints keep the latest,
   * verbatim except for secrets. `'never'`: once the model has seen them they are worth nothing; they are cleared first, and nothing of
   * them stays in placeholders and among the findings of checkpoints. @default 'normal'
   */
  readonly keep?: 'always' | 'normal' | 'never' | undefined;
  /**
   * Your own account of a result, of at most 600 characters: it stands in place of parts that stepfold would choose, in placeholders and
   * among the findings of checkpoints. Asked once for each result that is left out, with the input of its call and its output as the
   * messages hold it: what `execute` returned, as JSON, or what `toModelOutput` made of it. Its type is that of what `execute` returns. Not asked about errors. An empty string: nothing
   * of it stands there. @default parts that stepfold chooses
   */
  readonly digest?: ((input: Input, output: Output) => string) | undefined;
}

/** What you say of tools, by name; of the tools of a given set with the types of their inputs and outputs. */
export type ToolRules<TOOLS extends ToolSet = ToolSet> = string extends keyof TOOLS
  ? Readonly<Record<string, ToolRule | undefined>>
  : { readonly [NAME in keyof TOOLS]?: ToolRule<InferToolInput<TOOLS[NAME]>, InferToolOutput<TOOLS[NAME]>> | undefined };

/** What is newest and stays. Of several counts the largest holds. */
export interface KeepRecent {
  /**
   * Tokens that are not edited. 0 where `turns` or `messages` is given; else 40,000, at most a third of the budget and two thirds of the
   * target, and where the budget is up to 17,000 tokens a quarter of the target.
   */
  readonly tokens?: number | undefined;
  /** Turns that are not edited, whatever their size. */
  readonly turns?: number | undefined;
  /** Messages that are not edited, whatever their size. */
  readonly messages?: number | undefined;
  /**
   * Images of tool results that are kept, for agents that look at a screen; all where it is not given. Once more than twice as many would be
   * sent, older ones give way to a line and so many are left, so that the prompt cache matches in between. What the user attached stays.
   */
  readonly images?: number | undefined;
}

/** Options that say how large the window is and what to keep; common to all functions. */
export interface BudgetOptions<TOOLS extends ToolSet = ToolSet> {
  /** Tokens the model takes, prompt and reply together; of the prompt alone where that has a limit of its own (gpt-5: 272,000). @default from the model id; for an unknown model 128,000 and an event */
  readonly contextWindow?: number | undefined;
  /** Tokens kept free for the reply. @default the model's max output, at most 20,000 and a quarter of the window; more where the calls ask for more, at most half of the window */
  readonly reserveTokens?: number | undefined;
  /**
   * Where work starts: a share of the budget, or tokens of messages. By the budget: 0.96 up to 85,000 tokens,
   * from there falling to 0.82 at 115,000. @default 0.82 to 0.96, by the budget; at most 0.69 until usage is known
   */
  readonly trigger?: Mark | undefined;
  /**
   * Where work ends; below `trigger`. By the budget, in tokens: 2,200 of 5,000, 4,100 of 9,000, 13,000 of 25,000, 26,000 of 53,000,
   * 50,000 of 115,000, 76,000 of 190,000, 250,000 of 1,000,000, then 0.25; between these in proportion. @default 0.25 to 0.52, by the budget
   */
  readonly target?: Mark | undefined;
  /**
   * What `trigger` and `target` are chosen for when you do not give them. `'cost'` works down to 7,000 tokens (fewer where
   * the budget is below 25,000) and starts where `prices` and the run so far say that it pays. @default 'balanced'
   */
  readonly optimize?: 'balanced' | 'cost' | 'recall' | undefined;
  /** What the model's tokens cost: without it its list prices (`modelLimits(id).prices`), else what is usual in its family. @default by the model */
  readonly prices?: Prices | undefined;
  /** What is newest and not edited: `{ tokens: 10_000 }`, `{ turns: 2 }` or `{ messages: 6 }`, and how many `images` stay. @default 40,000 tokens, at most a third of the budget and two thirds of the target */
  readonly keepRecent?: KeepRecent | undefined;
  /**
   * Images that a request may hold: a limit of the host, of 4, 5, 20 or 100 images. It is never passed. Older images give way to a line until half
   * as many are left, those that the user attached to the message that is being answered last. `model(…)` learns it from a refusal. @default unlimited, until the host refuses
   */
  readonly maxImages?: number | undefined;
  /** Bytes that the images and files of a request may have together, counted as base64, 4 for 3. Never passed either; what stands behind a URL or an id counts nothing. @default unlimited, until the host refuses */
  readonly maxImageBytes?: number | undefined;
  /** Least tokens that clearing must save to be worth a cache rewrite. @default 20,000, at most a tenth of the budget and half of the way from target to trigger */
  readonly minClearTokens?: number | undefined;
  /** Most tokens one tool result may have; a larger one is cut to head and tail, and what stands out between them, when it arrives. @default what is left of the budget when a result arrives */
  readonly maxResultTokens?: number | undefined;
  /**
   * What you say of your tools, by name; not the tools themselves. `effect`: whether a call only looks something up or changes something; calls that change something
   * are never offered for repetition, and checkpoints keep what they returned. `speaksForUser`: the tool asks the user, and its results are
   * the user's own words. `keep`: how long its results are worth keeping. `digest`: your own account of a result. Of a tool of which you
   * say nothing, the effect is decided by approvals, by a method in the input, then by the verb of the name, and it does not speak for the
   * user. With the type of your tools, names, inputs and outputs are typed: `createPrepareStep<typeof tools>({ … })`. @default {}
   */
  readonly tools?: ToolRules<TOOLS> | undefined;
  /**
   * Keeps secrets out of what stepfold writes: checkpoints, placeholders, cuts, the summarizer's prompt. `false` leaves secrets in them; a
   * function of yours takes the place of stepfold's rules. It gets the texts one by one and must answer the same text the same way. @default true
   */
  readonly redact?: boolean | ((text: string) => string) | undefined;
  /** Tokens of system prompt and tools, if you know them before the first step. Otherwise they are learnt from usage; ai 7 also hands over the system prompt. @default 0 */
  readonly overheadTokens?: number | undefined;
  /** Family of the model's tokenizer. @default from the model id */
  readonly modelFamily?: ModelFamily | undefined;
  /** Counts text exactly: `o200k()` from `stepfold/o200k`, `cl100k()` from `stepfold/cl100k`, or any object of yours with `count(text): number`. @default the built-in estimator */
  readonly tokenizer?: Tokenizer | undefined;
}

/** Options of `createPrepareStep`. All are optional. */
export interface PrepareStepOptions<TOOLS extends ToolSet = ToolSet> extends BudgetOptions<TOOLS> {
  /**
   * Writes the summaries: a model, such as `openai('gpt-5-mini')`; the id of one, where `AI_SDK_DEFAULT_PROVIDER` is set; a function of
   * yours; or `'agent'`, the agent's own model. With `model(…)` that is asked with the agent's last request and an instruction behind it, so
   * that the prompt cache matches, and nothing it calls is executed. @default none: checkpoints hold a digest
   */
  readonly summarize?: Summarize | SummarizerModel | 'agent' | (string & {}) | undefined;
  /** Ask the summarizer only when clearing leaves this much or more; below it a checkpoint holds a digest. At or above `trigger`. @default the trigger */
  readonly summarizeAt?: Mark | undefined;
  /**
   * Starts the summary at this threshold, below `trigger`, while the agent goes on, and uses it once it is there. A step waits only
   * when the prompt would not fit without it. `true`: a fifth below the trigger. @default false
   */
  readonly summarizeAhead?: boolean | Mark | undefined;
  /** Keeps a function alive until a summary started ahead of time is there, such as `after` of Next.js or `ctx.waitUntil`. @default none */
  readonly waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
  /**
   * Asked when a checkpoint is made: what your app knows about the work itself. It takes up at most a fifth of the checkpoint, and a
   * `plan` goes before the one read off tool calls. After 5 seconds, or when it fails, the checkpoint is made without it. @default none
   */
  readonly workingState?: (() => WorkingState | PromiseLike<WorkingState>) | undefined;
  /**
   * Your own words at the end of every checkpoint, where the model reads them last: what to look up before it goes on. A text, or a function
   * that is asked when a checkpoint is made. At most a tenth of the checkpoint, or 80 tokens. After 5 seconds, or when it fails, the
   * checkpoint is made without it. @default none
   */
  readonly checkpointNote?: string | (() => string | PromiseLike<string>) | undefined;
  /**
   * Puts results that are cleared or folded as files where the model's own tools can read and search them; what stands in their place names
   * the file. @default none
   */
  readonly offload?: Offload | undefined;
  /** Most tokens of a summary. @default 2,000 */
  readonly summaryTokens?: number | undefined;
  /**
   * Tokens that the summarizer takes, prompt and reply together. It is given all that is folded, whole, in as few parts as fit, at most four
   * a step. @default from the id of the model in `summarize`; else what the agent's model takes
   */
  readonly summarizeWindow?: number | undefined;
  /** Milliseconds that the summaries of one step may take together. @default 60,000 */
  readonly summarizeTimeoutMs?: number | undefined;
  /**
   * A text is added to the summarizer's instruction. A function receives that instruction, with its sections, fences and length, and
   * returns what replaces it; the conversation follows behind it, fenced. @default none
   */
  readonly summaryInstructions?: string | ((instruction: string) => string) | undefined;
  /**
   * Asks the provider to cache prompts where it does so only when asked (Claude). Stands aside where messages have cache marks of
   * your own. OpenAI is given a key for each session that has an `id`. @default true
   */
  readonly promptCache?: boolean | undefined;
  /** Stops a running summary; the step then goes on unchanged. `prepareStep` itself is given no signal. @default none */
  readonly abortSignal?: AbortSignal | undefined;
  /**
   * Receives everything that happens, each event with the names of its run and session. What it throws is ignored. @default none
   */
  readonly onEvent?: ((event: StepfoldEvent) => void) | undefined;
  /**
   * Writes to the console what you must know, each thing once a process, whoever else listens: an unknown model, a store that fails or is
   * missing, a summarizer that fails, a prompt that cannot fit, a state that was ignored, checkpoints that are lost again and again, a
   * provider that cuts. Not where `NODE_ENV` is `test`. @default true
   */
  readonly warnings?: boolean | undefined;
  /** Receives a line of JSON for each step, without a line break, with its edits and their texts. Written to a file, one for each session, they open in `npx stepfold inspect`. @default none */
  readonly onRecord?: ((line: string) => void) | undefined;
  /** Writes to the console what each step did, and why. @default false */
  readonly debug?: boolean | undefined;
}
