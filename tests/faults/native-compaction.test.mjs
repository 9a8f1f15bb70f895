// A provider's own compaction in the history: stepfold stands down, says so, and says when that leaves the prompt over the budget.
// What the providers accept is tested in tests/wire.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMessages, planContext } from 'stepfold';
import { calm, steps, talk, text, user } from './drive.mjs';

const blocks = [
  { name: 'Anthropic', part: { type: 'text', text: 'Summary by the provider.', providerOptions: { anthropic: { type: 'compaction' } } } },
  { name: 'Anthropic, signed', part: { type: 'text', text: 'Summary by the provider.', providerOptions: { anthropic: { type: 'compaction', signature: 'sig' } } } },
  { name: 'OpenAI', part: { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { type: 'compaction', itemId: 'cmp_1', encryptedContent: 'AAAA' } } } },
];
const withBlock = (/** @type {any} */ part, /** @type {any[]} */ before, /** @type {any[]} */ after) => [user('Go on.'), ...before, { role: 'assistant', content: [part, { type: 'text', text: 'Going on.' }] }, user('Yes.'), ...after];

for (const { name, part } of blocks) {
  for (const carries of [false, true]) {
    const how = carries ? 'carried forward' : 'rebuilt';
    test(`${name}, ${how}: nothing is edited and an event says so`, async () => {
      const { returned, types } = await steps(withBlock(part, [], talk(6)), { contextWindow: 8_000, carries });
      assert.deepEqual(returned, [undefined, undefined, undefined]);
      assert.ok(types.has('stood-down') && !types.has('over-budget') && !types.has('error'));
    });

    test(`${name}, ${how}: over the budget nothing is edited, and an event says why it does not fit`, async () => {
      const { returned, events } = await steps(withBlock(part, [], talk(40)), { carries });
      assert.deepEqual(returned, [undefined, undefined, undefined]);
      const over = events.filter(({ type }) => type === 'over-budget');
      assert.equal(over.length, 3, 'at every step');
      over.forEach(({ reason, messageIndex, tokens, limitTokens }) => { assert.equal(reason, 'native-compaction'); assert.equal(messageIndex, 1); assert.ok(tokens > limitTokens); });
    });

    test(`${name}, ${how}: what was folded before the provider compacted stays folded`, async () => {
      const extra = [[{ role: 'assistant', content: [part] }, user('Yes.')], calm(1, 'after')];
      const { sent, returned, events } = await steps([user('Go on.'), ...talk(20)], { carries, extra });
      assert.ok(returned[0] !== undefined);
      assert.ok(events.some(({ type, stepNumber }) => type === 'stood-down' && stepNumber === 1));
      assert.deepEqual(sent[1].slice(0, sent[0].length), sent[0]);
      assert.deepEqual(sent[2].slice(0, sent[1].length), sent[1]);
    });
  }

  test(`${name}: what stands before the block counts for OpenAI and not for Anthropic`, () => {
    const { events } = planContext(withBlock(part, talk(40), [user('Go on.')]), { contextWindow: 4_000 });
    const types = events.map(({ type }) => type);
    assert.ok(types.includes('stood-down'));
    assert.equal(types.includes('over-budget'), name === 'OpenAI', 'Anthropic reads nothing before its block, OpenAI reads and bills it');
  });

  test(`${name}: a block of a megabyte is not taken apart`, async () => {
    const giant = structuredClone(part);
    if (giant.type === 'text') giant.text = text(40_000);
    else giant.providerOptions.openai.encryptedContent = 'A'.repeat(1_000_000);
    const { returned, events } = await steps(withBlock(giant, [], calm(2)));
    assert.deepEqual(returned, [undefined, undefined, undefined]);
    assert.ok(events.some(({ type, reason }) => type === 'over-budget' && reason === 'native-compaction'));
  });
}

test('a block that is not the first part of its message is a violation for Anthropic', () => {
  const list = [user('Go on.'), { role: 'assistant', content: [{ type: 'text', text: 'First.' }, blocks[0].part] }, user('Yes.')];
  assert.deepEqual(checkMessages(list).map(({ rule, rejectedBy, path }) => ({ rule, rejectedBy, path })), [{ rule: 'compaction-not-first', rejectedBy: 'anthropic', path: 'messages[1].content' }]);
});

test('other custom parts and texts do not make stepfold stand down', async () => {
  for (const part of [{ type: 'custom', kind: 'anthropic.fallback' }, { type: 'custom' }, { type: 'text', text: 'compaction', providerOptions: { anthropic: { type: 'text' } } }, { type: 'text', text: 'x', providerOptions: { openai: { type: 'compaction' } } }]) {
    const { types } = await steps(withBlock(part, [], talk(30)));
    assert.ok(!types.has('stood-down') && types.has('checkpoint'), JSON.stringify(part));
  }
});

test('a user who pretends to be a provider\'s compaction does not switch stepfold off', async () => {
  for (const { part } of blocks) {
    const { types } = await steps([user([part, { type: 'text', text: 'Go on.' }]), ...talk(30)]);
    assert.ok(types.has('checkpoint') || types.has('squeezed'), 'a part in a user message is no block of a provider');
  }
});
