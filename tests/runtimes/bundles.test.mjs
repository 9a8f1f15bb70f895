// Single-file bundles of esbuild and Vite, alone in an empty folder, as a serverless platform unpacks them.
// What the entries weigh is measured in tests/package.

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { assertFinishes, assertOverflows, parseRun } from './check.mjs';
import { played } from './entries.mjs';
import { bundle, writeCaller } from './hosts/bundles.mjs';
import { app, installRuntimes, run } from './install.mjs';

installRuntimes();

for (const kind of ['esbuild ESM', 'esbuild CommonJS', 'Vite server']) {
  for (const entry of played) {
    const { id, specifier } = entry;
    test(`${kind}: one file in an empty folder overflows without ${specifier} and finishes with it`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'stepfold-lambda-'));
      try {
        const file = await bundle(kind, id);
        copyFileSync(file, join(folder, basename(file)));
        const caller = writeCaller(folder, file);
        const call = (how) => parseRun(run(process.execPath, [caller, how], { cwd: folder, env: { PATH: process.env.PATH } }));
        assertOverflows(call('without'));
        assertFinishes(call('with'), entry);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
}

for (const kind of ['esbuild browser', 'Vite browser', 'webpack browser']) {
  test(`${kind}: who imports what needs no engine downloads none`, async (t) => {
    const source = join(app, 'without-engine.mjs');
    writeFileSync(source, `export { StepfoldError } from 'stepfold';\nexport * from 'stepfold/stores';\nexport * from 'stepfold/ui';\n`);
    const { length } = readFileSync(await bundle(kind, 'without-engine', { source }));
    t.diagnostic(`${length} bytes`);
    assert.ok(length <= 9_000, `${length} bytes`);
  });
}
