// Runs `stepfold inspect` as it is in the package, in a folder of its own. Holds no tests.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

export const cli = fileURLToPath(new URL('../../pkg/dist/cli.js', import.meta.url));

/** A folder that is gone when the test has ended. */
export function folderOf(t, files = []) {
  const folder = mkdtempSync(join(tmpdir(), 'stepfold-inspect-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export function inspect(folder, ...parameters) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'inspect', ...parameters], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  return { status, stdout, stderr, reports: () => JSON.parse(stdout) };
}

/** What stands in a page: what it shows at once, and its sessions as they are unpacked there, with their texts. */
export function dataOf(path) {
  const html = readFileSync(path, 'utf8');
  const [, json] = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(html) ?? [];
  const reports = [...html.matchAll(/<script type="text\/plain" id="session-\d+">(.*?)<\/script>/g)].map(([, text]) => {
    const { rows, ...report } = JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString());
    const rowsAt = (places) => (places === '' ? [] : places.split(',')).flatMap((range) => {
      const [first, last = first] = range.split('-').map(Number);
      return rows.slice(first, last + 1);
    });
    const edits = report.edits.map((edit) => ({ ...edit, rows: rowsAt(edit.before), before: rowsAt(edit.before).join(''), marks: edit.marks.split(' '), after: rowsAt(edit.after).join('') }));
    return { ...report, edits };
  });
  return { html, data: { ...JSON.parse(String(json)), reports } };
}
