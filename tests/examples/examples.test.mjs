// Runs every file of examples/ with scripted models: that they work as they stand, and do what they are there to show. Those of the guides
// are in guides.test.mjs.
// `ai` is version 7 there. What stepfold itself does is tested elsewhere.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createRoute } from '../../examples/route-handler.mjs';
import { runAgent } from '../../examples/one-step-loop.mjs';
import { createTwoTiers } from '../../examples/two-tiers.mjs';
import { createModel, createTools } from '../sdk/sdk.mjs';

const major = 7;
const page = (number) => Array.from({ length: 60 }, (_, line) => `page ${number} line ${line + 1}: value ${number * 1000 + line}`).join('\n');
const tools = createTools(major, { read: ({ page: number }) => page(number) });
const reading = (pages, first = 0) => [...Array.from({ length: pages }, (_, index) => ({ calls: [{ id: `c${first + index}`, name: 'read', input: { page: first + index } }] })), { text: `Read ${pages} pages.` }];
const summary = 'The pages up to here were read one by one and their values written down; the next pages follow.';
/** A model of a known small window, and one that writes summaries. */
const reader = (answers, onCall = undefined) => createModel({ major, answers, modelId: 'openai/gpt-4', onCall });
const summarizer = () => createModel({ major, answers: Array.from({ length: 20 }, () => ({ text: summary })) });
/** How often a text is sent. A checkpoint also names the newest message of the user where it says where the work stands: that is no second sending. */
const timesSent = (prompt, text) => JSON.stringify(prompt).replace(/\\nThe newest task \(after step \d+\): .*?\\n/, '').split(text).length - 1;
const hasCheckpoint = (prompt) => JSON.stringify(prompt).includes('[Checkpoint ');

test('the index of the documents names every example', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const index = readFileSync(`${root}docs/README.md`, 'utf8');
  for (const name of readdirSync(`${root}examples`)) assert.ok(index.includes(`examples/${name})`), name);
});

const postTo = (POST, body, options = {}) => POST(new Request('http://test/api/chat', { method: 'POST', body: JSON.stringify(body), ...options }));
const chunksOf = (text) => text.split('\n').filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)));
const mayOpen = async () => true;
/** Node 20 has no `Promise.withResolvers`. */
function deferred() {
  let resolve = () => {};
  const promise = new Promise((done) => { resolve = done; });
  return { promise, resolve };
}

test('the route handler opens no session for who does not own the chat', async () => {
  const owners = new Map([['chat-1', 'ada']]);
  const store = { get: () => assert.fail('the store was read'), set: () => assert.fail('the store was written') };
  const model = reader([]).model;
  const POST = createRoute({ model, smallModel: model, tools, store, mayOpen: async (request, id) => owners.get(id) === request.headers.get('cookie') });
  const response = await postTo(POST, { id: 'chat-1', messages: [] }, { headers: { cookie: 'eve' } });
  assert.equal(response.status, 403);
});

test('the route handler answers a second request with the checkpoint of the first', async () => {
  const store = new Map();
  const small = summarizer();
  const first = reader(reading(14));
  const ask = async (model, messages) => {
    const POST = createRoute({ model, smallModel: small.model, tools, store, mayOpen });
    const response = await postTo(POST, { id: 'chat-1', messages });
    assert.equal(response.status, 200);
    return chunksOf(await response.text());
  };
  const question = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Read all pages.' }] };
  const chunks = await ask(first.model, [question]);
  assert.ok(chunks.some(({ data }) => data?.label === 'Summarizing conversation…'));
  const asked = small.calls.length;
  assert.ok(asked > 0 && store.size === 1);
  // What the page holds by then: the first answer with its calls and results.
  const parts = chunks.filter(({ type }) => type === 'tool-input-available').map(({ toolCallId, toolName, input }) => ({ type: `tool-${toolName}`, toolCallId, input, state: 'output-available', output: chunks.find((chunk) => chunk.type === 'tool-output-available' && chunk.toolCallId === toolCallId).output }));
  const second = reader([{ text: 'They add up.' }]);
  await ask(second.model, [question, { id: 'm2', role: 'assistant', parts: parts.flatMap((part) => [{ type: 'step-start' }, part]) }, { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'And the sum?' }] }]);
  assert.ok(hasCheckpoint(second.prompts()[0]));
  assert.equal(small.calls.length, asked, 'no span is summarized twice');
});

