// stepfold inside a `'use workflow'` function, run by the Workflow SDK's own local world: every step is replayed, the run waits for a
// person, the process is killed meanwhile, and another one goes on. Run by `npm run test:workflow`, not by `npm test`: it installs 300 MB and takes four minutes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installPackages, installTarball, run } from '../runtimes/install.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const home = join(here, '../../build/workflow');
const WINDOW_TOKENS = 8_000;
/** The run waits after it has cleared results; its checkpoint comes after it goes on. */
const script = { windowTokens: WINDOW_TOKENS, pages: 40, askAtStep: 25, hook: 'approval' };

installPackages(here, home);
installTarball(home);
for (const path of ['workflows', 'build.mjs', 'drive.mjs']) cpSync(join(here, path), join(home, path), { recursive: true });
mkdirSync(join(home, 'bundle'), { recursive: true });
run(process.execPath, ['build.mjs'], { cwd: home });

for (const { name, isSummarized } of [{ name: 'with a summarizer that is a step', isSummarized: true }, { name: 'without a summarizer', isSummarized: false }]) {
  test(`a run that is killed while it waits sends what an unbroken one sends, ${name}`, () => {
    const unbroken = serverAt('unbroken');
    const whole = unbroken.drive('through', { ...script, isSummarized });
    const broken = serverAt('broken');
    assert.equal(broken.drive('start', { ...script, isSummarized }), undefined);
    const atDeath = broken.calls().length;
    const resumed = broken.drive('resume', { ...script, isSummarized });

    assert.ok(atDeath > 0 && atDeath < broken.calls().length);
    assert.deepEqual(broken.calls(), unbroken.calls());
    // A session's id is new in every process; what was decided is the same.
    assert.deepEqual(withoutIds(resumed), withoutIds(whole));

    const types = whole.events.map(({ type }) => type);
    assert.equal(whole.steps, script.pages + 1);
    assert.ok(types.includes('cleared') && types.includes('checkpoint'), types.join());
    assert.ok(!types.includes('error') && !types.includes('fallback'), types.join());
    const prompts = broken.calls().flatMap(({ prompt }) => (prompt === undefined ? [] : [JSON.stringify(prompt)]));
    assert.ok(Math.max(...prompts.map(({ length }) => Math.ceil(length / 4))) <= WINDOW_TOKENS);
    // Each span is summarized once, however often the workflow is replayed.
    assert.equal(prompts.length, script.pages + 1);
    assert.equal(broken.calls().length - prompts.length, isSummarized ? types.filter((type) => type === 'checkpoint').length : 0);
  });
}

/** Processes that share one folder of the local world, each after the other. */
function serverAt(name) {
  const data = join(home, 'data', name);
  const calls = join(data, 'calls.jsonl');
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  return {
    /** What the run returned; undefined where the process died. */
    drive: (what, options) => {
      const { signal, stdout, stderr } = spawnSync(process.execPath, ['drive.mjs', what, JSON.stringify(options)], { cwd: home, env: { ...process.env, DATA: data, CALLS: calls }, encoding: 'utf8' });
      if (signal === 'SIGKILL') return undefined;
      const line = stdout.split('\n').find((text) => text.startsWith('{"steps"'));
      assert.ok(line !== undefined, `${stdout}${stderr}`);
      return JSON.parse(line);
    },
    /** What models and summarizers were sent, in order. */
    calls: () => readFileSync(calls, 'utf8').trim().split('\n').map((line) => JSON.parse(line)),
  };
}

const withoutIds = (value) => JSON.parse(JSON.stringify(value, (key, inner) => (key === 'revision' ? undefined : inner)));
