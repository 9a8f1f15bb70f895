// Builds examples/nextjs with the package of this checkout and serves it until it is interrupted. With `--screenshot` it lets the
// agent do its task in headless Chromium instead and takes docs/nextjs.png, the picture in docs/troubleshooting.md.

import { statSync } from 'node:fs';
import { buildExample, send, startExample, withExample } from '../tests/runtimes/hosts/example.mjs';
import { installRuntimes } from '../tests/runtimes/install.mjs';

installRuntimes();
buildExample();
if (process.argv.includes('--screenshot')) {
  const path = 'docs/nextjs.png';
  await withExample(async (page) => {
    await send(page);
    await page.screenshot({ path });
  });
  console.log(`${path}: ${statSync(path).size} bytes`);
} else {
  console.log(`example: ${(await startExample()).url}`);
}