for (const { name, leaves } of [{ name: 'the answer is still read', leaves: false }, { name: 'the page has gone', leaves: true }]) {
  test(`the route handler saves a chat that is stopped in the middle of a tool call, and goes on with it: ${name}`, async () => {
    const store = new Map();
    const stop = new AbortController();
    const reached = deferred();
    const hanging = createTools(major, {
      read: ({ page: number }) => page(number),
      wait: (_input, { abortSignal }) => new Promise((_resolve, reject) => { abortSignal.addEventListener('abort', () => reject(abortSignal.reason)); reached.resolve(); }),
    });
    const small = summarizer();
    const pages = reading(14).slice(0, -1);
    const first = reader([...pages, { calls: [{ id: 'hung', name: 'wait', input: {} }] }]);
    const disposed = deferred();
    const watched = { get: (key) => { if (stop.signal.aborted) disposed.resolve(); return store.get(key); }, set: (key, value) => void store.set(key, value) };
    const route = (model) => createRoute({ model, smallModel: small.model, tools: hanging, store: watched, mayOpen });
    const question = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Read all pages.' }] };
    const response = await postTo(route(first.model), { id: 'chat-1', messages: [question] }, { signal: stop.signal });
    const read = leaves ? undefined : response.text();
    await reached.promise;
    if (leaves) await response.body.cancel();
    stop.abort();
    await disposed.promise;
    await read;
    const answered = pages.flatMap((_, index) => [{ type: 'step-start' }, { type: 'tool-read', toolCallId: `c${index}`, state: 'output-available', input: { page: index }, output: page(index) }]);
    const stopped = [question, { id: 'm2', role: 'assistant', parts: [...answered, { type: 'step-start' }, { type: 'tool-wait', toolCallId: 'hung', state: 'input-available', input: {} }] }, { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }];
    const asked = small.calls.length;
    const second = reader([{ text: 'Done.' }]);
    const chunks = chunksOf(await (await postTo(route(second.model), { id: 'chat-1', messages: stopped })).text());
    assert.ok(chunks.some(({ delta }) => delta === 'Done.'));
    const [prompt] = second.prompts();
    assert.ok(hasCheckpoint(prompt) && !JSON.stringify(prompt).includes('hung'));
    assert.equal(small.calls.length, asked, 'no span is summarized twice');
  });
}

