// What is in the package: its size, its metadata, and that nothing of the build machine is left in it.
// Runs nothing of it (install.test.mjs and edge.test.mjs do).

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { root } from './helpers.mjs';

const pkg = join(root, 'pkg');
const manifest = JSON.parse(readFileSync(join(pkg, 'package.json'), 'utf8'));
const gzipBytes = (bytes) => gzipSync(bytes, { level: 9 }).length;

test('core.wasm is at most 120 KB after gzip', (t) => {
  assertAtMost(t, gzipBytes(readFileSync(join(pkg, 'dist/core.wasm'))), 120_000);
});

test('the default entry, bundled and minified, is at most 200 KB after gzip', async (t) => {
  const { outputFiles } = await bundle('index.js', { minify: true });
  assertAtMost(t, gzipBytes(outputFiles[0].contents), 200_000);
});

for (const [name, wasmLimit, inlinedLimit] of [
  ['o200k', 740_000, 785_000],
  ['cl100k', 355_000, 375_000],
]) {
  test(`${name}.wasm is at most ${wasmLimit / 1000} KB after gzip`, (t) => {
    assertAtMost(t, gzipBytes(readFileSync(join(pkg, `dist/${name}.wasm`))), wasmLimit);
  });

  test(`the entry ${name}, bundled and minified, is at most ${inlinedLimit / 1000} KB after gzip`, async (t) => {
    const { outputFiles } = await bundle(`${name}.js`, { minify: true });
    assertAtMost(t, gzipBytes(outputFiles[0].contents), inlinedLimit);
  });
}

for (const [file, imports] of [
  ['index.js', []],
  ['index.cjs', []],
  ['index.edge.js', ['./core.wasm?module']],
  ['o200k.js', []],
  ['o200k.cjs', []],
  ['o200k.edge.js', ['./o200k.wasm?module']],
  ['cl100k.js', []],
  ['cl100k.cjs', []],
  ['cl100k.edge.js', ['./cl100k.wasm?module']],
]) {
  test(`${file} imports ${imports.join() || 'nothing'} and asks for no place on disk`, async () => {
    const { metafile } = await bundle(file, { external: ['*.wasm?module'], metafile: true });
    const [output] = Object.values(metafile.outputs);
    assert.deepEqual(output.imports.map(({ path }) => path), imports);
    assert.doesNotMatch(readFileSync(join(pkg, 'dist', file), 'utf8'), /import\.meta|__dirname|require\(/);
  });
}

test('the package depends on nothing, and `ai` is an optional peer', () => {
  assert.equal(manifest.dependencies, undefined);
  assert.equal(manifest.optionalDependencies, undefined);
  assert.deepEqual(Object.keys(manifest.peerDependencies), ['ai']);
  assert.equal(manifest.peerDependenciesMeta.ai.optional, true);
});

test('pkg-template, Cargo.toml and the root package.json agree on the version', () => {
  const cargo = /^version = "(.+)"$/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))[1];
  const workspace = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  assert.deepEqual([manifest.version, workspace], [cargo, cargo]);
});

test('readme, changelog and license are in the package', () => {
  const files = readdirSync(pkg);
  assert.deepEqual(['README.md', 'CHANGELOG.md', 'LICENSE'].filter((file) => !files.includes(file)), []);
});

test('no file names a folder of the build machine', () => {
  const traces = [root, `${homedir()}/`, '.cargo/', '.rustup/', 'registry/src', 'node_modules/'];
  for (const path of filesBelow(pkg)) {
    const text = readFileSync(path, 'latin1');
    assert.deepEqual(traces.filter((trace) => text.includes(trace)), [], path);
  }
});

test('publint finds nothing, strictly', async () => {
  const { messages } = await publint({ pkgDir: pkg, strict: true });
  assert.deepEqual(messages.map((message) => formatMessage(message, manifest)), []);
});

function bundle(file, options) {
  return build({ entryPoints: [join(pkg, 'dist', file)], bundle: true, format: 'esm', write: false, outdir: 'out', ...options });
}

function assertAtMost(t, bytes, limit) {
  t.diagnostic(`${bytes} of ${limit} bytes`);
  assert.ok(bytes <= limit, `${bytes} bytes are more than ${limit}`);
}

function filesBelow(path) {
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesBelow(join(path, name))) : [path];
}
