// The agent in Vercel's edge-runtime, where neither `eval` nor compiling WebAssembly is allowed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAgentOverHttp } from './check.mjs';
import { played } from './entries.mjs';
import { load } from './hosts/bundles.mjs';
import { bundleEdge, serveEdge } from './hosts/edge-runtime.mjs';
import { installRuntimes } from './install.mjs';

installRuntimes();

for (const entry of played) {
  const { id, specifier } = entry;
  test(`edge-runtime without code generation: the agent overflows without ${specifier} and finishes with it`, async () => {
    await bundleEdge(id);
    const server = await serveEdge(id);
    try {
      await assertAgentOverHttp(entry, (run) => server.fetch(`/?run=${run}`));
    } finally {
      await server.close();
    }
  });
}

test('edge-runtime without code generation refuses to compile WebAssembly', async () => {
  const { EdgeRuntime } = await load('edge-runtime/dist/index.js');
  const runtime = new EdgeRuntime({ codeGeneration: { strings: false, wasm: false } });
  assert.throws(() => runtime.evaluate('new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))'), /disallowed by embedder/);
});
