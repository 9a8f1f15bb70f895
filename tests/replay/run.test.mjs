// The command line of the replay bench, end to end on generated sessions, and the split of transcripts.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { splitOf } from '../../bench/replay/transcript.mjs';
import { longSession } from './sessions.mjs';

const folder = mkdtempSync(join(tmpdir(), 'replay-run-'));
after(() => rmSync(folder, { recursive: true }));
const script = fileURLToPath(new URL('../../bench/replay/run.mjs', import.meta.url));

function bench(...parameters) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...parameters], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('the split is stable and about even', () => {
  assert.deepEqual(['a', 'b', 'c', 'session-1', 'session-2'].map(splitOf), ['held-out', 'held-out', 'tune', 'tune', 'held-out']);
  const halves = Array.from({ length: 1_000 }, (_, index) => splitOf(`session-${index}`));
  const tuned = halves.filter((half) => half === 'tune').length;
  assert.ok(tuned > 450 && tuned < 550, `${tuned} of 1000`);
});

test('a folder gives tables, rows and a plot; rows give the same tables again', () => {
  const sessions = join(folder, 'sessions.json');
  const [rows, plot] = [join(folder, 'rows.jsonl'), join(folder, 'plot.svg')];
  writeFileSync(sessions, JSON.stringify({ id: 'generated', kind: 'customer support', messages: longSession() }));
  const shared = ['--windows', '16000,32000', '--policies', '^(stepfold|none|hysteresis)$', '--goals', '--kinds'];
  const first = bench(sessions, ...shared, '--rows-out', rows, '--plot', plot, '--no-cache', '--workers', '2');
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stdout, /### Window of 16k: 1 transcripts, 65 steps/);
  assert.match(first.stdout, /\| stepfold +\| turns +\| none +\| +100\.0 \|/);
  assert.match(first.stdout, /\| window \| policy +\| called +\| +support \|[^]*\| 16k +\| sessions +\| +\| +1 \|/);
  assert.match(first.stdout, /### Goals[^]*### Less the yardsticks/);
  assert.match(readFileSync(plot, 'utf8'), /^<svg /);
  const found = readFileSync(rows, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(found.map(({ window, policy, semantics }) => `${window} ${policy} ${semantics}`).slice(0, 5), ['16000 stepfold rebuild', '16000 stepfold carry', '16000 stepfold turns', '16000 none rebuild', '16000 hysteresis rebuild']);
  const again = bench('--rows-in', rows, ...shared);
  assert.equal(again.stdout, first.stdout);
});

test('odd files are noted on stderr and the others replayed', () => {
  const odd = join(folder, 'odd.jsonl');
  writeFileSync(odd, 'not json\n{"type":"novelty"}\n');
  const { status, stderr } = bench(folder, '--windows', '16000', '--policies', '^none$', '--no-cache', '--quiet');
  assert.equal(status, 0, stderr);
  assert.match(stderr, /odd\.jsonl: .*1 × line that is not JSON/);
});

test('wrong options are refused with what is allowed', () => {
  for (const [parameters, message] of [
    [[], /expected a folder of recorded sessions[^]*usage: npm run bench:replay/],
    [[folder, '--split', 'half'], /--split half: expected tune or held-out or all/],
    [[folder, '--called', 'sometimes'], /--called sometimes: expected rebuild or carry or turns/],
    [[folder, '--windows', '16k'], /--windows 16k: expected positive numbers/],
    [[folder, '--options', '{trigger}'], /--options \{trigger\}: expected a JSON object/],
    [[folder, '--policies', '('], /--policies \(: expected a regular expression/],
    [[folder, '--windows', '1000000'], /no transcript is larger than a window/],
  ]) {
    const { status, stderr } = bench(...parameters);
    assert.equal(status, 1);
    assert.match(stderr, message);
  }
});
