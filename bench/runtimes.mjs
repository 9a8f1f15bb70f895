// What stepfold costs in every runtime: processor time from import to the end of the first step, memory after it, and bytes to
// load, each beside the same agent without stepfold, measured in turns in this same run; with exact tokenizers, too. Prints a
// table; `-- --write-result` writes what docs/runtimes.md and the README show (then: npm run bench:docs).
// Exits with 1 when the agent does not work somewhere. `npm run bench:runtimes`; names as arguments choose rows: `-- node edge`.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { assertAgentOverHttp, assertFinishes, assertOverflows, parseRun } from '../tests/runtimes/check.mjs';
import { baseline, entries, variants } from '../tests/runtimes/entries.mjs';
import { findChromium, withPage } from '../tests/runtimes/hosts/browser.mjs';
import { bundle } from '../tests/runtimes/hosts/bundles.mjs';
import { bundleEdge, measureEdge, serveEdge } from '../tests/runtimes/hosts/edge-runtime.mjs';
import { edgeFiles, nodeFiles, prepareNext, serveNext } from '../tests/runtimes/hosts/next.mjs';
import { environment, programs, serve } from '../tests/runtimes/hosts/processes.mjs';
import { bundleWorker, serveWorker } from '../tests/runtimes/hosts/workers.mjs';
import { runtimesTable } from './docs/figures.mjs';
import { app, home, installRuntimes, run } from '../tests/runtimes/install.mjs';

/**
 * @typedef {object} Row A runtime.
 * @property {string} name
 * @property {string} [missing] Why it cannot be measured on this machine.
 * @property {() => unknown} [prepare]
 * @property {(entry: import('../tests/runtimes/entries.mjs').Variant) => Promise<void>} works Throws when the agent does not overflow without stepfold or does not finish with it.
 * @property {(variant: string) => Promise<{ milliseconds: number, bytes: number }>} cold One start in a fresh process.
 * @property {(variant: string) => string[]} files What has to be loaded or uploaded.
 * @property {number} rounds
 */

installRuntimes();
const isStored = process.argv.includes('--write-result');
const chosen = process.argv.slice(2).filter((name) => !name.startsWith('--')).map((name) => name.toLowerCase());
if (isStored && chosen.length > 0) throw new Error('a result is of all runtimes');
const rows = [...processRows(), ...bundleRows(), edgeRow(), workerRow(), ...nextRows('turbopack'), ...nextRows('webpack'), chromiumRow('Vite browser'), chromiumRow('esbuild browser')];

let failed = false;
const table = [];
for (const row of rows.filter(({ name }) => chosen.length === 0 || chosen.some((word) => name.toLowerCase().includes(word)))) {
  if (row.missing !== undefined) {
    table.push([row.name, row.missing]);
    continue;
  }
  process.stderr.write(`bench: ${row.name}\n`);
  await row.prepare?.();
  const starts = Object.fromEntries(variants.map(({ id }) => [id, /** @type {any[]} */ ([])]));
  // In turns, and not one after the other: what else the machine does then hits all alike. The first round warms the disk.
  for (let round = 0; round <= row.rounds; round++) {
    for (const { id } of round % 2 === 0 ? variants : variants.toReversed()) {
      const start = await row.cold(id);
      if (round > 0) starts[id].push(start);
    }
  }
  table.push(await report(row, starts));
}
const result = { head: ['runtime', 'works', 'first step without', 'with stepfold', 'gzip', 'memory', ...entries.slice(1).map(({ id }) => `with ${id}`)], rows: table };
console.log(runtimesTable(result));
if (isStored) writeFileSync(new URL('runtimes.json', import.meta.url), `${JSON.stringify(result, null, 1)}\n`);
process.exitCode = failed ? 1 : 0;

/** One line: that it works with every entry, what the default entry adds, and what an exact tokenizer adds with it. */
async function report(row, starts) {
  let works = 'yes';
  for (const entry of entries) {
    await row.works(entry).catch((/** @type {Error} */ error) => {
      failed = true;
      works = 'NO';
      process.stderr.write(`${row.name}, ${entry.specifier}: ${error.stack}\n`);
    });
  }
  // The cheapest start: whatever makes another one dearer is the machine's.
  const milliseconds = (/** @type {string} */ variant) => Math.min(...starts[variant].map((start) => start.milliseconds));
  const bytes = (/** @type {string} */ variant) => median(starts[variant].map((start) => start.bytes));
  const time = (/** @type {string} */ variant) => signed(milliseconds(variant) - milliseconds(baseline.id), 'ms');
  const weight = (/** @type {string} */ variant) => signed((weigh(row.files(variant)) - weigh(row.files(baseline.id))) / 1_000, 'KB');
  const [first, ...exact] = entries.map(({ id }) => id);
  return [
    row.name,
    works,
    `${milliseconds(baseline.id).toFixed(0)} ms`,
    time(first),
    weight(first),
    Number.isNaN(bytes(first)) ? '' : signed((bytes(first) - bytes(baseline.id)) / 1_000_000, 'MB'),
    ...exact.map((id) => `${time(id)}, ${weight(id)}`),
  ];
}

/** @returns {Row[]} */
function processRows() {
  return programs().map((program) => ({
    name: program.name,
    missing: program.program === undefined ? 'not on this machine' : undefined,
    rounds: 9,
    works: (entry) => overHttp(entry, () => serve(program, entry.id), '/'),
    cold: async (variant) => coldIn(String(program.program), [...program.flags, 'cold.mjs', `./handlers/${variant}.${program.type}`]),
    files: installedFiles,
  }));
}

