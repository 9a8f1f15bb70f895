// The tests run on one Node, users on several: here runs of all majors are repeated on the oldest that is supported, or, when
// that is the one at work, on the newest; at a push one of each kind of run. Holds no checks of its own: it starts the files that do.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { amount } from '../amount.mjs';
import { findNode } from '../package/helpers.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const other = process.version.startsWith('v20.') ? 24 : 20;

test(`the runs of ai 5, 6 and 7 pass on Node ${other} too`, (t) => {
  const node = findNode(other);
  if (node === undefined) return t.diagnostic(`this machine has no Node ${other}`);
  const files = ['majors.test.mjs', 'steering.test.mjs'].map((name) => join(here, name));
  const environment = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const pattern = amount({ push: [`--test-name-pattern=/: usage reported$|watches a run that fits|steer/`], night: [] });
  const { status, stdout } = spawnSync(node, ['--test', '--test-reporter=tap', ...pattern, ...files], { encoding: 'utf8', env: environment });
  assert.equal(status, 0, stdout.split('\n').filter((line) => line.startsWith('not ok') || line.includes('error:')).join('\n'));
  assert.match(stdout, /^# pass [1-9]\d/m);
});
