// A provider's own compaction in the history, or edits that it says it applied to a prompt: stepfold stands down, says so, and says when that leaves the prompt over the budget.
// What the providers accept is tested in tests/wire.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateMessages, createPrepareStep, createSession, planContext } from 'stepfold';
import { steps } from './drive.mjs';
import { calm, talk, text, user } from '../hand.mjs';

const blocks = [
  { name: 'Anthropic', part: { type: 'text', text: 'Summary by the provider.', providerOptions: { anthropic: { type: 'compaction' } } } },
  { name: 'Anthropic, signed', part: { type: 'text', text: 'Summary by the provider.', providerOptions: { anthropic: { type: 'compaction', signature: 'sig' } } } },
  { name: 'OpenAI', part: { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { type: 'compaction', itemId: 'cmp_1', encryptedContent: 'AAAA' } } } },
];
const withBlock = (part, before, after) => [user('Go on.'), ...before, { role: 'assistant', content: [part, { type: 'text', text: 'Going on.' }] }, user('Yes.'), ...after];

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
  assert.deepEqual(validateMessages(list).map(({ rule, rejectedBy, path }) => ({ rule, rejectedBy, path })), [{ rule: 'compaction-not-first', rejectedBy: 'anthropic', path: 'messages[1].content' }]);
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

const edits = (appliedEdits, inputTokens = 3_000) => ({ usage: { inputTokens, outputTokens: 1 }, providerMetadata: { anthropic: { contextManagement: { appliedEdits } } } });
const cleared = { type: 'clear_tool_uses_20250919', clearedToolUses: 3, clearedInputTokens: 20_000 };

for (const { name, list, stands } of [
  { name: 'results were cleared', list: [cleared], stands: true },
  { name: 'results and thinking were cleared', list: [{ type: 'clear_thinking_20251015', clearedThinkingTurns: 1, clearedInputTokens: 90 }, cleared], stands: true },
  { name: 'the messages were compacted', list: [{ type: 'compact_20260112' }], stands: true },
  { name: 'there was an edit that ai 5 does not know', list: [undefined], stands: true },
  { name: 'there was an edit of a kind to come', list: [{ type: 'reorder_20300101', clearedInputTokens: 'many' }], stands: true },
  { name: 'thinking alone was cleared', list: [{ type: 'clear_thinking_20251015', clearedThinkingTurns: 1, clearedInputTokens: 90 }], stands: false },
  { name: 'nothing was edited', list: [], stands: false },
  { name: 'what it says is no list', list: 'clear_tool_uses_20250919', stands: false },
]) {
  test(`${name}, Anthropic says: stepfold ${stands ? 'stands down' : 'goes on'}`, async () => {
    const { events, returned } = await steps([user('Go on.'), ...calm(2)], { usage: () => edits(list), extra: [calm(10, 'then'), calm(1, 'last')] });
    assert.deepEqual(returned.map((messages) => messages !== undefined), [false, !stands, !stands]);
    assert.equal(events.some(({ type, reason }) => type === 'stood-down' && reason === 'the provider edits the prompt itself'), stands);
  });
}

test('a session stands down in its next run too, until a report tells of no edits', async () => {
  const session = createSession({ contextWindow: 4_000 });
  const run = async (messages, finished) => (await session.prepareStep({ messages, steps: finished, stepNumber: finished.length, model: 'claude-sonnet-4-5' }))?.messages;
  const first = [user('Go on.'), ...calm(2)];
  const grown = [...first, ...calm(10, 'then')];
  const finished = [];
  assert.equal(await run(first, finished), undefined);
  finished.push(edits([cleared]));
  assert.equal(await run(grown, finished), undefined);
  const next = [...grown, { role: 'assistant', content: 'Done.' }, user('More.')];
  const others = [];
  assert.equal(await run(next, others), undefined, 'nothing was reported yet');
  others.push({ usage: { inputTokens: 3_900, outputTokens: 1 } });
  assert.ok((await run([...next, ...calm(1, 'last')], others)) !== undefined, 'the app does not ask for edits any more');
});

test('another model does not stand down for what the one before did', async () => {
  const prepareStep = createPrepareStep({ contextWindow: 4_000 });
  const messages = [user('Go on.'), ...calm(2)];
  const finished = [];
  await prepareStep({ messages, steps: finished, stepNumber: 0, model: 'claude-sonnet-4-5' });
  finished.push(edits([cleared]));
  const returned = await prepareStep({ messages: [...messages, ...calm(10, 'then')], steps: finished, stepNumber: 1, model: 'gpt-5' });
  assert.ok(returned !== undefined);
});
