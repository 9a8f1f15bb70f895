// A provider's own compaction in the history: its block stays where it is and as it is, and what stands behind it is cleared and folded as elsewhere. And
// edits that a provider says it applied to a prompt: stepfold stands down, and says so. What the providers accept is tested in tests/wire.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCheckpoint, clearToolResults, createPrepareStep, createSession, planContext, validateMessages } from 'stepfold';
import { steps as drive } from './drive.mjs';
import { calm, copy, isCheckpoint, step, talk, text, textOf, user } from '../hand.mjs';

/** Without cache marks, which are copies of messages. */
const steps = (messages, given = {}) => drive(messages, { options: { promptCache: false }, ...given });

const CLAUDE = { modelId: 'claude-opus-5', provider: 'anthropic.messages' };
const GPT = { modelId: 'gpt-5', provider: 'openai.responses' };
const blocks = [
  { name: 'Anthropic', model: CLAUDE, part: { type: 'text', text: 'Summary by the provider.', providerOptions: { anthropic: { type: 'compaction' } } } },
  { name: 'Anthropic, signed', model: CLAUDE, part: { type: 'text', text: 'Summary by the provider.', providerOptions: { anthropic: { type: 'compaction', signature: 'sig' } } } },
  { name: 'OpenAI', model: GPT, part: { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { type: 'compaction', itemId: 'cmp_1', encryptedContent: 'AAAA' } } } },
];
const blockOf = (part) => ({ role: 'assistant', content: [part, { type: 'text', text: 'Going on.' }] });
const list = (block, before, after) => [...(before.length > 0 ? [user('Read all of it, and never touch the tests.'), ...before] : []), block, user('Yes.'), ...after];
const isOpenAI = (name) => name === 'OpenAI';
const at = (messages, block) => messages.indexOf(block);

