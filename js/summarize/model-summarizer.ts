// A model as summarizer, and the agent's own: called through the provider interface of ai 5, 6 or 7 itself, so that stepfold needs no package for
// it, and nothing executes what a model calls. Carries prompt and text; what to make of the text is for the engine to say.

import type { ModelMessage } from 'ai';
import { askEngine } from '../bridge/engine.js';
import { measure } from '../bridge/messages.js';
import { StepfoldError } from '../errors.js';
import type { Agent, AgentCall, CallOptions } from './agent-calls.js';
import type { SummarizerModel } from './summarizer-model.js';

/** The call. */
interface Question {
  readonly prompt: string;
  readonly instruction: string;
  readonly maxOutputTokens: number;
  readonly abortSignal: AbortSignal;
}

/** A reply, and what it cost. */
export interface Reply {
  readonly text: unknown;
  /** What is read of the reply: usage, and whose it is. Undefined where nothing is known. */
  readonly step?: unknown;
  readonly modelId?: string;
  readonly provider?: string;
  /** Why the text is no summary. */
  readonly fault?: string | undefined;
}

/** As in the three versions of the interface: the reason is a word in v2, an object in v3 and v4. */
interface Generated {
  readonly content?: readonly { readonly type?: string; readonly text?: string; readonly toolName?: string }[];
  readonly finishReason?: string | { readonly unified?: string };
  readonly usage?: unknown;
  readonly providerMetadata?: unknown;
}

/** Replies that are no whole text. */
const BROKEN = ['length', 'content-filter', 'error'];

/** The summarizer that is the agent's own model. */
export const AGENT = 'agent';

/** Asks a model, or the one of an id, for a summary. */
export async function askModel(given: SummarizerModel | string, question: Question): Promise<Reply> {
  const model = typeof given === 'string' ? modelOf(given) : given;
  const { prompt, maxOutputTokens, abortSignal } = question;
  return reply(model, { prompt: [message(prompt)], maxOutputTokens, abortSignal });
}

/** The agent's last call, where a summary may be requested with it: not where it is not known, or the provider would run tools by itself. */
export function callToExtend({ lastCall }: Agent): AgentCall | undefined {
  const last = lastCall();
  return last === undefined || runsTools(last.call) ? undefined : last;
}

/** Asks with the agent's last call and the instruction behind it, so that the provider's prompt cache matches. */
export async function askAgain({ model, call: last }: AgentCall, { instruction, abortSignal }: Question): Promise<Reply> {
  const { stopSequences: _any, ...call } = last as CallOptions & { readonly stopSequences?: unknown };
  // A forced call or an object cannot be a summary.
  const toolChoice = ['required', 'tool'].includes(call.toolChoice?.type ?? '') ? { type: 'auto' } : call.toolChoice;
  const responseFormat = call.responseFormat?.type === 'json' ? { type: 'text' } : call.responseFormat;
  return reply(model, { ...call, toolChoice, responseFormat, prompt: [...call.prompt, ...bridgeBehind(call.prompt), message(instruction)], abortSignal });
}

/** Asks the agent's model like any other. */
export async function askAgentModel({ lastCall, model }: Agent, question: Question): Promise<Reply> {
  const given = lastCall()?.model ?? model;
  if (typeof given === 'string' || typeof (given as Partial<SummarizerModel> | undefined)?.doGenerate === 'function') return askModel(given as SummarizerModel | string, question);
  throw new Error("`summarize: 'agent'` has seen no call of the agent's model; give it as `model: session.model(model)`");
}

const message = (text: string, role = 'user'): ModelMessage => ({ role, content: [{ type: 'text', text }] }) as ModelMessage;

/** What has to stand between these messages and one of the user, as some models refuse two of the user in a row. */
export function bridgeBehind(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const text = askEngine('bridge', { entries: measure(messages.slice(-1)) });
  return text === '' ? [] : [message(text, 'assistant')];
}

