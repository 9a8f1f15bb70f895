// The agent in Cloudflare's workerd, and what a worker with it weighs.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertAgentOverHttp } from './check.mjs';
import { baseline, entries, played } from './entries.mjs';
import { bundleWorker, compressedBytes, serveWorker } from './hosts/workers.mjs';
import { installRuntimes } from './install.mjs';

installRuntimes();
before(() => [baseline, ...entries].forEach(({ id }) => bundleWorker(id)));

for (const entry of played) {
  const { id, specifier } = entry;
  test(`workerd: the agent overflows without ${specifier} and finishes with it, though nothing can be compiled`, async () => {
    const server = await serveWorker(id);
    try {
      assert.match(await (await server.fetch('/compile')).text(), /disallowed by embedder/);
      await assertAgentOverHttp(entry, (run) => server.fetch(`/?run=${run}`));
    } finally {
      await server.close();
    }
  });
}

for (const { id, specifier, bundleLimit, workerLimit } of entries) {
  test(`a worker with ai, a provider and ${specifier} is at most ${workerLimit} bytes after gzip, ${bundleLimit} of them ours`, (t) => {
    const all = compressedBytes(id);
    const added = all - compressedBytes(baseline.id);
    t.diagnostic(`${all} bytes, ${added} of them by ${specifier}`);
    assert.ok(all <= Number(workerLimit), `${all} bytes`);
    assert.ok(added <= Number(bundleLimit), `${added} bytes`);
  });
}
