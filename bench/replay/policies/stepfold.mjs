// Our own policy: the `prepareStep` of a built package, called as the AI SDK calls it. Sees no internals.

import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

/**
 * The policy of the package at `path` (a file), or of this workspace.
 *
 * One `steps` array for each user turn, as each turn is a request of its own; usage stands on every finished step. In `turns` a
 * new request finds the work of the earlier ones in the process's memory, as on a server that keeps one `prepareStep`.
 */
export async function loadStepfold(path) {
  const { createPrepareStep } = await import(path === undefined ? 'stepfold' : pathToFileURL(resolve(path)).href);
  return {
    name: 'stepfold',
    semantics: ['rebuild', 'carry', 'turns'],
    /** Whether it asks Anthropic for the prompt cache: what it returns for a step with Claude says so. */
    async asksCache({ promptCache } = {}) {
      const model = { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-5', specificationVersion: 'v4' };
      const prepared = await createPrepareStep({ promptCache })({ messages: [{ role: 'user', content: 'Go.' }], steps: [], stepNumber: 0, model });
      return prepared?.providerOptions?.anthropic?.cacheControl !== undefined;
    },
    create({ window, reserve, summarize, transcript, semantics, options: { summarizer = false, ...options } }) {
      const summarizing = summarizer ? { summarize: ({ messages, previousSummary = '' }) => summarize({ messages, previous: previousSummary }) } : {};
      const prepareStep = createPrepareStep({ contextWindow: window, reserveTokens: reserve, ...summarizing, ...options });
      const model = { provider: 'mock', modelId: 'mock', specificationVersion: semantics === 'rebuild' ? 'v3' : 'v4' };
      let steps = [];
      let initialMessages;
      return {
        async step({ messages, lastInputTokens, lastOutputTokens }) {
          if (initialMessages === undefined || messages.at(-1).role === 'user') {
            steps = [];
            initialMessages = messages;
          } else {
            steps.push({ usage: { inputTokens: lastInputTokens, outputTokens: lastOutputTokens, inputTokenDetails: {}, outputTokenDetails: {} }, response: { messages: [] }, content: [] });
          }
          // ai 5 and 6 pass neither instructions nor initial messages.
          const ofVersion7 = { instructions: transcript.system, initialMessages, responseMessages: messages.slice(initialMessages.length) };
          const prepared = await prepareStep({ messages, steps, stepNumber: steps.length, model, ...(semantics === 'rebuild' ? {} : ofVersion7) });
          return prepared?.messages ?? messages;
        },
      };
    },
  };
}
