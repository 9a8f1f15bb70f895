// Builds pkg/, the folder that is published: Rust -> wasm -> glue -> one JavaScript file per entry, plus types.
// Knows nothing about installing tools (setup.mjs does that) and rewrites no JSON: pkg-template/ is copied as it is.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { toLetters } from './letters.mjs';
import { nameInOrder } from './order-functions.mjs';

/** The exact counters: a module each, because an edge platform can load its table in no other form. */
const encodings = ['o200k', 'cl100k'];

/** JavaScript alone, without WebAssembly: one file serves every platform. */
const plain = ['stores', 'ui', 'otel', 'react'];

/** The same for Node, Bun and Deno alone: they import modules of Node. */
const forNode = ['file-store'];

/** What an entry imports of its user's packages. Those are optional peers. */
const peers = ['react'];

/** Each entry becomes one file without imports, except the edge entries, which import their .wasm file, and what stands beside a peer or on Node. */
const entries = [
  ...['index', ...encodings, ...plain].map((name) => ({ source: `js/${name}.ts`, file: `${name}.js` })),
  // The condition chooses among the imports that start with `#` (package.json).
  { source: 'js/index.ts', file: 'index.edge.js', conditions: ['edge'] },
  ...encodings.map((name) => ({ source: `js/${name}.edge.ts`, file: `${name}.edge.js`, conditions: ['edge'] })),
  ...forNode.map((name) => ({ source: `js/${name}.ts`, file: `${name}.js`, external: ['node:*'] })),
];

const declarations = ['index', ...encodings, ...plain, ...forNode].map((name) => ({ source: `js/${name}.ts`, file: `${name}.d.ts` }));

/** The program `stepfold`, for Node alone. Imports the package beside it, so that nobody downloads the engine twice. */
const program = 'cli.js';
/** The script and the style of the page that it writes, as a module. */
const pageParts = 'build/inspect/page-parts.ts';
/** Its readers of logs alone, for the replay bench. */
const readers = 'build/inspect/readers.mjs';

const wasmFiles = ['core.wasm', ...encodings.map((name) => `${name}.wasm`)];
const distFiles = [program, ...wasmFiles, ...entries.map(({ file }) => file), ...declarations.map(({ file }) => file)];

// What rustc emits by default and no more. `--all-features` would write encodings that Node 20 refuses.
const wasmFeatures = [
  '--enable-mutable-globals',
  '--enable-sign-ext',
  '--enable-nontrapping-float-to-int',
  '--enable-bulk-memory',
  '--enable-bulk-memory-opt',
  '--enable-reference-types',
  '--enable-multivalue',
  '--enable-call-indirect-overlong',
];

// Not `--low-memory-unused`: Rust puts its stack there.
const wasmOptFlags = [
  // Twice, on code without nesting: 1 % of the download.
  '--flatten',
  '--rereloop',
  '-Oz',
  '-Oz',
  // A function inlined where it is called once makes one of hundreds of locals, which compresses badly: 10 KB of the download.
  '--one-caller-inline-max-function-size=16',
  '--strip-producers',
  '--strip-target-features',
];

const target = 'wasm32-unknown-unknown';
const engine = `target/${target}/release/stepfold.wasm`;
const glue = 'build/glue';
// A submission whose Cargo.lock is out of date must fail in CI and not be repaired there.
const locked = process.env.CI ? ['--locked'] : [];
const counters = 'build/exact';
/** Characters of base64 in a literal of an exact counter. */
const PART = 16_384;

/** Expects the repository's root as working directory. `hasCounters`: the exact counters lie in `build/exact` already, and are not made. */
export async function build({ force = false, hasCounters = false } = {}) {
  await takeLock();
  compileEngine();
  if (!hasCounters) compileCounters();
  await whenChanged({
    name: 'glue',
    force,
    inputs: [engine, 'tools/bindgen', 'Cargo.lock', 'scripts/build.mjs', 'scripts/letters.mjs', 'scripts/order-functions.mjs', 'node_modules/binaryen/package.json'],
    outputs: ['engine.js', 'engine.d.ts', 'engine-functions.ts', 'core.wasm', 'engine-wasm.ts'].map((file) => join(glue, file)),
    make: makeGlue,
  });
  await whenChanged({
    name: 'package',
    force,
    inputs: [glue, counters, 'js', 'inspect', 'pkg-template', 'package.json', ...guides(), 'README.md', 'CHANGELOG.md', 'LICENSE', 'tsconfig.json', 'package-lock.json', 'scripts/build.mjs'],
    outputs: ['pkg/package.json', readers, ...distFiles.map((file) => join('pkg/dist', file))],
    make: makePackage,
  });
  linkPackage();
}

/** Waits while another build works in this checkout; both would write the same folders. Released when the process ends. */
async function takeLock() {
  const lock = 'build/lock';
  mkdirSync('build', { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      process.on('exit', () => rmSync(lock, { force: true }));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isRunning(lock)) await setTimeout(200);
    else rmSync(lock, { force: true }); // Left behind by a build that was killed.
  }
}

function isRunning(lock) {
  try {
    return process.kill(Number(readFileSync(lock, 'utf8')), 0);
  } catch {
    return false;
  }
}

