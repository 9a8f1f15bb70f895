// Single-file bundles of esbuild and Vite, alone in an empty folder, as a serverless platform unpacks them.
// What they weigh is compared with the same bundle without stepfold.

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertFinishes, assertOverflows, parseRun } from './check.mjs';
import { baseline, entries } from './entries.mjs';
import { bundle, writeCaller } from './hosts/bundles.mjs';
import { app, installRuntimes, run } from './install.mjs';

installRuntimes();

for (const kind of /** @type {const} */ (['esbuild ESM', 'esbuild CommonJS', 'Vite server'])) {
  for (const entry of entries) {
    const { id, specifier } = entry;
    test(`${kind}: one file in an empty folder overflows without ${specifier} and finishes with it`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'stepfold-lambda-'));
      try {
        const file = await bundle(kind, id);
        copyFileSync(file, join(folder, basename(file)));
        const caller = writeCaller(folder, file);
        const call = (/** @type {string} */ how) => parseRun(run(process.execPath, [caller, how], { cwd: folder, env: { PATH: process.env.PATH } }));
        assertOverflows(call('without'));
        assertFinishes(call('with'), entry);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
}

for (const kind of /** @type {const} */ (['esbuild browser', 'Vite browser', 'webpack browser'])) {
  test(`${kind}: who imports what needs no engine downloads none`, async (t) => {
    const source = join(app, 'without-engine.mjs');
    writeFileSync(source, `export { StepfoldError } from 'stepfold';\nexport * from 'stepfold/stores';\nexport * from 'stepfold/ui';\n`);
    const { length } = readFileSync(await bundle(kind, 'without-engine', { source }));
    t.diagnostic(`${length} bytes`);
    assert.ok(length <= 9_000, `${length} bytes`);
  });
}

for (const kind of /** @type {const} */ (['esbuild ESM', 'esbuild browser', 'Vite browser'])) {
  for (const { id, specifier, bundleLimit } of entries) {
    test(`${kind}: ${specifier} adds at most ${bundleLimit} bytes after gzip`, async (t) => {
      const weigh = async (/** @type {string} */ variant) => gzipSync(readFileSync(await bundle(kind, variant)), { level: 9 }).length;
      const added = (await weigh(id)) - (await weigh(baseline.id));
      t.diagnostic(`${added} bytes`);
      assert.ok(added > 0 && added <= Number(bundleLimit), `${added} bytes`);
    });
  }
}
