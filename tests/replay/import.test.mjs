// What the replay bench makes of logs: transcripts with their ids, kinds and system prompts, and notes on the rest. How logs of each
// format are read: tests/inspect/readers.test.mjs.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { findRecordings, importRecording } from '../../bench/replay/import.mjs';
import { logsOf, opencodeStorage } from '../inspect/logs.mjs';
import { generateSession } from '../inspect/sessions.mjs';

const folder = mkdtempSync(join(tmpdir(), 'replay-import-'));
after(() => rmSync(folder, { recursive: true }));

async function imported(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return importRecording(findRecordings([path])[0]);
}
const lines = (...records) => records.map((record) => JSON.stringify(record)).join('\n');

const CONVERSATION = [
  { role: 'user', content: 'Read a.txt.' },
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'read', input: { path: 'a.txt' } }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'read', output: { type: 'text', value: 'hello' } }] },
  { role: 'assistant', content: [{ type: 'text', text: 'It says hello.' }] },
];

test('model messages are taken as they are, plain, zipped, with a system prompt, as a list or as lines', async () => {
  for (const [name, content, id, more] of [
    ['plain.json', JSON.stringify(CONVERSATION), 'plain'],
    ['zipped.json.gz', gzipSync(JSON.stringify({ id: 'own-id', kind: 'research', system: 'Be brief.', messages: CONVERSATION })), 'own-id', { kind: 'research', system: 'Be brief.' }],
    ['lines.jsonl', lines(...CONVERSATION), 'lines'],
  ]) {
    assert.deepEqual(await imported(name, content), { transcript: { id, ...more, messages: CONVERSATION }, notes: [] });
  }
});

test('model messages that are none are left out and noted', async () => {
  const odd = [null, { role: 'bot', content: 'x' }, { role: 'user', content: 7 }, { role: 'assistant', content: [{ type: 'text' }, { type: 'tool-call' }, { type: 'text', text: 'kept' }] }, { role: 'tool', content: [{ type: 'tool-result', toolCallId: '9', result: 'version 4' }] }];
  const { transcript, notes } = await imported('odd.json', JSON.stringify([...CONVERSATION, ...odd]));
  assert.deepEqual(transcript.messages, [...CONVERSATION, { role: 'assistant', content: [{ type: 'text', text: 'kept' }] }]);
  assert.deepEqual(notes, ['3 × line of no known format', '3 × part that is none of the AI SDK']);
});

test('logs of coding agents become transcripts of coding agents, with the system prompt that they hold', async () => {
  const [session, ...others] = await Promise.all(
    logsOf(generateSession({ steps: 4, resultLines: 4, callsPerStep: 2 })).filter(({ format }) => !format.startsWith('AI SDK')).map(async ({ file, text, id = file.replace(/\.jsonl?$/, ''), system }) => {
      const { transcript: { messages, ...about } } = await imported(file, text);
      assert.deepEqual(about, { id, kind: 'coding', ...(system === undefined ? {} : { system }) }, file);
      return messages.filter(({ role }) => role === 'tool');
    }),
  );
  for (const results of others) assert.deepEqual(results, session);
});

test('files that hold no conversation are noted and give none', async () => {
  for (const [name, content, note] of [
    ['broken.json', '{"messages": [', /not JSON/],
    ['number.json', '7', /no log of a known format/],
    ['nobody.json', JSON.stringify([{ role: 'user', content: 'Hello?' }]), /no step of an agent/],
    ['other.jsonl', lines({ level: 'info', text: 'started' }), /no log of a known format/],
    ['torn.json.gz', 'no gzip', /cannot be read/],
    ['run.jsonl', lines({ stepfold: 1, run: 1, stepNumber: 0, modelId: 'gpt-5', messages: 1, tools: {}, events: [], edits: [] }), /recorded steps, and no messages/],
  ]) {
    const { transcript, notes } = await imported(name, content);
    assert.equal(transcript, undefined, name);
    assert.match(notes[0], note);
  }
});

test("folders are searched at any depth, largest file first, and OpenCode's storage is found in them; a path that is not there is named", async () => {
  const root = join(folder, 'tree');
  for (const { path, text } of [
    { path: '2026/01/rollout.jsonl', text: 'x'.repeat(10) },
    { path: 'large.json', text: 'x'.repeat(20) },
    { path: 'notes.md', text: 'x' },
    ...opencodeStorage(generateSession({ steps: 2, resultLines: 2 })).map(({ path, text }) => ({ path: `storage/${path}`, text })),
  ]) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const found = findRecordings([root]);
  assert.deepEqual(found.map(({ path }) => path), ['large.json', '2026/01/rollout.jsonl', 'storage/message/ses_1'].map((path) => join(root, path)));
  assert.equal((await importRecording(found.at(-1))).transcript.id, 'ses_1');
  assert.throws(() => findRecordings([join(root, 'gone')]), /gone: expected a folder or a file of recorded conversations, and there is none/);
});
