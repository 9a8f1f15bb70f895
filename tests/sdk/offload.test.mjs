// The option `offload` inside real runs of ai 5, 6 and 7 and by hand: results that are cleared or folded are files before the model is told
// of them, the same after a restore, and a place for files that fails costs no step more than its time.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createPrepareStep, createSession } from 'stepfold';
import { call, result } from '../hand.mjs';
import { MAJORS, createModel, createTools, run } from './sdk.mjs';

const page = (number) => Array.from({ length: 60 }, (_, line) => `page ${number} line ${line + 1}: value ${number * 1000 + line}, “umlauts” äöü\t\r`).join('\n');
const image = { type: 'content', value: [{ type: 'media', mediaType: 'image/png', data: 'iVBORw0KGgo='.repeat(400) }] };
const options = { contextWindow: 9_000, reserveTokens: 1_000, overheadTokens: 1, trigger: 0.8, target: 0.4, keepRecent: { tokens: 1_000 }, minClearTokens: 500, maxResultTokens: 6_000 };

const conversation = (pages, first = 1) =>
  [
    { role: 'user', content: 'Read all pages.' },
    ...Array.from({ length: pages }, (_, index) => index + first).flatMap((number) => [
      call(`c${number}`, { path: `pages/${number}.txt` }),
      result(`c${number}`, number === 2 ? image : { type: 'text', value: page(number) }),
    ]),
  ];
