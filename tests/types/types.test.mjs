// Compiles usage.mts against ai 5, 6 and 7, and looks into the built package for what would tie it to one of them.
// The types themselves are in usage.mts; nothing of it runs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const dist = join(root, 'pkg/dist');

for (const major of [5, 6, 7]) {
  test(`everything users write with stepfold compiles against ai ${major}`, () => {
    const parameters = ['node_modules/typescript/bin/tsc', '--project', `tests/types/tsconfig.v${major}.json`, '--pretty', 'false', '--listFiles'];
    const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { cwd: root, encoding: 'utf8' });
    const isFile = (line) => line.startsWith('/') || /^[A-Z]:[\\/]/.test(line);
    const lines = stdout.split('\n');
    assert.equal(status, 0, lines.filter((line) => !isFile(line)).join('\n') + stderr);
    // The mapping is what makes this a test of three majors.
    const read = lines.filter(isFile).map((file) => /node_modules\/(ai(?:-v\d)?)\//.exec(file)?.[1]).filter((name) => name !== undefined);
    assert.deepEqual([...new Set(read)], [`ai-v${major}`]);
  });
}

test('the package imports nothing at run time but what an entry is for, `ai` least of all', () => {
  const byEntry = { 'react.js': ['react'], 'file-store.js': ['node:crypto', 'node:fs/promises', 'node:path'] };
  // The program is Node's alone: tests/package/contents.test.mjs says what it imports.
  for (const name of readdirSync(dist).filter((file) => /\.js$/.test(file) && file !== 'cli.js')) {
    const code = readFileSync(join(dist, name), 'utf8');
    const imported = [...code.matchAll(/(?:\bfrom|\bimport|\brequire\()\s*\(?["']([^"']+)["']/g)].map(([, from]) => from);
    assert.deepEqual(imported.filter((from) => !/^\.\/.*\.wasm(\?module)?$/.test(from)), byEntry[name] ?? [], name);
  }
});

test('the types import from `ai` what all majors export', () => {
  const imports = readFileSync(join(dist, 'index.d.ts'), 'utf8').match(/^import .*$/gm);
  assert.deepEqual(imports, ["import { ToolSet, InferToolInput, InferToolOutput, ModelMessage, LanguageModel, Tool } from 'ai';"]);
});
