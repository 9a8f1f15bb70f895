// What the engine knows of a user's options and of a model. Checks and carries; decides nothing.

import { callEngine } from './engine.js';
import type { BudgetOptions } from './options.js';
import type { EngineTokenizer } from './tokenizer.js';
import { checkTokenizer, engineTokenizer } from './tokenizer.js';

/** A model as the engine is told of it. */
export interface ModelIdentity {
  readonly modelId: string;
  readonly provider: string;
}

/** Reads a model, or its id. */
export function identify(model: unknown): ModelIdentity {
  const { modelId = model, provider = '' } = (typeof model === 'object' && model !== null ? model : {}) as Record<string, unknown>;
  return { modelId: text(modelId), provider: text(provider) };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** How messages are counted: models differ in what an image costs, tokenizers in what a text does. */
export interface Counting {
  /** Tells this way from others. */
  readonly key: string;
  /** The engine's name for how the model counts media. */
  readonly media: number;
  readonly tokenizer: EngineTokenizer | undefined;
}

/** Options that were checked. */
export interface CheckedOptions {
  /** As the engine reads them again. */
  readonly packed: Uint8Array;
  readonly countingOf: (model: ModelIdentity) => Counting;
}

/** Models whose way of counting is kept. */
const MODELS = 64;

/**
 * Lets the engine check options.
 *
 * @throws StepfoldError when an option is unknown, out of range or contradicts another.
 */
export function checkOptions(options: Pick<BudgetOptions, 'tokenizer'>): CheckedOptions {
  if (options?.tokenizer !== undefined) checkTokenizer(options.tokenizer);
  const packed = callEngine((engine) => engine.checkOptions(options));
  const tokenizer = options?.tokenizer === undefined ? undefined : engineTokenizer(options.tokenizer);
  const known = new Map<string, Counting>();
  return {
    packed,
    countingOf({ modelId, provider }) {
      const model = `${provider} ${modelId}`;
      let counting = known.get(model);
      if (counting === undefined) {
        const media = callEngine((engine) => engine.countingOf(packed, modelId, provider));
        counting = { key: `${tokenizer?.id ?? 0} ${media}`, media, tokenizer };
        if (known.size >= MODELS) known.clear();
        known.set(model, counting);
      }
      return counting;
    },
  };
}
