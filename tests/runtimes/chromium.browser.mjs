// The agent in a page of headless Chromium, from bundles of Vite and esbuild. Run by `npm run test:browser`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFinishes, assertOverflows, parseRun } from './check.mjs';
import { entries, played } from './entries.mjs';
import { withPage } from './hosts/browser.mjs';
import { bundle } from './hosts/bundles.mjs';
import { installRuntimes } from './install.mjs';

installRuntimes();

for (const kind of ['Vite browser', 'esbuild browser']) {
  for (const entry of played) {
    const { id, specifier } = entry;
    test(`Chromium, ${kind}: the agent overflows without ${specifier} and finishes with it, where scripts may compile WebAssembly but not evaluate text`, async () => {
      await withPage({ bundle: await bundle(kind, id) }, async (page) => {
        assertOverflows(parseRun((await page.evaluate(`runAgent('without')`)).stream));
        assertFinishes(parseRun((await page.evaluate(`runAgent('with')`)).stream), entry);
      });
    });
  }
}

for (const { id, specifier } of entries.slice(0, 1)) {
  test(`Chromium: where the page's policy forbids WebAssembly, ${specifier} says what to allow`, async () => {
    await withPage({ bundle: await bundle('esbuild browser', id), policy: "script-src 'self'" }, async (page) => {
      const { stream, error } = await page.evaluate(`runAgent('with')`);
      assert.match(`${error} ${stream}`, /wasm-unsafe-eval/);
    });
  });
}
