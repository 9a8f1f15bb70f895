// Compiled by tsc against ai 5, 6 and 7 (`ai` is mapped to each in turn) and never run: stepfold where users put it.
// What each call returns is checked by `types.test.mjs` only as far as tsc does: everything here must compile.

import { buildCheckpoint, clearToolResults, composePrepareStep, createPrepareStep, createSession, estimateTokens, extractText, isContextOverflow, mentionedTools, modelLimits, planContext, prepareStep, StepfoldError, tokenBreakdown, validateMessages } from 'stepfold';
import type { EditedMessages, PrepareStepOptions, StepfoldEvent, SummaryRequest, Tokenizer, ToolRules } from 'stepfold';
// The one name of the class that ai 5, 6 and 7 share.
import { createUIMessageStream, Experimental_Agent as Agent, generateText, streamText, tool } from 'ai';
import type { LanguageModel, ModelMessage, PrepareStepFunction, StepResult } from 'ai';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { z } from 'zod';

declare const model: LanguageModel;
declare const small: LanguageModel;
declare const messages: ModelMessage[];

const tools = {
  weather: tool({
    description: 'Weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => ({ city, celsius: 21 }),
  }),
  search: tool({ description: 'Search.', inputSchema: z.object({ query: z.string() }), execute: async ({ query }) => [query] }),
};

