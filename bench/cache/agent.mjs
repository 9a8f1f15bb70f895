// A long agent run before the fake Anthropic, through the real `ai` and `@ai-sdk/anthropic` of one major: reads files, step after step.
// Everything is a function of the step. Measures nothing.

import * as ai5 from 'ai-v5';
import * as ai6 from 'ai-v6';
import * as ai7 from 'ai-v7';
import { createAnthropic as anthropic5 } from 'anthropic-v5';
import { createAnthropic as anthropic6 } from 'anthropic-v6';
import { createAnthropic as anthropic7 } from 'anthropic-v7';
import { createProvider } from './provider.mjs';

const packages = { 5: [ai5, anthropic5], 6: [ai6, anthropic6], 7: [ai7, anthropic7] };
globalThis.AI_SDK_LOG_WARNINGS = false;

const WORDS = 'parser token buffer cursor window branch commit folder handler request answer editor server client error value'.split(' ');

/** Text of about so many tokens, another one for each step. */
function words(tokens, seed) {
  let state = seed * 7919 + 17;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return WORDS[(state >>> 16) % WORDS.length];
  };
  return Array.from({ length: Math.ceil(tokens * 0.52) }, next).join(' ');
}

/**
 * @param {{ major: 5 | 6 | 7, steps: number, prepareStep?: any, options?: any, messages?: any[], secondsPerStep?: number, resultTokens?: number, systemTokens?: number,
 *   modelId?: string, callsPerStep?: number, baseURL?: string, otherTools?: any, wrap?: (model: any) => any }} run
 */
export async function runAgent({ major, steps, prepareStep, options = {}, messages, secondsPerStep = 20, resultTokens = 1_250, systemTokens = 7_500, modelId = 'claude-sonnet-4-5', callsPerStep = 1, baseURL, otherTools = {}, wrap = (model) => model }) {
  const [ai, createAnthropic] = packages[major];
  const provider = createProvider({
    answer: (step) => {
      provider.wait(secondsPerStep);
      if (step === steps - 1) return { text: 'All handlers are fixed.' };
      const calls = Array.from({ length: callsPerStep }, (_, call) => ({ id: `toolu_${step}_${call}`, name: 'read', input: { path: `src/module-${step}-${call}.ts`, step } }));
      return { text: `Step ${step}: the next module.`, calls };
    },
  });
  const read = ai.tool({
    description: 'Reads a file.',
    inputSchema: ai.jsonSchema({ type: 'object', additionalProperties: true }),
    execute: ({ path, step }) => `// ${path}\n${words(resultTokens * (0.6 + 0.1 * (step % 9)), step)}`,
  });
  const result = await ai.generateText({
    model: wrap(createAnthropic({ apiKey: 'none', fetch: provider.fetch, ...(baseURL === undefined ? {} : { baseURL }) })(modelId)),
    system: `You mend handlers.\n${words(systemTokens, 9_999)}`,
    messages: messages ?? [{ role: 'user', content: 'Fix every handler in this repository. Never touch the folder `vendor`.' }],
    tools: { ...otherTools, read },
    stopWhen: ({ steps: done }) => done.length >= steps,
    maxRetries: 0,
    prepareStep,
    ...options,
  });
  return { provider, result };
}
