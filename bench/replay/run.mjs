// The replay bench: what policies would have sent in recorded sessions, and what that would have cost and kept. Reads options, shares files
// out to worker threads, prints. Calls no model and changes no recording; README.md says what the columns mean.

import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { SEMANTICS } from '../harness/play.mjs';
import { findRecordings } from './import.mjs';
import { plotOf } from './plot.mjs';
import { goalsTable, kindsTable, tables, yardstickTable } from './report.mjs';
import { STORED, VARIANTS, written } from './result.mjs';
import { SPLITS } from './transcript.mjs';

const RESULT = new URL('result.json', import.meta.url);
const USAGE = `usage: npm run bench:replay -- <folder or file>… [options]

  --windows 16000,32000,64000,128000,200000   context windows
  --policies <pattern>      policies by name (default: all)
  --transcripts <pattern>   transcripts by id (default: all)
  --called rebuild,carry,turns   ways of being called
  --split all|tune|held-out      half of the transcripts, by a hash of their ids
  --stubs neutral,facts     what stands for summaries (default: neutral)
  --factor 1.25             tokens the provider counts for each of o200k_base
  --no-usage                the provider reports no usage
  --options '{"trigger":0.9}'    options of stepfold
  --set <policy>:<option>=<value>,…   one more variant of a policy (repeatable)
  --package <file>          another build of stepfold (default: this workspace's)
  --rows-out <file>         write rows as JSON lines
  --rows-in <file>          print rows instead of replaying (repeatable)
  --plot <file.svg>         plot cost against recall, a panel for each window
  --write-result            write what the documents show (then: npm run bench:docs): a few policies, by default options
  --kinds                   also compare the kinds of agents
  --goals                   also compare stepfold with the goals and the yardsticks
  --timing                  also time JSON.stringify of the same lists (use --workers 1)
  --workers <n>             threads (default: cores)
  --no-cache                keep no token counts in build/replay
  --quiet                   no progress`;

try {
  await main();
} catch (error) {
  console.error(`bench:replay: ${error.message}`);
  process.exitCode = 1;
}

async function main() {
  const { values: options, positionals: paths } = readOptions();
  if (options.help) return console.log(USAGE);
  if (paths.length === 0 && options['rows-in'].length === 0) throw new Error(`expected a folder of recorded sessions\n\n${USAGE}`);
  if (options['write-result'] && (options.package !== undefined || options.options !== '{}' || options.set.length > 0 || options.split !== 'all')) throw new Error('--write-result: a result is of all sessions, with default options');
  if (options['write-result']) Object.assign(options, { policies: STORED, called: 'rebuild,carry', set: VARIANTS });
  const rows = options['rows-in'].length > 0 ? readRows(options) : await replayAll(paths, options);
  if (rows.length === 0) throw new Error('no transcript is larger than a window: nothing was replayed');
  if (options['rows-out'] !== undefined) writeFileSync(options['rows-out'], rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  console.log(tables(rows));
  if (options.kinds) console.log(kindsTable(rows));
  if (options.goals) console.log(`${goalsTable(rows)}\n\n${yardstickTable(rows)}`);
  if (options.plot !== undefined) writeFileSync(options.plot, plotOf(rows));
  if (options['write-result']) writeFileSync(RESULT, written(rows));
  for (const { policy, semantics, id, error } of rows.filter(({ errors }) => errors > 0)) console.error(`${policy} (${semantics}) failed on ${id}: ${error}`);
}

function readOptions() {
  return parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      windows: { type: 'string', default: '16000,32000,64000,128000,200000' },
      policies: { type: 'string', default: '.' },
      transcripts: { type: 'string', default: '.' },
      called: { type: 'string', default: SEMANTICS.join() },
      split: { type: 'string', default: 'all' },
      stubs: { type: 'string', default: 'neutral' },
      factor: { type: 'string', default: '1' },
      usage: { type: 'boolean', default: true },
      options: { type: 'string', default: '{}' },
      set: { type: 'string', multiple: true, default: [] },
      package: { type: 'string' },
      'rows-out': { type: 'string' },
      'rows-in': { type: 'string', multiple: true, default: [] },
      plot: { type: 'string' },
      'write-result': { type: 'boolean', default: false },
      kinds: { type: 'boolean', default: false },
      goals: { type: 'boolean', default: false },
      timing: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(availableParallelism()) },
      cache: { type: 'boolean', default: true },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
}

