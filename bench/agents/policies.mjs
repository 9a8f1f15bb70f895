// The columns of the judge: the package as a chat on the AI SDK uses it, with and without a summarizer, and its peers from the replay bench.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { docs } from '../replay/policies/docs.mjs';
import { libraries } from '../replay/policies/libraries.mjs';
import { yardsticks } from '../replay/policies/yardsticks.mjs';

const MODEL = { provider: 'mock', modelId: 'mock', specificationVersion: 'v4' };

/**
 * One session over all requests of a conversation, as in the README: the app stores raw messages, a request begins with all of them, and within one the list is carried
 * forward as ai 7 does.
 */
function ours({ createSession }, { name, summarizes, options = {} }) {
  return {
    name,
    called: 'turns',
    create({ window, reserve, extract, transcript }) {
      const session = createSession({
        contextWindow: window,
        reserveTokens: reserve,
        ...(summarizes ? { summarize: async ({ prompt, maxOutputTokens }) => extract({ prompt, maxOutputTokens }) } : {}),
        ...options,
      });
      let steps = [];
      let initialMessages;
      return {
        async step({ messages, lastInputTokens, lastOutputTokens }) {
          const finished = lastInputTokens === undefined ? undefined : { usage: { inputTokens: lastInputTokens, outputTokens: lastOutputTokens, inputTokenDetails: {}, outputTokenDetails: {} }, response: { messages: [] }, content: [] };
          if (finished !== undefined) session.onStepEnd(finished);
          if (initialMessages === undefined || messages.at(-1).role === 'user') {
            steps = [];
            initialMessages = messages;
          } else {
            steps.push(finished);
          }
          const prepared = await session.prepareStep({ messages, steps, stepNumber: steps.length, model: MODEL, instructions: transcript.system, initialMessages, responseMessages: messages.slice(initialMessages.length) });
          return prepared?.messages ?? messages;
        },
      };
    },
  };
}

const ORACLE = { low: 0.75 };

/** `{ name, called, create, options? }`, the package first. `packagePath` is another build of it. */
export async function loadPolicies({ packagePath, options } = {}) {
  const stepfold = await import(packagePath === undefined ? 'stepfold' : pathToFileURL(resolve(packagePath)).href);
  const peer = (list, name, called, as, more = {}) => ({ ...list.find((policy) => policy.name === name), name: as, called, ...more });
  return [
    ours(stepfold, { name: 'stepfold', summarizes: false, options }),
    ours(stepfold, { name: 'with summary', summarizes: true, options }),
    peer(docs, 'docs-prune', 'rebuild', 'pruneMessages'),
    peer(libraries, 'anthropic-clear', 'rebuild', 'tool clearing'),
    peer(libraries, 'langchain', 'rebuild', 'LangChain'),
    peer(libraries, 'context-chef', 'carry', 'context-chef'),
    peer(yardsticks, 'hysteresis', 'rebuild', 'hysteresis'),
    peer(yardsticks, 'oracle', 'rebuild', 'oracle', { options: ORACLE }),
  ];
}

export const OURS = ['stepfold', 'with summary'];
