// Vercel's edge-runtime with code generation forbidden, for JavaScript and for WebAssembly, as it is on Vercel.
// `edge-runtime.mjs <variant>` serves a bundle made by `bundleEdge`; Vercel's build does the same with `?module` imports.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, home, run } from '../install.mjs';
import { startServer } from '../server.mjs';
import { load } from './bundles.mjs';

const folder = join(home, 'edge-runtime');

/** Returns the script and the modules beside it. */
export async function bundleEdge(variant) {
  const { build } = await load('esbuild/lib/main.js');
  mkdirSync(folder, { recursive: true });
  const modules = [];
  const script = join(folder, `${variant}.js`);
  await build({
    stdin: {
      contents: `import { handle } from './handlers/${variant}.mjs'; addEventListener('fetch', (event) => event.respondWith(handle(event.request)));`,
      resolveDir: app,
    },
    outfile: script,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    conditions: ['edge-light', 'import'],
    logLevel: 'error',
    plugins: [{
      name: 'compiled-modules',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path.replace('?module', '')), namespace: 'compiled' }));
        onLoad({ filter: /.*/, namespace: 'compiled' }, ({ path }) => {
          modules.push(path);
          return { contents: `export default globalThis.compiledModules[${JSON.stringify(basename(path))}]` };
        });
      },
    }],
  });
  writeFileSync(join(folder, `${variant}.json`), JSON.stringify(modules));
  return { script, modules };
}

/** Makes a runtime and runs the script in it. */
async function createRuntime(variant) {
  const { EdgeRuntime } = await load('edge-runtime/dist/index.js');
  const modules = JSON.parse(readFileSync(join(folder, `${variant}.json`), 'utf8'));
  const compiledModules = Object.fromEntries(modules.map((path) => [basename(path), new WebAssembly.Module(readFileSync(path))]));
  return new EdgeRuntime({
    codeGeneration: { strings: false, wasm: false },
    extend: (context) => Object.assign(context, { compiledModules }),
    initialCode: readFileSync(join(folder, `${variant}.js`), 'utf8'),
  });
}

export function serveEdge(variant) {
  return startServer(process.execPath, [fileURLToPath(import.meta.url), variant], { cwd: dirname(folder), ready: /listening on (\d+)/ });
}

/** The cold start, measured inside a fresh process: script, first request, first step. */
export function measureEdge(variant) {
  return JSON.parse(run(process.execPath, [fileURLToPath(import.meta.url), variant, 'cold']));
}

async function printCold(variant) {
  const before = process.cpuUsage();
  const runtime = await createRuntime(variant);
  await (await runtime.dispatchFetch('http://localhost/?run=first')).text();
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ milliseconds: (user + system) / 1_000, bytes: process.memoryUsage().rss }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [variant, mode] = process.argv.slice(2);
  if (mode === 'cold') {
    await printCold(variant);
  } else {
    const { runServer } = await load('edge-runtime/dist/index.js');
    const { url } = await runServer({ runtime: await createRuntime(variant), host: '127.0.0.1', port: 0 });
    console.log(`listening on ${new URL(url).port}`);
  }
}
