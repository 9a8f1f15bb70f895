// Messages of every strange shape: each has a clear outcome, and none ends a run. A row is a shape and what must be said of it.
// The right lists are in tests/sdk and tests/wire; values inside inputs and outputs are in values.test.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isContextOverflow } from 'stepfold';
import { amount } from '../amount.mjs';
import { throughEverything } from './drive.mjs';
import { call, calm, result, text, user } from '../hand.mjs';

const go = user('Go on, and never touch `vendor`.');
const parallel = (outputs) => [
  { role: 'assistant', content: outputs.map((_, n) => ({ type: 'tool-call', toolCallId: `p${n}`, toolName: 'read', input: { n } })) },
  { role: 'tool', content: outputs.map((value, n) => ({ type: 'tool-result', toolCallId: `p${n}`, toolName: 'read', output: { type: 'text', value } })) },
];

/** `says`: events one of the runs must have. `rules`: what validateMessages must find. */
const rows = [
  { name: 'an empty list', make: () => [], rules: ['empty-list'] },
  { name: 'one giant user message', make: () => [user(text(50_000))], says: ['over-budget'] },
  { name: 'one giant user message in parts', make: () => [user([{ type: 'text', text: text(30_000) }, { type: 'text', text: text(30_000) }])], says: ['over-budget'] },
  { name: 'one giant tool result', make: () => [go, call('a'), result('a', text(50_000))], says: ['capped'] },
  { name: 'one giant tool result without a line break or space', make: () => [go, call('a'), result('a', 'x'.repeat(300_000))], says: ['capped'] },
  { name: 'several parallel giants', make: () => [go, ...parallel([text(20_000), text(30_000), 'small', text(40_000)])], says: ['capped'] },
  { name: 'parallel results which are a giant only together', make: () => [go, ...parallel(Array.from({ length: 12 }, (_, n) => text(280) + n))], says: ['capped'] },
  { name: 'a giant result behind a calm conversation', make: () => [go, ...calm(8), call('a'), result('a', text(50_000))], says: ['capped'] },
  { name: 'a giant tool input', make: () => [go, call('a', { path: 'a.ts', content: text(50_000) }), result('a', 'written')], says: ['squeezed'] },
  { name: 'a giant tool input that is a string', make: () => [go, call('a', text(50_000)), result('a', 'written')], says: ['squeezed'], rules: ['input-not-object'] },
  { name: 'a giant tool input that is an array', make: () => [go, call('a', [text(50_000)]), result('a', 'written')], says: ['squeezed'] },
  { name: 'a giant assistant text', make: () => [go, { role: 'assistant', content: text(50_000) }, user('And?')], says: ['checkpoint'] },
  { name: 'a giant assistant text at the end', make: () => [go, { role: 'assistant', content: text(50_000) }] },
  { name: 'a giant system message', make: () => [{ role: 'system', content: text(50_000) }, go], says: ['over-budget'] },
  { name: 'a result without a call', make: () => [go, result('ghost', 'who asked?'), ...calm(12)], rules: ['result-without-call'] },
  { name: 'a giant result without a call', make: () => [go, result('ghost', text(50_000))], rules: ['result-without-call'] },
  { name: 'a call without a result at the end', make: () => [go, ...calm(12), call('open')], rules: ['call-without-result'] },
  { name: 'a call without a result in the middle', make: () => [go, call('open'), user('Never mind.'), ...calm(12)], rules: ['call-without-result'] },
  { name: 'a call and its result with twenty messages between', make: () => [go, call('open'), ...calm(10), result('open', text(300))], rules: [] },
  { name: 'a result before its call', make: () => [go, result('late', 'early'), call('late'), ...calm(12)], rules: ['result-without-call'] },
  { name: 'the same toolCallId in every call', make: () => [go, ...Array.from({ length: 30 }, (_, n) => [call('same', { n }), result('same', text(240) + n)]).flat()] },
  { name: 'the same toolCallId twice in one message', make: () => [go, { role: 'assistant', content: [...call('twin').content, ...call('twin', { n: 2 }).content] }, { role: 'tool', content: [...result('twin', text(900)).content, ...result('twin', text(901)).content] }, ...calm(8)], rules: ['duplicate-call-id'] },
  { name: 'two results for one call', make: () => [go, call('a'), { role: 'tool', content: [...result('a', text(800)).content, ...result('a', text(801)).content] }, ...calm(8)], rules: ['duplicate-result'] },
  { name: 'calls without an id and a name', make: () => [go, { role: 'assistant', content: [{ type: 'tool-call', input: {} }] }, { role: 'tool', content: [{ type: 'tool-result', output: { type: 'text', value: text(900) } }] }, ...calm(8)] },
  { name: 'ids and names that are no strings', make: () => [go, { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 7, toolName: Symbol('x'), input: {} }] }, { role: 'tool', content: [{ type: 'tool-result', toolCallId: 7, toolName: {}, output: { type: 'text', value: text(900) } }] }, ...calm(8)] },
  { name: 'ids of a million characters', make: () => [go, ...Array.from({ length: 3 }, (_, n) => [call('i'.repeat(1_000_000) + n), result('i'.repeat(1_000_000) + n, text(900))]).flat()] },
  { name: 'a result without an output', make: () => [go, call('a'), { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read' }] }, ...calm(12)], rules: ['unknown-output'] },
  { name: 'a result whose output is null', make: () => [go, call('a'), result('a', null), ...calm(12)], rules: ['unknown-output'] },
  { name: 'a result whose output is a number', make: () => [go, call('a'), result('a', 7), ...calm(12)], rules: ['unknown-output'] },
  { name: 'an output of an unknown type', make: () => [go, call('a'), result('a', { type: 'hologram', value: text(50_000) })], rules: ['unknown-output'], says: ['over-budget'] },
  { name: 'a text output whose value is no string', make: () => [go, call('a'), result('a', { type: 'text', value: { deep: text(900) } }), ...calm(12)] },
  { name: 'a content output whose value is no list', make: () => [go, call('a'), result('a', { type: 'content', value: 'text' }), ...calm(12)] },
  { name: 'a content output with strange items', make: () => [go, call('a'), result('a', { type: 'content', value: [null, 7, 'text', undefined, { type: 'hologram' }, { type: 'text' }, { type: 'text', text: text(900) }, []] }), ...calm(12)] },
  { name: 'a content output with a giant text beside an image', make: () => [go, call('a'), result('a', { type: 'content', value: [{ type: 'text', text: text(50_000) }, { type: 'media', data: 'AAAA', mediaType: 'image/png' }] })] },
  { name: 'a part of an unknown type', make: () => [user([{ type: 'hologram', depth: 3 }, { type: 'text', text: 'See it?' }]), ...calm(12)] },
  { name: 'a giant part of an unknown type', make: () => [go, user([{ type: 'hologram', data: text(50_000) }])], says: ['over-budget'] },
  { name: 'a part without a type', make: () => [user([{}, { text: 'x' }]), ...calm(12)] },
  { name: 'parts that are no objects', make: () => [user([null, undefined, 7, 'text', true, Symbol('x'), 1n, [], () => 1]), ...calm(12)] },
  { name: 'sparse parts', make: () => [user(Array(3)), ...calm(12)] },
  { name: 'unknown roles', make: () => [go, { role: 'developer', content: text(400) }, { role: 7, content: 'x' }, { content: 'x' }, ...calm(12)], rules: ['unknown-role'] },
  { name: 'only unknown roles, far over the window', make: () => Array.from({ length: 40 }, (_, n) => ({ role: 'critic', content: text(400) + n })), says: ['over-budget'] },
  { name: 'messages that are no objects', make: () => [go, null, undefined, 7, 'text', true, 1n, [], () => 1, ...calm(12)] },
  { name: 'sparse lists', make: () => Object.assign(Array(5), { 1: go }) },
  { name: 'only null', make: () => [null] },
  { name: 'contents that are neither text nor list', make: () => [go, ...[null, undefined, 7, true, {}, new Map(), () => 1].map((content) => user(content)), ...calm(12)], rules: ['empty-content'] },
  { name: 'empty contents', make: () => [user(''), user([]), { role: 'assistant', content: '' }, { role: 'tool', content: [] }, ...calm(12)], rules: ['empty-content', 'blank-text'] },
  { name: 'a tool message that is a string', make: () => [go, { role: 'tool', content: text(900) }, ...calm(12)] },
  { name: 'no user message at all', make: () => calm(20), rules: ['first-not-user'] },
  { name: 'only system messages', make: () => Array.from({ length: 20 }, (_, n) => ({ role: 'system', content: text(300) + n })), rules: ['empty-list'] },
  { name: 'system messages in between', make: () => [go, ...calm(6), { role: 'system', content: 'Be brief.' }, ...calm(6, 'more')], rules: ['system-not-leading'] },
  { name: 'only assistant messages', make: () => Array.from({ length: 30 }, (_, n) => ({ role: 'assistant', content: text(200) + n })), rules: ['ends-with-assistant'] },
  { name: 'only reasoning', make: () => [go, { role: 'assistant', content: [{ type: 'reasoning', text: text(900) }] }, ...calm(12)], rules: ['reasoning-only'] },
  { name: 'approvals without requests', make: () => [go, { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'x', approved: true }] }, ...calm(12)], rules: ['approval-without-request'] },
  { name: 'two hundred user messages and nothing else', make: () => Array.from({ length: 200 }, (_, n) => user(`${text(60)}${n}`)), says: ['checkpoint'] },
  { name: 'lone surrogates everywhere', make: () => [user('\ud800 begin'), call('\udfff', { '\ud800': '\udc00' }), result('\udfff', `\ud83d${text(3_000, '\ude00x\ud800')}`), ...calm(10)] },
  { name: 'control characters and separators', make: () => [user('\u0000\u001b[31m\u2028\u2029\ufeff'), call('\u0000'), result('\u0000', text(3_000, '\u0000\u0007\u2028')), ...calm(10)] },
  { name: 'a million spaces', make: () => [go, call('a'), result('a', ' '.repeat(1_000_000))] },
  { name: 'combining marks, emoji and right-to-left text', make: () => [user('👩‍👩‍👧‍👦 e\u0301 שלום'), call('a'), result('a', text(3_000, 'z\u0351\u036b👩‍👩‍👧‍👦‏שלום')), ...calm(10)] },
];

