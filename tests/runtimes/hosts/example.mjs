// examples/nextjs as its users have it: copied, built by `next build` against the packed tarball, started, opened in Chromium.
// Holds no tests; the screenshot in docs/troubleshooting.md is taken through it, too.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { home } from '../install.mjs';
import { withBrowser } from './browser.mjs';
import { buildNext, configuration, startNext } from './next.mjs';

const source = join(dirname(fileURLToPath(import.meta.url)), '../../../examples/nextjs');
const folder = join(home, 'apps/example');

export function buildExample() {
  rmSync(folder, { recursive: true, force: true });
  cpSync(source, folder, { recursive: true, filter: (path) => !/\/(node_modules|\.next)$/.test(path) });
  writeFileSync(join(folder, 'next.config.mjs'), configuration);
  buildNext(folder, 'turbopack');
}

/** Expects `buildExample`. @param {Record<string, string | undefined>} [env] */
export const startExample = (env) => startNext(folder, { env });

/**
 * Opens it with its scripted models and an empty database.
 * `options`: how the page is opened, as Playwright has it.
 */
export async function withExample(use, options = {}) {
  const data = mkdtempSync(join(tmpdir(), 'stepfold-example-'));
  const server = await startExample({ AI_GATEWAY_API_KEY: undefined, DATABASE: join(data, 'chats.db') });
  try {
    await withBrowser(server.url, use, { viewport: { width: 1_100, height: 620 }, ...options });
  } finally {
    await server.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Sends a message and waits until the answer is complete. @param {any} page @param {string} [text] What stands in the box, by default. */
export async function send(page, text) {
  if (text !== undefined) await page.getByRole('textbox').fill(text);
  const sent = await page.locator('article.user').count();
  await page.getByRole('button', { name: 'Send' }).click();
  // The page shows the message and turns the button into "Stop" at once; "Stop" itself may be gone again before it is seen.
  await page.locator('article.user').nth(sent).waitFor();
  await page.getByRole('button', { name: 'Send' }).waitFor({ timeout: 120_000 });
}
