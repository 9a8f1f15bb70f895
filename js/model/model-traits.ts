// What models turned out to be, beside what their ids say (a smaller window, bound thoughts): what one run learns holds for all runs of a
// `prepareStep`, so that it costs one refused call and not one a conversation. Keeps and hands over; how long it is believed is for the engine.

import type { ModelTraits } from '../bridge/boundary.js';
import type { ModelIdentity } from './models.js';

/** Models of which something is kept. */
const MODELS = 64;

/** What runs have learnt of models. */
export interface LearntTraits {
  of(model: ModelIdentity): ModelTraits | undefined;
  /** Takes what a run believes now: also that it believes nothing any more. */
  learn(model: ModelIdentity, traits: ModelTraits | undefined): void;
}

export function createLearntTraits(): LearntTraits {
  const traitsByModel = new Map<string, ModelTraits>();
  const nameOf = ({ provider, modelId }: ModelIdentity): string => `${provider} ${modelId}`;
  return {
    of: (model) => traitsByModel.get(nameOf(model)),
    learn(model, traits) {
      if (traits === undefined && traitsByModel.size === 0) return;
      const name = nameOf(model);
      traitsByModel.delete(name);
      if (traits === undefined) return;
      traitsByModel.set(name, traits);
      // The one that was learnt of longest ago is first.
      for (const oldest of traitsByModel.keys()) if (traitsByModel.size > MODELS) traitsByModel.delete(oldest);
    },
  };
}
