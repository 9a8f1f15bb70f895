// The tarball in the hands of a user: installed into an empty project, imported and required, on old and new Node.
// Tests that the package loads, not what the engine does.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { nodeEntries, plainEntries } from '../runtimes/entries.mjs';
import { findNode, installPackage, run } from './helpers.mjs';

const namedEntries = [...plainEntries, ...nodeEntries];
const missing = `for (const given of [${namedEntries.flatMap(({ names }) => names)}]) if (typeof given !== 'function') throw new TypeError('an entry exports no function');\n`;
const call = `${missing}console.log(estimateTokens([{ role: 'user', content: 'hi' }]) + o200k().count('hi') + cl100k().count('hi'));`;
const plain = Object.fromEntries(namedEntries.map(({ specifier, names }) => [specifier, names.join(', ')]));
const modules = { stepfold: 'estimateTokens', 'stepfold/o200k': 'o200k', 'stepfold/cl100k': 'cl100k', ...plain };
const lines = (line) => Object.entries(modules).map(line).join('');
const scripts = {
  module: lines(([name, names]) => `import { ${names} } from '${name}';\n`) + call,
  commonjs: lines(([name, names]) => `const { ${names} } = require('${name}');\n`) + call,
};

let installed;
before(() => {
  installed = installPackage(Object.keys(scripts));
  for (const [type, script] of Object.entries(scripts)) writeFileSync(join(installed.projects[type], 'app.js'), script);
});
after(() => installed?.remove());

for (const major of [20, 24]) {
  const node = findNode(major);
  for (const type of Object.keys(scripts)) {
    test(`a ${type} project counts tokens on Node ${major}`, { skip: node === undefined && `no Node ${major} on this machine` }, (t) => {
      t.diagnostic(`${node} (${run(node, ['--version'])})`);
      const tokens = Number(run(node, ['app.js'], { cwd: installed.projects[type] }));
      assert.ok(tokens > 0, `expected a positive number of tokens, got ${tokens}`);
    });
  }
}

test('nothing else is installed with it', () => {
  const lock = JSON.parse(readFileSync(join(installed.projects.module, 'node_modules/.package-lock.json'), 'utf8'));
  assert.deepEqual(Object.keys(lock.packages), ['node_modules/stepfold']);
});

for (const [condition, name, file] of [
  ['workerd', 'stepfold', 'index.edge.js'],
  ['edge-light', 'stepfold', 'index.edge.js'],
  ['browser', 'stepfold', 'index.js'],
  ['workerd', 'stepfold/o200k', 'o200k.edge.js'],
  ['edge-light', 'stepfold/cl100k', 'cl100k.edge.js'],
  ['browser', 'stepfold/o200k', 'o200k.js'],
  ['workerd', 'stepfold/stores', 'stores.js'],
  ['edge-light', 'stepfold/ui', 'ui.js'],
]) {
  test(`the condition ${condition} gives ${file} for ${name}`, () => {
    const script = `console.log(import.meta.resolve('${name}'))`;
    const parameters = [`--conditions=${condition}`, '--input-type=module', '--eval', script];
    assert.match(run(process.execPath, parameters, { cwd: installed.projects.module }), new RegExp(`/dist/${file}$`));
  });
}
