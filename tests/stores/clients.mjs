// What the stores are tested over: real clients, each with something in this process that answers as its server does.
// Redis is a server of three commands that knows the two scripts; Postgres is PGlite; SQLite is libSQL.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createClient as createLibsql } from '@libsql/client';
import { Redis as Upstash } from '@upstash/redis';
import IoRedis from 'ioredis';
import { createClient } from 'redis';
import { fileStore } from 'stepfold/file-store';
import { DurableSession, durableObjectStore, redisStore, sqlStore } from 'stepfold/stores';

/** A Redis that carries out the scripts of `redisStore`, as their text says. */
export function answer(map, [command = '', script = '', , key = '', previous, value, seconds]) {
  if (command.toUpperCase() !== 'EVAL') return 'OK';
  if (previous === undefined && script.startsWith('return')) return `t${map.get(key) ?? ''}`;
  // What the scripts say in Lua is for a real server to run.
  if (seconds === undefined || (map.get(key) ?? '') !== previous) return 0;
  map.set(key, value);
  return 1;
}

async function redisServer(map) {
  const server = createServer((socket) => {
    let left = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      left = Buffer.concat([left, data]);
      for (let read = readCommand(left); read !== undefined; read = readCommand(left)) {
        left = left.subarray(read.end);
        const [name = ''] = read.words;
        const said = answer(map, read.words);
        if (name.toUpperCase() === 'HELLO') socket.write("-NOPROTO unsupported protocol version\r\n");
        else if (name.toUpperCase() === 'INFO') socket.write('$0\r\n\r\n');
        else socket.write(said === 'OK' ? '+OK\r\n' : typeof said === 'number' ? `:${said}\r\n` : said === null ? '$-1\r\n' : `$${Buffer.byteLength(said)}\r\n${said}\r\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** The words of the first command, once it is there whole. */
function readCommand(bytes) {
  const lineAt = (start) => {
    const end = bytes.indexOf('\r\n', start);
    return end === -1 ? undefined : { text: bytes.toString('utf8', start, end), end: end + 2 };
  };
  const head = lineAt(0);
  if (head === undefined) return undefined;
  let end = head.end;
  const words = [];
  for (let n = 0; n < Number(head.text.slice(1)); n += 1) {
    const size = lineAt(end);
    if (size === undefined) return undefined;
    const length = Number(size.text.slice(1));
    if (bytes.length < size.end + length + 2) return undefined;
    words.push(bytes.toString('utf8', size.end, size.end + length));
    end = size.end + length + 2;
  }
  return { words, end };
}

/** One for all: it takes seconds to start. Its tables are new. */
async function postgres() {
  const client = await (started ??= PGlite.create());
  await client.exec('DROP TABLE IF EXISTS stepfold_sessions; DROP TABLE IF EXISTS public.sessions;');
  return client;
}
let started;

const portOf = (server) => server.address().port;

/** Opens a client each; `close` ends what was opened. */
export const clients = {
  'node-redis': async () => {
    const server = await redisServer(new Map());
    const client = await createClient({ socket: { host: '127.0.0.1', port: portOf(server) }, RESP: 2 }).connect();
    return { store: redisStore(client, { ttlSeconds: 60 }), close: () => { client.destroy(); server.close(); } };
  },
  ioredis: async () => {
    const server = await redisServer(new Map());
    const client = new IoRedis({ host: '127.0.0.1', port: portOf(server), enableReadyCheck: false });
    return { store: redisStore(client), close: () => { client.disconnect(); server.close(); } };
  },
  '@upstash/redis': async () => {
    const map = new Map();
    const requester = { request: async ({ body }) => ({ result: answer(map, body.map(String)) }) };
    return { store: redisStore(new Upstash(requester), { ttlSeconds: 60 }), close: () => undefined };
  },
  'PGlite, by query': async () => {
    const client = await postgres();
    const store = sqlStore(client, { ttlSeconds: 60 });
    await store.createTable();
    return { store, close: () => undefined };
  },
  'PGlite, by a template tag': async () => {
    const client = await postgres();
    const store = sqlStore((strings, ...values) => client.sql(strings, ...values), { table: 'public.sessions' });
    await store.createTable();
    return { store, close: () => undefined };
  },
  libSQL: async () => {
    const client = createLibsql({ url: ':memory:' });
    const store = sqlStore(client, { ttlSeconds: 60 });
    await store.createTable();
    return { store, close: () => client.close() };
  },
  'D1, over libSQL': async () => {
    const client = createLibsql({ url: ':memory:' });
    const prepare = (sql) => {
      const statement = (args) => ({ bind: (...values) => statement(values), run: () => client.execute({ sql, args }), all: async () => ({ results: (await client.execute({ sql, args })).rows }) });
      return statement([]);
    };
    const store = sqlStore({ prepare });
    await store.createTable();
    return { store, close: () => client.close() };
  },
  files: async () => {
    const directory = mkdtempSync(join(tmpdir(), 'stepfold-files-'));
    return { store: fileStore(directory), close: () => rmSync(directory, { recursive: true }) };
  },
  'Durable Objects': async () => {
    const objects = new Map();
    const get = (id) => {
      const map = new Map();
      const storage = { get: async (key) => map.get(key), put: async (key, value) => void map.set(key, value), setAlarm: async () => undefined, deleteAll: async () => map.clear() };
      if (!objects.has(id)) objects.set(id, new DurableSession({ storage }));
      // One request after another, as the platform's gates see to.
      const object = objects.get(id);
      return { fetch: (url, init) => (object.gate = (object.gate ?? Promise.resolve()).then(() => object.fetch(new Request(url, init)))) };
    };
    return { store: durableObjectStore({ idFromName: (name) => name, get }, { ttlSeconds: 60 }), close: () => undefined };
  },
};
