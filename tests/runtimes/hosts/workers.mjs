// Cloudflare Workers: bundled by wrangler as for a deployment, run by workerd through miniflare. No network, no account.
// `workers.mjs <variant>` serves a bundle made by `bundleWorker`.

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { app, bin, home, run } from '../install.mjs';
import { startServer } from '../server.mjs';
import { load } from './bundles.mjs';

const COMPATIBILITY_DATE = '2026-04-01';
const folder = (variant) => join(home, 'workers', variant);

/** Bundles with wrangler and returns the files of the upload. */
export function bundleWorker(variant) {
  const configuration = join(app, `wrangler.${variant}.json`);
  const main = `worker-${variant}.mjs`;
  writeFileSync(join(app, main), readFileSync(join(app, 'worker.mjs'), 'utf8').replaceAll('VARIANT', variant));
  writeFileSync(configuration, JSON.stringify({ name: `agent-${variant}`, main, compatibility_date: COMPATIBILITY_DATE, compatibility_flags: ['nodejs_compat'] }));
  // What an earlier build has left would be weighed, too: wrangler names modules by their contents.
  rmSync(folder(variant), { recursive: true, force: true });
  mkdirSync(folder(variant), { recursive: true });
  run(bin('wrangler'), ['deploy', '--dry-run', '--minify', '--config', configuration, '--outdir', folder(variant)], {
    env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
  });
  return uploaded(variant);
}

const uploaded = (variant) => readdirSync(folder(variant)).filter((name) => /\.(js|wasm)$/.test(name)).map((name) => join(folder(variant), name));

/** What counts against Cloudflare's limit. */
export function compressedBytes(variant) {
  return uploaded(variant).reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
}

export function serveWorker(variant) {
  return startServer(process.execPath, [fileURLToPath(import.meta.url), variant], { cwd: home, env: { CLOUDFLARE_CF_FETCH_ENABLED: 'false' }, ready: /listening on (\d+)/ });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const variant = process.argv[2];
  const { Miniflare } = await load('miniflare/dist/src/index.js');
  const script = uploaded(variant).find((file) => file.endsWith('.js'));
  const miniflare = new Miniflare({
    cf: false,
    compatibilityDate: COMPATIBILITY_DATE,
    compatibilityFlags: ['nodejs_compat'],
    modulesRoot: folder(variant),
    modules: [{ type: 'ESModule', path: script }, ...uploaded(variant).filter((file) => file.endsWith('.wasm')).map((path) => ({ type: 'CompiledWasm', path }))],
    host: '127.0.0.1',
    port: 0,
  });
  const { port } = await miniflare.ready;
  console.log(`listening on ${port}`);
}
