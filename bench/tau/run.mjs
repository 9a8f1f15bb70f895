// tau: is what a write needs still in the prompt? Public tasks of a support desk, played without a model. Reads options, shares rows out to
// worker threads, prints; README.md says what counts.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { customersOf, DOMAINS, FOLDER } from './data.mjs';
import { AGENTS, ORDERS } from './desk.mjs';
import { missesOf } from './misses.mjs';
import { NAMES } from './policies.mjs';
import { resultOf, tables, written } from './report.mjs';

const RESULT = new URL('result.json', import.meta.url);
const USAGE = `usage: npm run bench:tau -- [options]

  --data <folder>               where the public data lie (default: ${FOLDER})
  --domains retail,airline      tasks (default: retail)
  --windows 16000,32000,64000,128000   context windows
  --orders desk,queue           all customers ask before the first confirms, or three others in between
  --agents silent,tells         whether the agent says what it finds
  --policies stepfold,oracle    rows by name
  --recall                      also what three searches with the recall tool bring back
  --depth 2.5                   windows of raw history in a session
  --options '{"optimize":"recall"}'    options of stepfold
  --package <file>              another build of stepfold (default: this workspace's)
  --show 10                     so many of the writes that lack something (retail only)
  --json                        print rows as JSON
  --workers <n>                 threads (default: cores)
  --write-result                write what the documents show (then: npm run bench:docs): everything, or what --domains, --windows and --policies name: the stored rows of the rest stay`;
const USUAL = NAMES.filter((name) => name !== 'with recall');

try {
  await main();
} catch (error) {
  console.error(`bench:tau: ${error.message}`);
  process.exitCode = 1;
}

async function main() {
  const options = readOptions();
  if (options.help) return console.log(USAGE);
  const named = (name, allowed) => listOf(options, name, allowed);
  const domains = options.domains === undefined ? (options['write-result'] ? DOMAINS : ['retail']) : named('domains', DOMAINS);
  const most = Number(options.show);
  if (most > 0 && domains.join() !== 'retail') throw new Error('--show: of other domains than retail only totals are looked at');
  for (const domain of domains) await customersOf(domain, options.data);
  const policies = options.policies === undefined ? USUAL : named('policies', NAMES);
  const asked = [...policies, ...(options.recall ? ['with recall'] : []), 'full'];
  const jobs = combinations({
    domain: domains,
    window: windowsOf(options),
    order: named('orders', ORDERS),
    agent: named('agents', AGENTS),
    policy: options['write-result'] && options.policies === undefined ? NAMES : [...new Set(asked)],
  });
  const settings = {
    data: options.data,
    depth: Number(options.depth),
    options: readObject(options.options),
    packagePath: options.package,
    show: most > 0,
  };
  const done = await playAll(jobs, { settings, workers: Number(options.workers) });
  const rows = done.map(({ row }) => row);
  if (options['write-result']) writeResult(rows, options);
  console.log(options.json ? JSON.stringify(rows, null, 2) : tables(rows));
  const tunable = done.filter(({ row, misses }) => misses.length > 0 && row.policy !== 'full');
  for (const { row, misses } of tunable) console.log(missesOf(row, misses, most));
}

/** All combinations of values, the first name's slowest, each with its place. */
function combinations(lists) {
  const extended = (found, [name, values]) => found.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  return Object.entries(lists).reduce(extended, [{}]).map((job, at) => ({ ...job, at }));
}

function readOptions() {
  return parseArgs({
    options: {
      data: { type: 'string', default: FOLDER },
      domains: { type: 'string' },
      windows: { type: 'string', default: '16000,32000,64000,128000' },
      orders: { type: 'string', default: ORDERS.join() },
      agents: { type: 'string', default: AGENTS.join() },
      policies: { type: 'string' },
      recall: { type: 'boolean', default: false },
      depth: { type: 'string', default: '2.5' },
      options: { type: 'string', default: '{}' },
      package: { type: 'string' },
      show: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(availableParallelism()) },
      'write-result': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

function listOf(options, name, allowed) {
  const values = options[name].split(',');
  const wrong = values.find((value) => !allowed.includes(value));
  if (wrong !== undefined) throw new Error(`--${name} ${wrong}: expected ${allowed.join(', ')}`);
  return values;
}

function windowsOf({ windows }) {
  const numbers = windows.split(',').map(Number);
  if (numbers.some((number) => !(number > 0))) throw new Error(`--windows ${windows}: expected positive numbers`);
  return numbers;
}

function readObject(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`--options ${text}: expected a JSON object of options of createSession`);
  }
}

/** Rows over threads, the long ones first; the answers in the order of the jobs. */
async function playAll(jobs, { settings, workers }) {
  const isLong = ({ policy }) => Number(['stepfold', 'context-chef', 'LangChain'].includes(policy));
  const waiting = jobs.toSorted((one, other) => isLong(other) - isLong(one) || other.window - one.window);
  const done = [];
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, () => work({ settings, waiting, done })));
  return done;
}

function work({ settings, waiting, done }) {
  const worker = new Worker(new URL('worker.mjs', import.meta.url), { workerData: settings });
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', resolve);
    worker.on('message', ({ at, row, misses }) => {
      if (row !== undefined) done[at] = { row, misses };
      const next = waiting.shift();
      if (next === undefined) worker.terminate();
      else worker.postMessage(next);
    });
  });
}

function writeResult(rows, { depth, options, package: packagePath }) {
  if (depth !== '2.5' || options !== '{}' || packagePath !== undefined) throw new Error('--write-result: a result has default options');
  const result = resultOf(rows);
  const nameOf = ({ domain, window, order, agent, policy }) => [domain, window, order, agent, policy].join();
  const stored = existsSync(RESULT) ? JSON.parse(readFileSync(RESULT, 'utf8')).rows : [];
  const all = new Map([...stored, ...result.rows].map((row) => [nameOf(row), row]));
  writeFileSync(RESULT, written({ ...result, rows: [...all.values()] }));
}