function compileEngine() {
  run('cargo', ['fetch', '--quiet', '--target', target, ...locked]);
  compile(['--lib']);
}

/** Always asks cargo, which alone knows what the parts are made of; it answers in a fraction of a second. */
function compile(parameters) {
  run('cargo', ['build', '--quiet', '--release', '--target', target, ...locked, ...parameters], {
    CARGO_ENCODED_RUSTFLAGS: remapFlags().join('\x1f'),
  });
}

/** One module per encoding, from the same source: the table is chosen by a feature. Left alone where nothing changed. */
function compileCounters() {
  mkdirSync(counters, { recursive: true });
  for (const name of encodings) {
    compile(['--package', 'stepfold-exact-wasm', '--no-default-features', '--features', name]);
    const small = join(counters, 'small.wasm');
    wasmOpt(`target/${target}/release/stepfold_exact_wasm.wasm`, small, ['-Oz', '--strip-producers', '--strip-target-features']);
    const bytes = readFileSync(small);
    rmSync(small);
    const [file, textFile] = [join(counters, `${name}.wasm`), join(counters, `${name}-wasm.ts`)];
    const text = `// Made by scripts/build.mjs from ${name}.wasm.\nexport const parts = [\n${base64Parts(bytes).map((part) => `  '${part}',\n`).join('')}];\n`;
    if (existsSync(file) && existsSync(textFile) && readFileSync(textFile, 'utf8') === text) continue;
    new WebAssembly.Module(bytes);
    writeFileSync(file, bytes);
    writeFileSync(textFile, text);
  }
}

/** Panic messages hold source paths. Without these flags they would name the build machine's folders. */
function remapFlags() {
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry/src');
  const registries = existsSync(sources) ? readdirSync(sources).map((name) => join(sources, name)) : [];
  return [...registries.map((path) => `${path}=crates`), `${process.cwd()}=stepfold`].map((rule) => `--remap-path-prefix=${rule}`);
}

function wasmOpt(from, to, flags) {
  run(process.execPath, ['node_modules/binaryen/bin/wasm-opt', from, ...flags, ...wasmFeatures, '-o', to]);
}

function makeGlue() {
  const folder = 'build/glue-next';
  rmSync(folder, { recursive: true, force: true });
  run('cargo', ['run', '--quiet', '--package', 'stepfold-bindgen', '--', engine, folder]);

  wasmOpt(join(folder, 'engine_bg.wasm'), join(folder, 'small.wasm'), wasmOptFlags);
  // Functions that are alike compress better side by side: 5 % of the download.
  writeFileSync(join(folder, 'named.wasm'), nameInOrder(readFileSync(join(folder, 'small.wasm'))));
  wasmOpt(join(folder, 'named.wasm'), join(folder, 'core.wasm'), ['--reorder-functions-by-name', '--strip-debug']);

  const bytes = readFileSync(join(folder, 'core.wasm'));
  new WebAssembly.Module(bytes); // Throws here, and not at a user's, if wasm-opt wrote what this Node refuses.
  const fields = Object.entries(toLetters(bytes)).map(([name, value]) => `  ${name}: ${typeof value === 'string' ? `'${value}'` : value},\n`);
  writeFileSync(join(folder, 'engine-wasm.ts'), `// Made by scripts/build.mjs from core.wasm.\nexport const wasm = {\n${fields.join('')}};\n`);
  writeFunctions(folder);
  replaceFolder(folder, glue);
}

/** The functions of the glue as an object: a namespace is kept by a user's bundler, with all that is in it, also when unused. */
function writeFunctions(folder) {
  const exported = readFileSync(join(folder, 'engine.js'), 'utf8').matchAll(/^export function (\w+)/gm);
  const names = ['initSync', ...[...exported].map(([, name]) => name)].join(', ');
  writeFileSync(join(folder, 'engine-functions.ts'), `// Made by scripts/build.mjs from engine.js.\nimport { ${names} } from './engine.js';\n\nexport const functions = { ${names} };\n`);
}

/**
 * An exact counter's table is coded densely: gzip finds nothing in it, and base64 is shortest. In parts, each of whole bytes: an engine reads
 * a literal into memory that it makes larger as it goes on, and reuses for the next. V8 looks through all of a literal once more when it is
 * shorter than `PART`.
 */
function base64Parts(bytes) {
  const text = bytes.toString('base64').replace(/=+$/, '');
  return Array.from({ length: Math.ceil(text.length / PART) }, (_, index) => text.slice(index * PART, (index + 1) * PART));
}

