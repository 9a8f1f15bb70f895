// What the package weighs, and what of it a bundler can leave out. `npm run size` prints the sizes of all files.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { bundleStep } from '../../bench/model.mjs';
import { nodeEntries, entries as packageEntries, peerEntries, plainEntries } from '../runtimes/entries.mjs';
import { root } from './helpers.mjs';

/**
 * What is loaded together, and the most that it may weigh: an eighth above what it weighed when its limit was written, so that a change meets
 * it only when the package has grown for good. Then say in the changelog what for. The engine stands in `index.js` as letters
 * (scripts/letters.mjs): gzip makes as little of it as of the module, and minifying makes nothing less of it.
 */
const entries = [
  { name: 'stepfold', files: ['index.js'], limit: 498_000 },
  { name: 'stepfold on edge platforms', files: ['index.edge.js', 'core.wasm'], limit: 496_000 },
  { name: 'stepfold/o200k', files: ['o200k.js'], limit: 745_000 },
  { name: 'stepfold/cl100k', files: ['cl100k.js'], limit: 376_000 },
  { name: 'what needs no engine', files: ['stores.js', 'file-store.js', 'ui.js', 'react.js', 'otel.js'], limit: 9_000 },
  { name: 'the program stepfold', files: ['cli.js'], limit: 30_400 },
];

for (const { name, files, limit } of entries) {
  test(`${name} is at most ${limit} bytes after gzip`, (t) => {
    const size = files.reduce((total, file) => total + gzipSync(readFileSync(join(root, 'pkg/dist', file)), { level: 9 }).length, 0);
    t.diagnostic(`${size} bytes`);
    assert.ok(size <= limit, `${size} bytes`);
  });
}

test('what only `model(…)` needs adds at most 5 KB after gzip for who does not use it', async (t) => {
  const [all, without] = await Promise.all([true, false].map(async (hasModel) => gzipSync(await bundleStep({ hasModel }), { level: 9 }).length));
  t.diagnostic(`${all - without} bytes`);
  assert.ok(all > without && all - without <= 5_000, `${all - without} bytes`);
});

for (const { specifier } of [...packageEntries, ...plainEntries, ...nodeEntries, ...peerEntries]) {
  for (const conditions of [[], ['workerd']]) {
    const where = conditions.length === 0 ? '' : ` on ${conditions}`;

    test(`importing ${specifier}${where} for nothing adds nothing`, async () => {
      assert.equal((await bundle(`import '${specifier}';`, conditions)).toString(), '');
    });

    if (specifier !== 'stepfold') continue; // The others have no code that one function could leave out.
    test(`importing one function of ${specifier}${where} leaves out the code of the others`, async () => {
      const one = (await bundle(`export { isContextOverflow } from '${specifier}';`, conditions)).toString();
      const all = (await bundle(`export * from '${specifier}';`, conditions)).toString();
      assert.ok(all.length - one.length > 5_000, `${all.length} bytes in all, ${one.length} for one function`);
    });
  }
}

for (const conditions of [[], ['workerd']]) {
  test(`who imports what needs no engine${conditions.length === 0 ? '' : ` on ${conditions}`} gets none`, async (t) => {
    const { length } = await bundle(`export { StepfoldError } from 'stepfold'; export * from 'stepfold/stores'; export * from 'stepfold/ui'; export * from 'stepfold/react';`, conditions);
    t.diagnostic(`${length} bytes`);
    assert.ok(length <= 11_000, `${length} bytes`);
  });
}

async function bundle(contents, conditions = []) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['*.wasm?module', 'node:*', ...peerEntries.map(({ peer }) => peer)],
    conditions,
    logLevel: 'error',
    write: false,
  });
  return Buffer.from(outputFiles[0].contents);
}
