// `model(…)`: a language model of ai 5, 6 or 7 whose refused calls are recovered: planned again and made once more. Carries calls and streams; whether an
// error is a refusal is for the engine to say, what is sent instead for `recover.ts`. All else of the model, and of its answers, passes untouched.

import type { LanguageModel } from 'ai';
import type { Refusal } from '../bridge/boundary.js';
import { askEngine } from '../bridge/engine.js';
import { StepfoldError, messageOf } from '../errors.js';
import { createEmit } from '../observe/emit.js';
import { sourceOf } from '../observe/source.js';
import { writeJson } from '../bridge/json-text.js';
import type { AgentCall } from '../summarize/agent-calls.js';
import { AGENT } from '../summarize/model-summarizer.js';
import type { RecoveryContext, Prompt } from './recover.js';
import { learnCall, learnFullWindow, learnRefusedBinding, recover } from './recover.js';
import { askedBy, originalOf, originals } from './models.js';
import { refusalIn } from './overflow.js';

/** Takes a model, or its id where the app has set `AI_SDK_DEFAULT_PROVIDER`, and returns the same model with overflow recovered. */
export type Recover = <Model extends object | string>(model: Model) => Model extends string ? Exclude<LanguageModel, string> : Model;

/** The options of a call, as far as they are read. */
interface Call {
  readonly prompt: Prompt;
  readonly tools?: unknown;
  readonly maxOutputTokens?: unknown;
  readonly abortSignal?: AbortSignal | undefined;
  readonly providerOptions?: { readonly anthropic?: { readonly thinking?: { readonly blockBinding?: { readonly prefixMismatchBehavior?: unknown } } } };
}

/** What a model answers, as far as it is read. */
interface Answer {
  readonly usage?: unknown;
  readonly finishReason?: unknown;
  readonly providerMetadata?: unknown;
  readonly response?: { readonly body?: { readonly stop_reason?: unknown } };
}

type Part = Answer & { readonly type: string; readonly error?: unknown };

interface Streamed {
  readonly stream: ReadableStream<Part>;
}

/** A language model, as far as it is used. */
interface Model {
  doGenerate(call: Call): PromiseLike<Answer>;
  doStream(call: Call): PromiseLike<Streamed>;
}

/** Errors that nothing more can be done about: another model of ours around this one lets them pass. */
const settled = new WeakSet<object>();

/** Makes `model(…)` for the runs of a `prepareStep` or a session. */
export function recoverWith(context: RecoveryContext): Recover {
  const made = new WeakMap<Model, Model>();
  return ((given: unknown) => {
    const model = checked(given);
    let recovering = made.get(model);
    if (recovering === undefined) {
      made.set(model, (recovering = recoveringModel(model, context)));
      originals.set(recovering, model);
    }
    return recovering;
  }) as Recover;
}

/** The model that is meant, without what this file has put around it before. */
function checked(given: unknown): Model {
  const model = typeof given === 'string' ? modelOfId(given) : given;
  if (typeof model !== 'object' || model === null) {
    throw new StepfoldError({ code: 'invalid-option', message: `\`model\` is ${model === null ? 'null' : `of type ${typeof model}`}; it must be a language model` });
  }
  const { doGenerate, doStream } = model as Partial<Model>;
  if (typeof doGenerate !== 'function' || typeof doStream !== 'function') {
    throw new StepfoldError({ code: 'invalid-option', message: '`model` has no methods `doGenerate` and `doStream`; it must be a language model, such as `openai("gpt-5")`' });
  }
  return originalOf(model) as Model;
}

/** As the AI SDK finds a model by its id, apart from the gateway it falls back to: that is part of `ai`, which is not loaded here. */
function modelOfId(id: string): unknown {
  const { AI_SDK_DEFAULT_PROVIDER: provider } = globalThis as { readonly AI_SDK_DEFAULT_PROVIDER?: { languageModel?(id: string): unknown } };
  if (provider?.languageModel === undefined) {
    const shown = JSON.stringify(id.slice(0, 60));
    throw new StepfoldError({ code: 'invalid-option', message: `\`model\` is the id ${shown}, and there is no \`globalThis.AI_SDK_DEFAULT_PROVIDER\` to find it; write \`model(gateway(${shown}))\` with \`gateway\` from \`ai\`` });
  }
  return provider.languageModel(id);
}

