// What the engine knows of a user's options and of a model. Checks and carries; decides nothing.

import { askEngine, callEngine } from '../bridge/engine.js';
import type { BudgetOptions } from '../options.js';
import type { Redactor } from '../tools/redact.js';
import { engineRedactor } from '../tools/redact.js';
import { writeJson } from '../bridge/json-text.js';
import type { EngineTokenizer } from '../count/tokenizer.js';
import { checkTokenizer, engineTokenizer } from '../count/tokenizer.js';

/** A model by its names, all that the engine needs. */
export interface ModelIdentity {
  readonly modelId: string;
  readonly provider: string;
  /** The form of its interface: `v2` is that of ai 5, `multipart` one of ai 7 that was told to hand over pictures in results. */
  readonly specification?: string;
}

/** Reads a model, or its id. */
export function identify(model: unknown): ModelIdentity {
  const { modelId = model, provider = '', specificationVersion, config } = (typeof model === 'object' && model !== null ? model : {}) as Record<string, unknown>;
  const showsPictures = (config as { supportsMultiPartToolContent?: unknown } | undefined)?.supportsMultiPartToolContent === true;
  return { modelId: text(modelId), provider: text(provider), specification: showsPictures ? 'multipart' : text(specificationVersion) };
}

/** The model behind each that `model(…)` has made. */
export const originals = new WeakMap<object, unknown>();

/** The model itself, without what `model(…)` has put around it. */
export const originalOf = (model: unknown): unknown => originals.get(model as object) ?? model;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** How messages are counted: models differ in what an image costs, tokenizers in what a text does. */
export interface Counting {
  /** Distinguishes this way of counting from others. */
  readonly key: string;
  /** The engine's name for how the model counts media. */
  readonly media: number;
  readonly tokenizer: EngineTokenizer | undefined;
}

/** What a step of one model is made with. */
export interface ModelSettings {
  /** As the engine reads them again. */
  readonly settings: Uint8Array;
  readonly counting: Counting;
  /** Whose rules keep secrets out of texts. */
  readonly redactor: Redactor;
}

/** Finds what goes with a model. */
export type SettingsFor = (model: ModelIdentity) => ModelSettings;

/** Models whose settings are kept. */
const MODELS = 64;

/**
 * Lets the engine check options.
 *
 * @throws StepfoldError when an option is unknown, out of range or contradicts another.
 */
export function checkOptions(options: Pick<BudgetOptions, 'tokenizer' | 'redact'>): SettingsFor {
  if (options?.tokenizer !== undefined) checkTokenizer(options.tokenizer);
  const packed = callEngine((engine) => engine.checkOptions(options));
  const tokenizer = options?.tokenizer === undefined ? undefined : engineTokenizer(options.tokenizer);
  const redactor = engineRedactor(options?.redact);
  const settingsByModel = new Map<string, ModelSettings>();
  return ({ modelId, provider, specification = '' }) => {
    const model = `${provider} ${specification} ${modelId}`;
    const found = settingsByModel.get(model);
    if (found !== undefined) return found;
    const { settings, media } = askEngine('settingsFor', { options: packed, modelId, provider, specification });
    const made = { settings, counting: { key: `${tokenizer?.id ?? 0} ${media}`, media, tokenizer }, redactor };
    if (settingsByModel.size >= MODELS) settingsByModel.clear();
    settingsByModel.set(model, made);
    return made;
  };
}

/** What provider options ask the provider to do with the history, as the engine says it. */
export const askedBy = (options: unknown): number => askEngine('asks', { options: writeJson(options).text });