function bundleRows() {
  return /** @type {const} */ (['esbuild ESM', 'esbuild CommonJS', 'Vite server']).map((kind) => {
    const built = new Map();
    return {
      name: `${kind} bundle in Node`,
      rounds: 9,
      prepare: async () => {
        for (const { id } of variants) built.set(id, await bundle(kind, id));
      },
      works: async (/** @type {import('../tests/runtimes/entries.mjs').Variant} */ entry) => {
        const { handle } = await importHandler(built.get(entry.id));
        await assertAgentOverHttp(entry, (how) => handle(new Request(`http://localhost/?run=${how}`)));
      },
      cold: async (/** @type {string} */ variant) => coldIn(process.execPath, ['cold.mjs', built.get(variant)]),
      files: (/** @type {string} */ variant) => [built.get(variant)],
    };
  });
}

async function importHandler(/** @type {string} */ path) {
  const module = await import(path);
  return module.handle === undefined ? module.default : module;
}

/** @returns {Row} */
function edgeRow() {
  const built = new Map();
  return {
    name: 'edge-runtime, no code generation',
    rounds: 9,
    prepare: async () => {
      for (const { id } of variants) built.set(id, await bundleEdge(id));
    },
    works: (entry) => overHttp(entry, () => serveEdge(entry.id), '/'),
    cold: async (variant) => measureEdge(variant),
    files: (variant) => [built.get(variant).script, ...built.get(variant).modules],
  };
}

/** @returns {Row} */
function workerRow() {
  const built = new Map();
  return {
    name: 'Cloudflare workerd',
    rounds: 5,
    prepare: () => {
      for (const { id } of variants) built.set(id, bundleWorker(id));
    },
    works: (entry) => overHttp(entry, () => serveWorker(entry.id), '/'),
    cold: (variant) => firstRequest(() => serveWorker(variant), '/?run=first'),
    files: (variant) => built.get(variant),
  };
}

/** @param {'turbopack' | 'webpack'} bundler @returns {Row[]} */
function nextRows(bundler) {
  const setup = /** @type {const} */ ({ bundler, mode: 'start', interceptor: bundler === 'webpack' ? 'middleware' : 'proxy' });
  let isBuilt = false;
  return /** @type {const} */ (['nodejs', 'edge']).map((place) => ({
    name: `Next.js ${place}, ${bundler}`,
    rounds: 4,
    prepare: () => {
      if (!isBuilt) prepareNext(setup);
      isBuilt = true;
    },
    works: (entry) => overHttp(entry, () => serveNext(setup), `/${place}/${entry.id}`),
    cold: (variant) => firstRequest(() => serveNext(setup), `/${place}/${variant}?run=first`),
    files: (variant) => (place === 'edge' ? edgeFiles(setup, variant) : nodeFiles(setup, variant)),
  }));
}

/** @param {'Vite browser' | 'esbuild browser'} kind @returns {Row} */
function chromiumRow(kind) {
  const built = new Map();
  return {
    name: `Chromium, ${kind.replace(' browser', '')}`,
    missing: findChromium() === undefined ? 'no Chromium on this machine' : undefined,
    rounds: 5,
    prepare: async () => {
      for (const { id } of variants) built.set(id, await bundle(kind, id));
    },
    works: (entry) => withPage({ bundle: built.get(entry.id) }, async (page) => {
      assertOverflows(parseRun((await page.evaluate(`runAgent('without')`)).stream));
      assertFinishes(parseRun((await page.evaluate(`runAgent('with')`)).stream), entry);
    }),
    cold: (variant) => withPage({ bundle: built.get(variant) }, async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send('Performance.enable');
      const processorTime = async () => (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ThreadTime').value * 1_000;
      const before = await processorTime();
      await page.evaluate(`runAgent('first')`);
      const milliseconds = (await processorTime()) - before;
      const { usedSize, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage');
      return { milliseconds, bytes: usedSize + backingStorageSize };
    }),
    files: (variant) => [built.get(variant)],
  };
}

function coldIn(/** @type {string} */ program, /** @type {string[]} */ parameters) {
  return JSON.parse(run(program, parameters, { cwd: app, env: { ...process.env, ...environment } }));
}

async function firstRequest(start, path) {
  const server = await start();
  try {
    const before = server.usage();
    await (await server.fetch(path)).text();
    const after = server.usage();
    return { milliseconds: after.milliseconds - before.milliseconds, bytes: after.bytes };
  } finally {
    await server.close();
  }
}

async function overHttp(entry, start, path) {
  const server = await start();
  try {
    await assertAgentOverHttp(entry, (how) => server.fetch(`${path}?run=${how}`));
  } finally {
    await server.close();
  }
}

/** What Node, Bun and Deno read of the package, as it was installed. */
function installedFiles(/** @type {string} */ variant) {
  const { specifier, tokenizer } = variants.find(({ id }) => id === variant) ?? baseline;
  if (specifier === undefined) return [];
  const folder = join(home, 'node_modules/stepfold');
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const paths = tokenizer === undefined ? ['.'] : ['.', specifier.replace('stepfold', '.')];
  return paths.map((path) => join(folder, exports[path].default));
}

function weigh(/** @type {string[]} */ files) {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
}

function median(/** @type {number[]} */ numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : sorted[Math.floor(sorted.length / 2)];
}

function signed(/** @type {number} */ value, /** @type {string} */ unit) {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(value < 10 && unit === 'MB' ? 1 : 0)} ${unit}`;
}
