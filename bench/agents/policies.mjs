// The columns of the judge: the package as a chat on the AI SDK uses it, with and without a summarizer, and its peers from the replay bench.

import { callsOf, loadPackage } from '../harness/package.mjs';
import { docs } from '../replay/policies/docs.mjs';
import { libraries } from '../replay/policies/libraries.mjs';
import { yardsticks } from '../replay/policies/yardsticks.mjs';

/** A chat over one session; the app stores raw messages. */
function ours(stepfold, { name, summarizes, options = {} }) {
  return {
    name,
    called: 'turns',
    create({ window, reserve, extract, semantics, transcript }) {
      const summarizing = summarizes ? { summarize: async ({ prompt, maxOutputTokens }) => extract({ prompt, maxOutputTokens }) } : {};
      const settings = { contextWindow: window, reserveTokens: reserve, ...summarizing, ...options };
      return callsOf(stepfold, { keeps: 'session', settings, semantics, system: transcript.system });
    },
  };
}

const ORACLE = { low: 0.75 };

/** `{ name, called, create, options? }`, the package first. `packagePath` is another build of it. */
export async function loadPolicies({ packagePath, options } = {}) {
  const stepfold = await loadPackage(packagePath);
  const peer = (list, name, called, as, more = {}) => ({ ...list.find((policy) => policy.name === name), name: as, called, ...more });
  return [
    ours(stepfold, { name: 'stepfold', summarizes: false, options }),
    ours(stepfold, { name: 'with summary', summarizes: true, options }),
    ours(stepfold, { name: 'optimize recall', summarizes: false, options: { ...options, optimize: 'recall' } }),
    ours(stepfold, { name: 'optimize cost', summarizes: false, options: { ...options, optimize: 'cost' } }),
    peer(docs, 'docs-prune', 'rebuild', 'pruneMessages'),
    peer(libraries, 'anthropic-clear', 'rebuild', 'tool clearing'),
    peer(libraries, 'langchain', 'rebuild', 'LangChain'),
    peer(libraries, 'context-chef', 'carry', 'context-chef'),
    peer(yardsticks, 'hysteresis', 'rebuild', 'hysteresis'),
    peer(yardsticks, 'oracle', 'rebuild', 'oracle', { options: ORACLE }),
  ];
}

export const OURS = ['stepfold', 'with summary'];
