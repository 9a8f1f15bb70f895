// The store of files: its names, what is left on disk, and processes that save at the same moment or are killed in the middle.
// That it compares and sets is tested with the other stores (atomic.test.mjs).

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { StepfoldError, createSession } from 'stepfold';
import { fileStore } from 'stepfold/file-store';
import { withoutBridges } from '../hand.mjs';

let directory = '';
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'stepfold-files-'))));
afterEach(() => rmSync(directory, { recursive: true }));

test('a plain id is the name of its directory, which holds the newest save and nothing else', async () => {
  const store = fileStore(directory);
  await store.set('chat-42', 'one', undefined);
  await store.set('chat-42', 'two', 'one');
  assert.deepEqual(readdirSync(directory, { recursive: true }).sort(), ['chat-42', join('chat-42', '2.json')]);
  assert.equal(readFileSync(join(directory, 'chat-42/2.json'), 'utf8'), 'two');
});

test('ids that a file system could take for one another, for a path or for a device are kept apart', async () => {
  const store = fileStore(directory);
  const ids = ['chat', 'Chat', 'CHAT', 'chat.', 'chat ', 'chat/1', 'chat\\1', '..', '.', '../chat', '/chat', 'c:chat', 'con', 'CON', 'nul', 'lpt1', '%0063on', '%', '', 'e\u0301', '\u00e9', '\ud800', '\ud801', '\0', 'a'.repeat(300), 'a'.repeat(301), '%sha256-', 'ü'.repeat(100)];
  for (const id of ids) assert.equal(await store.set(id, `of ${id}`, undefined), true, JSON.stringify(id));
  for (const id of ids) assert.equal(await store.get(id), Buffer.from(`of ${id}`).toString(), JSON.stringify(id));
  const names = readdirSync(directory);
  assert.equal(new Set(names.map((name) => name.toLowerCase())).size, ids.length);
  for (const name of names) assert.match(name, /^[a-z0-9_%-]{1,210}$/);
  assert.ok(!names.includes('con') && !names.includes('nul'));
});

test('only the user may read what is kept', { skip: process.platform === 'win32' }, async () => {
  await fileStore(join(directory, 'new')).set('chat', 'secret', undefined);
  assert.equal(statSync(join(directory, 'new/chat')).mode & 0o777, 0o700);
  assert.equal(statSync(join(directory, 'new/chat/1.json')).mode & 0o777, 0o600);
});

test('what a killed process left half written is neither read nor kept', async () => {
  const store = fileStore(directory);
  await store.set('chat', 'one', undefined);
  writeFileSync(join(directory, 'chat/2.dead.tmp'), 'tw');
  assert.equal(await store.get('chat'), 'one');
  assert.equal(await store.set('chat', 'two', 'one'), true);
  assert.equal(await store.set('chat', 'three', 'two'), true);
  assert.deepEqual(readdirSync(join(directory, 'chat')), ['3.json']);
});

test('four processes that count together lose no count', async () => {
  const each = 20;
  const program = `
    import { fileStore } from 'stepfold/file-store';
    const store = fileStore(process.argv[1]);
    for (let done = 0; done < ${each}; ) {
      const found = await store.get('count');
      if (await store.set('count', String(Number(found ?? 0) + 1), found)) done += 1;
    }`;
  const counting = Array.from({ length: 4 }, () => spawn(process.execPath, ['--input-type=module', '--eval', program, directory], { stdio: ['ignore', 'ignore', 'inherit'] }));
  const codes = await Promise.all(counting.map(async (child) => (await once(child, 'exit'))[0]));
  assert.deepEqual(codes, [0, 0, 0, 0]);
  assert.equal(await fileStore(directory).get('count'), String(4 * each));
  assert.equal(readdirSync(join(directory, 'count')).length, 1);
});

test('a number that others have taken and cleared away is not taken again, whenever they did', async (t) => {
  const store = fileStore(directory);
  const original = { ...fsPromises };
  for (const name of ['open', 'readdir', 'link']) {
    const id = `chat-${name}`;
    await store.set(id, 'one', undefined);
    let others = 0;
    // Two saves of another process, right before a call of the one that is late.
    t.mock.method(fsPromises, name, async (...given) => {
      others += 1;
      if (others === 2 || (others === 1 && name !== 'readdir')) {
        t.mock.restoreAll();
        syncBuiltinESMExports();
        assert.equal(await store.set(id, 'two', 'one'), true);
        assert.equal(await store.set(id, 'three', 'two'), true);
      }
      return original[name](...given);
    });
    syncBuiltinESMExports();
    assert.equal(await store.set(id, 'late', 'one'), false, name);
    assert.equal(await store.get(id), 'three', name);
    assert.deepEqual(readdirSync(join(directory, id)), ['3.json'], name);
  }
});

test('a directory that cannot be written is reported, and the run goes on', async () => {
  writeFileSync(join(directory, 'file'), '');
  const events = [];
  const session = createSession({ id: 'chat', store: fileStore(join(directory, 'file')), onEvent: (event) => events.push(event) });
  session.enqueue('Shorter, please.');
  const { messages } = await session.prepareStep({ messages: [{ role: 'user', content: 'Begin.' }], steps: [], stepNumber: 0, model: { modelId: 'mock', provider: 'mock' } });
  assert.equal(withoutBridges(messages).length, 2);
  assert.ok(events.some(({ type, message }) => type === 'store-failed' && message.includes('ENOTDIR')), JSON.stringify(events));
});

test('what is no directory is refused where the store is made', () => {
  for (const given of [undefined, null, '', 5, {}]) {
    assert.throws(() => fileStore(given), (error) => StepfoldError.isInstance(error) && error.code === 'invalid-option' && error.message.includes('`directory`'));
  }
});
