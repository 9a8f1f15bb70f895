// A Next.js app on Cloudflare by OpenNext: built by its command, run by workerd through `wrangler dev`, with the one line that it
// needs and without it. Run by `npm run test:opennext`, not by `npm test`: it installs 700 MB and builds for minutes.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertAgentOverHttp } from '../runtimes/check.mjs';
import { entries, variants } from '../runtimes/entries.mjs';
import { app, installPackages, installTarball, run, writeApp } from '../runtimes/install.mjs';
import { startServer } from '../runtimes/server.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const home = join(here, '../../build/opennext');
const environment = { CI: '1', NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' };

installPackages(here, home);
installTarball(home);
writeApp();

test('the agent overflows without any entry of stepfold and finishes with it, given one line of configuration', async () => {
  build(`serverExternalPackages: ['stepfold']`);
  const server = await serve();
  try {
    for (const entry of entries) await assertAgentOverHttp(entry, (how) => server.fetch(`/${entry.id}?run=${how}`));
  } finally {
    await server.close();
  }
});

test('without that line, the first request says what to add', async () => {
  build('');
  const server = await serve();
  try {
    const text = await (await server.fetch('/default?run=with')).text();
    assert.match(text + server.output(), /add `serverExternalPackages: \['stepfold'\]` to next\.config/);
  } finally {
    await server.close();
  }
});

/** Writes an app with a route for each entry, and builds it. */
function build(line) {
  for (const folder of ['app', 'lib', '.next', '.open-next']) rmSync(join(home, folder), { recursive: true, force: true });
  cpSync(app, join(home, 'lib'), { recursive: true });
  const write = (path, text) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  // The roots are named only because this app lies inside another project, stepfold's own.
  const roots = `turbopack: { root: ${JSON.stringify(home)} }, outputFileTracingRoot: ${JSON.stringify(home)}`;
  write('next.config.mjs', `export default { ${roots}, ${line} };\n`);
  write('open-next.config.ts', `import { defineCloudflareConfig } from '@opennextjs/cloudflare';\n\nexport default defineCloudflareConfig();\n`);
  write('wrangler.json', JSON.stringify({
    name: 'agent', main: '.open-next/worker.js', compatibility_date: '2026-04-01', compatibility_flags: ['nodejs_compat'],
    assets: { directory: '.open-next/assets', binding: 'ASSETS' },
  }));
  write('app/layout.jsx', 'export default function Layout({ children }) {\n  return <html><body>{children}</body></html>;\n}\n');
  for (const { id } of variants) {
    write(`app/${id}/route.js`, `import { handle } from '../../lib/handlers/${id}.mjs';\n\nexport const dynamic = 'force-dynamic';\nexport const GET = handle;\n`);
  }
  run(process.execPath, ['node_modules/@opennextjs/cloudflare/dist/cli/index.js', 'build'], { cwd: home, env: { ...process.env, ...environment } });
}

function serve() {
  return startServer(process.execPath, ['node_modules/wrangler/bin/wrangler.js', 'dev', '--local', '--ip', '127.0.0.1', '--port', '0', '--inspector-port', '0'], {
    cwd: home, env: environment, ready: /Ready on http:\/\/127\.0\.0\.1:(\d+)/,
  });
}
