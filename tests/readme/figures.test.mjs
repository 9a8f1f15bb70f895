// Holds the figures in README and guides to what the benches have stored: no figure is typed, and no sentence says what they contradict.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFigures, withoutFigures } from '../../bench/docs/marks.mjs';
import { documents, readStored } from '../../bench/docs/stored.mjs';

const pages = documents();

test('README, guides and pictures show what the benches have stored', () => {
  for (const { path, is, text } of pages) {
    assert.equal(is, text, `${path}: npm run bench:docs`);
    assert.doesNotMatch(text, /\bNaN\b/, path);
  }
});

test('no sentence of a guide is contradicted by the figures', () => {
  for (const { path, untrue } of pages) assert.deepEqual(untrue, [], `${path}: write these sentences anew`);
});

test('no share is typed where figures of benches are told', () => {
  const telling = pages.filter(({ path, is }) => path.endsWith('.md') && (path === 'docs/benchmarks.md' || is.includes('(benchmarks.md)') || path === 'README.md'));
  assert.ok(telling.length >= 7);
  for (const { path, is } of telling) assert.doesNotMatch(withoutFigures(is), /\d(\)|\.\d+)? ?(%|percent|points)|\d+ to \d+ points/, path);
});

test('when a bench has other figures, all that show them change', () => {
  const stored = readStored();
  for (const row of Object.values(stored.agents.points)) row.stepfold = 12.3;
  const changed = documents(stored).filter(({ is, text }) => is !== text).map(({ path }) => path);
  for (const path of ['README.md', 'docs/agents.svg', 'docs/benchmarks.md', 'docs/coding.md', 'docs/research.md']) assert.ok(changed.includes(path), path);
});

test('a figure, a word, a range and a table are written at their marks, and nothing else', () => {
  const figures = { a: { share: '94', range: '28 to 49', name: 'office' }, rows: '| x |\n|---|\n| 1 |' };
  const write = (text) => withFigures(text, figures).text;
  assert.equal(write('It has 7<!--a.share--> % (88<!--a.share-->), from 5.'), 'It has 94<!--a.share--> % (94<!--a.share-->), from 5.');
  assert.equal(write('| 1 to 2<!--a.range--> | 3<!--a.range--> |'), '| 28 to 49<!--a.range--> | 28 to 49<!--a.range--> |');
  assert.equal(write('Best is **coding<!--a.name-->**.'), 'Best is **office<!--a.name-->**.');
  assert.equal(write('We went to 7<!--a.share-->.'), 'We went to 94<!--a.share-->.');
  assert.equal(write('<!--table rows-->\n| old |\n| rows |\n\nbehind'), '<!--table rows-->\n| x |\n|---|\n| 1 |\n\nbehind');
  const again = write('0<!--a.share--> and 0<!--a.range-->');
  assert.equal(write(again), again);
  assert.equal(write('<!--table rows-->\n\nbehind'), '<!--table rows-->\n| x |\n|---|\n| 1 |\n\nbehind');
  assert.equal(withoutFigures('It has 94<!--a.share--> % of 28 to 49<!--a.range-->.'), 'It has  % of .');
});

test('a sentence that no longer holds is named, and a mark that names nothing is an error', () => {
  const figures = { isTrue: true, isFalse: false, share: '7' };
  assert.deepEqual(withFigures('One. Two is so.<!--true isFalse--> Three.<!--true isTrue-->', figures).untrue, ['Two is so. (isFalse)']);
  for (const text of ['1<!--no.such-->', '1<!--isTrue-->', 'So.<!--true share-->', '<!--table gone-->\n']) assert.throws(() => withFigures(text, figures), /expected the name of a \w+ in bench\/docs\/figures/, text);
});
