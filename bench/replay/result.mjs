// What of a replay is stored for docs/benchmarks.md: stepfold by its three aims, and the policies that readers know; means over sessions, no session by its name.

import { OVERVIEW_NAMES } from './plot.mjs';
import { summaries } from './report.mjs';

/** `--set` and `--policies` of what is stored. */
export const VARIANTS = ['stepfold:optimize="cost"', 'stepfold:optimize="recall"'];
export const STORED = `^(${Object.keys(OVERVIEW_NAMES).join('|')}|stepfold optimize=.*)$`;

const KEPT = ['policy', 'semantics', 'stub', 'transcripts', 'survival', 'invalid', 'overflow', 'costAnthropic', 'recall', 'results', 'said', 'edits'];
/** Four digits say more than a replay does. */
const rounded = (value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);

/** As a file: a policy a line. Each is called as `ai` 7 does, or, where it keeps no state, with the raw history. */
export function written(rows) {
  const found = summaries(rows);
  const steps = found.reduce((sum, { policies }) => sum + policies.find(({ policy }) => policy === 'stepfold').steps, 0);
  const windows = found.map(({ window, policies }) => {
    const isShown = ({ policy, semantics }) => semantics === 'carry' || !policies.some((other) => other.policy === policy && other.semantics === 'carry');
    const lines = policies.filter(isShown).map((policy) => JSON.stringify(Object.fromEntries(KEPT.map((name) => [name, rounded(policy[name])]))));
    return `{"window":${window},"policies":[\n${lines.join(',\n')}\n]}`;
  });
  return `{"steps":${steps},"windows":[\n${windows.join(',\n')}\n]}\n`;
}
