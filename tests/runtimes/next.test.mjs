// Next.js over HTTP, with a streamed response: `next build` with `next start`, and `next dev`, with Turbopack and webpack, in
// route handlers with runtime nodejs and edge, in a proxy and in a middleware.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertAgentOverHttp } from './check.mjs';
import { amount } from '../amount.mjs';
import { played } from './entries.mjs';
import { places, prepareNext, serveNext } from './hosts/next.mjs';
import { installRuntimes } from './install.mjs';

installRuntimes();

/** Proxy and middleware in each bundler and each mode, in as few apps as there have to be. At a push what Next.js does by default. */
const all = [
  { bundler: 'turbopack', mode: 'start', interceptor: 'proxy' },
  { bundler: 'turbopack', mode: 'dev', interceptor: 'middleware' },
  { bundler: 'webpack', mode: 'start', interceptor: 'middleware' },
  { bundler: 'webpack', mode: 'dev', interceptor: 'proxy' },
];
const setups = amount({ push: all.slice(0, 1), night: all });

for (const setup of setups) {
  describe(`next ${setup.mode === 'dev' ? 'dev' : 'build and start'}, ${setup.bundler}`, () => {
    let server;
    before(async () => {
      prepareNext(setup);
      server = await serveNext(setup);
    });
    after(() => server?.close());

    test('the edge runtime refuses to compile WebAssembly', async () => {
      assert.match(await (await server.fetch('/edge/compile')).text(), /disallowed by embedder/);
    });

    for (const place of places(setup)) {
      for (const entry of played) {
        const { id, specifier } = entry;
        test(`${place}: the agent overflows without ${specifier} and finishes with it`, async () => {
          await assertAgentOverHttp(entry, (run) => server.fetch(`/${place}/${id}?run=${run}`));
        });
      }
    }
  });
}
