// ai 7 asks for Node 22 or newer; the other tests also run it on Node 20. Here its runs are repeated on Node 24.
// Holds no checks of its own: it starts the files that do.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findNode } from '../package/helpers.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const node = findNode(24);
const isRunning = process.version.startsWith('v24.');

test('the runs of ai 7 pass on Node 24', { skip: node === undefined ? 'this machine has no Node 24' : isRunning && 'these tests run on it already' }, () => {
  const files = ['majors.test.mjs', 'steering.test.mjs'].map((name) => join(here, name));
  const environment = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const { status, stdout } = spawnSync(/** @type {string} */ (node), ['--test', '--test-name-pattern=/ai 7|steer|message/', '--test-reporter=tap', ...files], { encoding: 'utf8', env: environment });
  assert.equal(status, 0, stdout.split('\n').filter((line) => line.startsWith('not ok') || line.includes('error:')).join('\n'));
  assert.match(stdout, /^# pass [1-9]\d/m);
});
