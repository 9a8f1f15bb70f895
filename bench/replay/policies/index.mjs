// All policies there are to compare, and their variants with other options.

import { agents } from './agents.mjs';
import { docs } from './docs.mjs';
import { learned } from './learned.mjs';
import { libraries } from './libraries.mjs';
import { recipes } from './recipes.mjs';
import { loadStepfold } from './stepfold.mjs';
import { yardsticks } from './yardsticks.mjs';

/** Variants that are part of every comparison. */
const VARIANTS = [
  'hysteresis:gist=150',
  'hysteresis:gist=400',
  'hysteresis:high=0.9,low=0.3',
  'hysteresis:high=0.95,low=0.4',
  'hysteresis:high=0.95,low=0.4,gist=150',
  'hysteresis:high=0.95,low=0.4,gist=400',
  'hysteresis:high=0.95,low=0.6,gist=400',
  'oracle:low=0.3',
  'oracle:low=0.75',
];

/**
 * Policies whose name matches. `stepfoldOptions` are those of our own, `packagePath` the build it comes from, `variants` are
 * further ones as `name:option=value,option=value`.
 */
export async function loadPolicies({ packagePath, stepfoldOptions = {}, variants = [], only = /./ } = {}) {
  const ours = { ...(await loadStepfold(packagePath)), options: stepfoldOptions };
  const plain = [ours, ...docs, ...recipes, ...agents, ...libraries, ...yardsticks, learned];
  return [...plain, ...[...VARIANTS, ...variants].map((text) => variantOf(plain, text))].filter(({ name }) => only.test(name));
}

function variantOf(policies, text) {
  const [name, rest = ''] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
  const policy = policies.find((known) => known.name === name);
  if (policy === undefined || rest === '') {
    throw new Error(`--set ${text}: expected <policy>:<option>=<value>,… with a policy of ${policies.map((known) => known.name).join(', ')}`);
  }
  const options = Object.fromEntries(rest.split(',').map((pair) => readPair(pair, text)));
  return { ...policy, name: `${name} ${rest}`, options: { ...policy.options, ...options } };
}

function readPair(pair, text) {
  const [key, value] = pair.split('=');
  try {
    return [key, JSON.parse(value)];
  } catch {
    throw new Error(`--set ${text}: \`${pair}\` is no option=value with a JSON value`);
  }
}
