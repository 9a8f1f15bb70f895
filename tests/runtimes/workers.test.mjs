// The agent in Cloudflare's workerd, and whether Cloudflare takes a worker with it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAgentOverHttp } from './check.mjs';
import { played } from './entries.mjs';
import { bundleWorker, compressedBytes, serveWorker } from './hosts/workers.mjs';
import { installRuntimes } from './install.mjs';

/** What Cloudflare takes of a worker, gzipped, on its free plan. */
const FREE_PLAN_BYTES = 3_000_000;

installRuntimes();

for (const entry of played) {
  const { id, specifier } = entry;
  test(`workerd: the agent overflows without ${specifier} and finishes with it, though nothing can be compiled`, async (t) => {
    bundleWorker(id);
    const bytes = compressedBytes(id);
    t.diagnostic(`${bytes} bytes`);
    assert.ok(bytes <= FREE_PLAN_BYTES, `a worker with ai, a provider and ${specifier} has ${bytes} bytes, Cloudflare takes ${FREE_PLAN_BYTES}`);
    const server = await serveWorker(id);
    try {
      assert.match(await (await server.fetch('/compile')).text(), /disallowed by embedder/);
      await assertAgentOverHttp(entry, (run) => server.fetch(`/?run=${run}`));
    } finally {
      await server.close();
    }
  });
}
