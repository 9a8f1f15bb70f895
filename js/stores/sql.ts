// A store over Postgres or SQLite, atomic: a row is written only where it holds what was read.
// The statements are the same for both; clients differ in how they are handed one, and in how they mark its values.

import { StepfoldError } from '../errors.js';
import type { SessionStore } from '../session/store.js';
import type { StoreOptions } from './options.js';
import { checkClient, checked } from './options.js';

/** Options of `sqlStore`. */
export interface SqlStoreOptions extends StoreOptions {
  /** The table, also with its schema. @default 'stepfold_sessions' */
  readonly table?: string | undefined;
}

/** A store in a table. */
export interface SqlStore extends SessionStore {
  /** Makes the table, for your migrations. */
  readonly migration: string;
  /** Makes the table where it is not there. */
  readonly createTable: () => Promise<void>;
}

/**
 * A client of Postgres or SQLite: a template tag (`postgres`, `neon`, `@vercel/postgres`), or an object with `prepare` (better-sqlite3,
 * `node:sqlite`, D1), `execute` (libSQL) or `query` (`pg`, PGlite).
 */
export type SqlClient =
  | ((strings: TemplateStringsArray, ...values: any[]) => unknown)
  | { prepare(text: string): unknown }
  | { execute(statement: { sql: string; args: any[] }): unknown }
  | { query(text: string, values?: any[]): unknown };

/** A statement: what stands before, between and behind its values. */
type Run = (pieces: readonly string[], ...values: readonly (string | number | null)[]) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/**
 * Keeps sessions in a table of Postgres or SQLite.
 *
 * @example
 * const store = sqlStore(sql, { ttlSeconds: 86_400 });
 * await store.createTable(); // or `store.migration` among your migrations
 *
 * @throws StepfoldError when `client` is no such client, or an option is unknown or out of range.
 */
export function sqlStore(client: SqlClient, { table = 'stepfold_sessions', ...options }: SqlStoreOptions = {}): SqlStore {
  const { ttlSeconds, prefix } = checked(options, 1, ['table']);
  if (typeof table !== 'string' || !/^\w+(\.\w+)?$/.test(table)) {
    throw new StepfoldError({ code: 'invalid-option', message: `\`table\` is ${JSON.stringify(table)}; it must be a name of letters, digits and \`_\`, also with a schema and a dot before it` });
  }
  const run = runnerOf(client);
  const migration = `CREATE TABLE IF NOT EXISTS ${table} (session_key TEXT PRIMARY KEY, session_value TEXT NOT NULL, expires_at_ms BIGINT)`;
  const name = table.split('.').at(-1)!;
  return {
    migration,
    createTable: async () => void (await run([migration])),
    get: async (key) => {
      const [row] = await run([`SELECT session_value FROM ${table} WHERE session_key = `, ' AND (expires_at_ms IS NULL OR expires_at_ms > ', ')'], prefix + key, Date.now());
      return row?.['session_value'];
    },
    set: async (key, value, previous) => {
      const now = Date.now();
      const expires = ttlSeconds === undefined ? null : now + ttlSeconds * 1_000;
      const written =
        previous === undefined
          ? await run(
              [
                `INSERT INTO ${table} (session_key, session_value, expires_at_ms) VALUES (`, ', ', ', ',
                // What has expired is not there.
                `) ON CONFLICT (session_key) DO UPDATE SET session_value = excluded.session_value, expires_at_ms = excluded.expires_at_ms WHERE ${name}.expires_at_ms <= `,
                ' RETURNING session_key',
              ],
              prefix + key, value, expires, now,
            )
          : await run([`UPDATE ${table} SET session_value = `, ', expires_at_ms = ', ' WHERE session_key = ', ' AND session_value = ', ' RETURNING session_key'], value, expires, prefix + key, previous);
      return written.length > 0;
    },
  };
}

function runnerOf(client: SqlClient): Run {
  const given = client as Readonly<Record<'prepare' | 'execute' | 'query', unknown>> | undefined | null;
  if (typeof client === 'function') return async (pieces, ...values) => rowsOf(await client(Object.assign([...pieces], { raw: pieces }), ...values));
  const has = (method: 'prepare' | 'execute' | 'query'): boolean => typeof given?.[method] === 'function';
  if (has('prepare')) {
    return async (pieces, ...values) => {
      const statement = (client as { prepare(text: string): Statement }).prepare(pieces.join('?'));
      // better-sqlite3 refuses to read rows of a statement that has none.
      if (values.length === 0) return rowsOf(await statement.run());
      return rowsOf(await (statement.bind === undefined ? statement.all(...values) : statement.bind(...values).all()));
    };
  }
  if (has('execute')) return async (pieces, ...values) => rowsOf(await (client as { execute(statement: object): unknown }).execute({ sql: pieces.join('?'), args: values }));
  checkClient('sqlStore', 'client', client, ['query']);
  const number = (pieces: readonly string[]): string => pieces.reduce((text, piece, index) => `${text}$${index}${piece}`);
  return async (pieces, ...values) => rowsOf(await (client as { query(text: string, values: readonly unknown[]): unknown }).query(number(pieces), values));
}

/** What better-sqlite3, `node:sqlite` and D1 make of a text. */
interface Statement {
  bind?(...values: readonly unknown[]): Statement;
  all(...values: readonly unknown[]): unknown;
  run(): unknown;
}

/** A list, or an object that holds it. */
function rowsOf(answer: unknown): Awaited<ReturnType<Run>> {
  const { rows, results } = (answer ?? {}) as { readonly rows?: unknown; readonly results?: unknown };
  return [answer, rows, results].find(Array.isArray) ?? [];
}