for (const { name, part, model } of blocks) {
  const places = [
    { where: 'at the front', before: [] },
    ...(name.includes('signed') ? [] : [{ where: 'in the middle', before: calm(6, 'old') }, { where: 'behind 20,000 tokens', before: [...calm(70, 'old'), ...talk(10, 'old')] }]),
  ];
  for (const { where, before } of places) {
    for (const carries of [false, true]) {
      const how = `${name}, ${where}, ${carries ? 'carried forward' : 'rebuilt'}`;
      test(`${how}: what stands behind the block is cleared and folded, and the block is not touched`, async () => {
        const block = blockOf(part);
        const messages = list(block, before, [...calm(20), ...talk(12)]);
        const { sent, events, types } = await steps(messages, { contextWindow: 8_000, carries, model });
        assert.ok(types.has('checkpoint') && !types.has('stood-down') && !types.has('over-budget') && !types.has('error'), [...types].join());
        for (const prompt of sent) {
          const place = at(prompt, block);
          const own = prompt.findIndex(isCheckpoint);
          assert.ok(place >= 0 && own === place + 1, `the checkpoint stands behind the block: ${place}, ${own}`);
          if (isOpenAI(name)) assert.equal(place, 0, 'what OpenAI would bill has left');
          else assert.deepEqual(prompt.slice(0, place), messages.slice(0, messages.indexOf(block)), 'what Anthropic does not read is as it came');
        }
        const words = textOf(sent[0].find(isCheckpoint));
        assert.equal(words.includes('never touch the tests'), isOpenAI(name) && before.length > 0, 'what leaves is told, what is not read is not');
        for (const { tokens } of events.filter(({ type }) => type === 'measured')) assert.ok(tokens < 8_000, `${tokens} tokens`);
        for (let index = 1; index < sent.length; index += 1) assert.deepEqual(sent[index].slice(0, sent[index - 1].length), sent[index - 1]);
      });
    }

    test(`${name}, ${where}: a restored session sends the same`, async () => {
      const block = blockOf(part);
      const messages = list(block, before, [...calm(20), ...talk(12)]);
      const session = createSession({ contextWindow: 8_000, promptCache: false });
      const first = await step(session, messages, [], model);
      const restored = createSession({ contextWindow: 8_000, promptCache: false, state: copy(session.state) });
      const again = await step(restored, copy(messages), [], model);
      assert.deepEqual(copy(again), copy(first));
      assert.ok(first.some(isCheckpoint));
      // An app that goes on from what was sent.
      const events = [];
      const stored = createSession({ contextWindow: 8_000, promptCache: false, state: copy(session.state), onEvent: (event) => events.push(event.type) });
      assert.deepEqual(copy(await step(stored, copy(first), [], model)), copy(first));
      assert.ok(!events.includes('checkpoint-lost') && !events.includes('checkpoint'), events.join());
    });

    test(`${name}, ${where}: the functions for one's own ladder, a dry run and compact() keep the block, too`, async () => {
      const block = blockOf(part);
      const messages = list(block, before, [...calm(20), ...talk(12)]);
      const options = { contextWindow: 8_000, model };
      const session = createSession({ contextWindow: 200_000, promptCache: false });
      await step(session, messages, [], model);
      await session.compact(messages);
      for (const [what, { messages: made }] of Object.entries({
        clear: clearToolResults(messages, { ...options, keepRecent: { tokens: 0 } }),
        build: buildCheckpoint(messages, { ...options, keepRecent: { messages: 4 } }),
        plan: planContext(messages, options),
        compact: { messages: await step(session, messages, [], model) },
      })) {
        const place = at(made, block);
        assert.ok(place >= 0, `${what} keeps the block`);
        assert.ok(made.slice(0, place).every((message) => !isCheckpoint(message)), `${what}: nothing of ours before it`);
        if (!isOpenAI(name)) assert.deepEqual(made.slice(0, place), messages.slice(0, messages.indexOf(block)), what);
        assert.ok(made.length < messages.length || what === 'clear', what);
      }
      const { checkpoint } = buildCheckpoint(messages, { ...options, keepRecent: { messages: 4 } });
      assert.ok(isCheckpoint(checkpoint));
    });
  }

  test(`${name}: a checkpoint from before the block came gives way to it`, async () => {
    const block = blockOf(part);
    const extra = [[block, user('Yes.')], [...calm(20, 'after'), ...talk(8, 'after')], calm(1, 'last')];
    for (const carries of [false, true]) {
      const { sent, returned, types } = await steps([user('Go on.'), ...talk(20)], { carries, extra, model });
      assert.ok(returned[0] !== undefined && sent[0].some(isCheckpoint));
      if (isOpenAI(name)) assert.deepEqual(sent[1].slice(0, sent[0].length), sent[0], 'OpenAI reads what stands before, so it stays as it was');
      else assert.ok(sent[1].slice(0, at(sent[1], block)).every((message) => !isCheckpoint(message)), 'nothing of ours stands before a block of Anthropic');
      for (const prompt of sent.slice(2)) {
        assert.equal(prompt.findIndex(isCheckpoint), at(prompt, block) + 1);
        assert.equal(prompt.filter(isCheckpoint).length, 1);
      }
      assert.ok(!types.has('checkpoint-lost') && !types.has('error'));
    }
  });

  if (!name.includes('signed')) {
    test(`${name}: what stood before the block reaches a model of another provider, which does not read the block`, async () => {
      const block = blockOf(part);
      const messages = list(block, calm(6, 'old'), [...calm(20), ...talk(12)]);
      const session = createSession({ contextWindow: 8_000, promptCache: false });
      assert.ok((await step(session, messages, [], model)).some(isCheckpoint));
      for (const of of [session, createSession({ contextWindow: 8_000, promptCache: false, state: copy(session.state) })]) {
        const prompt = JSON.stringify(await step(of, copy([...messages, user('And now?')]), [], isOpenAI(name) ? CLAUDE : GPT));
        assert.ok(prompt.includes('never touch the tests'), prompt.slice(0, 2_000));
        assert.ok(prompt.includes('Going on.'), 'what the model said beside the block');
      }
    });
  }

  test(`${name}: a second block takes the place of the first`, async () => {
    const [first, second] = [blockOf(part), blockOf({ ...part, ...(part.type === 'text' ? { text: 'A second summary.' } : {}) })];
    const { sent } = await steps(list(first, [], [...calm(20), ...talk(8)]), { model, extra: [[second, user('On.')], [...calm(20, 'new'), ...talk(8, 'new')]] });
    const last = sent.at(-1);
    assert.equal(last.findIndex(isCheckpoint), at(last, second) + 1);
    if (isOpenAI(name)) assert.equal(at(last, second), 0);
  });

  test(`${name}: results in the message's own step are cleared, its calls stay`, async () => {
    const calls = [0, 1, 2, 3].map((n) => ({ type: 'tool-call', toolCallId: `own-${n}`, toolName: 'read', input: { path: `a${n}` } }));
    const results = { role: 'tool', content: calls.map(({ toolCallId }) => ({ type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value: text(700) } })) };
    const block = { role: 'assistant', content: [part, ...calls] };
    const messages = [block, results, user('Yes.'), ...talk(14)];
    const { sent } = await steps(messages, { contextWindow: 6_000, model });
    assert.equal(sent[0][0], block);
    assert.equal(sent[0][1].role, 'tool');
    assert.ok(sent[0][1].content.some(({ output }) => output.value !== text(700)), 'a result of the step gives way');
    assert.deepEqual(validateMessages(sent[0]).filter(({ rule, rejectedBy }) => rule !== 'compaction-not-first' && !(isOpenAI(name) && rejectedBy === 'anthropic')), []);
  });

  test(`${name}: what stands before the block counts for OpenAI and not for Anthropic`, () => {
    const { tokensBefore, table } = planContext(list(blockOf(part), talk(40), [user('Go on.')]), { contextWindow: 100_000, model });
    assert.equal(tokensBefore > 8_000, isOpenAI(name), `${tokensBefore}`);
    assert.equal(table.includes('not read'), !isOpenAI(name));
  });

  test(`${name}: a block of a megabyte is not taken apart`, async () => {
    const giant = structuredClone(part);
    if (giant.type === 'text') giant.text = text(40_000);
    else giant.providerOptions.openai.encryptedContent = 'A'.repeat(1_000_000);
    const block = blockOf(giant);
    const { sent, events } = await steps(list(block, [], calm(2)), { model });
    for (const prompt of sent) assert.equal(prompt[0], block);
    assert.ok(events.some(({ type, reason, messageIndex }) => type === 'over-budget' && reason === 'native-compaction' && messageIndex === 0));
  });

  test(`${name}: to a model of another provider the block is no block`, async () => {
    const other = isOpenAI(name) ? CLAUDE : GPT;
    const block = blockOf(part);
    const { sent, types } = await steps(list(block, talk(20), talk(20)), { model: other });
    assert.ok(types.has('checkpoint') && !types.has('over-budget'));
    assert.ok(sent[0].length < 30 && isCheckpoint(sent[0][0]), 'all that it reads is folded');
  });
}

