// The clients that the sessions bench is run with, each as a store over a real server. What they need to outlive a server that goes away is
// what an app needs, too: a listener for errors.

import IoRedis from 'ioredis';
import pg from 'pg';
import postgres from 'postgres';
import { createClient } from 'redis';
import { redisStore, sqlStore } from 'stepfold/stores';

const TABLE = 'stepfold_sessions';
const CONNECTIONS = 10;
const HOST = '127.0.0.1';
const ignore = () => undefined;

/** By name: the kind of its server, and how it is opened. Each has keys or a table of its own, and so begins with nothing. */
export const clients = {
  'node-redis': {
    server: 'Redis',
    open: async (port) => {
      const client = createClient({ socket: { host: HOST, port } });
      client.on('error', ignore);
      await client.connect();
      return { store: redisStore(client, { ttlSeconds: 86_400, prefix: 'node-redis:' }), prepare: async () => undefined, close: async () => client.destroy() };
    },
  },
  ioredis: {
    server: 'Redis',
    open: async (port) => {
      const client = new IoRedis({ host: HOST, port });
      client.on('error', ignore);
      return { store: redisStore(client, { ttlSeconds: 86_400, prefix: 'ioredis:' }), prepare: async () => undefined, close: async () => client.disconnect() };
    },
  },
  pg: {
    server: 'Postgres',
    open: async (port) => {
      const pool = new pg.Pool({ host: HOST, port, user: 'postgres', max: CONNECTIONS });
      pool.on('error', ignore);
      const store = sqlStore(pool, { ttlSeconds: 86_400, table: `${TABLE}_pg` });
      return { store, prepare: store.createTable, close: () => pool.end() };
    },
  },
  postgres: {
    server: 'Postgres',
    open: async (port) => {
      const sql = postgres({ host: HOST, port, user: 'postgres', max: CONNECTIONS, onnotice: ignore });
      const store = sqlStore(sql, { ttlSeconds: 86_400, table: `${TABLE}_postgres` });
      return { store, prepare: store.createTable, close: () => sql.end({ timeout: 1 }) };
    },
  },
};
