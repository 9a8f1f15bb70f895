// Facts planted under generated names survive ten checkpoints with a summarizer that says nothing of them.
// Not here: whether a summary is good. What is counted is what is sent at the end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'stepfold';
import { call, MODEL, result } from '../hand.mjs';
import { words } from './script.mjs';

const ROUNDS = 10;
/** A name that nothing else has. */
const name = (kind, n) => `${kind}${((n + 1) * 7_919 * 104_729) % 999_983}`;
const fill = (n) => words(160, n);

/** One round of work: files in inputs, documents in JSON, errors in logs, guidance in prose. */
function roundOf(n, planted) {
  const plant = (kind, index) => {
    const planting = name(kind, n * 10 + index);
    (planted[kind] ??= []).push(planting);
    return planting;
  };
  const id = (index) => `call-${n}-${index}`;
  const files = [0, 1, 2].map((index) => `src/${plant('path', index)}.ts`);
  const documents = [0, 1].map((index) => ({ id: plant('doc', index), title: `Notes ${n}-${index}` }));
  const error = `${fill(n)}\n[12:00:0${n % 10}] FATAL ${plant('error', 0)}: cannot link`;
  return [
    { role: 'user', content: `Round ${n}. Keep to ${plant('rule', 0)}, please.` },
    call(id(0), { path: files[0] }), result(id(0), `${fill(n)} done`),
    call(id(1), { path: files[1], content: fill(n + 1) }, 'write_file'), result(id(1), 'ok', 'write_file'),
    call(id(2), { path: files[2], old: 'a', new: 'b' }, 'edit_file'), result(id(2), 'ok', 'edit_file'),
    call(id(3), { query: `round ${n}` }, 'search'), result(id(3), { type: 'json', value: { hits: documents, more: fill(n + 2) } }, 'search'),
    call(id(4), { command: `make target-${n}` }, 'run'), result(id(4), { type: 'error-text', value: error.slice(-390) }, 'run'),
    call(id(5), { todos: [{ content: `step ${n} of ${(planted.plan = [name('plan', n)])[0]}`, status: 'pending' }] }, 'todo_write'), result(id(5), 'ok', 'todo_write'),
    { role: 'assistant', content: `Round ${n} is done. ${fill(n + 3)}` },
  ];
}

const summaries = {
  'a summarizer that tells of something else': async () => 'The weather was fine that day, and everybody went for a long walk along the river before supper.',
  'a summarizer that fails': () => Promise.reject(new Error('down')),
  'no summarizer': undefined,
};

for (const [who, summarize] of Object.entries(summaries)) {
  test(`planted facts survive ${ROUNDS} successive checkpoints with ${who}`, async () => {
    const planted = {};
    const pinned = ['constraint-48611', 'note-90821'];
    const session = createSession({ contextWindow: 128_000, overheadTokens: 1, keepRecent: { tokens: 500 }, summarize, workingState: () => ({ notes: pinned[1] }) });
    let messages = [{ role: 'user', content: `Port the compiler. Never break ${pinned[0]}.` }];
    for (let n = 0; n < ROUNDS; n += 1) {
      // Rebuilt for each request, as from a database.
      messages = [...JSON.parse(JSON.stringify(messages)), ...roundOf(n, planted)];
      const { compacted } = await session.compact({ messages, model: MODEL });
      assert.ok(compacted, `checkpoint ${n}`);
    }
    const { messages: sent } = await session.plan([...messages, { role: 'user', content: 'Go on.' }], { model: MODEL });
    assert.ok(sent.length < 8, `${sent.length} messages are sent`);
    const text = JSON.stringify(sent);
    const share = (names) => names.filter((planting) => text.includes(planting)).length / names.length;
    // Pinned: the request, what the app keeps, the latest plan, what the user asked for.
    for (const names of [pinned, planted.plan, planted.rule]) assert.equal(share(names), 1, `${names}`);
    for (const kind of ['path', 'doc', 'error']) assert.ok(share(planted[kind]) >= 0.95, `${kind}: ${share(planted[kind])}`);
  });
}
