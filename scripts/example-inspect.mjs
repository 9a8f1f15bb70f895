// Plays `stepfold inspect` over a session of the judge, a research agent, and says where its page is. With `--screenshot` it also takes the pictures in docs/:
// light, dark, and on a small screen.

import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { spawnSync } from 'node:child_process';
import research from '../bench/agents/sessions/tuning/research-en-streets.mjs';

const folder = 'build/example-inspect';
mkdirSync(folder, { recursive: true });
const log = { model: 'anthropic/claude-sonnet-4.5', messages: research.build().messages };
writeFileSync(join(folder, 'session.json'), JSON.stringify(log));
const { status } = spawnSync(process.execPath, ['../../pkg/dist/cli.js', 'inspect', 'session.json', '--window', '32000'], { cwd: folder, stdio: 'inherit' });
process.exitCode = status ?? 1;
if (status === 0) console.log(`in ${folder}`);

if (status === 0 && process.argv.includes('--screenshot')) {
  const { withBrowser } = await import('../tests/runtimes/hosts/browser.mjs');
  const url = pathToFileURL(join(folder, 'stepfold-inspect.html')).href;
  for (const { path, ...options } of [
    { path: 'docs/inspect.png', viewport: { width: 1080, height: 1150 }, colorScheme: 'light' },
    { path: 'docs/inspect-dark.png', viewport: { width: 1080, height: 1150 }, colorScheme: 'dark' },
    { path: 'docs/inspect-small.png', viewport: { width: 400, height: 1700 }, colorScheme: 'light' },
  ]) {
    await withBrowser(url, async (page) => {
      await page.locator('svg.chart').waitFor();
      await page.locator('.toggle').click();
      await page.screenshot({ path });
    }, options);
    console.log(`${path}: ${statSync(path).size} bytes`);
  }
}
