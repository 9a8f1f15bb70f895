// What each mechanism of the engine is worth: what the judge, tau and the replay lose where it is switched off, alone and in groups. Works
// in a copy of the checkout in which all mechanisms have a switch (scripts/changes/copy.mjs), built once; the package has none. README.md
// says how to read it.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { environmentOf, makeCopy } from '../../scripts/changes/copy.mjs';
import { FOLDER } from '../tau/data.mjs';
import { judge, replay, tau } from './measures.mjs';
import { groups, mechanisms } from './table.mjs';

const COUNTERS = fileURLToPath(new URL('../../build/exact', import.meta.url));
const BENCHES = { judge, tau, replay };
/** Points that a kind, a language or a table must lose to be named. */
const NAMED_FROM = 4;
const USAGE = `usage: npm run bench:worth -- [options]

  --only findings,work log      mechanisms and groups by name; a group is its names joined by +
  --benches judge,tau,replay    what is asked (default: the judge; tau where its data are; the replay where recordings are given)
  --data <folder>               where the data of tau lie (default: ${FOLDER})
  --recordings <folder>         recorded sessions for the replay
  --list                        print the names`;

try {
  await main();
} catch (error) {
  console.error(`bench:worth: ${error.message}`);
  process.exitCode = 1;
}

async function main() {
  const options = parseArgs({
    options: {
      only: { type: 'string' },
      benches: { type: 'string' },
      data: { type: 'string', default: FOLDER },
      recordings: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;
  if (options.help) return console.log(USAGE);
  const variants = [...mechanisms.map(({ name }) => [name]), ...groups];
  const nameOf = (names) => names.join(' + ');
  if (options.list) return console.log(variants.map(nameOf).join('\n'));
  const benches = benchesOf(options);
  const chosen = options.only === undefined ? variants : options.only.split(',').map(readVariant);
  const copy = makeCopy('worth', mechanisms);
  buildIn(copy);
  const packagePath = join(copy, 'pkg/dist/index.js');
  const measured = async (names) => {
    const environment = environmentOf(names.map((name) => mechanisms.findIndex((mechanism) => mechanism.name === name) + 1));
    const results = [];
    for (const bench of benches) results.push(await BENCHES[bench]({ ...options, packagePath, environment }));
    return { figures: results.flatMap(({ figures }) => figures), details: results.flatMap(({ details }) => details) };
  };
  const whole = await measured([]);
  console.log(
    `| without | ${whole.figures.map(([name]) => name).join(' | ')} | loses most |\n|---|${whole.figures.map(() => '--:|').join('')}---|`,
  );
  console.log(`| – | ${whole.figures.map(([, value]) => value.toFixed(1)).join(' | ')} | |`);
  for (const names of chosen) {
    const { figures, details } = await measured(names);
    const cells = figures.map(([, value], at) => signed(value - whole.figures[at][1]));
    console.log(`| ${nameOf(names)} | ${cells.join(' | ')} | ${losses(details, whole.details)} |`);
  }
}

function benchesOf({ benches, data, recordings }) {
  const found = ['judge', ...(existsSync(data) ? ['tau'] : []), ...(recordings === undefined ? [] : ['replay'])];
  const wanted = benches?.split(',') ?? found;
  const wrong = wanted.find((bench) => !(bench in BENCHES));
  if (wrong !== undefined) throw new Error(`--benches ${wrong}: expected ${Object.keys(BENCHES).join(', ')}`);
  if (wanted.includes('replay') && recordings === undefined) throw new Error('--benches replay: needs --recordings');
  return wanted;
}

function readVariant(text) {
  const names = text.split('+').map((name) => name.trim());
  const wrong = names.find((name) => !mechanisms.some((mechanism) => mechanism.name === name));
  if (wrong !== undefined) throw new Error(`--only ${wrong}: expected names of --list`);
  return names;
}

/** The counters are those of this checkout. */
function buildIn(copy) {
  cpSync(COUNTERS, join(copy, 'build/exact'), { recursive: true });
  const script = "import('./scripts/build.mjs').then(({ build }) => build({ hasCounters: true }))";
  const stdio = ['ignore', 'ignore', 'inherit'];
  const { status } = spawnSync(process.execPath, ['--eval', script], { cwd: copy, stdio, env: environmentOf([]) });
  if (status !== 0) throw new Error('the copy with switches could not be built');
}

function signed(points) {
  return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)}`;
}

function losses(details, whole) {
  const lost = details.map(([name, value], at) => [name, value - whole[at][1]]).filter(([, points]) => points <= -NAMED_FROM);
  return lost
    .sort((one, other) => one[1] - other[1])
    .map(([name, points]) => `${name} ${signed(points)}`)
    .join(', ');
}
