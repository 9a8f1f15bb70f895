// Values that are no JSON, inside inputs, outputs and media: ai 5 and 6 hand over the very object a tool returned.
// Checks that every value is looked at without harm. Not here: messages of strange shape (shapes.test.mjs).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createPrepareStep, estimateTokens, extractText } from 'stepfold';
import { inTurn } from '../amount.mjs';
import { steps, throughEverything } from './drive.mjs';
import { call, calm, result, text, user } from '../hand.mjs';

const go = user('Go on.');

class Point {
  // biome-ignore lint/correctness/noUnusedPrivateClassMembers: what nobody may read.
  #secret = 'never';
  constructor(x, y) { this.x = x; this.y = y; }
  get sum() { return this.x + this.y; }
}

const cyclic = () => { const value = { name: 'loop', text: text(900) }; value.self = value; value.list = [value, { value }]; return value; };
const nested = (levels, wrap = (value) => ({ value })) => {
  let value = { end: text(900) };
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
};
const hostileProxy = () => new Proxy({}, new Proxy({}, { get: (_target, trap) => () => { throw new Error(`trap ${String(trap)}`); } }));
const revoked = () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; };
const throwing = () => Object.defineProperties({ fine: text(900) }, { bad: { enumerable: true, get() { throw new Error('no'); } }, worse: { enumerable: true, get() { throw Object.create(null); } } });

/** Values that a tool may return, or a model's SDK may hand over. */
const values = [
  { name: 'a cycle', make: cyclic },
  { name: 'a BigInt', make: () => ({ id: 12345678901234567890n, text: text(900) }) },
  { name: 'a bare BigInt', make: () => 1n },
  { name: 'a Date', make: () => ({ at: new Date(0), text: text(900) }) },
  { name: 'an invalid Date', make: () => ({ at: new Date(NaN), text: text(900) }) },
  { name: 'a class instance', make: () => ({ point: new Point(1, 2), text: text(900) }) },
  { name: 'a Map and a Set', make: () => ({ map: new Map([['a', 1]]), set: new Set([1]), text: text(900) }) },
  { name: 'a WeakMap, a Promise, an Error and a RegExp', make: () => ({ weak: new WeakMap(), promise: Promise.resolve(1), error: new Error('x'), regexp: /x/g, text: text(900) }) },
  { name: 'a function', make: () => ({ run: () => 1, text: text(900) }) },
  { name: 'a bare function', make: () => () => 1 },
  { name: 'a symbol', make: () => ({ [Symbol('key')]: 1, value: Symbol('value'), text: text(900) }) },
  { name: 'undefined', make: () => undefined },
  { name: 'NaN and infinities', make: () => ({ a: NaN, b: Infinity, c: -Infinity, d: -0, text: text(900) }) },
  { name: 'toJSON that throws', make: () => ({ toJSON() { throw new Error('no'); }, text: text(900) }) },
  { name: 'toJSON that returns itself', make: () => { const value = { text: text(900), toJSON() { return value; } }; return value; } },
  { name: 'toJSON that never ends', make: () => { const make = () => ({ toJSON: make }); return make(); } },
  { name: 'getters that throw', make: throwing },
  { name: 'a Proxy whose traps throw', make: hostileProxy },
  { name: 'a revoked Proxy', make: revoked },
  { name: 'an object without a prototype', make: () => Object.assign(Object.create(null), { text: text(900) }) },
  { name: 'keys that mean something to JavaScript', make: () => JSON.parse(`{"__proto__":{"polluted":true},"constructor":1,"toString":2,"text":"${text(900)}"}`) },
  { name: 'a thousand levels', make: () => nested(1_000) },
  { isHeavy: true, name: 'a hundred thousand levels', make: () => nested(100_000) },
  { isHeavy: true, name: 'a hundred thousand levels of arrays', make: () => nested(100_000, (value) => [value]) },
  { name: 'a sparse array', make: () => Object.assign(Array(1_000), { 5: text(900) }) },
  { isHeavy: true, name: 'a million numbers', make: () => Array.from({ length: 1_000_000 }, (_, n) => n) },
  { name: 'lone surrogates in keys and values', make: () => ({ '\ud800': text(900, '\udc00x') }) },
  { isHeavy: true, name: 'twenty megabytes of Uint8Array', make: () => ({ bytes: new Uint8Array(20_000_000), text: text(900) }) },
  { isHeavy: true, name: 'a bare Uint8Array', make: () => new Uint8Array(20_000_000) },
  { isHeavy: true, name: 'a Buffer', make: () => ({ bytes: Buffer.alloc(20_000_000, 1) }) },
  { name: 'typed arrays of other kinds', make: () => ({ a: new Float64Array(1_000_000), b: new ArrayBuffer(1_000_000), c: new DataView(new ArrayBuffer(1_000)), d: new BigInt64Array(1_000) }) },
  { name: 'shared memory', make: () => ({ a: new SharedArrayBuffer(1_000_000), b: new Uint8Array(new SharedArrayBuffer(1_000_000)) }) },
  { name: 'wrapped primitives', make: () => ({ a: Object(1n), b: new String(text(900)), c: new Number(1), d: new Boolean(true) }) },
  { name: 'a frozen object', make: () => Object.freeze({ inner: Object.freeze({ text: text(900) }) }) },
];

