// V8 of Node 20 aborts the process when optimised JavaScript is thrown away while WebAssembly that it called has called back, and the
// result of that call is a reference (`src/wasm.rs` says more). No call of the engine is of this kind.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { amount } from '../amount.mjs';
import { findNode, root, run } from './helpers.mjs';

test('no function of the engine has a reference as its only result', () => {
  const program = `
    const module = new WebAssembly.Module(require('node:fs').readFileSync(process.argv[1]));
    const functions = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function');
    console.log(JSON.stringify(functions.map(({ name, type }) => ({ name, results: type.results }))));`;
  const parameters = ['--experimental-wasm-type-reflection', '--eval', program, join(root, 'pkg/dist/core.wasm')];
  const functions = JSON.parse(run(process.execPath, parameters));
  assert.ok(functions.some(({ name }) => name === 'plan'));
  assert.deepEqual(functions.filter(({ results }) => results.length === 1 && !/^[if](32|64)$/.test(results[0])), []);
});

const called = ['prepareStep', 'recall', 'planContext', 'validateMessages', 'estimateTokens', 'tokenBreakdown'];

for (const name of amount({ push: called.slice(0, 2), night: called })) {
  test(`Node 20 survives that ${name} is deoptimised while the engine is at work`, (t) => {
    const node = findNode(20);
    if (node === undefined) return t.diagnostic('this machine has no Node 20');
    const { status, signal, stdout, stderr } = spawnSync(node, [join(root, 'tests/package/deoptimize.mjs'), name], { encoding: 'utf8' });
    assert.deepEqual({ status, signal }, { status: 0, signal: null }, stderr);
    assert.equal(stdout, 'deoptimised 10 times\n');
  });
}
