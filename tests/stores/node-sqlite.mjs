// A session over `node:sqlite`, which Node 20 does not have: started by `node-sqlite.test.mjs` on a Node that does. Ends with an error where
// something is lost.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { createSession } from 'stepfold';
import { sqlStore } from 'stepfold/stores';
import { withoutBridges } from '../hand.mjs';

const store = sqlStore(new DatabaseSync(':memory:'), { ttlSeconds: 60 });
await store.createTable();
assert.equal(await store.get('other'), undefined);
const create = () => createSession({ id: 'chat', store, contextWindow: 100_000, onEvent: ({ type }) => assert.notEqual(type, 'store-failed') });
const step = (session) => session.prepareStep({ messages: [{ role: 'user', content: 'Begin.' }], steps: [], stepNumber: 0, model: { modelId: 'mock', provider: 'mock' } });
const sessions = Array.from({ length: 8 }, create);
await Promise.all(sessions.map(step));
sessions.forEach((session, index) => session.enqueue(`Message ${index}.`));
await Promise.all(sessions.map((session) => session.dispose()));
const sent = withoutBridges((await step(create()))?.messages ?? []).map(({ content }) => content);
assert.deepEqual(sent.sort(), ['Begin.', ...sessions.map((_, index) => `Message ${index}.`)]);
assert.equal(await store.set('chat', '{}', '{"a":1}'), false);
console.log('ok');
