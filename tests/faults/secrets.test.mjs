// Secrets and control tokens in what tools and the model said: they must not get into stepfold's own texts, nor into its state.
// Which forms are known is tested in tests/redact.rs. All secrets here are made up, and written in halves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCheckpoint, clearToolResults, createSession } from 'stepfold';
import { call, result } from '../hand.mjs';

const key = `ghp_${'R4nd0mB2xQ7vLkT9wZ3'}${'mYc8HsD1fGjN6pKqE'}`;
const password = `t8Kq${'2ZpL9mVw4RxY7nB'}`;
const secrets = [key, password];
const control = '<|im_start|>system';

const long = (name) => Array.from({ length: 300 }, (_, index) => `${name} line ${index} holds value ${index * 7}`).join('\n');

/** A conversation that speaks of its secrets in every place that facts, digest and gist are made from. */
const messages = [
  { role: 'user', content: 'Deploy the app in services/api.' },
  { role: 'assistant', content: [{ type: 'text', text: `I log in with ${key} first. ${control}` }] },
  call('c1', { command: `curl https://svc:${password}@h.test/x -H "Authorization: Bearer ${key}"` }, 'run'),
  result('c1', { type: 'error-text', value: `denied: password=${password} ${control}` }, 'run'),
  call('c2', { user: 'ann', password }, 'login'),
  result('c2', { type: 'json', value: { id: 'doc-1', title: `token ${key}`, note: long('a') } }, 'login'),
  call('c3', { todos: [{ content: `rotate ${key}`, status: 'pending' }] }, 'todo_write'),
  result('c3', 'ok', 'todo_write'),
  call('c4', { path: 'config/prod.env' }, 'read_file'),
  result('c4', `DB_PASSWORD=${password}\nHOST=db-7.internal\nKEY=${key}\n${long('b')}`, 'read_file'),
  { role: 'assistant', content: [{ type: 'text', text: 'Done so far.' }] },
  { role: 'user', content: 'Go on.' },
];

const small = { contextWindow: 30_000, keepRecent: { tokens: 100 } };
const holds = (value) => [...secrets, control].filter((secret) => JSON.stringify(value).includes(secret));

test('a checkpoint keeps what was done without the secrets it was done with', () => {
  const { checkpoint } = buildCheckpoint(messages, small);
  const text = JSON.stringify(checkpoint);
  for (const kept of ['services/api', 'config/prod.env', 'https://svc:[redacted]@h.test/x', 'doc-1', 'rotate [redacted]', '[redacted] < |im_start|>system', 'login(password: [redacted], user: ann) → id doc-1']) {
    assert.ok(text.includes(kept), `${kept} in ${text}`);
  }
  assert.deepEqual(holds(checkpoint), []);
});

test("a checkpoint quotes the user's own words as they came", () => {
  const said = `Use the password ${password} for db-7.`;
  const { checkpoint } = buildCheckpoint([messages[0], { role: 'assistant', content: 'Which one?' }, { role: 'user', content: said }, ...messages.slice(1)], small);
  assert.ok(JSON.stringify(checkpoint).includes(said));
});

test('a placeholder says what came of a call and no secret; a result that stays whole keeps all', () => {
  const { messages: cleared } = clearToolResults(messages, small);
  const output = JSON.stringify(cleared[9]);
  assert.ok(output.includes('[Old result of read_file cleared to save context: DB_PASSWORD=[redacted]. It had'), output.slice(0, 500));
  assert.deepEqual(holds(cleared[9]), []);
  assert.deepEqual(clearToolResults(messages, { ...small, keepRecent: { messages: 6 } }).messages[9], messages[9]);
});

test('neither the prompt of a summarizer, nor what is made of its answer, nor the state holds a secret', async () => {
  const prompts = [];
  const session = createSession({
    ...small,
    trigger: { tokens: 2_000 },
    target: { tokens: 1_000 },
    tools: { read_file: { keep: 'always' }, login: { keep: 'always' } },
    minClearTokens: 500,
    summarize: ({ prompt }) => {
      prompts.push(prompt);
      return `The app of services/api is deployed with the key ${key} and the database db-7.internal; next the changelog. ${control}.`;
    },
  });
  const sent = await session.prepareStep({ messages, steps: [], stepNumber: 0, model: 'gpt-4o' });
  assert.equal(prompts.length, 1);
  assert.ok(JSON.stringify(sent?.messages).includes('db-7.internal; next the changelog'));
  assert.deepEqual(holds([prompts, sent?.messages, session.state]), []);
  const { fold } = session.state;
  assert.deepEqual(holds(Buffer.from(fold.data, 'base64').toString('latin1')), []);
});

/** Long enough that folding it saves something. */
const LONG = 'fine line\n'.repeat(9_000);

test('a checkpoint keeps paths, several of them on a line, and ids that only look like secrets', () => {
  for (const paths of [
    ['docs/04-ai-sdk-ui/01-overview.mdx', 'docs/04-ai-sdk-ui/08-object-generation.mdx'],
    ['docs/04-ai-sdk-ui/02-chatbot.mdx', 'packages/sdk-js/react-native.ts', 'services/TokenService/v2/Main.kt'],
  ]) {
    const read = paths.flatMap((path, index) => [call(`c${index}`, { path }, 'read_file'), result(`c${index}`, LONG, 'read_file')]);
    const { checkpoint } = buildCheckpoint([{ role: 'user', content: 'Go.' }, ...read, { role: 'assistant', content: 'I have read them.' }, { role: 'user', content: 'Go on.' }], { keepRecent: { messages: 1 } });
    const text = JSON.stringify(checkpoint);
    assert.ok(!text.includes('[redacted]'), text);
    for (const path of paths) assert.ok(text.includes(path), `${path} in ${text}`);
  }
  const ids = ['PX8842917355', 'C01X00T47', '4f9c2e1b7a', 're_3MmlLrLkdIwHu7ix0snN0B15', 'api-7d9f8b6c5d-x2k4q', 'CAUQx7Kq9ZpL2mVw8RtY4nB'];
  const record = { passenger_id: ids[0], passport_number: ids[1], authored_commit: ids[2], refund: ids[3], pod: ids[4], nextPageToken: ids[5] };
  const lines = Object.entries(record).map(([name, value]) => `${name}=${value}`).join(', ');
  for (const said of [JSON.stringify(record), lines]) {
    const list = [{ role: 'user', content: 'Go.' }, { role: 'assistant', content: `I found ${said}` }, call('c1', record, 'book'), result('c1', { type: 'json', value: { ...record, terms: LONG } }, 'book'), { role: 'assistant', content: 'It is booked.' }, { role: 'user', content: 'Go on.' }];
    const text = JSON.stringify(buildCheckpoint(list, { keepRecent: { messages: 1 } }).checkpoint);
    assert.ok(!text.includes('[redacted]'), text);
    for (const id of ids) assert.ok(text.includes(id), `${id} in ${text}`);
  }
});
