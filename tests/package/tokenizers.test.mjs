// The exact tokenizers through the built package: counts, values that are no text, and what happens when memory runs out.
// Equality with tiktoken is tested in Rust (crates/exact/tests); here a few known counts show that the right table is in the right file.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { StepfoldError } from 'stepfold';
import { cl100k } from 'stepfold/cl100k';
import { o200k } from 'stepfold/o200k';

const require = createRequire(import.meta.url);

/** Text and its tokens in o200k_base and cl100k_base. */
const counts = [
  ['', 0, 0],
  ['Hello, world!', 4, 4],
  ['see <|endoftext|> here', 9, 8],
  ['\ufeffimport os', 3, 3],
  ['constructor', 1, 1],
  ['hasOwnProperty', 3, 2],
  ['__proto__', 3, 3],
  ['Привет, мир!', 5, 7],
  [' '.repeat(1_000_000), 7_813, 7_813],
];

for (const [name, tokenizer, column] of [['o200k_base', o200k(), 1], ['cl100k_base', cl100k(), 2]]) {
  test(`${name} counts known texts`, () => {
    assert.equal(tokenizer.name, name);
    for (const row of counts) assert.equal(tokenizer.count(row[0]), row[column], row[0].slice(0, 40));
  });

  test(`${name} counts a lone surrogate as U+FFFD`, () => {
    for (const text of ['\ud800', 'a\udc00b', '\ud83d', '\ude00\ud83d']) {
      assert.equal(tokenizer.count(text), tokenizer.count(text.toWellFormed?.() ?? text.replace(/[\ud800-\udfff]/g, '\ufffd')));
    }
  });

  test(`${name} counts UTF-8 as it counts the text`, () => {
    const utf8 = tokenizer[Symbol.for('stepfold.countUtf8')];
    for (const text of ['', 'naïve café 😀', 'x'.repeat(300_000), '漢字'.repeat(200_000)]) {
      assert.equal(utf8(new TextEncoder().encode(text)), tokenizer.count(text));
    }
  });

  test(`${name} counts long texts of wide characters, whatever room they need`, () => {
    const text = '的一是不了人我在有他这\n'.repeat(30_000);
    assert.equal(tokenizer.count(text), tokenizer.count(text.slice(0, 12)) * 30_000);
  });

  test(`${name} goes on after the module has failed`, () => {
    const utf8 = tokenizer[Symbol.for('stepfold.countUtf8')];
    // Claims more bytes than a memory of 4 GB can hold.
    assert.throws(() => utf8({ length: 0xffff_fff0 }), (error) => StepfoldError.isInstance(error) && error.code === 'engine-failed');
    assert.equal(tokenizer.count('Hello, world!'), 4);
  });
}

/** Where the module's base64 is decoded by what some platforms have and others have not; `setFromBase64` is not in all Nodes. */
const withoutBuffer = 'const { Buffer } = globalThis; globalThis.Buffer = undefined;';
const setFromBase64 = 'function (text) { const bytes = Buffer.from(text, "base64"); this.set(bytes); return { read: text.length, written: bytes.length }; }';
for (const [decoder, platform] of [
  ['Buffer', 'globalThis.atob = undefined; delete Uint8Array.prototype.setFromBase64;'],
  ['setFromBase64', `${withoutBuffer} globalThis.atob = undefined; Uint8Array.prototype.setFromBase64 = ${setFromBase64};`],
  ['atob', `${withoutBuffer} delete Uint8Array.prototype.setFromBase64;`],
]) {
  test(`the modules are unpacked by ${decoder}`, () => {
    const program = `${platform} for (const name of ['o200k', 'cl100k']) console.log((await import('stepfold/' + name))[name]().count('Hello, world!'));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    assert.equal(stdout, '4\n4\n', stderr);
  });
}

test('the value is frozen, and the same each time', () => {
  assert.ok(Object.isFrozen(o200k()));
  assert.equal(o200k(), o200k());
});

test('both module systems count alike', () => {
  assert.equal(require('stepfold/o200k').o200k().count('Hello, world!'), 4);
  assert.equal(require('stepfold/cl100k').cl100k().count('Hello, world!'), 4);
});

test('what is no text is refused, by name', () => {
  for (const [text, given] of [[undefined, 'undefined'], [null, 'null'], [7, '7'], [{}, 'an object'], [['a'], 'an array'], [() => 1, 'a function'], [1n, 'a bigint']]) {
    assert.throws(() => o200k().count(text), (error) => {
      assert.ok(StepfoldError.isInstance(error));
      assert.equal(error.code, 'invalid-option');
      assert.equal(error.message, `\`text\` is ${given}; it must be a string`);
      return true;
    });
  }
});
