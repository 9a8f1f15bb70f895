// Bundles of the agent: esbuild, Vite and webpack, for servers and for browsers, each one file without imports.
// Runs none of them.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, home } from '../install.mjs';

/** @typedef {'esbuild ESM' | 'esbuild CommonJS' | 'esbuild browser' | 'Vite server' | 'Vite browser' | 'webpack browser'} BundleKind */

/** Bundles of this process: nothing that they are made of changes while it runs. */
const built = new Map();

/** Builds a handler, once, and returns the bundle's only file. Minified, as deployed. */
export function bundle(kind, variant, { source = join(app, 'handlers', `${variant}.mjs`) } = {}) {
  const key = JSON.stringify([kind, variant, source]);
  const known = built.get(key) ?? buildAnew(kind, variant, source);
  built.set(key, known);
  return known;
}

async function buildAnew(kind, variant, source) {
  const folder = join(home, 'bundles', `${kind.replaceAll(' ', '-')}-${variant}`);
  const file = join(folder, kind === 'esbuild CommonJS' ? 'handler.cjs' : 'handler.mjs');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  switch (kind) {
    case 'esbuild ESM':
    case 'esbuild CommonJS':
      await esbuild({ source, file, platform: 'node', format: kind === 'esbuild ESM' ? 'esm' : 'cjs' });
      break;
    case 'esbuild browser':
      await esbuild({ source, file, platform: 'browser', format: 'esm' });
      break;
    case 'Vite server':
    case 'Vite browser':
      await vite({ source, file, ssr: kind === 'Vite server' });
      break;
    case 'webpack browser':
      await webpack({ source, file });
      break;
    default: {
      const unknown = kind;
      throw new Error(`no such bundle: ${unknown}`);
    }
  }
  return file;
}

async function esbuild({ source, file, platform, format }) {
  const { build } = await load('esbuild/lib/main.js');
  // Packages that `ai` brings still `require` builtins of Node; in an ES module, esbuild leaves that to whoever bundles.
  const require = `import { createRequire } from 'node:module';const require = createRequire(import.meta.url);`;
  await build({
    entryPoints: [source],
    outfile: file,
    bundle: true,
    minify: true,
    platform,
    format,
    target: 'es2022',
    logLevel: 'error',
    legalComments: 'none',
    ...(platform === 'node' && format === 'esm' ? { banner: { js: require } } : {}),
  });
}

async function vite({ source, file, ssr }) {
  const { build } = await load('vite/dist/node/index.js');
  await build({
    root: app,
    configFile: false,
    logLevel: 'error',
    ...(ssr ? { ssr: { noExternal: true } } : {}),
    build: {
      outDir: dirname(file),
      minify: true,
      target: 'es2022',
      modulePreload: false,
      ...(ssr ? { ssr: source } : { lib: { entry: source, formats: ['es'] } }),
      rolldownOptions: { output: { entryFileNames: basename(file), codeSplitting: false } },
    },
    define: ssr ? {} : { 'process.env.NODE_ENV': '"production"' },
  });
}

/** The webpack that comes with Next.js; as there, what makes it small is called behind it. */
async function webpack({ source, file }) {
  const require = createRequire(join(home, 'package.json'));
  const bundler = require('next/dist/compiled/webpack/bundle5.js')().webpack;
  const stats = await new Promise((resolve, reject) => {
    bundler(
      {
        mode: 'production',
        entry: source,
        target: ['web', 'es2022'],
        experiments: { outputModule: true },
        optimization: { minimize: false },
        output: { path: dirname(file), filename: basename(file), module: true, library: { type: 'module' } },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    );
  });
  if (stats.hasErrors()) throw new Error(stats.toString());
  const { code } = await require('next/dist/compiled/terser').minify(readFileSync(file, 'utf8'), { module: true });
  writeFileSync(file, code);
}

/** A bundler of build/runtimes; imported late, because these packages are installed on demand. */
export async function load(path) {
  const module = await import(pathToFileURL(join(home, 'node_modules', path)).href);
  return module.default?.build === undefined ? module : module.default;
}

/** Writes a program that calls a bundle as a serverless platform would: one event in, one body out. */
export function writeCaller(folder, bundle) {
  const caller = join(folder, 'call.mjs');
  writeFileSync(
    caller,
    `import * as bundle from ${JSON.stringify(`./${basename(bundle)}`)};
const { handle } = bundle.handle === undefined ? bundle.default : bundle;
const response = await handle(new Request('http://localhost/?run=' + process.argv[2]));
console.log(await response.text());
`,
  );
  return caller;
}