/** Whether the provider may run tools itself: nobody here could prevent it. */
function runsTools({ tools = [], providerOptions = {} }: CallOptions): boolean {
  const toolIds = tools.filter(({ type }) => type !== 'function').map(({ id }) => id ?? '');
  const optionNames = Object.values(providerOptions).flatMap((options) => Object.keys(options ?? {}));
  return askEngine('runsTools', { toolIds, optionNames });
}

async function reply(model: SummarizerModel, options: { readonly abortSignal: AbortSignal } & Readonly<Record<string, unknown>>): Promise<Reply> {
  const { content = [], finishReason, usage, providerMetadata } = await withRetry(model, options);
  const { modelId, provider } = model;
  const reason = typeof finishReason === 'object' ? finishReason.unified : finishReason;
  const call = content.find(({ type }) => type === 'tool-call');
  const text = content.map((part) => (part.type === 'text' && typeof part.text === 'string' ? part.text : '')).join('');
  return { text, step: { usage, providerMetadata }, modelId, provider, fault: faultOf(`the model \`${modelId}\``, reason, call?.toolName) };
}

function faultOf(who: string, reason: unknown, called: string | undefined): string | undefined {
  if (called !== undefined) return `${who} answered with a call of \`${called}\`, which was not executed`;
  return typeof reason === 'string' && BROKEN.includes(reason) ? `${who} finished with "${reason}"` : undefined;
}

/** What a function of the user's returned: a text, or what `generateText` or `streamText` made. */
export async function readReply(value: unknown): Promise<Reply> {
  if (typeof value !== 'object' || value === null || !('text' in value && 'usage' in value)) return { text: value };
  const fields = value as { readonly [Field in 'text' | 'usage' | 'providerMetadata' | 'finishReason' | 'toolCalls' | 'response']?: unknown };
  const [text, usage, providerMetadata, reason, calls, response] = await Promise.all([fields.text, fields.usage, fields.providerMetadata, fields.finishReason, fields.toolCalls, fields.response]);
  const call = Array.isArray(calls) ? (calls[0] as { readonly toolName?: string } | undefined) : undefined;
  const modelId = (response as { readonly modelId?: unknown } | undefined)?.modelId;
  return { text, step: { usage, providerMetadata }, modelId: typeof modelId === 'string' ? modelId : '', fault: faultOf('the model', reason, call && (call.toolName ?? 'a tool')) };
}

/** Once more where the provider's package says that this may help. */
async function withRetry(model: SummarizerModel, options: { readonly abortSignal: AbortSignal }): Promise<Generated> {
  const generate = async (): Promise<Generated> => (await model.doGenerate(options as never)) as Generated;
  try {
    return await generate();
  } catch (error) {
    if ((error as { isRetryable?: unknown } | null)?.isRetryable !== true || options.abortSignal.aborted) throw error;
    return generate();
  }
}

/**
 * Finds the model of an id, so that an id without a model is an error at once.
 *
 * @throws StepfoldError when there is no provider that resolves ids.
 */
export function checkSummarizer(summarize: unknown): void {
  if (typeof summarize === 'string' && summarize !== AGENT) modelOf(summarize);
}

/** The model of an id, by the provider that the AI SDK resolves ids with where the app has set one. */
function modelOf(id: string): SummarizerModel {
  const provider = (globalThis as { AI_SDK_DEFAULT_PROVIDER?: { languageModel?: (id: string) => unknown } }).AI_SDK_DEFAULT_PROVIDER;
  const model = provider?.languageModel?.(id) as SummarizerModel | undefined;
  if (typeof model?.doGenerate === 'function') return model;
  const message = `\`summarize\` is the id "${id.slice(0, 60)}", and no \`AI_SDK_DEFAULT_PROVIDER\` resolves it; give the model itself, such as \`gateway('${id.slice(0, 60)}')\``;
  throw new StepfoldError({ code: 'invalid-option', message });
}
