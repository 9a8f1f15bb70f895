// The text that the engine's module is in the bundle: what scripts/letters.mjs writes, js/bridge/letters.ts reads.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { build } from 'esbuild';

import { toLetters } from '../../scripts/letters.mjs';
import { root, run } from './helpers.mjs';

const { fromLetters } = await importSource('js/bridge/letters.ts');
const values = Uint8Array.from({ length: 256 }, (_, value) => value);

for (const [name, bytes] of [
  ['every byte', values],
  ['every byte, none of them a letter that stands for itself', Uint8Array.from(values, (value) => 255 - value)],
  ['every byte behind every other', Uint8Array.from({ length: 65_536 }, (_, index) => (index % 2 === 0 ? index >> 9 : index >> 1))],
  ['one byte, many times', new Uint8Array(1_000).fill(200)],
  ['nothing', new Uint8Array(0)],
]) {
  test(`${name} is read back`, () => {
    const letters = toLetters(bytes);
    assert.deepEqual(fromLetters(letters), bytes);
    assert.match(letters.text, /^[ -~]*$/);
    assert.doesNotMatch(letters.text, /['"`\\$]/);
  });
}

const letters = toLetters(values);
const middle = letters.text.length >> 1;
for (const [name, damage] of [
  ['a letter too few', (text) => text.slice(1)],
  ['a letter too many', (text) => `${text}a`],
  ['half a pair at its end', (text) => text.slice(0, -1)],
  ['a line break', (text) => `${text.slice(0, middle)}\n${text.slice(middle + 1)}`],
  ['a quote', (text) => `${text.slice(0, middle)}"${text.slice(middle + 1)}`],
  ['a letter that is not ASCII', (text) => `${text.slice(0, middle)}é${text.slice(middle + 1)}`],
  ['a lone surrogate', (text) => `${text.slice(0, middle)}\ud800${text.slice(middle + 1)}`],
]) {
  test(`a text with ${name} is refused`, () => {
    assert.throws(() => fromLetters({ ...letters, text: damage(letters.text) }), /the text of the WebAssembly module is damaged/);
  });
}

test('a pair that stands for no byte is refused', () => {
  const [lastFirst, lastSecond] = [letters.alphabet.at(-1), letters.alphabet.at(-1)];
  assert.throws(() => fromLetters({ ...letters, text: letters.text.replace(/..$/, lastFirst + lastSecond) }), /damaged/);
});

test('the engine is unpacked where there is no Buffer', () => {
  const program = `globalThis.Buffer = undefined; console.log((await import('stepfold')).extractText({ role: 'user', content: 'Hello!' }));`;
  assert.equal(run(process.execPath, ['--input-type=module', '--eval', program], { cwd: root }), 'Hello!');
});

async function importSource(file) {
  const { outputFiles } = await build({ entryPoints: [join(root, file)], bundle: true, format: 'esm', target: 'es2022', write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
