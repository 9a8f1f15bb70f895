// What is in the package: its metadata, its files, and that nothing of the build machine is left in it.
// Runs nothing of it (install.test.mjs and edge.test.mjs do). What it weighs: weight.test.mjs.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';

import { notices } from '../../scripts/notices.mjs';
import { peerEntries } from '../runtimes/entries.mjs';
import { root, run } from './helpers.mjs';

const pkg = join(root, 'pkg');
const peers = peerEntries.map(({ peer }) => peer);
const manifest = JSON.parse(readFileSync(join(pkg, 'package.json'), 'utf8'));

for (const [file, imports] of [
  ['index.js', []],
  ['index.edge.js', ['./core.wasm?module']],
  ['o200k.js', []],
  ['o200k.edge.js', ['./o200k.wasm?module']],
  ['cl100k.js', []],
  ['cl100k.edge.js', ['./cl100k.wasm?module']],
  ['stores.js', []],
  ['ui.js', []],
  ['otel.js', []],
  ['react.js', ['react']],
  ['file-store.js', ['node:crypto', 'node:fs/promises', 'node:path']],
]) {
  test(`${file} imports ${imports.join() || 'nothing'} and asks for no place on disk`, async () => {
    const { metafile } = await bundle(file, { external: ['*.wasm?module', 'node:*', ...peers], metafile: true });
    const [output] = Object.values(metafile.outputs);
    assert.deepEqual(output.imports.map(({ path }) => path), imports);
    assert.doesNotMatch(readFileSync(join(pkg, 'dist', file), 'utf8'), /import\.meta|__dirname|require\(/);
  });
}

test('the program imports the package beside it and modules of Node, and nothing else', async () => {
  const { metafile } = await bundle('cli.js', { external: ['./index.js', 'node:*'], metafile: true });
  const [output] = Object.values(metafile.outputs);
  const imported = output.imports.map(({ path }) => path);
  assert.ok(imported.includes('./index.js'));
  assert.deepEqual(imported.filter((path) => path !== './index.js' && !path.startsWith('node:')), []);
  assert.deepEqual(manifest.bin, { stepfold: './dist/cli.js' });
  assert.match(readFileSync(join(pkg, 'dist/cli.js'), 'utf8'), /^#!\/usr\/bin\/env node\n/);
});

test('the package depends on nothing, and `ai` and `react` are optional peers', () => {
  assert.equal(manifest.dependencies, undefined);
  assert.equal(manifest.optionalDependencies, undefined);
  assert.deepEqual(Object.keys(manifest.peerDependencies), ['ai', 'react']);
  assert.deepEqual(manifest.peerDependenciesMeta, { ai: { optional: true }, react: { optional: true } });
});

test('pkg-template, Cargo.toml and the root package.json agree on the version', () => {
  const cargo = /^version = "(.+)"$/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))[1];
  const workspace = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  assert.deepEqual([manifest.version, workspace], [cargo, cargo]);
});

/** What npm would publish. */
const published = () => JSON.parse(run('npm', ['pack', pkg, '--dry-run', '--json', '--silent']))[0].files.map(({ path }) => path);

test('readme, documents, changelog, license and the licenses of what is embedded are in the package', () => {
  const names = published().filter((path) => !path.startsWith('dist/')).sort();
  const documents = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  assert.deepEqual(names, ['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD_PARTY_NOTICES.txt', ...documents, 'package.json'].sort());
});

test('a link in a document of the package leads into the package, or says its whole address; only pictures stay in the repository', () => {
  const names = new Set(published());
  for (const path of [...names].filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')) {
    for (const [, isPicture, target] of readFileSync(join(pkg, path), 'utf8').matchAll(/(!?)\[[^\]]*\]\(([^)#]+)[^)]*\)/g)) {
      if (target.startsWith('https://')) continue;
      const led = join(dirname(path), target);
      assert.ok(isPicture === '' ? names.has(led) : existsSync(join(root, led)), `${path} links to ${target}`);
    }
  }
});

test('the licenses of what is embedded are those of the crates and data that are', () => {
  assert.equal(readFileSync(join(pkg, 'THIRD_PARTY_NOTICES.txt'), 'utf8'), notices());
});

test('the package can be published with provenance: it names its repository and is public', () => {
  assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true });
  assert.match(manifest.repository.url, /^git\+https:\/\/github\.com\/.+\.git$/);
});

test('no lock file names the registry that somebody happened to use', () => {
  for (const lock of ['package-lock.json', 'tests/runtimes/package-lock.json', 'tests/opennext/package-lock.json', 'tests/workflow/package-lock.json']) {
    assert.doesNotMatch(readFileSync(join(root, lock), 'utf8'), /"resolved"/, lock);
  }
});

test('there are no source maps and nothing that asks for one', () => {
  for (const path of filesBelow(join(pkg, 'dist'))) {
    assert.doesNotMatch(path, /\.map$/);
    assert.doesNotMatch(readFileSync(path, 'latin1'), /sourceMappingURL/, path);
  }
});

for (const condition of ['workerd', 'edge-light', 'import', 'require']) {
  test(`the condition ${condition} has the same types`, () => {
    const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, customConditions: [condition] };
    const mode = condition === 'require' ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext;
    const { resolvedModule } = ts.resolveModuleName('stepfold', join(root, 'user.ts'), options, ts.sys, undefined, undefined, mode);
    assert.equal(resolvedModule?.resolvedFileName, join(pkg, 'dist/index.d.ts'));
  });
}

test('no file names a folder of the build machine', () => {
  const machine = [root, `${homedir()}/`, '.cargo/', '.rustup/', 'registry/src'];
  for (const path of filesBelow(pkg)) {
    const text = readFileSync(path, 'latin1');
    // Documents may speak of the reader's own folder of packages.
    const traces = path.startsWith(join(pkg, 'docs')) ? machine : [...machine, 'node_modules/'];
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

function filesBelow(path) {
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesBelow(join(path, name))) : [path];
}

test('what runs in components says so at its head, where a bundler of server components looks', () => {
  assert.match(readFileSync(join(pkg, 'dist/react.js'), 'utf8'), /^"use client";\n/);
});
