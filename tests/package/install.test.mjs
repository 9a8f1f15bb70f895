// The tarball in the hands of a user: installed into an empty project, imported and required, on old and new Node.
// Tests that the package loads, not what the engine does.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { findNode, installPackage, run } from './helpers.mjs';

const call = `console.log(estimateTokens([{ role: 'user', content: 'hi' }]));`;
const scripts = {
  module: `import { estimateTokens } from 'stepfold';\n${call}`,
  commonjs: `const { estimateTokens } = require('stepfold');\n${call}`,
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

for (const [condition, file] of [
  ['workerd', 'index.edge.js'],
  ['edge-light', 'index.edge.js'],
  ['browser', 'index.js'],
]) {
  test(`the condition ${condition} gives ${file}`, () => {
    const script = `console.log(import.meta.resolve('stepfold'))`;
    const parameters = [`--conditions=${condition}`, '--input-type=module', '--eval', script];
    assert.match(run(process.execPath, parameters, { cwd: installed.projects.module }), new RegExp(`/dist/${file}$`));
  });
}