for (const { name, make, says = [], rules } of rows) {
  test(`${name}`, async () => {
    const { types, events, rules: found } = await throughEverything(make);
    assert.deepEqual(events.filter(({ type }) => type === 'error'), [], 'stepfold copes without an error of its own');
    for (const type of says) assert.ok(types.has(type), `no event \`${type}\`; there were ${[...types]}`);
    for (const rule of rules ?? []) assert.ok(found.includes(rule), `validateMessages found ${found}`);
  });
}

test('thousands of messages', async () => {
  const { types } = await throughEverything(() => [go, ...calm(amount({ push: 1_000, night: 5_000 }))]);
  assert.ok(types.has('checkpoint') && !types.has('error'));
});

test('ten thousand parts in one message', async () => {
  const parts = Array.from({ length: 5_000 }, (_, n) => n);
  const { types } = await throughEverything(() => [
    go,
    { role: 'assistant', content: parts.map((n) => ({ type: 'tool-call', toolCallId: `c${n}`, toolName: 'read', input: { n } })) },
    { role: 'tool', content: parts.map((n) => ({ type: 'tool-result', toolCallId: `c${n}`, toolName: 'read', output: { type: 'text', value: `result ${n}` } })) },
    user('And?'),
  ]);
  assert.ok(!types.has('error'));
});

test('a number that is no HTTP status is not taken for one', () => {
  // 65,949 is 413 in sixteen bits.
  for (const status of [65_949, -65_123, 1e300]) assert.equal(isContextOverflow({ status, message: 'The printer is on fire.' }), false);
  assert.equal(isContextOverflow({ status: 413, message: 'The printer is on fire.' }), true);
});
