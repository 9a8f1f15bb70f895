// `mentionedTools`: the tools that messages still speak of, and `activeTools` set by it after an edit, with the real `ai` 7.
// What counts as a word is tested in src/digest/mentions.rs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StepfoldError, buildCheckpoint, clearToolResults, createSession, mentionedTools } from 'stepfold';
import { call, result, text } from '../hand.mjs';
import { createModel, createTools, run } from '../sdk/sdk.mjs';

const NAMES = ['search_tools', 'refund_order', 'cancel_order', 'send_mail', 'list_orders'];
const found = '[{"name":"refund_order"},{"name":"cancel_order"}]';
const messages = [
  { role: 'user', content: 'Refund the order.' },
  call('s', { query: 'orders' }, 'search_tools'), result('s', found, 'search_tools'),
  call('r', { id: 7 }, 'refund_order'), result('r', 'Refunded.', 'refund_order'),
];

test('calls, results and what they hold name tools, in the order in which the tools were given', () => {
  assert.deepEqual(mentionedTools(messages, NAMES), ['search_tools', 'refund_order', 'cancel_order']);
  assert.deepEqual(mentionedTools(messages, Object.fromEntries(NAMES.toReversed().map((name) => [name, {}]))), ['cancel_order', 'refund_order', 'search_tools']);
  assert.deepEqual(mentionedTools([], NAMES), []);
  assert.deepEqual(mentionedTools(messages, []), []);
});

test('what was folded away is not spoken of any more, and what the checkpoint tells is', () => {
  // Of a list of so many a checkpoint says how many it has.
  const many = JSON.stringify([...JSON.parse(found), ...Array.from({ length: 10 }, (_, n) => ({ name: `other_${n}` }))]);
  const long = [...messages.slice(0, 2), result('s', many, 'search_tools'), ...messages.slice(3), ...Array.from({ length: 40 }, (_, n) => [{ role: 'user', content: `Go on ${n}.` }, { role: 'assistant', content: text(60) }]).flat()];
  const { messages: folded } = buildCheckpoint(long, { contextWindow: 8_000, keepRecent: { tokens: 200 }, tools: { search_tools: { keep: 'never' } } });
  const left = mentionedTools(folded, NAMES);
  assert.ok(left.includes('refund_order'), 'what was done is told');
  assert.ok(!left.includes('cancel_order'), JSON.stringify(folded[0]));
  const { messages: cleared } = clearToolResults([...messages.slice(0, 2), result('s', `${found} ${text(400)}`, 'search_tools'), ...messages.slice(3)], { keepRecent: { tokens: 0 }, tools: { search_tools: { keep: 'never' } } });
  assert.deepEqual(mentionedTools(cleared, NAMES), ['search_tools', 'refund_order']);
});

test('an app takes tools away at the step of an edit, and none that the prompt speaks of', async () => {
  const used = Array.from({ length: 12 }, (_, n) => `tool_${n}`);
  const unused = Array.from({ length: 20 }, (_, n) => `other_${n}`);
  const names = ['search_tools', ...used, ...unused];
  const outputs = { search_tools: () => [...used, ...unused].map((name) => ({ name, description: text(20) })) };
  const tools = createTools(7, { ...outputs, ...Object.fromEntries([...used, ...unused].map((name, n) => [name, () => `${text(900)} ${n}`])) });
  const answers = [...['search_tools', ...used].map((name, n) => ({ calls: [{ id: `c${n}`, name, input: { n } }] })), { text: 'Done.' }];
  const { model, calls } = createModel({ major: 7, answers });
  let isEdited = false;
  let active = ['search_tools'];
  const onEvent = ({ type }) => (isEdited ||= ['cleared', 'checkpoint', 'squeezed'].includes(type));
  const session = createSession({ contextWindow: 12_000, overheadTokens: 1, tools: { search_tools: { keep: 'never' } }, onEvent });
  const prepareStep = async (step) => {
    const prepared = await session.prepareStep(step);
    const mentioned = mentionedTools(prepared?.messages ?? step.messages, names);
    active = isEdited ? ['search_tools', ...mentioned] : [...active, ...mentioned];
    isEdited = false;
    // The script calls tools that were found before the edit.
    return { ...prepared, activeTools: [...new Set([...active, used[step.stepNumber - 1] ?? 'search_tools'])] };
  };
  await run({ major: 7, model, tools, options: { messages: [{ role: 'user', content: 'Call them all.' }], prepareStep } });
  const sent = calls.map(({ tools: given }) => given.map(({ name }) => name));
  assert.deepEqual(sent.map(({ length }) => length).slice(0, 2), [1, names.length], 'all are active once they were found');
  assert.ok(!unused.some((name) => sent.at(-1).includes(name)), 'nothing is said of these any more');
  for (const [index, { prompt }] of calls.entries()) for (const name of mentionedTools(prompt, names)) assert.ok(sent[index].includes(name), `${name} at step ${index}`);
});

test('what is no list of messages and no tools is refused', () => {
  assert.throws(() => mentionedTools('x', NAMES), (error) => StepfoldError.isInstance(error) && error.code === 'invalid-message');
  for (const tools of [undefined, null, 'read', [1]]) {
    assert.throws(() => mentionedTools(messages, tools), (error) => StepfoldError.isInstance(error) && error.message.includes('`tools`'), String(tools));
  }
});