/** Fails to compile unless both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const check = <T extends true>(..._: T[]): void => undefined;

// Handed over as it is.
const first = await generateText({ model, tools, messages, prepareStep });
const second = streamText({ model, tools, messages, prepareStep: createPrepareStep({ trigger: 0.8, contextWindow: 8_000 }) });
new Agent({ model, tools, prepareStep });
new Agent({ model, tools, prepareStep: createPrepareStep() });
await generateText({ model, messages, prepareStep });
streamText({ model, prompt: 'Hi', prepareStep: createPrepareStep() });

// A session's tool among the user's own.
const recalling = createSession();
await generateText({ model, tools: { ...tools, recall: recalling.recallTool() }, messages, prepareStep: recalling.prepareStep });
new Agent({ model, tools: { recall: recalling.recallTool(), compact: recalling.compactTool() }, prepareStep: recalling.prepareStep });

// The same without a session, also in one expression.
const remembering = createPrepareStep();
streamText({ model, tools: { ...tools, recall: remembering.recallTool() }, messages, prepareStep: remembering });
new Agent({ model, tools: { recall: remembering.recallTool() }, prepareStep: remembering });

// With overflow recovered: a model stays of its type, an id becomes a model.
await generateText({ model: recalling.model(model), messages, prepareStep: recalling.prepareStep });
streamText({ model: createPrepareStep().model('openai/gpt-5'), messages, prepareStep });

// Made once, outside; the same for several calls with other tools.
const shared = createPrepareStep();
await generateText({ model, tools: { weather: tools.weather }, messages, prepareStep: shared });
await generateText({ model, tools: { search: tools.search }, messages, prepareStep: shared });

// Composed, in either order.
await generateText({ model, tools, messages, prepareStep: composePrepareStep(({ messages: given, stepNumber }) => ({ messages: stepNumber > 3 ? given.slice(1) : given, activeTools: ['weather' as const] }), shared) });
streamText({ model, tools, messages, prepareStep: composePrepareStep(shared, async ({ steps }) => (steps.length > 3 ? { toolChoice: 'none' as const } : undefined)) });
const ownStep: PrepareStepFunction<typeof tools> = ({ steps }) => (steps.at(-1)?.toolCalls.length === 0 ? {} : { model: small });
await generateText({ model, tools, messages, prepareStep: composePrepareStep(ownStep, createSession().prepareStep) });
new Agent({ model, tools, prepareStep: composePrepareStep(composePrepareStep(prepareStep, () => ({ model: small })), createSession().prepareStep) });

// In a wrapper that spreads and adds.
await generateText({ model, tools, messages, prepareStep: async (options) => ({ ...(await shared(options)), activeTools: ['weather'] }) });
streamText({
  model,
  tools,
  messages,
  prepareStep: async (options) => {
    const prepared = await shared(options);
    return { ...prepared, messages: prepared?.messages ?? options.messages, activeTools: ['weather', 'search'], toolChoice: { type: 'tool', toolName: 'weather' }, model: options.stepNumber > 3 ? small : model };
  },
});
new Agent({ model, tools, prepareStep: async (options) => ({ ...(await shared({ ...options, model: small })), toolChoice: 'required', activeTools: ['search'] }) });

// @ts-expect-error A tool that does not exist is still an error behind our wrapper.
await generateText({ model, tools, messages, prepareStep: async (options) => ({ ...(await shared(options)), activeTools: ['nothing'] }) });

// The types of tools pass through.
for (const step of first.steps) {
  for (const call of step.toolCalls) {
    if (call.dynamic !== true && call.toolName === 'weather') check<Same<typeof call.input, { city: string }>>(true);
  }
  for (const result of step.toolResults) {
    if (result.dynamic !== true && result.toolName === 'weather') check<Same<typeof result.output, { city: string; celsius: number }>>(true);
  }
}
for (const result of await second.toolResults) {
  if (result.dynamic !== true && result.toolName === 'search') check<Same<typeof result.output, string[]>>(true);
}

// The callback of WorkflowAgent (@ai-sdk/workflow 2.0.43): the provider's prompt in, and one out.
interface WorkflowStep {
  model: LanguageModel;
  initialMessages: ModelMessage[];
  stepNumber: number;
  steps: StepResult<typeof tools>[];
  messages: LanguageModelV4Prompt;
}
type WorkflowPrepared = { messages?: LanguageModelV4Prompt; activeTools?: ('weather' | 'search')[] } | undefined;
type WorkflowPrepareStep = (step: WorkflowStep) => WorkflowPrepared | Promise<WorkflowPrepared>;
const inWorkflow: WorkflowPrepareStep[] = [prepareStep, shared, createSession().prepareStep, async (step) => ({ ...(await shared(step)), activeTools: ['search'] })];
// @ts-expect-error What is no list of messages is refused.
await shared({ model, stepNumber: 0, steps: [], messages: ['Hi'] });

// Options, also with undefined where something may be missing, and the summarizer as documented.
declare const maybe: number | undefined;
const options: PrepareStepOptions = {
  contextWindow: maybe,
  trigger: { tokens: 50_000 },
  summarize: async ({ prompt, maxOutputTokens, abortSignal }) => (await generateText({ model: small, prompt, maxOutputTokens, abortSignal })).text,
  onEvent: (event) => {
    if (event.type === 'checkpoint') check<Same<typeof event.content, 'summary' | 'digest'>>(true);
    if (event.type === 'cleared') event.results.map(({ toolName, tokensBefore }) => `${toolName} ${tokensBefore.toFixed()}`);
  },
  abortSignal: new AbortController().signal,
};
createPrepareStep(options);
createPrepareStep({
  summarize: ({ messages: prefix, instruction, abortSignal }) => generateText({ model, messages: [...prefix, { role: 'user', content: instruction }], abortSignal }),
});
createPrepareStep({ summarize: ({ prompt }) => streamText({ model, prompt }) });
createPrepareStep({ summarize: 'agent' });
const write = (request: SummaryRequest): string => request.prompt;
createPrepareStep({ summarize: write });
// @ts-expect-error A name that does not exist.
createPrepareStep({ triger: 0.8 });
// @ts-expect-error A value of another kind.
createPrepareStep({ contextWindow: '8k' });

// What is said of tools, by the type of the user's own: names, inputs and outputs.
createPrepareStep<typeof tools>({
  tools: {
    weather: {
      keep: 'never',
      digest: (input, output) => {
        check<Same<typeof input, { city: string }>>(true);
        check<Same<typeof output, { city: string; celsius: number }>>(true);
        return `${input.city}: ${output.celsius.toFixed()}`;
      },
    },
    search: { effect: 'reads', keep: 'always', digest: ({ query }, [first]) => `${query}: ${first ?? 'nothing'}` },
  },
});
// @ts-expect-error A tool that is not among them.
createPrepareStep<typeof tools>({ tools: { wether: { keep: 'never' } } });
// @ts-expect-error A member that the input does not have.
createSession<typeof tools>({ id: 'chat', store: new Map(), tools: { weather: { digest: (input) => input.country } } });
// @ts-expect-error An account that comes later.
planContext<typeof tools>(messages, { tools: { weather: { digest: async (input) => input.city } } });
// @ts-expect-error How long it is kept is one of three.
createPrepareStep({ tools: { weather: { keep: 'forever' } } });
clearToolResults<typeof tools>(messages, { tools: { search: { digest: (input) => input.query } } });
buildCheckpoint<typeof tools>(messages, { tools: { search: { digest: (input) => input.query } } });
// Without the type anything may be read, and no cast is needed; with types of one's own neither.
createPrepareStep({ tools: { anything: { digest: (input, output) => `${input.url}: ${output.title}` }, weather: { keep: 'always' } } });
createSession({ tools: { weather: { digest: (input: any, output: any) => `${input.city}: ${output.celsius}` } } });
createPrepareStep({ tools: { weather: { digest: (input: { city: string }, output: { celsius: number }) => `${input.city}: ${output.celsius}` } } });
clearToolResults(messages, { tools: { weather: { digest: ({ city }) => city } } });
const rules: ToolRules<typeof tools> = { weather: { digest: ({ city }, { celsius }) => `${city}: ${celsius}` } };
createPrepareStep({ tools: rules });
createPrepareStep<typeof tools>({ tools: rules });
const dynamic: ToolRules = Object.fromEntries(['a', 'b'].map((name) => [name, { keep: 'never' as const }]));
createPrepareStep({ tools: dynamic });
const typed: PrepareStepOptions<typeof tools> = { tools: rules };
createPrepareStep(typed);

/** Every kind of event can be told apart. */
export function describe(event: StepfoldEvent): string {
  switch (event.type) {
    case 'measured': return `${event.tokens}`;
    case 'unknown-model': return event.modelId;
    case 'usage-not-reported': return `${event.assumedTokens} ${event.contextWindow}`;
    case 'overflow': return `${event.tokens} ${event.contextWindow} ${event.reported}`;
    case 'image-limit': return `${event.maxImages} ${event.maxImageBytes} ${event.reported}`;
    case 'truncated-by-provider': return `${event.reportedTokens} ${event.expectedTokens} ${event.contextWindow}`;
    case 'capped': return `${event.results.length}`;
    case 'cleared': return `${event.tokensAfter}`;
    case 'compact-requested': return event.focus;
    case 'pinned': return `${event.toolName} ${event.toolCallId} ${event.tokens}`;
    case 'pins-released': return event.toolNames.join(' ');
    case 'images-cleared': return `${event.tokensAfter}`;
    case 'summary-usage': return `${event.inputTokens ?? 0}`;
    case 'checkpoint-started': return `${event.messages}`;
    case 'checkpoint': return event.id;
    case 'checkpoint-lost': return `${event.id} ${event.messages}`;
    case 'fallback': return event.reason;
    case 'squeezed': return `${event.folded}`;
    case 'over-budget': return event.reason;
    case 'reasoning-dropped': return `${event.parts} ${event.reason}`;
    case 'no-store':
    case 'binding-refused':
    case 'folded-anew': return event.type;
    case 'stood-down': return event.reason;
    case 'foreign-messages': return event.form;
    case 'state-rejected': return event.reason;
    case 'session-recommended': return event.reason;
    case 'store-failed': return `${event.operation} ${event.reason}`;
    case 'store-conflict': return event.message;
    case 'session-conflict': return event.reason;
    case 'working-state-failed': return event.reason;
    case 'checkpoint-note-failed': return event.reason;
    case 'offloaded': return `${event.files} ${event.bytes}`;
    case 'offload-failed': return event.reason;
    case 'summarizer-rests': return `${event.steps}`;
    case 'delivered':
    case 'left-out':
    case 'unfolded': return `${event.messages}`;
    case 'error': return event.code;
    default: {
      const unknown: never = event;
      return unknown;
    }
  }
}

