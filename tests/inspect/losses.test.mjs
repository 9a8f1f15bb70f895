// What an edit lost is marked: values and rows that stand nowhere in what is sent. How it looks: page.browser.mjs.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataOf, folderOf, inspect } from './helpers.mjs';
import { generateSession, modelMessages } from './sessions.mjs';

/** The edit of a recording with these texts, as the page has it. */
function recordedEdit(t, before, after) {
  const measured = { type: 'measured', stepNumber: 0, tokens: 10, uneditedTokens: 10, contextWindow: 9_000, cachedTokens: null };
  const edit = { stepNumber: 0, type: 'cleared', reason: 'r', messageIndex: 2, messages: 1, toolName: 'x', toolCallId: 'c', tokensBefore: 9, tokensAfter: 5, before, after };
  const folder = folderOf(t, [{ path: 'run.jsonl', text: JSON.stringify({ stepfold: 1, run: 1, stepNumber: 0, modelId: 'gpt-5', messages: 3, tools: {}, events: [measured], edits: [edit] }) }]);
  assert.equal(inspect(folder, 'run.jsonl').status, 0);
  return dataOf(join(folder, 'stepfold-inspect.html')).data.reports[0].edits[0];
}

/** What is marked of a text. */
const markedOf = ({ rows, marks }) =>
  rows.flatMap((row, index) => {
    const mark = marks[index];
    if (mark === '*') return [row.trim()];
    return mark.replace('!', '').split(',').filter(Boolean).map((span) => {
      const [start, length] = span.split('+').map(Number);
      return row.slice(start, start + length);
    });
  });

for (const [what, before, after, marked] of [
  ['an id', 'Order GW-3310 is sent with parcel ZX81-9 today.', 'Order GW-3310.', ['ZX81-9']],
  ['a number', 'It costs 189.00 euros, 47.25 of them for shipping.', 'It costs 189,00.', ['47.25']],
  ['a number that is grouped otherwise', 'The total is 1,344.60 for unit 99.', '1.344,60 in all, unit 98', ['99']],
  ['a url', 'See https://a.example/x/77 and https://b.example/y.', 'https://b.example/y', ['https://a.example/x/77']],
  ['a path whose end still stands', 'Read src/deep/window.ts and src/deep/budget.ts.', 'window.ts', ['src/deep/budget.ts']],
  ['a name', 'Ask Mira Okafor or Jonas Lindqvist.', 'Jonas Lindqvist knows.', ['Mira Okafor']],
  ['a member of JSON, not its name', '{\n "orderId": "B-118402",\n "sum": 7719\n}', '7719', ['"orderId": "B-118402",']],
  ['a row of which nothing is left', 'alpha AB-1001\nbeta AB-1002', 'AB-1002', ['alpha AB-1001']],
  ['a sentence without values', 'The customer prefers evening deliveries because mornings are difficult.\nok', 'ok', ['The customer prefers evening deliveries because mornings are difficult.']],
  ['words of a script without spaces', '顾客只要晚上送货因为早上很忙\n好', '好', ['顾客只要晚上送货因为早上很忙']],
  ['nothing that is there in other words of JSON', 'a line "B-118402"\\nof 7719', '{"text":"B-118402\\nof 7719"}', []],
]) {
  test(`of a text, ${what} is marked where it is lost`, (t) => {
    assert.deepEqual(markedOf(recordedEdit(t, before, after)), marked);
  });
}

test('the counts say how much of each kind is lost, and the examples what', (t) => {
  const { loss } = recordedEdit(t, 'Orders GW-3310, GW-3311 and GW-3312 cost 189.50.\nAsk Mira Okafor.', 'GW-3310');
  assert.deepEqual(loss.rows, { lost: 2, all: 2 });
  assert.deepEqual([loss.kinds.id, loss.kinds.number, loss.kinds.name, loss.kinds.url], [{ lost: 2, all: 3 }, { lost: 1, all: 1 }, { lost: 1, all: 1 }, { lost: 0, all: 0 }]);
  assert.deepEqual(loss.examples, ['Mira Okafor', 'GW-3311', 'GW-3312', '189.50']);
});

test('what stands elsewhere in the prompt is not lost; the texts of a second checkpoint begin with the first', (t) => {
  const messages = modelMessages(generateSession({ steps: 60, resultLines: 30 }));
  messages[0].content += ' The order is KEPT-4711.';
  for (const [step, { content: [{ output }] }] of messages.filter(({ role }) => role === 'tool').entries()) {
    output.value += `\nKEPT-4711\nKEPT-4712\n${Array.from({ length: 30 }, (_, line) => `batch ODD-${step * 100 + line}\n`).join('')}`;
  }
  const folder = folderOf(t, [{ path: 'a.json', text: JSON.stringify({ system: 'Orders begin with KEPT-4712.', messages }) }]);
  assert.equal(inspect(folder, 'a.json', '--window', '12000').status, 0);
  const { edits } = dataOf(join(folder, 'stepfold-inspect.html')).data.reports[0];
  const checkpoints = edits.filter(({ type }) => type === 'checkpoint');
  assert.ok(checkpoints.length > 1);
  assert.match(checkpoints[0].before, /^\[user\]\nFind out why/);
  assert.match(checkpoints[1].before, /^\[the checkpoint before\]\n\[Checkpoint /);
  for (const { loss, rows, marks } of checkpoints) {
    assert.equal(rows.length, marks.length);
    assert.ok(loss.rows.tool.lost > 0 && loss.rows.lost < loss.rows.all, JSON.stringify(loss));
  }
  // The request is in every checkpoint verbatim.
  assert.equal(checkpoints[0].loss.rows.user.lost, 0);
  const marked = edits.flatMap(markedOf).join('\n');
  assert.match(marked, /batch ODD-\d+/);
  assert.doesNotMatch(marked, /KEPT/);
});
