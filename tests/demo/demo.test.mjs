// Runs the demo as a user does and holds the README's figure to what it prints.
// What the demo proves is checked by the demo itself, which ends with 1 when a report is wrong or a request over the window.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const path = (/** @type {string} */ name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

test('the demo finishes with a true report where the run without stepfold is rejected, as the figure in the README says', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path('demo/run.mjs')], { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  assert.equal(status, 0, stdout + stderr);
  const [withoutRun, withRun] = stdout.split('With stepfold');
  assert.match(withoutRun, /rejected[\s\S]*isContextOverflow\(error\) → true/);
  assert.match(withRun, /lookups repeated +0 +0 +0\n/);

  const figure = /```\n( +without stepfold[\s\S]*?)```/.exec(readFileSync(path('README.md'), 'utf8'))?.[1] ?? '';
  const tokens = (/** @type {string} */ run, /** @type {string} */ step) => new RegExp(`^ +${step}  .*?((?:[\\d.]+k → )?[\\d.]+k)$`, 'm').exec(run)?.[1].replace(/\.\d/g, '');
  const rounded = (/** @type {string} */ text) => [...text.matchAll(/[\d.]+/g)].map(([number]) => Math.floor(Number(number)));
  const told = [...figure.matchAll(/step (\d+) +[█░·▶]+ +((?:\d+k → )?\d+k)/g)];
  assert.equal(told.length, 4, 'the figure shows four steps with their tokens');
  told.forEach(([, step, shown], index) => {
    // The left column is the run without stepfold; the two columns alternate as long as both have a line.
    const run = index === 0 || index === 2 ? withoutRun : withRun;
    assert.deepEqual(rounded(shown), rounded(tokens(run, step) ?? ''), `step ${step} of the figure`);
  });
  const [, last] = /step (\d+)  finished/.exec(figure) ?? [];
  assert.match(withRun, new RegExp(`^ +steps .* ${last}, finished`, 'm'));
});
