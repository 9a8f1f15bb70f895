// Ids that a store may take for one another: each session has what was enqueued in it, and nothing of another's, in every store of ours and over
// every driver of unstorage that runs here. What earlier versions kept under the ids themselves is found.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSession } from 'stepfold';
import { kvStore, unstorageStore } from 'stepfold/stores';
import { createStorage } from 'unstorage';
import kvBinding from 'unstorage/drivers/cloudflare-kv-binding';
import fs from 'unstorage/drivers/fs';
import fsLite from 'unstorage/drivers/fs-lite';
import http from 'unstorage/drivers/http';
import localStorageDriver from 'unstorage/drivers/localstorage';
import lruCache from 'unstorage/drivers/lru-cache';
import memory from 'unstorage/drivers/memory';
import overlay from 'unstorage/drivers/overlay';
import { createStorageServer } from 'unstorage/server';
import { textOf, withoutBridges } from '../hand.mjs';
import { clients } from './clients.mjs';

const long = 'x'.repeat(3_000);
const IDS = [
  'chat', 'Chat', 'CHAT', ' chat', 'chat ', 'chat.', 'chat..', '.chat', '.', '..', '../chat', '../../etc/passwd', '/chat', 'chat/', '//chat', ' ', '0', '-', '_', '__proto__', 'constructor', 'null',
  'ann/chat', 'ann:chat', 'ann\\chat', 'ann//chat', ':ann:chat', 'ann.002fchat', 'ann%2Fchat', 'ann%2fchat', 'ann+chat', 'ann', 'ann:84ed3fec089f', 'ann.p84ed3fec089f',
  'https://app.example/chat?id=1', 'https://app.example/chat?id=2', 'chat?', 'chat#1', 'chat#2', 'chat$', 'chat*', 'chat%', 'chat%00', 'chat\0', 'chat\n', 'chat\t',
  'caf\u00e9', 'cafe\u0301', '\ufb01le', 'file', '\u212bngstrom', '\u00c5ngstrom', 'stra\u00dfe', 'strasse', '\u0130stanbul', 'istanbul', '👩‍🚀', '👩', '\ud83d', '\udc69', '\ufffd',
  'con', 'con.txt', 'CON', 'nul', 'com1', 'lpt9/x', `${long}a`, `${long}b`, `${long}A`, '日本'.repeat(90), `${'日本'.repeat(89)}日木`,
];
const MODEL = { modelId: 'mock-model', provider: 'mock' };
const begin = () => [{ role: 'user', content: 'Begin.' }];

/** A store that reads into keys all that a store may. */
function hostile() {
  const map = new Map();
  const read = (key) => key.split('?')[0].normalize('NFKC').toWellFormed().toLowerCase().replaceAll(/[\\/]+/g, ':').replaceAll(/:+/g, ':').replaceAll(/[. ]+$|^:|:$/g, '').slice(0, 255);
  return { get: async (key) => map.get(read(key)), set: async (key, value) => void map.set(read(key), value) };
}

/** As Workers KV: keys in UTF-8 of at most 512 bytes. */
function binding() {
  const map = new Map();
  const checked = (key) => {
    const bytes = new TextEncoder().encode(key);
    if (bytes.length > 512) throw new Error('414 UTF-8 encoded length exceeds key length limit of 512.');
    return new TextDecoder().decode(bytes);
  };
  return { get: async (key) => map.get(checked(key)) ?? null, put: async (key, value) => void map.set(checked(key), value), delete: async () => undefined, list: async () => ({ keys: [] }) };
}

/** Plain objects instead of storage, as an app may write them. */
function plainObject() {
  const values = {};
  return { getItem: (key) => values[key] ?? null, setItem: (key, value) => void (values[key] = value), removeItem: () => undefined };
}

const nothing = () => undefined;
const over = (driver) => ({ store: unstorageStore(createStorage({ driver })), close: nothing });
const inDirectory = (make) => async () => {
  const base = mkdtempSync(join(tmpdir(), 'stepfold-ids-'));
  return { ...over(make({ base })), close: () => rmSync(base, { recursive: true }) };
};
const stores = {
  ...clients,
  'a Map': async () => ({ store: new Map(), close: nothing }),
  'a plain object': async () => ({ store: ((object) => ({ get: (key) => object[key], set: (key, value) => void (object[key] = value) }))({}), close: nothing }),
  'a store that reads into keys': async () => ({ store: hostile(), close: nothing }),
  'Workers KV': async () => ({ store: kvStore(binding()), close: nothing }),
  'unstorage over memory': async () => over(memory()),
  'unstorage over a directory': inDirectory(fs),
  'unstorage over a directory, lite': inDirectory(fsLite),
  'unstorage over an LRU cache': async () => over(lruCache({})),
  'unstorage over layers': async () => over(overlay({ layers: [memory(), memory()] })),
  'unstorage over localStorage': async () => over(localStorageDriver({ localStorage: plainObject() })),
  'unstorage over Workers KV': async () => over(kvBinding({ binding: binding() })),
  'unstorage over HTTP': async () => {
    const server = createServer(createStorageServer(createStorage()).handle);
    await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(undefined)));
    return { ...over(http({ base: `http://127.0.0.1:${server.address().port}` })), close: () => server.close() };
  },
  'unstorage, handed over as it is': async () => ({ store: createStorage(), close: nothing }),
};

