// Windows that turned out smaller than believed, by model: what one run learns holds for all runs of a `prepareStep`, so that a wrong
// window costs one refused call and not one a conversation. Keeps and hands over; for how long it is believed is for the engine to say.

import type { Limit, RunState } from './boundary.js';
import { callEngine } from './engine.js';
import type { ModelIdentity } from './models.js';

/** Models of which a limit is kept. */
const MODELS = 64;

/** What is known of the windows of models. */
export interface LearntLimits {
  of(model: ModelIdentity): Limit | undefined;
  /** Takes what the run of a state believes now: also that it believes none any more. */
  learn(model: ModelIdentity, state: RunState): void;
}

export function createLearntLimits(): LearntLimits {
  const limits = new Map<string, Limit>();
  const nameOf = ({ provider, modelId }: ModelIdentity): string => `${provider} ${modelId}`;
  return {
    of: (model) => limits.get(nameOf(model)),
    learn(model, state) {
      const name = nameOf(model);
      const limit = callEngine((engine) => engine.limitOf(state)) as Limit | undefined;
      limits.delete(name);
      if (limit === undefined) return;
      limits.set(name, limit);
      // The one that was learnt of longest ago is first.
      for (const oldest of limits.keys()) if (limits.size > MODELS) limits.delete(oldest);
    },
  };
}
