// The order of the engine's functions: names that wasm-opt sorts by, and nothing else of the module.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nameInOrder } from '../../scripts/order-functions.mjs';

const section = (id, content) => [id, content.length, ...content];
/** A function that drops these numbers. */
const body = (numbers) => [3 * numbers.length + 2, 0, ...numbers.flatMap((number) => [0x41, number, 0x1a]), 0x0b];
const [low, high] = [[1, 2, 3, 4, 5, 6, 7, 8], [31, 32, 33, 34, 35, 36, 37, 38]];
const before = [
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, [1, 0x60, 0, 0]),
  ...section(2, [1, 1, 0x6d, 1, 0x66, 0, 0]),
  ...section(3, [4, 0, 0, 0, 0]),
  ...section(10, [4, ...[low, high, [...low, 9], [...high, 39]].flatMap(body)]),
];

test('functions that are alike have names that stand side by side, and the module is as it was', () => {
  const named = nameInOrder(Buffer.from([...before, ...section(0, [4, 0x6e, 0x61, 0x6d, 0x65, 1, 1, 0])]));
  const [names, ...others] = WebAssembly.Module.customSections(new WebAssembly.Module(named), 'name');
  assert.equal(others.length, 0, 'the names that it had are gone');
  const ranks = Buffer.from(names).toString('latin1').match(/\d{6}/g).map(Number);
  assert.deepEqual([...ranks].sort(), [0, 1, 2, 3]);
  const distance = (one, other) => Math.abs(ranks[one] - ranks[other]);
  assert.ok(distance(0, 2) === 1 && distance(1, 3) === 1, `${ranks}`);
  assert.deepEqual([...named.subarray(0, before.length)], before);
});
