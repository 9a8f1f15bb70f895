// Runs `stepfold inspect` as it is in the package, in a folder of its own. Holds no tests.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const cli = fileURLToPath(new URL('../../pkg/dist/cli.js', import.meta.url));

/**
 * A folder that is gone when the test has ended.
 *
 * @param {{ after: (done: () => void) => void }} t
 * @param {readonly { path: string, text: string | Buffer }[]} [files]
 */
export function folderOf(t, files = []) {
  const folder = mkdtempSync(join(tmpdir(), 'stepfold-inspect-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** @param {string} folder @param {string[]} parameters */
export function inspect(folder, ...parameters) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'inspect', ...parameters], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  return { status, stdout, stderr, reports: () => JSON.parse(stdout) };
}

/** What stands in a page. @param {string} path */
export function dataOf(path) {
  const html = readFileSync(path, 'utf8');
  const [, json] = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(html) ?? [];
  return { html, data: JSON.parse(String(json)) };
}