for (const [name, open] of Object.entries(stores)) {
  test(`${name}: no two ids meet`, async () => {
    const { store, close } = await open();
    const events = [];
    const session = (id) => createSession({ id, store, contextWindow: 100_000, storeTimeoutMs: 5_000, onEvent: (event) => events.push(event) });
    try {
      for (const id of IDS) {
        const one = session(id);
        one.enqueue(`Of ${JSON.stringify(id)}.`);
        await one.dispose();
      }
      for (const id of IDS) {
        const one = session(id);
        const { messages } = await one.prepareStep({ messages: begin(), steps: [], stepNumber: 0, model: MODEL });
        assert.deepEqual(withoutBridges(messages).map(textOf), ['Begin.', `Of ${JSON.stringify(id)}.`]);
      }
      assert.deepEqual(events.filter(({ type }) => type === 'store-failed' || type === 'state-rejected'), []);
    } finally {
      await close();
    }
  });

  test(`${name}: a session that an earlier version kept under its id is found, by one alone, and leaves nothing there`, async () => {
    const { store, close } = await open();
    const session = (id) => createSession({ id, store, contextWindow: 100_000, storeTimeoutMs: 5_000, onEvent: () => undefined });
    try {
      for (const id of ['chat', 'Ann/1', 'ann@example.com', 'two words', 'münchen', 'x'.repeat(190)]) {
        const earlier = { version: 2, revision: 'abc 1', queue: [{ id: 'q', message: { role: 'user', content: 'From earlier.' }, places: [] }] };
        await store.set(id, JSON.stringify(earlier), undefined);
        const one = session(id);
        const { messages } = await one.prepareStep({ messages: begin(), steps: [], stepNumber: 0, model: MODEL });
        assert.deepEqual(withoutBridges(messages).map(textOf), ['Begin.', 'From earlier.'], id);
        await one.dispose();
        const again = await session(id).prepareStep({ messages: begin(), steps: [], stepNumber: 0, model: MODEL });
        assert.deepEqual(withoutBridges(again.messages).map(textOf), ['Begin.', 'From earlier.'], id);
        if (id !== 'chat') assert.ok(!JSON.stringify(await store.get(id)).includes('From earlier.'), id);
      }
      const other = await session('Ann:1').prepareStep({ messages: begin(), steps: [], stepNumber: 0, model: MODEL });
      assert.equal(other, undefined);
      assert.ok(await session('Ann/1').forget());
      assert.ok(!JSON.stringify([await store.get('Ann/1'), await store.get('.0041nn.002f1')]).includes('From earlier.'));
    } finally {
      await close();
    }
  });
}

test('what a store hands to the wrong session is neither read nor written over', async () => {
  let text;
  const store = { get: async () => text, set: async (_key, value) => void (text = value) };
  const events = [];
  const session = (id) => createSession({ id, store, onEvent: (event) => events.push(event) });
  const ann = session('ann');
  ann.enqueue('My card ends in 4711.');
  await ann.dispose();
  const before = text;
  const bob = session('bob');
  assert.equal(await bob.prepareStep({ messages: begin(), steps: [], stepNumber: 0, model: MODEL }), undefined);
  bob.enqueue('Of Bob.');
  await bob.dispose();
  assert.equal(await bob.forget(), false);
  assert.equal(text, before);
  assert.ok(events.some(({ type }) => type === 'state-rejected') && events.some(({ type, message }) => type === 'store-failed' && message.includes('another id')));
});

test('the key of a long id is its SHA-256, as any server finds it', async () => {
  const keys = new Map();
  for (let length = 181; length < 450; length += 1) {
    const id = Array.from({ length }, (_none, index) => 'chat-0_7'[(index * index + length) % 8]).join('');
    const session = createSession({ id, store: keys, contextWindow: 100_000 });
    session.enqueue('Of this one.');
    await session.dispose();
    assert.ok(keys.has(`sha256.x${createHash('sha256').update(id).digest('hex')}`), id);
  }
  assert.equal(keys.size, 450 - 181);
});