const places = [
  { place: 'a json output', put: (value) => [call('a'), result('a', { type: 'json', value })] },
  { place: 'an error-json output', put: (value) => [call('a'), result('a', { type: 'error-json', value })] },
  { place: 'an input', put: (value) => [call('a', value), result('a', 'done')] },
  { place: 'an unknown part', put: (value) => [user([{ type: 'hologram', value }])] },
];

for (const [turn, { name, make, isHeavy = false }] of values.entries()) {
  test(`${name} in inputs, outputs and unknown parts`, async () => {
    for (const { place, put } of isHeavy ? places : inTurn(places, turn)) {
      if (isHeavy) {
        const { types } = await steps([go, ...put(make()), ...calm(10)]);
        assert.ok(!types.has('error'), place);
        continue;
      }
      const { events } = await throughEverything(() => [go, ...put(make()), ...calm(10)]);
      assert.deepEqual(events.filter(({ type }) => type === 'error'), [], place);
    }
  });
}

test('bytes inside a result are counted by size but not as their numbers, and do not make it a giant of text', () => {
  const bare = estimateTokens([go, ...places[0].put({ name: 'x' })]);
  const few = estimateTokens([go, ...places[0].put({ name: 'x', bytes: new Uint8Array(100) })]);
  const many = estimateTokens([go, ...places[0].put({ name: 'x', bytes: new Uint8Array(20_000_000) })]);
  assert.ok(few > bare && many > few);
  // A provider is sent `{"0":0,"1":0,…}`: several tokens a byte.
  assert.ok(many < 200_000_000, `twenty megabytes are ${many} tokens`);
});

test('a list whose length says four billion is given up, not walked to its end', () => {
  // In a process of its own: walking it would take minutes.
  const code = `
    import { estimateTokens } from 'stepfold';
    const input = Object.assign([], { length: 4294967295 });
    console.log(estimateTokens([{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 't', input }] }]) > 0);`;
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8', timeout: 5_000, cwd: import.meta.dirname ?? process.cwd() });
  assert.equal(signal, null, 'it was still walking after five seconds');
  assert.equal(stdout.trim(), 'true');
});

