// The judge: what agents of every kind still know after their past was folded, with stepfold and with its peers. Reads options, prints. Calls no model;
// README.md says what counts.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { judgeAll } from './judge.mjs';
import { findSessions, FOLDERS, HALVES } from './load.mjs';
import { loadPolicies, OURS } from './policies.mjs';
import { lossesOf, tables } from './report.mjs';
import { judge, pointsOf, summarize, WINDOWS } from './score.mjs';

const BASELINE = new URL('baseline.json', import.meta.url);
const USAGE = `usage: npm run bench:agents -- [options]

  --windows 16000,32000,64000   context windows
  --half tuning|judging|all     half of the sessions
  --inputs all|without|only     sessions by form of input too, not at all, or alone: the figures by kind are the same with and without them
  --policies stepfold,oracle    columns by name
  --session <id>                which facts of a session were lost (tuning sessions only)
  --options '{"trigger":0.9}'   options of stepfold
  --package <file>              another build of stepfold (default: this workspace's)
  --json                        print figures as JSON: by half, kind, language, form of input, window and policy
  --write-baseline              write what the test compares with and the documents show (then: npm run bench:docs); in a commit of its own that says why`;

try {
  await main();
} catch (error) {
  console.error(`bench:agents: ${error.message}`);
  process.exitCode = 1;
}

async function main() {
  const options = readOptions();
  if (options.help) return console.log(USAGE);
  const settings = {
    windows: options.windows.split(',').map(Number),
    only: options.policies?.split(','),
    packagePath: options.package,
    options: JSON.parse(options.options),
  };
  if (options.session !== undefined) return printLosses(options.session, settings);
  const halves = options.half === 'all' ? HALVES : [options.half];
  const start = performance.now();
  const folders = { all: FOLDERS, without: ['sessions'], only: ['inputs'] }[options.inputs];
  if (folders === undefined) throw new Error(`expected \`--inputs\` to be all, without or only, not ${options.inputs}`);
  const rows = await judgeAll(findSessions(halves, folders), settings);
  if (rows.length === 0) throw new Error(`no session of the half \`${options.half}\` is larger than a window`);
  if (options['write-baseline']) return writeBaseline(rows, options);
  if (options.json) return console.log(JSON.stringify(figures(rows), null, 2));
  console.log(`${tables(rows)}\n\n${Math.round((performance.now() - start) / 1000)} s`);
}

function readOptions() {
  return parseArgs({
    options: {
      windows: { type: 'string', default: WINDOWS.join() },
      half: { type: 'string', default: 'all' },
      inputs: { type: 'string', default: 'all' },
      policies: { type: 'string' },
      session: { type: 'string' },
      options: { type: 'string', default: '{}' },
      package: { type: 'string' },
      json: { type: 'boolean', default: false },
      'write-baseline': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

async function printLosses(id, { windows, only = OURS, packagePath, options }) {
  const sessions = findSessions(['tuning'], FOLDERS);
  const found = sessions.find((session) => session.id === id);
  if (found === undefined) throw new Error(`there is no tuning session \`${id}\`: ${sessions.map((session) => session.id).join(', ')}`);
  const policies = (await loadPolicies({ packagePath, options })).filter(({ name }) => only.includes(name));
  const told = [];
  await judge((await import(found.url)).default, { half: 'tuning', policies, windows, tell: (answers) => told.push(answers) });
  console.log(lossesOf(told));
}

/** Of both halves alike: no session by its name, no fact. */
function figures(rows) {
  return [...summarize(rows, ({ half, kind, language, input, window, policy }) => [half, kind, language, input, window, policy].join('|'))].map(([key, value]) => {
    const [half, kind, language, input, window, policy] = key.split('|');
    return { half, kind, language, ...(input === '' ? {} : { input }), window: Number(window), policy, ...value };
  });
}

function writeBaseline(rows, { half, inputs, windows, policies, package: packagePath, options }) {
  if (half !== 'all' || inputs !== 'all' || windows !== WINDOWS.join() || policies !== undefined || packagePath !== undefined || options !== '{}') throw new Error('a baseline is of all sessions and windows, with default options');
  writeFileSync(BASELINE, `${JSON.stringify(pointsOf(rows), null, 2)}\n`);
  console.log(tables(rows));
}
