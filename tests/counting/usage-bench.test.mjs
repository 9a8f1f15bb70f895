// The usage bench on a folder made here: it runs, knows a provider that counts like the estimate, and says when a bar is missed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { estimateTokens } from 'stepfold';

const MODEL = 'claude-sonnet-4-5';

/** A session whose provider counts `ratio` tokens for one of the estimate, beside an overhead of 20,000. */
function transcript(ratio) {
  const messages = [{ role: 'user', content: 'Read the modules.' }];
  const usage = [];
  for (let step = 0; step < 30; step += 1) {
    const prompt_tokens = Math.round(20_000 + ratio * estimateTokens(messages, { model: MODEL }));
    usage.push({ messageIndex: messages.length, contextStart: 0, model: MODEL, prompt_tokens });
    const value = `module ${step}: ${'export const answer = question(window, tokens);\n'.repeat(100 + ((step * 37) % 90))}`;
    messages.push({ role: 'assistant', content: [{ type: 'tool-call', toolCallId: `${step}`, toolName: 'read', input: { path: `src/${step}.ts` } }] });
    messages.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId: `${step}`, toolName: 'read', output: { type: 'text', value } }] });
  }
  return { id: `made-${ratio}`, agent: 'made', messages, usage };
}

function bench(ratio) {
  const folder = mkdtempSync(join(tmpdir(), 'stepfold-usage-'));
  try {
    writeFileSync(join(folder, 'one.json.gz'), gzipSync(JSON.stringify(transcript(ratio))));
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/usage/run.mjs', folder, '--json'], { encoding: 'utf8' });
    assert.ok(stdout !== '', stderr);
    return { status, ...JSON.parse(stdout) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a provider that counts nearly as estimated is within all bars', () => {
  const { status, tables, transcripts } = bench(0.97);
  assert.equal(status, 0);
  assert.equal(transcripts, 1);
  assert.equal(tables.length, 3);
  for (const { rows } of tables) {
    assert.deepEqual(rows.map(({ group }) => group), ['made claude-sonnet-4-5', 'all']);
    assert.ok(rows.every(({ n }) => n >= 3));
    assert.deepEqual(Object.keys(rows[1].figures), ['stepfold', 'chars/4', 'SDK guide', 'Gemini CLI', 'tokenx', 'o200k']);
  }
});

test('a provider that counts twice as much is reported as missed, and learnt all the same', () => {
  const { status, tables } = bench(2);
  assert.equal(status, 1);
  const [differences, anchored] = tables.map(({ rows }) => rows.at(-1).figures.stepfold);
  assert.ok(differences[0] > 0.4);
  assert.ok(anchored[0] < 0.02);
});
