// A Next.js app with the agent in every place where a route may run: handlers with runtime nodejs and edge, and a proxy (Node)
// or a middleware (edge). Builds it or runs it in development, with Turbopack or webpack.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { variants } from '../entries.mjs';
import { app, home, run } from '../install.mjs';
import { startServer } from '../server.mjs';

/**
 * @typedef {object} NextSetup
 * @property {'turbopack' | 'webpack'} bundler
 * @property {'start' | 'dev'} mode
 * @property {'proxy' | 'middleware'} interceptor A Next.js app has one or the other.
 */

const next = join(home, 'node_modules/next/dist/bin/next');
const environment = { NEXT_TELEMETRY_DISABLED: '1', CI: '1', NODE_ENV: undefined };

const nameOf = ({ bundler, mode }) => `next-${bundler}-${mode}`;
export const folderOf = (setup) => join(home, 'apps', nameOf(setup));

/** Where the agent answers. @param {NextSetup} setup */
export const places = ({ interceptor }) => ['nodejs', 'edge', interceptor];

/** Writes the app, and builds it when it is to be started. @param {NextSetup} setup */
export function prepareNext(setup) {
  const folder = folderOf(setup);
  rmSync(folder, { recursive: true, force: true });
  cpSync(app, join(folder, 'lib'), { recursive: true });
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  // Without "type": "module", with which webpack fails on every edge route (not because of stepfold).
  write('package.json', JSON.stringify({ name: nameOf(setup), private: true }));
  write('next.config.mjs', configuration);
  write('app/layout.jsx', 'export default function Layout({ children }) {\n  return <html><body>{children}</body></html>;\n}\n');
  write('app/page.jsx', 'export default function Page() {\n  return <p>The agent answers under /nodejs and /edge.</p>;\n}\n');
  for (const runtime of ['nodejs', 'edge']) {
    for (const { id } of variants) {
      const handler = relative(join('app', runtime, id), join('lib/handlers', `${id}.mjs`));
      write(`app/${runtime}/${id}/route.js`, `import { handle } from '${handler}';\n\nexport const runtime = '${runtime}';\nexport const dynamic = 'force-dynamic';\nexport const GET = handle;\n`);
    }
  }
  write('app/edge/compile/route.js', compileRoute);
  write(`${setup.interceptor}.js`, interceptor(setup.interceptor));
  if (setup.mode === 'start') buildNext(folder, setup.bundler);
}

/** Needed only because an app lies inside another project here, stepfold's own. */
export const configuration = `export default { turbopack: { root: ${JSON.stringify(home)} }, outputFileTracingRoot: ${JSON.stringify(home)} };\n`;

export function buildNext(folder, bundler) {
  run(process.execPath, [next, 'build', `--${bundler}`], { cwd: folder, env: { ...process.env, ...environment } });
}

/** Shows that the edge runtime of this server lets nothing be compiled. */
const compileRoute = `export const runtime = 'edge';
export const dynamic = 'force-dynamic';

export function GET() {
  try {
    new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
    return new Response('compiled');
  } catch (error) {
    return new Response(error.message);
  }
}
`;

function interceptor(kind) {
  const imports = variants.map(({ id }) => `import { handle as ${id}Handler } from './lib/handlers/${id}.mjs';\n`).join('');
  const handlers = variants.map(({ id }) => `'/${kind}/${id}': ${id}Handler`).join(', ');
  return `${imports}
const handlers = { ${handlers} };

export function ${kind}(request) {
  return handlers[new URL(request.url).pathname](request);
}

export const config = { matcher: '/${kind}/:path*' };
`;
}

/** Starts the app. @param {NextSetup} setup */
export function serveNext(setup) {
  return startNext(folderOf(setup), { parameters: setup.mode === 'dev' ? ['dev', `--${setup.bundler}`] : ['start'] });
}

/** Starts an app. In its edge runtime, nothing can be compiled. */
export async function startNext(folder, { parameters = ['start'], env = {} } = {}) {
  const port = await freePort();
  const forbid = pathToFileURL(join(dirname(fileURLToPath(import.meta.url)), 'next-forbid-wasm.mjs')).href;
  return startServer(process.execPath, [next, ...parameters, '--port', String(port), '--hostname', '127.0.0.1'], {
    cwd: folder,
    env: { ...environment, ...env, NODE_OPTIONS: `--import=${forbid}` },
    ready: new RegExp(`:(${port})[^]*Ready in`),
  });
}

/** Next.js prints the port it was given, even if that was 0. @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** What an edge route is deployed with, by the build's own list. @param {NextSetup} setup @param {string} variant */
export function edgeFiles(setup, variant) {
  const { functions } = JSON.parse(readFileSync(join(folderOf(setup), '.next/server/middleware-manifest.json'), 'utf8'));
  const { files, wasm = [] } = functions[`/edge/${variant}/route`];
  return [...files, ...wasm.map(({ filePath }) => filePath)].map((file) => join(folderOf(setup), '.next', file));
}

/** What a Node route is deployed with. @param {NextSetup} setup @param {string} variant */
export function nodeFiles(setup, variant) {
  const route = join(folderOf(setup), '.next/server/app/nodejs', variant, 'route.js');
  const { files } = JSON.parse(readFileSync(`${route}.nft.json`, 'utf8'));
  return [route, ...files.map((file) => join(dirname(route), file))];
}