/** The model itself in all but its two calls. */
function recoveringModel(model: Model, context: RecoveryContext): Model {
  const calls: Model = {
    doGenerate: (call) => generate(model, context, call),
    doStream: (call) => stream(model, context, call),
  };
  return new Proxy(model, {
    get(target, name) {
      if (name === 'doGenerate' || name === 'doStream') return calls[name];
      // On the model, not on the proxy: it may have private fields.
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Whether a call's provider adds a history that it has itself. */
const addsHistory = ({ providerOptions }: Call): boolean => providerOptions !== undefined && askedBy(providerOptions) > 1;

/**
 * Lets the run that makes a call know what it asks its provider to do with the history, how long a reply it asks for, and what system prompt and
 * tools it has: `prepareStep` does not see that. Returns the call to make.
 */
async function noteCall(model: Model, context: RecoveryContext, call: Call): Promise<Call> {
  const { prompt, tools, providerOptions, maxOutputTokens, abortSignal } = call;
  const noted = await unlessItFails(context, async () => {
    const asks = providerOptions === undefined ? 0 : askedBy(providerOptions);
    const request = maxOutputTokens === undefined ? '' : writeJson({ maxOutputTokens, providerOptions }).text;
    return await learnCall(context, { model, prompt, tools, asks, request, abortSignal });
  });
  return noted === undefined ? call : { ...call, prompt: noted };
}

async function generate(model: Model, context: RecoveryContext, given: Call): Promise<Answer> {
  const call = await noteCall(model, context, given);
  const ask = async (call: Call): Promise<Answer> => {
    const answer = await model.doGenerate(call);
    note(model, context, call);
    return answer;
  };
  const answer = await firstOrSecond(ask, context, model, call);
  await ended(context, call.prompt, answer);
  return answer;
}

/** Keeps a call that was answered, where a summary may be requested with the same one. */
function note(model: Model, { options, memory }: RecoveryContext, call: Call): void {
  if (options.summarize === AGENT) memory.calls.note({ model, call } as unknown as AgentCall, memory.unanswered());
}

/** The answer to a call, or to the recovered one when it was refused. */
async function firstOrSecond<Result>(ask: (call: Call) => PromiseLike<Result>, context: RecoveryContext, model: Model, call: Call): Promise<Result> {
  try {
    return await ask(call);
  } catch (error) {
    const second = await secondAnswer(ask, context, model, call, error);
    if (second === undefined) throw error;
    return second.answer;
  }
}

/** The answer to the recovered call; undefined when the first error holds. Throws when the call is aborted meanwhile. Of two refusals in a row each is recovered once. */
async function secondAnswer<Result>(
  ask: (call: Call) => PromiseLike<Result>,
  context: RecoveryContext,
  model: Model,
  call: Call,
  error: unknown,
): Promise<{ readonly answer: Result } | undefined> {
  const { prompt, abortSignal } = call;
  const first = refusalOf(error);
  if (first === undefined) return undefined;
  const refusals = [first];
  let taken = call;
  if (first === 'binding') {
    const without = withoutBinding(call);
    if (without === undefined) return undefined;
    try {
      const answer = await ask(without);
      await unlessItFails(context, () => learnRefusedBinding(context, prompt));
      return { answer };
    } catch (second) {
      if (abortSignal?.aborted === true) throw second;
      taken = without;
      refusals.push(...[refusalOf(second)].filter((refusal) => refusal !== undefined));
    }
  }
  const recovered = isRecoverable(refusals.at(-1)!, taken) ? await unlessItFails(context, () => recover(context, { model, prompt, refusals, abortSignal })) : undefined;
  abortSignal?.throwIfAborted();
  if (recovered !== undefined) {
    try {
      const answer = await ask({ ...taken, prompt: recovered.prompt });
      await unlessItFails(context, recovered.taken);
      return { answer };
    } catch (second) {
      if (abortSignal?.aborted === true) throw second;
      await unlessItFails(context, recovered.refused);
    }
  }
  if (typeof error === 'object' && error !== null) settled.add(error);
  return undefined;
}

/** Whether another prompt may be taken. Who asks for errors about thoughts gets them; a history that lies with the provider cannot be folded here. */
function isRecoverable(refusal: Refusal, call: Call): boolean {
  const { providerOptions } = call;
  return refusal !== 'binding' && !addsHistory(call) && !(refusal === 'thoughts' && providerOptions?.anthropic?.thinking?.blockBinding?.prefixMismatchBehavior === 'error');
}

/** The call without `blockBinding`; undefined where it has none. */
function withoutBinding(call: Call): Call | undefined {
  const { anthropic, ...others } = call.providerOptions ?? {};
  const { thinking, ...options } = anthropic ?? {};
  const { blockBinding, ...rest } = thinking ?? {};
  if (blockBinding === undefined) return undefined;
  const kept = Object.keys(rest).length === 0 ? {} : { thinking: rest };
  return { ...call, providerOptions: { ...others, anthropic: { ...options, ...kept } } };
}

function refusalOf(error: unknown): Refusal | undefined {
  if (typeof error === 'object' && error !== null && settled.has(error)) return undefined;
  try {
    return refusalIn(error);
  } catch {
    // The engine cannot be loaded here.
    return undefined;
  }
}

/** What fails in stepfold leaves the call as it would have been without. */
async function unlessItFails<Result>({ options, conversation }: RecoveryContext, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (cause) {
    createEmit(options, sourceOf(work, 0, conversation?.id))({ type: 'error', code: StepfoldError.isInstance(cause) ? cause.code : 'unexpected', message: messageOf(cause) });
    return undefined;
  }
}

/** Learns from how an answer ended. */
async function ended(context: RecoveryContext, prompt: Prompt, { usage, finishReason, providerMetadata, response }: Answer): Promise<void> {
  await unlessItFails(context, async () => {
    const { text } = writeJson({ usage, finishReason, providerMetadata, response: { body: { stop_reason: response?.body?.stop_reason } } });
    if (askEngine('fillsWindow', { step: text })) await learnFullWindow(context, prompt, text);
  });
}

/** What providers send before any content. */
const PREFACE = new Set(['stream-start', 'response-metadata', 'raw']);

/** A stream whose beginning was read: up to the first part that is content, or an error. */
interface Begun<Result> {
  readonly result: Result;
  readonly reader: ReadableStreamDefaultReader<Part>;
  readonly parts: Part[];
  readonly isDone: boolean;
}

/** Reads what stands before the content, and the first of that. */
async function begin<Result>(result: Result, reader: Begun<Result>['reader']): Promise<Begun<Result>> {
  const parts: Part[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { result, reader, parts, isDone: true };
    parts.push(value);
    if (!PREFACE.has(value.type)) return { result, reader, parts, isDone: false };
  }
}

/** Asks for a stream and reads its beginning. Throws what it holds in place of content. */
async function beginStream(model: Model, context: RecoveryContext, call: Call): Promise<Begun<Streamed>> {
  const result = await model.doStream(call);
  const begun = await begin(result, result.stream.getReader());
  const last = begun.parts.at(-1);
  if (last?.type !== 'error') {
    note(model, context, call);
    return begun;
  }
  void begun.reader.cancel().catch(() => undefined);
  throw last.error;
}

async function stream(model: Model, context: RecoveryContext, given: Call): Promise<Streamed> {
  const call = await noteCall(model, context, given);
  const again = (error: unknown): Promise<{ readonly answer: Begun<Streamed> } | undefined> =>
    secondAnswer((recovered) => beginStream(model, context, recovered), context, model, call, error);
  const onEnd = (part: Part): Promise<void> => ended(context, call.prompt, part);
  let first: Streamed;
  try {
    first = await model.doStream(call);
  } catch (error) {
    const second = await again(error);
    if (second === undefined) throw error;
    const { answer } = second;
    return { ...answer.result, stream: carried(async () => answer, onEnd) };
  }
  const reader = first.stream.getReader();
  const start = async (): Promise<Begun<unknown>> => {
    let begun: Begun<unknown>;
    try {
      begun = await begin(undefined, reader);
    } catch (error) {
      const second = await again(error);
      if (second === undefined) throw error;
      return second.answer;
    }
    const last = begun.parts.at(-1);
    const second = last?.type === 'error' ? await again(last.error) : undefined;
    if (second === undefined) {
      if (last?.type !== 'error') note(model, context, call);
      return begun;
    }
    void begun.reader.cancel().catch(() => undefined);
    return second.answer;
  };
  return { ...first, stream: carried(start, onEnd, reader) };
}

/** The parts of a stream, from its beginning on. Nothing is read before it is asked for. */
function carried(start: () => Promise<Begun<unknown>>, onEnd: (part: Part) => Promise<void>, first?: Begun<unknown>['reader']): ReadableStream<Part> {
  let begun: Begun<unknown> | undefined;
  let isCancelled = false;
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        const send = async (part: Part): Promise<void> => {
          if (part.type === 'finish') await onEnd(part);
          if (!isCancelled) controller.enqueue(part);
        };
        if (begun === undefined) {
          begun = await start();
          if (isCancelled) return void begun.reader.cancel().catch(() => undefined);
          for (const part of begun.parts) await send(part);
          if (begun.isDone) controller.close();
          if (begun.isDone || begun.parts.length > 0) return;
        }
        const { done, value } = await begun.reader.read();
        if (!done) await send(value);
        else if (!isCancelled) controller.close();
      },
      async cancel(reason) {
        isCancelled = true;
        await (begun?.reader ?? first)?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
