// Compares ways of counting with what providers reported: `npm run bench:usage -- <folder> [--half=0|1] [--json] [--write-result]`.
// Reads transcripts with usage records (gzipped or plain JSON); calls no model. Exits with 1 when stepfold misses a bar.
// `--write-result` writes what the documents show (then: npm run bench:docs). `--half` takes every second transcript: what is tuned on one half is reported on the other.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { COUNTERS } from './counters.mjs';
import { afterEdit, anchored, differences, runsOf } from './measures.mjs';

/** Each measure, its two figures and what stepfold must reach. */
const MEASURES = [
  { name: 'differences, uncalibrated', errors: differences, second: { name: 'under by > 15 %', of: underShare }, bars: [0.1, 0.05] },
  { name: 'whole prompt, anchored', errors: anchored, second: { name: '95th percentile', of: (errors) => quantile(errors, 0.95) }, bars: [0.005, 0.02] },
  { name: 'whole prompt, after an edit', errors: afterEdit, second: { name: '95th percentile', of: (errors) => quantile(errors, 0.95) }, bars: [0.04, 0.1] },
];

const parameters = process.argv.slice(2);
const folder = parameters.find((parameter) => !parameter.startsWith('--'));
const half = parameters.find((parameter) => parameter.startsWith('--half='))?.slice(7);
if (folder === undefined) throw new Error('usage: npm run bench:usage -- <folder> [--half=0|1] [--json] [--write-result]');
const transcripts = load(folder).filter((_, index) => half === undefined || index % 2 === Number(half));

const tables = [];
for (const measure of MEASURES) tables.push({ measure, rows: await rowsOf(measure) });
const missed = tables.flatMap(({ measure: { name, second, bars }, rows }) => {
  const all = rows.find(({ group }) => group === 'all').figures.stepfold;
  return [[`median error of ${name}`, all[0], bars[0]], [`${second.name} of ${name}`, all[1], bars[1]]].filter(([, figure, bar]) => figure > bar);
});

if (parameters.includes('--json')) console.log(JSON.stringify({ transcripts: transcripts.length, tables: tables.map(({ measure, rows }) => ({ name: measure.name, bars: measure.bars, rows })) }));
else {
  for (const { measure, rows } of tables) print(measure, rows);
  for (const [what, figure, bar] of missed) console.log(`MISSED: ${what} is ${percent(figure)}, the bar is ${percent(bar)}`);
}
if (parameters.includes('--write-result')) {
  if (half !== undefined) throw new Error('a result is of all sessions');
  const measures = Object.fromEntries(tables.map(({ measure, rows }) => [measure.name, rows.map(({ group, n, figures }) => ({ group, n, stepfold: figures.stepfold.map(rounded) }))]));
  writeFileSync(new URL('result.json', import.meta.url), `{\n${Object.entries(measures).map(([name, rows]) => `"${name}": [\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`).join(',\n')}\n}\n`);
}
process.exitCode = missed.length > 0 ? 1 : 0;

function load(from) {
  const read = (file) => JSON.parse((file.endsWith('.gz') ? gunzipSync(readFileSync(join(from, file))) : readFileSync(join(from, file))).toString());
  const files = readdirSync(from).filter((file) => /\.json(\.gz)?$/.test(file)).sort();
  return files.map(read).filter(({ usage }) => usage?.length > 0);
}

/** Figures of a measure per agent and model, and over all. */
async function rowsOf({ errors, second }) {
  const groups = new Map([['all', {}]]);
  for (const transcript of transcripts) {
    for (const records of runsOf(transcript)) {
      const group = `${transcript.agent} ${records[0].model}`;
      if (!groups.has(group)) groups.set(group, {});
      for (const counter of Object.keys(COUNTERS)) {
        const found = await errors(counter, records);
        for (const name of [group, 'all']) (groups.get(name)[counter] ??= []).push(...found);
      }
    }
  }
  const figures = (counters) => Object.fromEntries(Object.entries(counters).map(([name, found]) => [name, [quantile(found, 0.5), second.of(found)]]));
  return [...groups].reverse().map(([group, counters]) => ({ group, n: counters.stepfold?.length ?? 0, figures: figures(counters) }));
}

function print({ name, second, bars }, rows) {
  console.log(`\n${name}: median absolute error / ${second.name}; bars ${percent(bars[0])} / ${percent(bars[1])}`);
  console.table(
    Object.fromEntries(
      rows.map(({ group, n, figures }) => [group, { n, ...Object.fromEntries(Object.entries(figures).map(([counter, [first, other]]) => [counter, `${percent(first)} / ${percent(other)}`])) }]),
    ),
  );
}

function quantile(errors, share) {
  const sorted = errors.map(Math.abs).sort((a, b) => a - b);
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function underShare(errors) {
  return errors.length === 0 ? 0 : errors.filter((error) => error < -0.15).length / errors.length;
}

function percent(share) {
  return `${(share * 100).toFixed(share < 0.02 ? 2 : 1)} %`;
}

function rounded(share) {
  return Number(share.toPrecision(3));
}