async function makePackage() {
  const esbuild = await import('esbuild');
  const folder = 'build/pkg-next';
  const dist = join(folder, 'dist');

  rmSync(folder, { recursive: true, force: true });
  cpSync('pkg-template', folder, { recursive: true });
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', ...guides()].filter(existsSync)) cpSync(file, join(folder, file));
  await writeDeclarations(dist);
  cpSync(join(glue, 'core.wasm'), join(dist, 'core.wasm'));
  for (const name of encodings) cpSync(join(counters, `${name}.wasm`), join(dist, `${name}.wasm`));

  for (const { source, file, conditions = [], external = [] } of entries) {
    await esbuild.build({
      entryPoints: [source],
      outfile: join(dist, file),
      // ESM alone: Node requires it, too, because nothing in it awaits at its top.
      format: 'esm',
      bundle: true,
      platform: 'neutral',
      conditions,
      target: 'es2022',
      external: ['*.wasm?module', ...peers, ...external],
      // What the glue takes for granted, and jest with jsdom lacks.
      inject: ['js/bridge/text-coders.ts'],
      // Not minified: Node prints the source line of an uncaught error, and one line of everything would bury the message.
      // For the same reason there are no source maps: the code is readable as it is, and a map would add the wasm a
      // second time. A user's bundler minifies it with the rest.
      legalComments: 'none',
      logLevel: 'warning',
    });
  }
  await buildProgram(esbuild, join(dist, program));
  replaceFolder(folder, 'pkg');
}

/** The documents, for people and agents who look into node_modules. Their pictures stay in the repository. */
function guides() {
  return readdirSync('docs').filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
}

async function buildProgram(esbuild, outfile) {
  const isolated = { bundle: true, write: false, legalComments: 'none', logLevel: 'warning', minify: true };
  const [script, style] = await Promise.all([
    esbuild.build({ ...isolated, entryPoints: ['inspect/page/client.ts'], format: 'iife', target: 'es2022' }),
    esbuild.build({ ...isolated, entryPoints: ['inspect/page/style.css'] }),
  ]);
  const [scriptText, styleText] = [script, style].map(({ outputFiles: [file] }) => JSON.stringify(file.text.trim()));
  mkdirSync(dirname(pageParts), { recursive: true });
  writeFileSync(pageParts, `// Made by scripts/build.mjs from inspect/page/.\nexport const script = ${scriptText};\nexport const style = ${styleText};\n`);
  const forNode20 = { bundle: true, format: 'esm', platform: 'node', target: 'node20', legalComments: 'none', logLevel: 'warning' };
  await esbuild.build({ ...forNode20, entryPoints: ['inspect/readers.ts'], outfile: readers });
  await esbuild.build({
    ...forNode20,
    entryPoints: ['inspect/bin.ts'],
    outfile,
    banner: { js: '#!/usr/bin/env node' },
    plugins: [{ name: 'the package beside it', setup: ({ onResolve }) => onResolve({ filter: /^\.\.\/js\/index\.js$/ }, () => ({ path: './index.js', external: true })) }],
  });
}

/** tsc writes one declaration per source file, and checks them; rollup joins those that users see. */
async function writeDeclarations(folder) {
  const { rollup } = await import('rollup');
  const { dts } = await import('rollup-plugin-dts');
  const parts = 'build/types';

  rmSync(parts, { recursive: true, force: true });
  run(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.json', '--noEmit', 'false', '--emitDeclarationOnly', '--declaration', '--outDir', parts]);
  mkdirSync(folder, { recursive: true });
  for (const { source, file } of declarations) {
    const input = join(parts, source.replace(/\.ts$/, '.d.ts'));
    const bundle = await rollup({ input, external: ['ai', ...peers], plugins: [dts()] });
    // Sessions can be used with `await using`; who has no such lib still must be able to read the types.
    await bundle.write({ file: join(folder, file), banner: '/// <reference lib="esnext.disposable" />' });
    await bundle.close();
  }
}

/** Keeps the last good folder until the new one is complete. */
function replaceFolder(next, current) {
  rmSync(current, { recursive: true, force: true });
  renameSync(next, current);
}

/** Lets tests, demo and benches write `import … from 'stepfold'`. `npm ci` removes the link, so it is renewed each time. */
function linkPackage() {
  const link = 'node_modules/stepfold';
  if (existsSync(join(link, 'package.json'))) return;
  rmSync(link, { recursive: true, force: true });
  symlinkSync(join('..', 'pkg'), link, 'junction');
}

/** Runs `make` unless all outputs exist and the inputs are, byte for byte, those of the last successful run. */
async function whenChanged({ name, force, inputs, outputs, make }) {
  const stamp = `build/stamps/${name}`;
  const fingerprint = hash(inputs);
  const fresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint && outputs.every(existsSync);
  if (fresh && !force) return;

  rmSync(stamp, { force: true });
  const start = performance.now();
  try {
    await make();
  } catch (error) {
    stop(`${name} could not be made: ${error.message}`);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, fingerprint);
  console.log(`build: ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}

function hash(paths) {
  const digest = createHash('sha256');
  for (const path of paths.filter(existsSync).flatMap(filesBelow)) digest.update(path).update('\0').update(readFileSync(path));
  return digest.digest('hex');
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).sort().flatMap((name) => filesBelow(join(path, name)));
}

function run(program, parameters, environment = {}) {
  const { status, error } = spawnSync(program, parameters, { stdio: 'inherit', env: { ...process.env, ...environment } });
  if (error || status !== 0) stop(`\`${[program, ...parameters].join(' ')}\` failed. ${error?.message ?? ''}`);
}

function stop(reason) {
  console.error(`build: ${reason}`);
  process.exit(1);
}
