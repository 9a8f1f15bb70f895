// What one step with very many calls, or one file with very many edits, costs grows with their number and not with its square: four times
// as many are compared with the first ones in the same run, so that the machine does not matter.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep } from 'stepfold';
import { call, result, user } from '../hand.mjs';

const model = { modelId: 'gpt-5', provider: 'openai' };
/** Four times the work takes about 3.8 times as long; where it grew with the square, it took 9.9 and 13.5 times as long. */
const MOST = 7;
/** What else the machine does only adds: the least of several rounds counts, and is measured again where that was not enough. */
const ROUNDS = 3;
const TRIES = 3;

const lines = (n) => `export const value${n} = ${n};\nexport const twice${n} = 2 * value${n};\n`.repeat(6);

/** One message with all calls, one with all results. */
function parallelCalls(count) {
  const indices = Array.from({ length: count }, (_, n) => n);
  return [
    user('Look at all files and mend what is wrong.'),
    { role: 'assistant', content: indices.flatMap((n) => call(`c${n}`, { path: `src/file${n}.ts` }).content) },
    { role: 'tool', content: indices.flatMap((n) => result(`c${n}`, lines(n)).content) },
    { role: 'assistant', content: 'I have seen them all.' },
    user('Go on.'),
  ];
}

/** Each replaces a text of which nothing was seen before. */
function editsOfOneFile(count) {
  const edit = (n) => ({ file_path: 'src/a.ts', old_string: `const old_${n} = compute(${n}, "${n * 31}");`, new_string: `const new_${n} = compute(${n}, "${n * 17}") + ${n};` });
  return [user('Mend src/a.ts.'), ...Array.from({ length: count }, (_, n) => [call(`c${n}`, edit(n), 'edit'), result(`c${n}`, 'ok', 'edit')]).flat(), user('Go on.')];
}

/** A result of many rows, of which some are kept. */
function rowsOfOneTable(count) {
  const value = Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}`, amount: id * 7.5 }));
  return [user('Which row is it?'), call('c', { sql: 'select' }, 'query'), result('c', { type: 'json', value }, 'query'), { role: 'assistant', content: 'Row 7.' }, user('Go on.')];
}

for (const { name, make, count } of [
  { name: 'parallel calls of one step', make: parallelCalls, count: 300 },
  { name: 'edits of one file', make: editsOfOneFile, count: 500 },
  { name: 'rows of one table', make: rowsOfOneTable, count: 2_500 },
]) {
  test(`four times as many ${name} cost at most ${MOST} times as much`, async (t) => {
    let least = { few: Infinity, many: Infinity };
    for (let tries = 0; tries < TRIES && !(least.many / least.few <= MOST); tries += 1) {
      for (let round = 0; round < ROUNDS; round += 1) {
        least = { few: Math.min(least.few, await timeOf(make(count))), many: Math.min(least.many, await timeOf(make(4 * count))) };
      }
    }
    const ratio = least.many / least.few;
    t.diagnostic(`${ratio.toFixed(1)} times`);
    assert.ok(ratio <= MOST, `${ratio.toFixed(1)} times`);
  });
}

/** Processor time of a first step that edits, in microseconds. */
async function timeOf(messages) {
  const prepareStep = createPrepareStep({ contextWindow: 20_000, onEvent: () => undefined });
  const start = process.cpuUsage();
  const edited = await prepareStep({ messages, steps: [], stepNumber: 0, model });
  const { user: used, system } = process.cpuUsage(start);
  assert.notEqual(edited, undefined, 'nothing was edited');
  return used + system;
}
