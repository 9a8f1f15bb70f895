// `node:sqlite`, on the newest Node there is. Holds no checks of its own: it starts `node-sqlite.mjs`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findNode } from '../package/helpers.mjs';

test('node:sqlite, on Node 24: messages that eight servers put in at once are all kept, each once', (t) => {
  const node = findNode(24);
  if (node === undefined) return t.diagnostic('this machine has no Node 24');
  const { stdout, stderr } = spawnSync(node, [fileURLToPath(new URL('node-sqlite.mjs', import.meta.url))], { encoding: 'utf8' });
  assert.equal(stdout, 'ok\n', stderr);
});