test('the route handler ends a run and saves the chat where the page has gone and the platform tells nobody', async () => {
  const started = deferred();
  const released = deferred();
  const disposed = deferred();
  const model = reader([{ calls: [{ id: 'c0', name: 'wait', input: {} }] }, { text: 'Done. '.repeat(2_000) }]);
  const waiting = createTools(major, { wait: async () => { started.resolve(); await released.promise; return 'waited'; } });
  const store = { get: () => { if (model.calls.length === 2) disposed.resolve(); }, set: () => {} };
  const POST = createRoute({ model: model.model, smallModel: model.model, tools: waiting, store, mayOpen });
  const response = await postTo(POST, { id: 'chat-1', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Wait.' }] }] });
  await started.promise;
  await response.body.cancel();
  released.resolve();
  await disposed.promise;
});

test('the one-step loop takes messages in between, stores what it does, and goes on where it was cancelled', async () => {
  const store = new Map();
  const rows = [{ role: 'user', content: 'Read all pages.' }];
  let inbox = [];
  let text = '';
  const go = (model, controller = new AbortController()) =>
    runAgent({
      id: 'run-1', model, tools, store, abortSignal: controller.signal,
      load: async () => structuredClone(rows),
      append: async (messages) => void rows.push(...structuredClone(messages)),
      inbox: () => inbox.splice(0),
      onText: (delta) => void (text += delta),
    });
  const controller = new AbortController();
  // The user writes while step 3 runs, and cancels during step 11.
  const first = reader(reading(20), (index) => { if (index === 3) inbox = ['Skip the odd lines.']; if (index === 11) controller.abort(); });
  await go(first.model, controller);
  const stored = rows.length;
  assert.equal(rows.filter(({ content }) => content === 'Skip the odd lines.').length, 1);
  const place = rows.findIndex(({ content }) => content === 'Skip the odd lines.');
  assert.deepEqual([rows[place - 1].role, rows[place + 1].role], ['tool', 'assistant']);
  assert.equal(rows.at(-1).role, 'tool', 'no half of a step is stored');

  const second = reader(reading(4, 11));
  await go(second.model);
  assert.equal(text, 'Read 4 pages.');
  assert.equal(rows.length, stored + 9);
  assert.ok(JSON.stringify(second.prompts()[0]).includes('Skip the odd lines.'));
  for (const prompt of second.prompts()) assert.equal(timesSent(prompt, 'Skip the odd lines.'), 1, 'it is sent once');
  assert.ok(/cleared to save context|\[Checkpoint /.test(JSON.stringify(second.prompts()[0])), 'what was decided before the cancellation holds');
});

test('of two tiers the lower one works without a model, the higher one with it', async () => {
  const small = summarizer();
  const events = [];
  const prepareStep = createTwoTiers({ smallModel: small.model, onEvent: (event) => events.push(event) });
  const reported = (type) => events.filter((event) => event.type === type);
  // Prose of the model cannot be cleared, so that it must be folded.
  const talk = (count, letters = 400) => [
    { role: 'user', content: 'Write the report.' },
    ...Array.from({ length: count }, (_, index) => ({ role: 'assistant', content: `Chapter ${index}. ${`The level rose again that day ${index}. `.repeat(letters)}` })),
    { role: 'user', content: 'Go on.' },
  ];
  const step = (messages) => prepareStep({ messages, steps: [], stepNumber: 0, model: 'anthropic/claude-sonnet-4.5' });
  assert.equal(await step(talk(10)), undefined);
  assert.ok(reported('measured').at(-1).tokens < 80_000);
  const digested = await step(talk(26));
  assert.ok(hasCheckpoint(digested) && reported('measured').at(-1).uneditedTokens > 80_000 && reported('measured').at(-1).uneditedTokens < 120_000, JSON.stringify(reported('measured').at(-1)));
  assert.deepEqual([reported('checkpoint').map(({ content }) => content), small.calls.length], [['digest'], 0]);
  const summarized = await step(talk(40, 401));
  assert.ok(JSON.stringify(summarized).includes(summary));
  assert.deepEqual(reported('checkpoint').map(({ content }) => content), ['digest', 'summary']);
});

test('chats in SQL keep the messages of every step of an agent with tools', async (t) => {
  // On ai 7 `response.messages` holds the last step only: the calls and their results were lost.
  const sqlite = await import('node:sqlite').catch(() => undefined);
  if (sqlite === undefined) return t.diagnostic('this Node has no SQLite');
  const { createChats } = await import('../../examples/sql-summaries.mjs');
  const db = new sqlite.DatabaseSync(':memory:');
  const answer = createChats({ db, model: reader(reading(2)).model, tools, summarize: async () => summary });
  await answer('chat-1', 'Read both.');
  const roles = db.prepare('SELECT message FROM messages ORDER BY id').all().map(({ message }) => JSON.parse(String(message)).role);
  assert.deepEqual(roles, ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant']);
});

test('chats in SQL load only what stands behind the newest checkpoint, whatever process answers', async (t) => {
  const sqlite = await import('node:sqlite').catch(() => undefined);
  if (sqlite === undefined) return t.diagnostic('this Node has no SQLite');
  const { createChats } = await import('../../examples/sql-summaries.mjs');
  const db = new sqlite.DatabaseSync(':memory:');
  const prompts = [];
  let summaries = 0;
  const loaded = [];
  for (let turn = 0; turn < 12; turn += 1) {
    const long = `Answer ${turn}. ${`Value ${turn} of the station is rising. `.repeat(60)}`;
    const mock = reader([{ text: long }]);
    // A process of its own each time: nothing but the tables is shared.
    const answer = createChats({
      db,
      model: mock.model,
      summarize: async () => `${summary} Summary ${(summaries += 1)}.`,
      options: { contextWindow: 4_000, reserveTokens: 500, overheadTokens: 1, trigger: 0.8, target: 0.5 },
    });
    const { text, sent } = await answer('chat-1', `Question ${turn}: what is next?`);
    assert.equal(text, long);
    loaded.push(sent);
    prompts.push(mock.prompts()[0]);
  }
  const { messages } = db.prepare('SELECT count(*) AS messages FROM messages').get();
  const { covered } = db.prepare('SELECT covered_through AS covered FROM sessions').get();
  assert.equal(messages, 24, 'every message is still in the table');
  assert.ok(summaries >= 2 && covered > 10 && covered < 24, `${summaries} summaries, covered through ${covered}`);
  assert.ok(Math.max(...loaded) < 12, String(loaded));
  // The original question is in every prompt, each message once at most, and the newest summary stands for the rest.
  for (const [turn, prompt] of prompts.entries()) {
    assert.equal(timesSent(prompt, 'Question 0: what'), 1, `turn ${turn}`);
    for (let before = 0; before <= turn; before += 1) assert.equal(timesSent(prompt, `Question ${before}: what`), 1, `question ${before} in turn ${turn}`);
  }
  assert.ok(hasCheckpoint(prompts.at(-1)) && JSON.stringify(prompts.at(-1)).includes(`Summary ${summaries}.`));
});
