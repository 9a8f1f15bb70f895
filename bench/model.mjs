// What `model(…)` costs who does not use it: bytes of the bundle, and processor time from starting Node to the end of a first step. Beside
// the same bundle without its code, measured in turns. `npm run bench:model`. Needs the built engine; judges nothing.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const ROUNDS = 40;

/** Leaves out what only `model(…)` needs. */
const withoutModel = {
  name: 'without-model',
  setup: (/** @type {import('esbuild').PluginBuild} */ building) => {
    building.onLoad({ filter: /\/js\/model\/model\.ts$/ }, () => ({ contents: 'export const recoverWith = () => (model) => model;', loader: 'ts' }));
  },
};

/** A step of an app, bundled and minified with stepfold. */
export async function bundleStep({ hasModel }) {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createPrepareStep } from './js/index.js';
        await createPrepareStep()({ messages: [{ role: 'user', content: 'Go.' }], steps: [], stepNumber: 0, model: 'gpt-5' });
        const { user, system } = process.cpuUsage();
        console.log(user + system);`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    plugins: hasModel ? [] : [withoutModel],
    logLevel: 'error',
    write: false,
  });
  return outputFiles[0].contents;
}

const median = (/** @type {number[]} */ numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'stepfold-model-'));
  const variants = await Promise.all(
    [true, false].map(async (hasModel) => {
      const bytes = await bundleStep({ hasModel });
      const file = join(folder, `${hasModel}.mjs`);
      writeFileSync(file, bytes);
      return { file, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, milliseconds: /** @type {number[]} */ ([]) };
    }),
  );
  // In turns: what else the machine does then hits both alike. The first round warms the disk.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
      const { stdout } = spawnSync(process.execPath, [variant.file], { encoding: 'utf8' });
      if (round > 0) variant.milliseconds.push(Number(stdout) / 1_000);
    }
  }
  const [withModel, without] = variants;
  console.log(`\`model(…)\`: ${withModel.raw - without.raw} bytes minified, ${withModel.gzip - without.gzip} after gzip`);
  console.log(`start to first step: ${median(withModel.milliseconds).toFixed(1)} ms with its code, ${median(without.milliseconds).toFixed(1)} ms without (processor time, median of ${ROUNDS})`);
  rmSync(folder, { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
