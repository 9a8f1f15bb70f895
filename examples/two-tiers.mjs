// Two tiers: from 80,000 tokens on older turns become a digest, made without a model and in no time; a summarizer is asked only
// when 120,000 are left after old results were cleared, which a run with small messages never does.

import { generateText } from 'ai';
import { createPrepareStep } from 'stepfold';

/** @param {{ smallModel: any, onEvent?: (event: import('stepfold').StepfoldEvent) => void }} app */
export function createTwoTiers({ smallModel, onEvent }) {
  return createPrepareStep({
    // Tokens of messages; of the window 200,000 less reserve and overhead are left.
    contextWindow: 200_000,
    trigger: { tokens: 80_000 },
    target: { tokens: 40_000 },
    summarizeAt: { tokens: 120_000 },
    summarize: async ({ prompt, maxOutputTokens, abortSignal }) =>
      (await generateText({ model: smallModel, prompt, maxOutputTokens, abortSignal })).text,
    onEvent,
  });
}