const step = async ({ prepareStep }, messages, steps = [], stepNumber = 0) => (await prepareStep({ messages, steps, stepNumber, model: 'mock' }))?.messages ?? messages;
const textOf = (value) => JSON.stringify(value);
const namedIn = (sent) => [...textOf(sent).matchAll(/its text is in ([^ "]+) if you need it/g)].map(([, path]) => path);
const inMemory = () => {
  const files = new Map();
  return { files, write: (path, text) => void files.set(path, text) };
};

for (const major of MAJORS) {
  for (const make of [createSession, createPrepareStep]) {
    test(`v${major}: the model finds in a directory what ${make.name === 'createSession' ? 'a session' : 'a prepareStep'} has cleared or folded`, async () => {
      const directory = mkdtempSync(join(tmpdir(), 'stepfold-offload-'));
      const write = async (path, text) => {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      };
      const made = make({ ...options, offload: { write, directory: `${directory}/results/` } });
      /** Tools of the app's own. */
      const grep = ({ pattern }) => readdirSync(`${directory}/results`).filter((name) => readFileSync(`${directory}/results/${name}`, 'utf8').includes(pattern)).join('\n');
      const cat = ({ path }) => readFileSync(path, 'utf8');
      const mock = createModel({
        major,
        answers: [
          ...Array.from({ length: 40 }, (_, index) => ({ calls: [{ id: `c${index}`, name: 'read', input: { page: index } }] })),
          { calls: [{ id: 'grep', name: 'grep', input: { pattern: 'page 3 line 7:' } }] },
          { text: 'Done.' },
        ],
        onCall: () => {
          // Whatever a prompt names is there before the prompt is.
          for (const path of namedIn(mock.prompts().at(-1))) assert.match(readFileSync(path, 'utf8'), /^page \d+ line 1:/);
        },
      });
      const tools = createTools(major, { read: ({ page: number }) => page(number), grep, cat });
      const { steps } = await run({ major, model: mock.model, tools, options: { messages: [{ role: 'user', content: 'Read all pages.' }], prepareStep: made.prepareStep ?? made } });
      const prompts = mock.prompts();
      assert.ok(prompts.some((prompt) => namedIn(prompt).length > 0), 'a placeholder names a file');
      assert.ok(textOf(prompts.at(-1)).includes(`Results of folded calls are files in ${directory}/results,`), 'a checkpoint names the directory');
      const [found] = steps.at(-2).toolResults.map(({ output }) => output);
      assert.match(found, /^\d{9}\.txt$/);
      assert.equal(readFileSync(`${directory}/results/${found}`, 'utf8'), page(3));
      const index = readdirSync(`${directory}/results`).filter((name) => name.startsWith('index-')).map((name) => readFileSync(`${directory}/results/${name}`, 'utf8')).join('');
      assert.ok(index.includes(`${found}: `) && index.includes(', 60 lines\n'), index);
      rmSync(directory, { recursive: true });
    });
  }
}

test('a restored session sends the same bytes, whatever the directory is called by then, and writes nothing again', async () => {
  for (const pages of [9, 40]) {
    const { files, write } = inMemory();
    const session = createSession({ ...options, offload: { write } });
    const messages = conversation(pages);
    const sent = await step(session, messages);
    assert.ok(files.size > 0 && [...files.keys()].every((path) => /^tool-results\/(\d{9}|index-[0-9a-f]{12})\.txt$/.test(path)), [...files.keys()].join());
    const state = JSON.stringify(session.state);
    for (const later of [{ offload: { write } }, { offload: { write, directory: '/elsewhere' } }, {}]) {
      const before = new Map(files);
      assert.equal(textOf(await step(createSession({ ...options, ...later, state }), structuredClone(messages))), textOf(sent));
      assert.deepEqual(files, before);
    }
  }
});

test('what is folded later goes into the directory of that time, and what was cleared into the old one stays named there', async () => {
  const { files, write } = inMemory();
  const session = createSession({ ...options, offload: { write } });
  const sent = await step(session, conversation(9));
  const before = namedIn(sent);
  assert.ok(before.length > 0);
  const later = createSession({ ...options, state: JSON.stringify(session.state), offload: { write, directory: 'new' } });
  const grown = await step(later, conversation(16));
  assert.ok([...files.keys()].some((path) => path.startsWith('new/')));
  assert.ok(namedIn(grown).every((path) => files.has(path)));
});

test('files hold results as they were, and a result without text has none', async () => {
  const { files, write } = inMemory();
  const messages = conversation(12);
  messages[2].content[0].output = { type: 'json', value: { b: [page(1)], a: 'DB_PASSWORD=x7Kq9ZpL2mVw8RtY4nB' } };
  const sent = await step(createSession({ ...options, offload: { write } }), messages);
  const texts = [...files.values()];
  assert.ok(texts.includes(JSON.stringify({ a: 'DB_PASSWORD=x7Kq9ZpL2mVw8RtY4nB', b: [page(1)] })));
  assert.ok(texts.includes(page(3)) && !texts.some((text) => text.includes('iVBOR')));
  assert.ok(!textOf(sent).includes('x7Kq9ZpL2mVw8RtY4nB'));
});

test('a result with images is recalled by its id where that can be, since a file holds only text', async () => {
  const { write } = inMemory();
  const session = createSession({ ...options, offload: { write } });
  session.recallTool();
  const messages = conversation(9);
  messages[4].content[0].output = { type: 'content', value: [{ type: 'text', text: page(2) }, ...image.value] };
  const sent = textOf(await step(session, messages));
  assert.match(sent, /held 1 × image; use the recall tool with id \d{9} if/);
  assert.match(sent, /its text is in tool-results\/\d{9}\.txt if/);
});

/** Places for files that are none. */
const broken = [
  { name: 'throws', reason: 'failed', write: () => { throw new Error('no space at postgres://me:hunter2hunter2@db/x'); } },
  { name: 'rejects at the third file', reason: 'failed', write: (() => { let count = 0; return async () => { if ((count += 1) > 2) throw new Error('no space'); }; })() },
  { name: 'hangs', reason: 'timeout', write: () => new Promise(() => undefined) },
];
for (const { name, reason, write } of broken) {
  test(`where a write ${name}, the step names no file, and for 30 seconds none is written`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    t.mock.method(performance, 'now', () => Date.now());
    const events = [];
    let calls = 0;
    const offload = { write: (...given) => { calls += 1; return write(...given); } };
    const session = createSession({ ...options, offload, onEvent: (event) => events.push(event) });
    const waiting = step(session, conversation(12));
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    t.mock.timers.tick(2_000);
    const sent = await waiting;
    assert.deepEqual(events.filter(({ type }) => type === 'offload-failed').map((event) => event.reason), [reason]);
    assert.ok(!textOf(events).includes('hunter2hunter2'));
    assert.ok(!textOf(sent).includes('tool-results') && events.some(({ type }) => type === 'cleared' || type === 'checkpoint') && !events.some(({ type }) => type === 'offloaded'));
    const before = calls;
    for (let steps = 0; steps < 10; steps += 1) assert.ok(!textOf(await step(session, conversation(14 + 3 * steps))).includes('tool-results'));
    t.mock.timers.tick(27_999);
    assert.ok(!textOf(await step(session, conversation(50))).includes('tool-results'));
    assert.equal(calls, before);
    t.mock.timers.tick(2_001);
    const again = step(session, conversation(60));
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    t.mock.timers.tick(2_000);
    await again;
    assert.ok(calls > before);
  });
}

test('an abort gets through to the write, and the step does not wait for it', async () => {
  const controller = new AbortController();
  const signals = [];
  const write = (_path, _text, { abortSignal }) => {
    signals.push(abortSignal);
    queueMicrotask(() => controller.abort());
    return new Promise(() => undefined);
  };
  const events = [];
  const sent = await step(createSession({ ...options, offload: { write }, abortSignal: controller.signal, onEvent: (event) => events.push(event) }), conversation(12));
  assert.ok(signals.length > 0 && signals.every(({ aborted }) => aborted));
  assert.deepEqual(events.filter(({ type }) => type === 'offload-failed').map(({ reason }) => reason), ['aborted']);
  assert.ok(!textOf(sent).includes('tool-results'));
});

test('where the files of an earlier run are gone, the next run has them written again', async () => {
  for (const pages of [9, 40]) {
    const first = inMemory();
    const session = createSession({ ...options, offload: { write: first.write } });
    const messages = conversation(pages);
    const sent = await step(session, messages);
    const state = JSON.stringify(session.state);
    for (const isGone of [true, false]) {
      const second = inMemory();
      const asked = [];
      const offload = { write: second.write, exists: (path) => { asked.push(path); return !isGone; } };
      const restored = createSession({ ...options, state, offload });
      assert.equal(textOf(await step(restored, messages)), textOf(sent));
      assert.equal(asked.length, 1);
      assert.ok(first.files.has(asked[0]));
      assert.deepEqual([...second.files].sort(), isGone ? [...first.files].sort() : []);
    }
  }
});

test('a checkpoint asked for by hand writes files too', async () => {
  const { files, write } = inMemory();
  const session = createSession({ ...options, contextWindow: 100_000, offload: { write } });
  const { compacted, messages } = await session.compact({ messages: conversation(12), model: 'mock' });
  assert.ok(compacted && textOf(messages).includes('files in tool-results,'));
  assert.ok([...files.values()].includes(page(3)));
});

test('an event says how much was written, and each result is written once', async () => {
  const events = [];
  const paths = [];
  const session = createSession({ ...options, offload: { write: (path) => void paths.push(path) }, onEvent: (event) => events.push(event) });
  for (let pages = 4; pages < 40; pages += 2) await step(session, conversation(pages));
  const reported = events.filter(({ type }) => type === 'offloaded');
  assert.equal(reported.reduce((sum, { files }) => sum + files, 0), paths.length);
  assert.ok(reported.length > 1 && reported.every(({ bytes }) => bytes > 0));
  assert.equal(new Set(paths).size, paths.length);
});

test('what is no place for files is refused by name', () => {
  for (const [offload, words] of [
    [{}, /`offload` is another object; it must be an object with a method `write/],
    [{ write: 'x' }, /`offload` is /],
    [{ write() {}, exists: true }, /`offload` is /],
    [{ write() {}, directory: 7 }, /`offload\.directory` is 7; it must be a path/],
    [{ write() {}, directory: 'a\nb' }, /`offload\.directory` is "a\nb"; it must be a path/],
    [{ write() {}, directory: '' }, /`offload\.directory` is ""/],
  ]) {
    assert.throws(() => createSession({ offload: offload }), words);
  }
});
