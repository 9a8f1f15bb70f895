// What the package tests share: packing, installing and finding Node versions. Holds no tests.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Packs pkg/ as `npm publish` would and installs the tarball, offline, into empty projects of the given module types. */
export function installPackage(types) {
  const folder = mkdtempSync(join(tmpdir(), 'stepfold-package-'));
  run('npm', ['pack', join(root, 'pkg'), '--pack-destination', folder, '--silent'], { cwd: folder });
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')));

  const projects = Object.fromEntries(
    types.map((type) => {
      const project = join(folder, type);
      mkdirSync(project);
      writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'app', private: true, type }));
      run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', tarball], { cwd: project });
      return [type, project];
    }),
  );
  return { projects, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Finds a Node of this major version: from the lock file (Linux), the one running the tests, or one on the PATH.
 * Returns `undefined` when the machine has none; the test then says so and is skipped.
 */
export function findNode(major) {
  const modules = join(root, 'node_modules');
  const packaged = readdirSync(modules).filter((name) => name.startsWith(`node${major}-`));
  const candidates = [
    ...packaged.map((name) => join(modules, name, 'bin/node')),
    process.execPath,
    ...process.env.PATH.split(delimiter).map((folder) => join(folder, 'node')),
  ];
  return candidates.find((path) => existsSync(path) && run(path, ['--version']).startsWith(`v${major}.`));
}

/** Runs a program and returns what it printed. Throws, with its error output, when it fails. */
export function run(program, parameters, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, { encoding: 'utf8', ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout.trim();
}