/** Rows of earlier runs, filtered like new ones. */
function readRows(options) {
  const windows = positiveNumbers(options, 'windows');
  const [policies, transcripts] = [pattern(options, 'policies'), pattern(options, 'transcripts')];
  const called = oneOf(options, 'called', SEMANTICS);
  const lines = options['rows-in'].flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean));
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ window, policy, id, semantics }) => windows.includes(window) && policies.test(policy) && transcripts.test(id) && called.includes(semantics));
}

async function replayAll(paths, options) {
  const [workers] = positiveNumbers(options, 'workers');
  const [factor] = positiveNumbers(options, 'factor');
  const settings = {
    windows: positiveNumbers(options, 'windows'),
    semantics: oneOf(options, 'called', SEMANTICS),
    stubs: oneOf(options, 'stubs', ['neutral', 'facts']),
    split: oneOf(options, 'split', SPLITS)[0],
    transcripts: pattern(options, 'transcripts').source,
    factor,
    usage: options.usage,
    timing: options.timing,
    cache: options.cache,
    policies: { packagePath: options.package, stepfoldOptions: readObject(options.options), variants: options.set, only: pattern(options, 'policies').source },
  };
  const recordings = findRecordings(paths);
  if (recordings.length === 0) throw new Error(`${paths.join(', ')}: expected files ending in .json, .jsonl, .json.gz or .jsonl.gz, and there are none`);
  const waiting = [...recordings];
  const rows = [];
  const ids = new Map();
  const receive = ({ path, id, notes, rows: found, ms }) => {
    for (const note of notes) console.error(`${path}: ${note}`);
    if (ids.has(id)) return console.error(`${path}: left out, its id \`${id}\` is that of ${ids.get(id)}`);
    if (id !== undefined) ids.set(id, path);
    rows.push(...found);
    if (!options.quiet) console.error(`${path}: ${found.length} rows, ${Math.round(ms)} ms`);
  };
  await Promise.all(Array.from({ length: Math.min(workers, recordings.length) }, () => work({ settings, waiting, receive })));
  // Threads finish in any order.
  const order = new Map(rows.filter(({ id }) => id === rows[0].id).map(({ policy }, index) => [policy, index]));
  const place = ({ policy }) => order.get(policy) ?? 0;
  return rows.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.window - b.window || place(a) - place(b)));
}

/** One thread, which takes the next file when it has finished one. */
function work({ settings, waiting, receive }) {
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: settings });
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', resolve);
    worker.on('message', (message) => {
      if (!message.ready) receive(message);
      const next = waiting.shift();
      if (next === undefined) worker.terminate();
      else worker.postMessage(next);
    });
  });
}

function positiveNumbers(options, name) {
  const numbers = options[name].split(',').map(Number);
  if (numbers.some((number) => !(number > 0))) throw new Error(`--${name} ${options[name]}: expected positive numbers`);
  return numbers;
}

function oneOf(options, name, allowed) {
  const values = options[name].split(',');
  const wrong = values.find((value) => !allowed.includes(value));
  if (wrong !== undefined) throw new Error(`--${name} ${wrong}: expected ${allowed.join(' or ')}`);
  return values;
}

function pattern(options, name) {
  try {
    return new RegExp(options[name]);
  } catch {
    throw new Error(`--${name} ${options[name]}: expected a regular expression`);
  }
}

function readObject(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`--options ${text}: expected a JSON object of options of createPrepareStep`);
  }
}
