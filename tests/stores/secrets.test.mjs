// What a store's error says is reported without the password of the connection string it quotes: to `onEvent`, and on the console where nobody listens.
// What errors of other kinds say, and which forms of secrets are known, is tested in `tests/faults` and `tests/redact`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'stepfold';
import { redisStore, sqlStore } from 'stepfold/stores';

// Made up, and written in halves.
const PASSWORD = `t8Kq${'2ZpL9mVw4RxY7nB'}`;
const MODEL = { modelId: 'gpt-5', provider: 'openai' };
const messages = [{ role: 'user', content: 'Begin.' }];

/** Errors as drivers, proxies and wrappers of apps make them. */
const texts = {
  'a URL of Postgres': `connect ECONNREFUSED postgres://app:${PASSWORD}@db.internal:5432/chat?sslmode=require`,
  'a URL of Redis without a user': `Redis error: rediss://:${PASSWORD}@cache.internal:6380/0 closed the connection`,
  'a URL of Redis with a user': `WRONGPASS invalid credentials for redis://default:${PASSWORD}@cache.internal:6379`,
  'keywords of libpq': `could not connect: host=db.internal port=5432 user=app password=${PASSWORD} dbname=chat`,
  'a JSON of options': `cannot open ${JSON.stringify({ host: 'db.internal', user: 'app', password: PASSWORD })}`,
  'several lines': `connection lost\n    at postgresql://app:${PASSWORD}@db.internal/chat\n    retrying`,
};
const stores = {
  redisStore: (fail) => redisStore({ eval: fail }),
  'sqlStore, by query': (fail) => sqlStore({ query: fail }),
  'sqlStore, by a template tag': (fail) => sqlStore(fail),
  'one of the app': (fail) => ({ get: fail, set: fail }),
};

for (const [kind, text] of Object.entries(texts)) {
  for (const [name, make] of Object.entries(stores)) {
    test(`${name}: an error with ${kind} is reported without the password`, async (t) => {
      const lines = [];
      const warn = t.mock.method(console, 'warn', (...given) => void lines.push(given.join(' ')));
      const environment = process.env.NODE_ENV;
      delete process.env.NODE_ENV;
      delete globalThis[Symbol.for('stepfold.warnings')];
      try {
        for (const isHeard of [true, false]) {
          const events = [];
          const session = createSession({
            id: 'chat', store: make(async () => { throw new Error(text); }), contextWindow: 100_000,
            ...(isHeard ? { onEvent: (event) => events.push(event) } : {}),
          });
          session.enqueue('Shorter, please.');
          await session.prepareStep({ messages, steps: [], stepNumber: 0, model: MODEL });
          await session.dispose();
          const reported = isHeard ? events.filter(({ type }) => type === 'store-failed').map(({ message }) => message) : lines;
          assert.ok(reported.length >= 1, isHeard ? 'an event says so' : 'the console says so');
          for (const one of reported) assert.ok(!one.includes(PASSWORD) && one.includes(text.slice(0, 7)), one);
          assert.ok(!JSON.stringify(events).includes(PASSWORD));
        }
      } finally {
        if (environment !== undefined) process.env.NODE_ENV = environment;
        warn.mock.restore();
      }
    });
  }
}
