// What the benches say of a build with some mechanisms off: runs them as their commands do, and takes the figures from their output.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bench = fileURLToPath(new URL('..', import.meta.url));
const MOST_OUTPUT = 2_000;

/** Standard output of a bench. */
function run(script, parameters, environment) {
  const child = spawn(process.execPath, [join(bench, script), ...parameters], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (texts[name] += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) =>
      status === 0 ? resolve(texts.stdout) : reject(new Error(`bench/${script}: ${texts.stderr.slice(-MOST_OUTPUT)}`)),
    );
  });
}

/** The mean of what `weigh` gives, in points of a hundred: `[value, weight]` of each row. */
function meanOf(rows, weigh) {
  const pairs = rows.map(weigh).filter(([value]) => value !== null && value !== undefined);
  const weight = pairs.reduce((sum, [, of]) => sum + of, 0);
  return weight === 0 ? undefined : (100 * pairs.reduce((sum, [value, of]) => sum + value * of, 0)) / weight;
}

const valuesOf = (rows, name) => [...new Set(rows.map((row) => row[name]))].sort();

/** The judge: both halves, kinds and languages. */
export async function judge({ packagePath, environment }) {
  const rows = JSON.parse(await run('agents/run.mjs', ['--json', '--policies', 'stepfold', '--package', packagePath], environment));
  const mean = (list) => meanOf(list, ({ score, sessions }) => [score, sessions]);
  const by = (name, title = (value) => value) =>
    valuesOf(rows, name).map((value) => [title(value), mean(rows.filter((row) => row[name] === value))]);
  return { figures: by('half', (half) => `judge, ${half}`), details: [...by('kind'), ...by('language')] };
}

/** tau: writes that find all they need, by order, with a silent agent on retail. */
export async function tau({ packagePath, environment, data }) {
  const parameters = ['--json', '--agents', 'silent', '--windows', '16000,32000,64000', '--policies', 'stepfold', '--package', packagePath];
  const rows = JSON.parse(await run('tau/run.mjs', [...parameters, ...(data === undefined ? [] : ['--data', data])], environment)).filter(
    ({ policy }) => policy === 'stepfold',
  );
  const share = ({ wholeInWindow, writes }) => [wholeInWindow / writes, 1];
  const tables = rows.map((row) => [`${row.order} ${row.window / 1_000}k`, meanOf([row], share)]);
  return {
    figures: valuesOf(rows, 'order').map((order) => [
      `tau, ${order}`,
      meanOf(
        rows.filter((row) => row.order === order),
        share,
      ),
    ]),
    details: tables,
  };
}

/** The replay of recordings: identifiers, those of results alone, lines, what was said. */
export async function replay({ packagePath, environment, recordings }) {
  const folder = mkdtempSync(join(tmpdir(), 'mechanisms-'));
  try {
    const file = join(folder, 'rows.jsonl');
    const parameters = [
      '--called',
      'rebuild',
      '--windows',
      '32000,64000',
      '--policies',
      '^stepfold$',
      '--quiet',
      '--rows-out',
      file,
      '--package',
      packagePath,
    ];
    await run('replay/run.mjs', [recordings, ...parameters], environment);
    const rows = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { figures: ['recall', 'results', 'lines', 'said'].map((name) => [name, meanOf(rows, (row) => [row[name], 1])]), details: [] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
