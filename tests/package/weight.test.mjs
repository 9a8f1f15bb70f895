// What the package weighs, and what of it a bundler can leave out. Limits are in bytes and rise only on purpose.
// What each runtime's bundle gains is measured in tests/runtimes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { bundleStep } from '../../bench/model.mjs';
import { nodeEntries, entries as packageEntries, peerEntries, plainEntries } from '../runtimes/entries.mjs';
import { root } from './helpers.mjs';

/**
 * An entry is what is loaded together. The engine stands in the first as letters (scripts/letters.mjs): gzip makes as little of it as of the module.
 * The engine's limit has room for serde, serde-wasm-bindgen, postcard and std's collections, which stand in place of code of our own.
 */
const entries = [
  { name: 'stepfold', files: ['index.js'], raw: 1_230_000, gzip: 430_000, brotli: 357_000 },
  { name: 'stepfold on edge platforms', files: ['index.edge.js', 'core.wasm'], raw: 1_155_000, gzip: 428_000, brotli: 347_000 },
  { name: 'the engine', files: ['core.wasm'], raw: 960_000, gzip: 378_000, brotli: 305_000 },
  { name: 'stepfold/o200k', files: ['o200k.js'], raw: 930_000, gzip: 785_000, brotli: 700_000 },
  { name: 'the module of o200k', files: ['o200k.wasm'], raw: 720_000, gzip: 740_000, brotli: 700_000 },
  { name: 'stepfold/cl100k', files: ['cl100k.js'], raw: 500_000, gzip: 375_000, brotli: 355_000 },
  { name: 'stepfold/stores', files: ['stores.js'], raw: 9_000, gzip: 3_200, brotli: 2_800 },
  { name: 'stepfold/file-store', files: ['file-store.js'], raw: 5_000, gzip: 2_200, brotli: 2_000 },
  { name: 'stepfold/ui', files: ['ui.js'], raw: 3_000, gzip: 1_500, brotli: 1_500 },
  { name: 'stepfold/otel', files: ['otel.js'], raw: 3_500, gzip: 1_400, brotli: 1_300 },
  { name: 'the program stepfold', files: ['cli.js'], raw: 75_000, gzip: 22_000, brotli: 20_000 },
  { name: 'stepfold/react', files: ['react.js'], raw: 6_000, gzip: 2_000, brotli: 2_000 },
  { name: 'the module of cl100k', files: ['cl100k.wasm'], raw: 380_000, gzip: 355_000, brotli: 350_000 },
];

for (const { name, files, ...limits } of entries) {
  test(`${name} is at most ${limits.raw} bytes, ${limits.gzip} after gzip, ${limits.brotli} after brotli`, (t) => {
    const bytes = files.map((file) => readFileSync(join(root, 'pkg/dist', file)));
    const sum = (compress) => bytes.reduce((total, file) => total + compress(file).length, 0);
    const sizes = { raw: sum((file) => file), gzip: sum((file) => gzipSync(file, { level: 9 })), brotli: sum((file) => brotliCompressSync(file)) };
    t.diagnostic(JSON.stringify(sizes));
    for (const [kind, size] of Object.entries(sizes)) assert.ok(size <= limits[kind], `${kind}: ${size} bytes`);
  });
}

test('the default entry, bundled and minified, adds at most 420 KB after gzip', async (t) => {
  const bytes = gzipSync(await bundle(`export * from 'stepfold'`), { level: 9 }).length;
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes <= 420_000);
});

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
