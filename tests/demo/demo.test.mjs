// Runs the demo as a user does and holds the figure in docs/how-it-works.md to what it prints.
// What the demo proves is checked by the demo itself, which ends with 1 when a report is wrong or a request over the window.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runAgent } from '../../demo/loop.mjs';
import { chooseModel } from '../../demo/model.mjs';
import { checkReport } from '../../demo/task.mjs';

const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

test('an agent that keeps what it found in what it says looks next to nothing up again, wherever work ends', async () => {
  // A checkpoint with more identifiers and less of what the model said found more of what recorded sessions refer to again, and here
  // up to 36 pages were looked up again.
  const { model } = await chooseModel(undefined);
  for (const target of [0.25, 0.3, 0.33, 0.36, 0.38, 0.4, 0.42, 0.45]) {
    const { steps, text } = await runAgent({ model, windowTokens: 32_000, withStepfold: true, options: { target }, onStep: () => {} });
    const calls = steps.flatMap((step) => step.calls.map((call) => JSON.stringify(call)));
    const repeated = calls.length - new Set(calls).size;
    assert.ok(repeated <= 6, `${repeated} lookups repeated with a target of ${target}`);
    assert.deepEqual(checkReport(text ?? '').faults, []);
  }
});

test('the demo finishes with a true report where the run without stepfold is rejected, as the figure in docs/how-it-works.md says', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path('demo/run.mjs')], { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  assert.equal(status, 0, stdout + stderr);
  const [withoutRun, withRun] = stdout.split('With stepfold');
  assert.match(withoutRun, /rejected[\s\S]*isContextOverflow\(error\) → true/);
  assert.match(withRun, /lookups repeated +0 +0 +0\n/);

  const figure = /```\n( +without stepfold[\s\S]*?)```/.exec(readFileSync(path('docs/how-it-works.md'), 'utf8'))?.[1] ?? '';
  const tokens = (run, step) => new RegExp(`^ +${step}  .*?((?:[\\d.]+k → )?[\\d.]+k)$`, 'm').exec(run)?.[1];
  const rounded = (text) => [...text.matchAll(/[\d.]+/g)].map(([number]) => Math.round(Number(number)));
  const reported = [...figure.matchAll(/step (\d+) +[█░·▶]+ +((?:\d+k → )?\d+k)/g)];
  assert.equal(reported.length, 4, 'the figure shows four steps with their tokens');
  reported.forEach(([, step, shown], index) => {
    // The left column is the run without stepfold; the two columns alternate as long as both have a line.
    const run = index === 0 || index === 2 ? withoutRun : withRun;
    assert.deepEqual(rounded(shown), rounded(tokens(run, step) ?? ''), `step ${step} of the figure`);
  });
  const [, last] = /step (\d+) {2}finished/.exec(figure) ?? [];
  assert.match(withRun, new RegExp(`^ +steps .* ${last}, finished`, 'm'));
});
