// Compares two files of rows, of two builds or of two benches that should agree: for each policy and window the measures of one beside the
// other. Usage: node bench/replay/compare.mjs <before.jsonl> <after.jsonl> [--tolerance 0.01] [--all]

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { summaries } from './report.mjs';

/** Names that another bench gives to what we measure. */
const OTHER_NAMES = { survive: 'survived', ratioA: 'costAnthropic', ratioO: 'costOpenai', ratioF: 'costWithRefetch', eff: 'recall', effNeed: 'results', effLine: 'lines', effSaid: 'said', own: 'recallEdited', ownNeed: 'resultsEdited', first: 'request', users: 'userMessages', p50: 'medianMs', p99: 'p99Ms' };
const MEASURES = ['survival', 'overflow', 'costAnthropic', 'costAsAsked', 'costOpenai', 'costWithRefetch', 'recall', 'results', 'lines', 'said', 'invalid', 'soft', 'edits', 'summaries', 'request', 'userMessages', 'plan'];

const { values, positionals: files } = parseArgs({ allowPositionals: true, options: { tolerance: { type: 'string', default: '0.01' }, all: { type: 'boolean', default: false } } });
if (files.length !== 2) {
  console.error('usage: node bench/replay/compare.mjs <before.jsonl> <after.jsonl> [--tolerance 0.01] [--all]');
  process.exit(1);
}
const [before, after] = files.map(read);
const tolerance = Number(values.tolerance);
const common = [...before.keys()].filter((key) => after.has(key));
const worst = new Map(MEASURES.map((name) => [name, 0]));
let apart = 0;
for (const key of common) {
  const [left, right] = [before.get(key), after.get(key)];
  for (const name of MEASURES) {
    const difference = apartBy(left[name], right[name]);
    worst.set(name, Math.max(worst.get(name), difference));
    apart += Number(difference > tolerance);
    if (difference > tolerance || (values.all && left[name] !== right[name])) console.log(`${key} ${name}: ${left[name]} and ${right[name]} (${(100 * difference).toFixed(2)} %)`);
  }
}
console.log(`${common.length} rows of policy, way of being called and window in both; ${apart} of ${common.length * MEASURES.length} measures differ by more than ${100 * tolerance} %.`);
console.table(Object.fromEntries([...worst].map(([name, difference]) => [name, { 'largest difference': `${(100 * difference).toFixed(3)} %` }])));

/** Relative to the larger; counts and shares of which both are nothing agree. */
function apartBy(left, right) {
  if ((left ?? 0) === (right ?? 0)) return 0;
  return Math.abs((left ?? 0) - (right ?? 0)) / Math.max(Math.abs(left ?? 0), Math.abs(right ?? 0));
}

/** Summaries by `window policy called stub`. */
function read(file) {
  const rows = readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => rename(JSON.parse(line)));
  const key = ({ policy, semantics, stub }) => `${policy === 'candidate' ? 'stepfold' : policy} ${semantics} ${policy === 'candidate' || policy === 'stepfold' ? 'none' : stub}`;
  return new Map(summaries(rows).flatMap(({ window, policies }) => policies.map((policy) => [`${window} ${key(policy)}`, policy])));
}

function rename(row) {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [OTHER_NAMES[name] ?? name, value]));
}
