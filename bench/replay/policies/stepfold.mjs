// Our own policy: the `prepareStep` of a built package, called as the AI SDK calls it. Sees no internals.

import { callsOf, loadPackage } from '../../harness/package.mjs';

/** The policy of the package at `path` (a file), or of this workspace. In `turns` it is as on a server that keeps one `prepareStep`. */
export async function loadStepfold(path) {
  const stepfold = await loadPackage(path);
  return {
    name: 'stepfold',
    semantics: ['rebuild', 'carry', 'turns'],
    /** Whether it asks Anthropic for the prompt cache: what it returns for a step with Claude says so. */
    async asksCache({ promptCache } = {}) {
      const model = { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-5', specificationVersion: 'v4' };
      const prepared = await stepfold.createPrepareStep({ promptCache })({ messages: [{ role: 'user', content: 'Go.' }], steps: [], stepNumber: 0, model });
      return prepared?.providerOptions?.anthropic?.cacheControl !== undefined;
    },
    create({ window, reserve, summarize, transcript, semantics, options: { summarizer = false, ...options } }) {
      const summarizing = summarizer ? { summarize: ({ messages, previousSummary = '' }) => summarize({ messages, previous: previousSummary }) } : {};
      const settings = { contextWindow: window, reserveTokens: reserve, ...summarizing, ...options };
      return callsOf(stepfold, { keeps: 'process', settings, semantics, system: transcript.system });
    },
  };
}