test('a block that is not the first part of its message is a violation for Anthropic', () => {
  const messages = [user('Go on.'), { role: 'assistant', content: [{ type: 'text', text: 'First.' }, blocks[0].part] }, user('Yes.')];
  assert.deepEqual(validateMessages(messages).map(({ rule, rejectedBy, path }) => ({ rule, rejectedBy, path })), [{ rule: 'compaction-not-first', rejectedBy: 'anthropic', path: 'messages[1].content' }]);
});

test('other custom parts and texts are no blocks, nor is what a user says', async () => {
  for (const part of [{ type: 'custom', kind: 'anthropic.fallback' }, { type: 'custom' }, { type: 'text', text: 'compaction', providerOptions: { anthropic: { type: 'text' } } }, { type: 'text', text: 'x', providerOptions: { openai: { type: 'compaction' } } }, { type: 'text', text: '', providerOptions: { anthropic: { type: 'compaction' } } }]) {
    const { types, sent } = await steps([user('Go on.'), ...talk(10), blockOf(part), user('Yes.'), ...talk(20)]);
    assert.ok(types.has('checkpoint') && isCheckpoint(sent[0][0]), JSON.stringify(part));
  }
  for (const { part } of blocks) {
    const { types } = await steps([user([part, { type: 'text', text: 'Go on.' }]), ...talk(30)]);
    assert.ok(types.has('checkpoint') || types.has('squeezed'), 'a part in a user message is no block of a provider');
  }
});

const edits = (appliedEdits, inputTokens = 3_000) => ({ usage: { inputTokens, outputTokens: 1 }, providerMetadata: { anthropic: { contextManagement: { appliedEdits } } } });
const cleared = { type: 'clear_tool_uses_20250919', clearedToolUses: 3, clearedInputTokens: 20_000 };

for (const { name, list: applied, stands } of [
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
    const { events, returned } = await steps([user('Go on.'), ...calm(2)], { usage: () => edits(applied), extra: [calm(10, 'then'), calm(1, 'last')] });
    assert.deepEqual(returned.map((messages) => messages !== undefined), [false, !stands, !stands]);
    assert.equal(events.some(({ type, reason }) => type === 'stood-down' && reason === 'the provider edits the prompt itself'), stands);
  });
}

test('where the app asks OpenAI to compact above a threshold, stepfold stands down once a block shows that it does', async () => {
  const asks = { ...edits([]), request: { body: { context_management: [{ type: 'compaction', compact_threshold: 5_000 }] } } };
  const { events, returned } = await steps([user('Go on.'), ...calm(2)], { usage: () => asks, model: GPT, extra: [calm(10, 'then'), [blockOf(blocks[2].part), user('Yes.'), ...calm(12, 'last')]] });
  assert.ok(returned[1] !== undefined, 'nothing was compacted yet');
  assert.deepEqual(events.filter(({ type }) => type === 'stood-down').map(({ stepNumber }) => stepNumber), [2]);
});

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
