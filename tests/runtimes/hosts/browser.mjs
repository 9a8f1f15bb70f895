// Headless Chromium with a page that runs a bundle of the agent, under a Content-Security-Policy of the caller's choice.
// Installs nothing: scripts/test-browser.mjs does.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { load } from './bundles.mjs';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** Chromium on this machine, or the one in `CHROMIUM`. @returns {string | undefined} */
export function findChromium() {
  const candidates = process.env.CHROMIUM === undefined ? places : [process.env.CHROMIUM];
  return candidates.find((path) => existsSync(path) && spawnSync(path, ['--version']).status === 0);
}

/** What the page may do: the smallest policy with which stepfold works. */
export const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/**
 * Opens the page of a bundle and hands it to `use`.
 *
 * @template Result
 * @param {{ bundle: string, policy?: string }} page
 * @param {(page: any) => Promise<Result>} use
 */
export async function withPage({ bundle, policy = POLICY }, use) {
  const files = new Map([
    ['/', { type: 'text/html', body: '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>' }],
    ['/page.js', { type: 'text/javascript', body: pageScript }],
    ['/handler.mjs', { type: 'text/javascript', body: readFileSync(bundle) }],
  ]);
  const server = createServer((request, reply) => {
    const file = files.get(String(request.url));
    reply.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain', 'content-security-policy': policy });
    reply.end(file?.body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = server.address();
  try {
    return await withBrowser(`http://127.0.0.1:${port}/`, async (page) => {
      await page.waitForFunction('globalThis.runAgent !== undefined');
      return use(page);
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/**
 * Opens a page that somebody else serves and hands it to `use`.
 *
 * @template Result
 * @param {string} url
 * @param {(page: any) => Promise<Result>} use
 * @param {object} [options] How the page is opened, as Playwright has it.
 */
export async function withBrowser(url, use, options = {}) {
  const { chromium } = await load('playwright-core/index.mjs');
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage(options);
    await page.goto(url);
    return await use(page);
  } finally {
    await browser.close();
  }
}

/** Errors come back as text: they are what some tests look for. */
const pageScript = `
globalThis.runAgent = async (how) => {
  try {
    const { handle } = await import('/handler.mjs');
    return { stream: await (await handle(new Request(location.origin + '/?run=' + how))).text() };
  } catch (error) {
    return { stream: '', error: String(error) };
  }
};
`;
