// Gets a fresh checkout ready: the wasm32 target, node_modules, a recent `node` for npm scripts, and the built package.
// Needs rustup, a C compiler, Node >= 20 and npm, and nothing from npm itself, because it runs before `npm ci`.
// Safe to run at any time; does nothing where nothing changed.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

checkNode();
addRustParts();
installPackages();
preferRecentNode();

const { build } = await import('./build.mjs');
await build({ force: process.argv.includes('--force-build') });

function checkNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) stop(`stepfold needs Node 20 or newer to build; this is ${process.version}.`);
}

/** Adds the wasm32 target and the two tools that `npm test` uses. Looks into the sysroot first: rustup is slow to ask. */
function addRustParts() {
  const sysroot = output('rustc', ['--print', 'sysroot']);
  if (sysroot === undefined) stop('No `rustc` was found. Install Rust with rustup (rustup.rs) and try again.');

  const executable = process.platform === 'win32' ? '.exe' : '';
  if (!existsSync(join(sysroot, 'lib/rustlib/wasm32-unknown-unknown'))) {
    run('rustup', ['target', 'add', 'wasm32-unknown-unknown']);
  }
  for (const [component, program] of [['rustfmt', 'cargo-fmt'], ['clippy', 'cargo-clippy']]) {
    if (!existsSync(join(sysroot, 'bin', program + executable))) run('rustup', ['component', 'add', component]);
  }
}

/** Runs `npm ci` unless node_modules already holds what package-lock.json asks for. */
function installPackages() {
  const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  // npm writes down what it installed; comparing with that needs no stamp of our own and survives `npm install`.
  const installedPath = 'node_modules/.package-lock.json';
  const installed = existsSync(installedPath) ? JSON.parse(readFileSync(installedPath, 'utf8')).packages : {};
  const outdated = Object.entries(wanted).some(
    ([path, { version, optional }]) => path !== '' && !optional && installed[path]?.version !== version,
  );
  if (outdated) run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

/**
 * Puts Node 24 first on the PATH of npm scripts, because `ai` 7 needs Node >= 22.
 *
 * The lock file brings Node 20 and Node 24 as optional packages for Linux; both offer a program called `node`, and
 * npm links whichever it meets first. Elsewhere the scripts run on the Node that started them.
 */
function preferRecentNode() {
  const folder = readdirSync('node_modules').find((name) => name.startsWith('node24-'));
  if (folder !== undefined) {
    mkdirSync('node_modules/.bin', { recursive: true });
    rmSync('node_modules/.bin/node', { force: true });
    symlinkSync(`../${folder}/bin/node`, 'node_modules/.bin/node');
  } else if (Number(process.versions.node.split('.')[0]) < 22) {
    console.warn(`setup: no Node 24 package for ${process.platform}-${process.arch}; what needs ai 7 will not run on ${process.version}.`);
  }
}

function output(program, parameters) {
  const { status, stdout } = spawnSync(program, parameters, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function run(program, parameters) {
  console.log(`setup: ${program} ${parameters.join(' ')}`);
  // npm is a .cmd file on Windows, which only a shell can start.
  const { status } = spawnSync(program, parameters, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) stop(`\`${program} ${parameters.join(' ')}\` failed.`);
}

function stop(reason) {
  console.error(`setup: ${reason}`);
  process.exit(1);
}
