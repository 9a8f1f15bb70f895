// Tables of changes of the engine against its source: each passage stands once, and a copy that is built of them has switches that the
// source has not.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { groups, mechanisms } from '../../bench/mechanisms/table.mjs';
import { changedTexts, environmentOf } from '../../scripts/changes/copy.mjs';
import { changes } from '../../scripts/changes/policy.mjs';

const source = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

for (const [name, table] of [
  ['wrong changes of policy', changes],
  ['mechanisms', mechanisms],
]) {
  test(`${name}: every passage stands once in the source`, () => {
    const texts = changedTexts(table);
    for (const [path, text] of texts) assert.notEqual(text, source(path), path);
    const all = [...texts.values()].join('\n');
    table.forEach(({ name: change }, index) => assert.match(all, new RegExp(`switches::is_on\\(${index + 1}\\)`), change));
    assert.doesNotMatch(all, /\bCHANGED\b/);
    assert.equal(new Set(table.map(({ name: change }) => change)).size, table.length, 'names are unique');
  });
}

test('a passage that no longer fits is named, with its change, its file and its text, and so are all others', () => {
  const misfit = (name, from) => ({ name, passages: [['src/lib.rs', from, 'CHANGED']] });
  const read = () =>
    changedTexts([misfit('one', 'no such words'), misfit('two', 'pub '), { name: 'three', passages: [['src/gone.rs', 'x', 'y']] }]);
  assert.throws(read, ({ message }) => {
    assert.match(message, /"one": src\/lib\.rs has 0 times, not once: no such words/);
    assert.match(message, /"two": src\/lib\.rs has \d+ times, not once: pub /);
    return /"three": src\/gone\.rs has 0 times, not once: x/.test(message);
  });
});

test('groups are of mechanisms that there are', () => {
  for (const name of groups.flat())
    assert.ok(
      mechanisms.some((mechanism) => mechanism.name === name),
      name,
    );
});

test('which changes hold is said by the environment, and the source has no switches', () => {
  assert.equal(environmentOf([3, 7]).STEPFOLD_CHANGES, '3,7');
  assert.equal(existsSync(new URL('../../crates/text/src/switches.rs', import.meta.url)), false);
});
