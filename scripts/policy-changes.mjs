// Makes wrong changes of policy in a copy of the engine, and names the tests that notice each. A change that none notices is a rule without
// a test. All are built at once; the environment says which one holds. Part of the nightly tests.
// `node scripts/policy-changes.mjs [number …]`

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { environmentOf, makeCopy } from './changes/copy.mjs';
import { changes } from './changes/policy.mjs';

/** Tests that hold nothing of policy, or see that files changed. */
const elsewhere = ['fuzz::', 'redact::', 'tidy::', 'limits::', 'scripts::', 'estimate::'].flatMap((name) => ['--skip', name]);
const quick = ['--skip', 'properties::'];

const copy = makeCopy('policy-changes', changes);
const before = failedTests([], quick);
if (before.length > 0) throw new Error(`without a change these fail: ${before}`);
const given = process.argv.slice(2).map(Number);
for (const number of given.length > 0 ? given : changes.map((_, index) => index + 1)) {
  const noticed = failedTests([number], quick);
  const failed = noticed.length > 0 ? noticed : failedTests([number], ['properties::']);
  if (failed.length === 0) process.exitCode = 1;
  console.log(`${number}. ${changes[number - 1].name}: ${failed.length === 0 ? 'NOTICED BY NONE' : failed.join(', ')}`);
}

/** Runs tests and returns the names of those that fail. */
function failedTests(/** @type {number[]} */ numbers, /** @type {string[]} */ filter) {
  const environment = { ...environmentOf(numbers), RUST_BACKTRACE: '0', CARGO_TARGET_DIR: join(copy, 'target') };
  const parameters = [
    'test',
    '--quiet',
    '--package',
    'stepfold',
    '--lib',
    '--test',
    'main',
    '--no-fail-fast',
    '--',
    ...elsewhere,
    ...filter,
  ];
  const { stdout, stderr } = spawnSync('cargo', parameters, { cwd: copy, env: environment, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (stdout.match(/^test result: /gm)?.length !== 2) throw new Error(stderr);
  return [...new Set([...stdout.matchAll(/^ {4}(\w+(?:::\w+)+)$/gm)].map(([, name]) => name))];
}
