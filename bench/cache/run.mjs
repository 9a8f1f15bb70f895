// What 150 steps in a window of 64,000 tokens are billed by an Anthropic that caches as documented: without stepfold, with stepfold and
// without `promptCache`, and with both. `npm run bench:cache`; `-- --write-result` writes what docs/caching.md shows (then: npm run bench:docs). The bars are those of `tests/sdk/prompt-cache.test.mjs`, at full length.

import { writeFileSync } from 'node:fs';
import { createPrepareStep } from 'stepfold';
import { runAgent } from './agent.mjs';

const STEPS = 150;
const contextWindow = 64_000;
const ask = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };

/**
 * Tokens of new input by name and major.
 * @type {Record<string, Record<number, number>>}
 */
const result = {};
const million = (/** @type {number} */ tokens) => (tokens / 1e6).toFixed(2).padStart(6);

for (const major of /** @type {const} */ ([5, 6, 7])) {
  const rows = [
    ['no stepfold, caching not asked for', {}],
    ['no stepfold, caching asked for', { options: ask }],
    ['stepfold, promptCache: false', { prepareStep: createPrepareStep({ contextWindow, promptCache: false }) }],
    ['stepfold', { prepareStep: createPrepareStep({ contextWindow }) }],
  ];
  console.log(`ai ${major}: millions of tokens of new input, as billed`);
  for (const [name, given] of rows) {
    const { provider } = await runAgent({ major, steps: STEPS, ...given });
    result[name] = { ...result[name], [major]: Math.round(provider.billed()) };
    const sum = (/** @type {'read' | 'write' | 'input'} */ kind) => provider.bills.reduce((total, bill) => total + bill[kind], 0);
    const largest = Math.max(...provider.bills.map(({ tokens }) => tokens));
    console.log(`  ${name.padEnd(36)} ${million(provider.billed())}   read ${million(sum('read'))}, written ${million(sum('write'))}, new ${million(sum('input'))}; largest prompt ${largest}`);
  }
}
if (process.argv.includes('--write-result')) writeFileSync(new URL('result.json', import.meta.url), `${JSON.stringify(result, null, 2)}\n`);
