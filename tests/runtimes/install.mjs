// Brings what the tests of the runtimes need into build/runtimes, when it is asked for and not there yet: the packages of
// package-lock.json beside this file, the tarball of pkg/ as a user would install it, and the agent. `node install.mjs` does it
// ahead of the tests. Starts no runtime.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { variants } from './entries.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

/** Where everything is installed and built. Git ignores it. */
export const home = join(root, 'build/runtimes');
export const bin = (name) => join(home, 'node_modules/.bin', name);

/** The agent with its handlers, ready to be copied beside a runtime's own files. */
export const app = join(home, 'app');

export function installRuntimes() {
  installPackages(here, home);
  installTarball(home);
  writeApp();
}

/** Runs `npm ci` unless `folder` holds already what the lock file in `source` asks for. */
export function installPackages(source, folder) {
  const lock = join(source, 'package-lock.json');
  const installed = join(folder, 'node_modules/.package-lock.json');
  const versions = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;
  const present = existsSync(installed) ? versions(installed) : {};
  const outdated = Object.entries(versions(lock)).some(([path, { version, optional }]) => path !== '' && !optional && present[path]?.version !== version);
  if (!outdated) return;
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(source, file), join(folder, file));
  console.log('runtimes: npm ci, about 1 GB');
  // No package needs its install script here: deno, workerd and esbuild find their programs without.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit' });
}

/** Packs pkg/ as `npm publish` would and unpacks it where Node, bundlers and frameworks look for packages. */
export function installTarball(into) {
  const target = join(into, 'node_modules/stepfold');
  const stamp = join(into, 'packed');
  const fingerprint = hash(join(root, 'pkg'));
  if (existsSync(target) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  const folder = join(into, 'tarball');
  rmSync(folder, { recursive: true, force: true });
  rmSync(target, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  mkdirSync(target, { recursive: true });
  run('npm', ['pack', join(root, 'pkg'), '--pack-destination', folder, '--silent'], { cwd: into });
  run('tar', ['-xzf', tarball(into), '-C', target, '--strip-components=1'], { cwd: into });
  writeFileSync(stamp, fingerprint);
}

/** The file that `npm publish` would upload. */
export function tarball(into = home) {
  const folder = join(into, 'tarball');
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'missing.tgz');
}

/** One handler an entry, ESM and CommonJS: the only lines in which stepfold is imported. */
export function writeApp() {
  mkdirSync(join(app, 'handlers'), { recursive: true });
  for (const file of readdirSync(join(here, 'app'))) writeChanged(join(app, file), readFileSync(join(here, 'app', file), 'utf8'));
  writeChanged(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  for (const { id, specifier, tokenizer } of variants) {
    const names = { ...(specifier === undefined ? {} : { createPrepareStep: 'stepfold' }), ...(tokenizer === undefined ? {} : { [tokenizer]: specifier }), createHandler: '../agent.mjs' };
    const lines = (line) => Object.entries(names).map(([name, from]) => `${line(name, from)}\n`).join('');
    const handler = `createHandler(${[specifier === undefined ? [] : 'createPrepareStep', tokenizer === undefined ? [] : `${tokenizer}()`].flat().join(', ')});\n`;
    writeChanged(join(app, 'handlers', `${id}.mjs`), `${lines((name, from) => `import { ${name} } from '${from}';`)}export const handle = ${handler}`);
    writeChanged(join(app, 'handlers', `${id}.cjs`), `${lines((name, from) => `const { ${name} } = require('${from}');`)}exports.handle = ${handler}`);
  }
}

/** Leaves a file alone that says the same already: a runtime may be reading it. */
function writeChanged(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

function hash(folder) {
  const digest = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true }).map(String).sort()) {
    const path = join(folder, name);
    if (statSync(path).isFile()) digest.update(name).update('\0').update(readFileSync(path));
  }
  return digest.digest('hex');
}

/** Runs a program in build/runtimes and returns what it printed. Throws, with its output, when it fails. */
export function run(program, parameters, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, { cwd: home, encoding: 'utf8', ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} failed:\n${stdout}${stderr}`);
  return String(stdout ?? '').trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installRuntimes();