// A session, with stores as they are.
import { kvStore, redisStore, sqlStore, unstorageStore } from 'stepfold/stores';
import { fileStore } from 'stepfold/file-store';
import { cl100k } from 'stepfold/cl100k';
import { o200k } from 'stepfold/o200k';
import { writeEvents } from 'stepfold/ui';
import { useChat } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import { useContextEvents, useContextWindow } from 'stepfold/react';
import type { ContextEdit, StepfoldCheckpoint, StepfoldDataParts } from 'stepfold/react';
import type { SessionState, SessionStore } from 'stepfold';
declare const kv: { get(key: string): Promise<string | null>; put(key: string, value: string, options?: { expirationTtl?: number }): Promise<void> };
declare const redis: import('ioredis').Redis;
declare const upstash: import('@upstash/redis').Redis;
declare const nodeRedis: import('redis').RedisClientType;
declare const sql: import('postgres').Sql;
declare const pglite: import('@electric-sql/pglite').PGlite;
declare const libsql: import('@libsql/client').Client;
declare const storage: { getItem<T>(key: string): Promise<T | null>; setItem<T>(key: string, value: T, options?: { ttl?: number }): Promise<void> };
const stores: SessionStore[] = [new Map<string, string>(), kvStore(kv, { ttlSeconds: 60 }), redisStore(redis), redisStore(upstash), redisStore(nodeRedis), sqlStore(sql), sqlStore(pglite), sqlStore(libsql), unstorageStore(storage), fileStore('.sessions')];
for (const store of stores) {
  await using session = createSession({ id: 'chat', store, trigger: 0.7 });
  await generateText({ model, tools, messages, prepareStep: session.prepareStep, onStepFinish: session.onStepEnd });
  new Agent({ model, tools, prepareStep: session.prepareStep, onStepFinish: (step) => session.onStepEnd(step.usage) });
  session.enqueue('Shorter, please.');
  session.enqueue({ role: 'user', content: [{ type: 'text', text: 'And in German.' }] });
  check<Same<ReturnType<typeof session.pending>, readonly ModelMessage[]>>(true);
  const snapshot: SessionState = session.state;
  createSession({ state: JSON.stringify(snapshot), resume: 'tail' });
  check<Same<typeof session.status, 'idle' | 'loading' | 'compacting' | 'saving' | 'disposed'>>(true);
}
// @ts-expect-error A store without `set`.
createSession({ id: 'chat', store: { get: () => undefined } });