const media = [
  { name: 'image as Uint8Array', part: () => ({ type: 'image', image: new Uint8Array(20_000_000) }) },
  { name: 'image as Buffer', part: () => ({ type: 'image', image: Buffer.alloc(20_000_000, 7), mediaType: 'image/png' }) },
  { name: 'image as ArrayBuffer', part: () => ({ type: 'image', image: new ArrayBuffer(20_000_000) }) },
  { name: 'image as base64', part: () => ({ type: 'image', image: Buffer.alloc(15_000_000, 7).toString('base64') }) },
  { name: 'image as data url', part: () => ({ type: 'image', image: `data:image/png;base64,${Buffer.alloc(15_000_000, 7).toString('base64')}` }) },
  { name: 'image as URL', part: () => ({ type: 'image', image: new URL('https://example.com/a.png') }) },
  { name: 'image as nothing', part: () => ({ type: 'image' }) },
  { name: 'image as a number', part: () => ({ type: 'image', image: 7 }) },
  { name: 'file as Uint8Array', part: () => ({ type: 'file', data: new Uint8Array(20_000_000), mediaType: 'application/pdf' }) },
  { name: 'file as Buffer', part: () => ({ type: 'file', data: Buffer.alloc(20_000_000), mediaType: 'video/mp4' }) },
  { name: 'file without a media type', part: () => ({ type: 'file', data: 'AAAA' }) },
  { name: 'tagged file data', part: () => ({ type: 'file', data: { type: 'data', data: new Uint8Array(1_000) }, mediaType: 'application/pdf' }) },
  { name: 'file data tagged within itself', part: () => { const data = { type: 'data' }; data.data = data; return { type: 'file', data, mediaType: 'application/pdf' }; } },
  { name: 'a provider reference', part: () => ({ type: 'file', data: { openai: 'file-1' }, mediaType: 'application/pdf' }) },
  { name: 'text file', part: () => ({ type: 'file', data: { type: 'text', text: text(3_000) }, mediaType: 'text/plain' }) },
  { name: 'a detached buffer', part: () => { const bytes = new Uint8Array(1_000); structuredClone(bytes, { transfer: [bytes.buffer] }); return { type: 'image', image: bytes }; } },
];

for (const { name, part } of media) {
  test(`${name}: is never counted as text, and bytes are the caller's own`, async () => {
    const { events, tokens } = await throughEverything(() => [user([part(), { type: 'text', text: 'What is it?' }]), ...calm(10)]);
    assert.deepEqual(events.filter(({ type }) => type === 'error'), []);
    // A document of this size has pages; as base64 text it would be some fifteen million tokens.
    assert.ok(tokens < 2_000_000, `${tokens} tokens`);
    const own = part();
    const { sent } = await steps([...calm(10), user([own, { type: 'text', text: 'What is it?' }])]);
    assert.equal(sent[0].at(-1).content[0], own);
  });
}

const unreadable = [
  { name: 'role', make: () => Object.defineProperty({ content: 'x' }, 'role', { enumerable: true, get() { throw new Error('role'); } }) },
  { name: 'content', make: () => Object.defineProperty({ role: 'user' }, 'content', { enumerable: true, get() { throw new Error('content'); } }) },
  { name: 'content, throwing what cannot be printed', make: () => Object.defineProperty({ role: 'user' }, 'content', { enumerable: true, get() { throw Object.create(null); } }) },
  { name: 'providerOptions', make: () => Object.defineProperty({ role: 'user', content: 'x' }, 'providerOptions', { enumerable: true, get() { throw new Error('options'); } }) },
  { name: 'type of a part', make: () => user([Object.defineProperty({}, 'type', { get() { throw new Error('type'); } })]) },
  { name: 'text of a part', make: () => user([Object.defineProperty({ type: 'text' }, 'text', { get() { throw new Error('text'); } })]) },
  { name: 'anything of a Proxy', make: hostileProxy },
  { name: 'anything of a revoked Proxy', make: revoked },
];

for (const { name, make } of unreadable) {
  test(`a message whose ${name} throws does not end the run, and an event says so where nothing could be done`, async () => {
    const { returned, types } = await steps([go, make(), ...calm(12)]);
    assert.ok(types.has('measured') || types.has('error'));
    assert.ok(returned.every((list) => list === undefined || Array.isArray(list)));
    assert.equal(typeof extractText(make()), 'string');
    assert.equal(typeof estimateTokens([go, make()]), 'number');
  });
}

test('a list that is a Proxy with throwing traps does not reject', async () => {
  for (const messages of [hostileProxy(), revoked(), null, undefined, 7, 'text', {}, new Set()]) {
    const types = [];
    const answer = await createPrepareStep({ onEvent: ({ type }) => types.push(type) })({ messages, steps: [], stepNumber: 0, model: 'x' });
    assert.equal(answer, undefined);
    assert.deepEqual(types, ['error']);
  }
});
