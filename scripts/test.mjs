// Runs every check there is, in the order in which failures are cheapest to read, and all of them even if one fails.
// Expects the built package (scripts/setup.mjs). `node scripts/test.mjs cargo node` runs only the steps so named; `nightly` runs only when named,
// and so does what it adds: more conversations, inputs and seeds of the same tests, every major, runtime and server (tests/amount.mjs).

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const runtimes = 'tests/runtimes/';
/** Of these folders a file takes long: begun last, one core would wait for the other. */
const longest = ['tests/agents/', 'tests/wire/', 'tests/types/'];

const steps = [
  { name: 'fmt', commands: [['cargo', 'fmt', '--all', '--check']] },
  { name: 'lint', commands: [[process.execPath, 'node_modules/@biomejs/biome/bin/biome', 'lint', '--error-on-warnings', '.']] },
  {
    name: 'clippy',
    commands: [
      ['cargo', 'clippy', '--quiet', '--workspace', '--all-targets', '--', '-D', 'warnings'],
      // The boundary exists on wasm32 only, where the first command does not see it.
      ['cargo', 'clippy', '--quiet', '--lib', '--target', 'wasm32-unknown-unknown', '--', '-D', 'warnings'],
    ],
  },
  { name: 'cargo', commands: [['cargo', 'test', '--package', 'stepfold', '--package', 'stepfold-exact']] },
  {
    name: 'types',
    // What was found of files that did not change is kept in build/.
    commands: ['tsconfig', 'tsconfig.inspect', 'tsconfig.tests'].map((name) => {
      const kept = ['--incremental', '--tsBuildInfoFile', `build/types/${name}.tsbuildinfo`];
      return [process.execPath, 'node_modules/typescript/bin/tsc', '--project', `${name}.json`, ...kept];
    }),
  },
  // Files are named one by one because Node 20 knows no patterns here. On its own Node leaves one core idle, which is half of two.
  { name: 'node', commands: [[process.execPath, '--test', `--test-concurrency=${availableParallelism()}`, '--test-reporter=spec', ...testFiles((path) => !path.startsWith(runtimes))]] },
  // Alone on the machine: what it compares is processor time, and other work makes that longer.
  { name: 'limits', commands: [[process.execPath, 'bench/limits.mjs']] },
  {
    name: 'runtimes',
    commands: [
      [process.execPath, `${runtimes}install.mjs`],
      // One file after another: they build into the same folder, and each starts servers of its own.
      [process.execPath, '--test', '--test-concurrency=1', '--test-reporter=spec', ...testFiles((path) => path.startsWith(runtimes))],
    ],
  },
];

/** What a push would wait too long for. The conversations, inputs and seeds of a push are the first ones of the night. */
const nightly = {
  name: 'nightly',
  commands: [
    ['cargo', 'test', '--package', 'stepfold', '--test', 'main', '--', 'properties::', 'fuzz::'],
    ...steps.filter(({ name }) => ['node', 'runtimes'].includes(name)).flatMap(({ commands }) => commands),
    [process.execPath, 'scripts/test-browser.mjs'],
    [process.execPath, 'scripts/policy-changes.mjs'],
  ],
  environment: { STEPFOLD_NIGHT: '1', STEPFOLD_CONVERSATIONS: '50000', STEPFOLD_FUZZ_INPUTS: '5000000' },
};

const chosen = process.argv.slice(2);
const failed = [];
for (const { name, commands, environment } of chosen.length === 0 ? steps : [...steps, nightly].filter(({ name }) => chosen.includes(name))) {
  const start = performance.now();
  const passed = commands.map(([program, ...parameters]) => spawnSync(program, parameters, { stdio: 'inherit', env: { ...process.env, ...environment } }).status === 0);
  if (passed.includes(false)) failed.push(name);
  console.log(`test: ${name} ${passed.includes(false) ? 'FAILED' : 'ok'} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}
if (failed.length > 0) {
  console.error(`test: failed: ${failed.join(', ')}`);
  process.exit(1);
}

function testFiles(isWanted) {
  return readdirSync('tests', { recursive: true })
    .filter((name) => name.endsWith('.test.mjs'))
    .sort()
    .map((name) => `tests/${name.replaceAll('\\', '/')}`)
    .filter(isWanted)
    .sort((a, b) => Number(isLong(b)) - Number(isLong(a)));
}

function isLong(path) {
  return longest.some((folder) => path.startsWith(folder));
}