// Between runs, and the tools that are left.
{
  const session = createSession({ checkpointNote: async () => 'Use readPlan to see the plan.' });
  const { pruned, tokensBefore, tokensAfter } = await session.prune({ messages });
  check<Same<[typeof pruned, typeof tokensBefore, typeof tokensAfter], [boolean, number, number]>>(true);
  const active = mentionedTools(messages, tools);
  check<Same<typeof active, (keyof typeof tools & string)[]>>(true);
  await generateText({ model, tools, messages, activeTools: active });
}

// The helpers take and give the SDK's own messages.
const plan = planContext(messages, { model });
await generateText({ model, messages: plan.messages });
check<Same<typeof plan.messages, ModelMessage[]>>(true);
await generateText({ model, messages: clearToolResults(messages, { keepRecent: { tokens: 1_000 } }).messages });
const { checkpoint } = buildCheckpoint(messages);
check<Same<ReturnType<typeof clearToolResults>, EditedMessages>>(true);
check<Same<ReturnType<typeof buildCheckpoint>, EditedMessages>>(true);
check<Same<typeof checkpoint, ModelMessage | undefined>>(true);
const frozen: readonly ModelMessage[] = messages;
const count: number = estimateTokens(frozen, { model: 'gpt-5' }) + tokenBreakdown(frozen, { reportedTokens: 10 }).tokens;
// Exact tokenizers, and one of the user's own.
const counters: Tokenizer[] = [o200k(), cl100k(), { count: (given) => given.length }, new (class { count(given: string): number { return given.length; } })()];
for (const tokenizer of counters) createPrepareStep({ tokenizer });
// @ts-expect-error A tokenizer that answers later.
createPrepareStep({ tokenizer: { count: async (given: string) => given.length } });

// Events in a UI message stream.
createUIMessageStream({ execute: ({ writer }) => void createSession({ onEvent: writeEvents(writer, { labels: { checkpoint: 'Done.' } }) }) });
const texts: string[] = frozen.map(extractText);
const paths: string[] = validateMessages(frozen).map(({ path }) => path);
const window: number = modelLimits('gpt-5').contextWindow;
try {
  createPrepareStep(options);
} catch (error) {
  if (StepfoldError.isInstance(error)) check<Same<typeof error.code, 'invalid-option' | 'unknown-option' | 'invalid-message' | 'engine-failed'>>(true);
  if (isContextOverflow(error)) throw error;
}
export const used = { count, texts, paths, window, inWorkflow };

// Data parts of a typed chat: written on the server, read in a component.
type ChatMessage = UIMessage<{ createdAt: number }, StepfoldDataParts & { weather: { celsius: number } }>;
createUIMessageStream<ChatMessage>({
  execute: ({ writer }) => {
    createSession({ onEvent: writeEvents(writer) });
    createSession({ onEvent: writeEvents(writer, { labels: { checkpoint: 'Folded.' }, keepCheckpoints: true }) });
    writer.write({ type: 'data-weather', id: 'w', data: { celsius: 21 } });
  },
});
createUIMessageStream<UIMessage<never, { stepfold: StepfoldDataParts['stepfold'] }>>({
  execute: ({ writer }) => {
    createSession({ onEvent: writeEvents(writer) });
    // @ts-expect-error Messages that keep checkpoints have a type for them.
    writeEvents(writer, { keepCheckpoints: true });
  },
});
export function Chat(): ContextEdit[] {
  const events = useContextEvents({ id: 'chat', past: [] });
  const chat = useChat<ChatMessage>({ onData: events.onData });
  useChat<ChatMessage>({
    onData: (part) => {
      events.onData(part);
      if (part.type === 'data-weather') check<Same<typeof part.data, { celsius: number }>>(true);
    },
  });
  useChat({ onData: events.onData });
  for (const part of chat.messages.flatMap(({ parts }) => parts)) if (part.type === 'data-stepfold-checkpoint') check<Same<typeof part.data, StepfoldCheckpoint>>(true);
  const { status, tokens, edits } = useContextWindow(chat, events);
  check<Same<typeof status, 'no-events' | 'idle' | 'running'>>(true);
  check<Same<typeof tokens, number | undefined>>(true);
  return [...edits, ...useContextWindow(chat).edits, ...useContextWindow(chat.messages).edits];
}
