// Runs the tests that need a browser. Installs Chromium where it can (apt, as root); where it cannot, says so and ends well,
// because a machine without a browser is no fault of the code. Expects the built package (scripts/setup.mjs).

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { findChromium } from '../tests/runtimes/hosts/browser.mjs';
import { installRuntimes } from '../tests/runtimes/install.mjs';

installRuntimes();
if (findChromium() === undefined) installChromium();
if (findChromium() === undefined) {
  console.log('test: browser SKIPPED: there is no Chromium here, and it can only be installed by apt as root. Set CHROMIUM to a browser to use it.');
} else {
  const files = readdirSync('tests', { recursive: true }).map(String).filter((name) => name.endsWith('.browser.mjs')).sort();
  const parameters = ['--test', '--test-concurrency=1', '--test-reporter=spec', ...files.map((name) => `tests/${name}`)];
  const start = performance.now();
  const passed = run(process.execPath, parameters);
  console.log(`test: browser ${passed ? 'ok' : 'FAILED'} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  process.exitCode = passed ? 0 : 1;
}

function installChromium() {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return;
  console.log('test: apt-get install chromium');
  const parameters = ['install', '--yes', '--quiet=2', '--no-install-recommends', 'chromium'];
  if (!run('apt-get', parameters, 'ignore') && run('apt-get', ['update', '--quiet=2'])) run('apt-get', parameters, 'ignore');
}

function run(/** @type {string} */ program, /** @type {string[]} */ parameters, /** @type {'inherit' | 'ignore'} */ stdio = 'inherit') {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', NODE_TEST_CONTEXT: undefined };
  return spawnSync(program, parameters, { stdio: ['ignore', stdio, 'inherit'], env: environment }).status === 0;
}
