// The models: real ones when there is a key, else scripted ones which need none.

import type { LanguageModel } from 'ai';
import { scriptedAgent, scriptedSummarizer } from './scripted-models';

interface Models {
  readonly model: LanguageModel;
  /** Writes the summaries. */
  readonly smallModel: LanguageModel;
  /** Given for the scripted model only: for real ones, stepfold knows the window by the model id. */
  readonly contextWindow?: number;
}

/** With AI_GATEWAY_API_KEY the models of MODEL and SMALL_MODEL, through the AI Gateway. CONTEXT_WINDOW makes the window smaller. */
export function chooseModels(): Models {
  const { AI_GATEWAY_API_KEY, MODEL, SMALL_MODEL, CONTEXT_WINDOW } = process.env;
  if (AI_GATEWAY_API_KEY === undefined) return { model: scriptedAgent, smallModel: scriptedSummarizer, contextWindow: scriptedAgent.contextWindow };
  return {
    model: MODEL ?? 'anthropic/claude-sonnet-4.5',
    smallModel: SMALL_MODEL ?? 'anthropic/claude-haiku-4.5',
    ...(CONTEXT_WINDOW === undefined ? {} : { contextWindow: Number(CONTEXT_WINDOW) }),
  };
}
