// A model as summarizer: called through the provider interface of ai 5, 6 or 7 itself, so that stepfold needs no package for it.
// Carries prompt and text; what to make of the text is for the engine to say.

import { StepfoldError } from '../errors.js';

/** A language model as the providers' packages make it, as far as it is used here. */
export interface SummarizerModel {
  readonly specificationVersion: string;
  readonly modelId: string;
  readonly provider: string;
  doGenerate(options: never): PromiseLike<unknown>;
}

/** The call. */
interface Question {
  readonly prompt: string;
  readonly maxOutputTokens: number;
  readonly abortSignal: AbortSignal;
}

/** As in the three versions of the interface: the reason is a word in v2, an object in v3 and v4. */
interface Generated {
  readonly content?: readonly { readonly type?: string; readonly text?: string }[];
  readonly finishReason?: string | { readonly unified?: string };
}

/** Replies that are no whole text. */
const BROKEN = ['length', 'content-filter', 'error'];

/** Asks a model, or the one of an id, for a summary. */
export async function askModel(given: SummarizerModel | string, question: Question): Promise<string> {
  const model = typeof given === 'string' ? modelOf(given) : given;
  const { content = [], finishReason } = await withRetry(model, question);
  const reason = typeof finishReason === 'object' ? finishReason.unified : finishReason;
  if (reason !== undefined && BROKEN.includes(reason)) throw new Error(`the model \`${model.modelId}\` finished with "${reason}"`);
  return content.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');
}

/** Once more where the provider's package says that this may help. */
async function withRetry(model: SummarizerModel, { prompt, maxOutputTokens, abortSignal }: Question): Promise<Generated> {
  const options = { prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }], maxOutputTokens, abortSignal };
  const generate = async (): Promise<Generated> => (await model.doGenerate(options as never)) as Generated;
  try {
    return await generate();
  } catch (error) {
    if ((error as { isRetryable?: unknown } | null)?.isRetryable !== true || abortSignal.aborted) throw error;
    return generate();
  }
}

/**
 * Finds the model of an id, so that an id without a model is an error at once.
 *
 * @throws StepfoldError when there is no provider that resolves ids.
 */
export function checkSummarizer(summarize: unknown): void {
  if (typeof summarize === 'string') modelOf(summarize);
}

/** The model of an id, by the provider that the AI SDK resolves ids with where the app has set one. */
function modelOf(id: string): SummarizerModel {
  const provider = (globalThis as { AI_SDK_DEFAULT_PROVIDER?: { languageModel?: (id: string) => unknown } }).AI_SDK_DEFAULT_PROVIDER;
  const model = provider?.languageModel?.(id) as SummarizerModel | undefined;
  if (typeof model?.doGenerate === 'function') return model;
  const message = `\`summarize\` is the id "${id.slice(0, 60)}", and no \`AI_SDK_DEFAULT_PROVIDER\` resolves it; give the model itself, such as \`gateway('${id.slice(0, 60)}')\``;
  throw new StepfoldError({ code: 'invalid-option', message });
}
