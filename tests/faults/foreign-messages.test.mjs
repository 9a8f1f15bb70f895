// Messages of another form than the SDK's: told once as what they are, by name and with what to do, not measured as a few tokens and left alone in silence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession, planContext } from 'stepfold';
import { MODEL, calm, text, user } from '../hand.mjs';

const many = (make) => Array.from({ length: 30 }, (_, n) => make(n)).flat();
const FORMS = {
  mastra: many((n) => [
    { id: `u${n}`, role: 'user', createdAt: new Date(0), threadId: 't', content: { format: 2, parts: [{ type: 'text', text: text(200) }] } },
    { id: `a${n}`, role: 'assistant', createdAt: new Date(0), content: { format: 2, parts: [{ type: 'tool-invocation', toolInvocation: { state: 'result', toolCallId: `c${n}`, toolName: 'read', args: {}, result: text(200) } }] } },
  ]),
  ui: many((n) => [{ id: `u${n}`, role: 'user', parts: [{ type: 'text', text: text(200) }] }, { id: `a${n}`, role: 'assistant', parts: [{ type: 'step-start' }, { type: 'tool-read', toolCallId: `c${n}`, state: 'output-available', input: {}, output: text(200) }] }]),
  openai: many((n) => [user(`Go on ${n}.`), { role: 'assistant', content: null, tool_calls: [{ id: `c${n}`, type: 'function', function: { name: 'read', arguments: '{}' } }] }, { role: 'tool', tool_call_id: `c${n}`, content: text(200) }]),
  anthropic: many((n) => [user(`Go on ${n}.`), { role: 'assistant', content: [{ type: 'tool_use', id: `c${n}`, name: 'read', input: {} }] }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${n}`, content: text(200) }] }]),
  google: many((n) => [{ role: 'user', parts: [{ text: text(200) }] }, { role: 'model', parts: [{ functionCall: { name: `read${n}`, args: {} } }] }]),
  bedrock: many((n) => [{ role: 'assistant', content: [{ toolUse: { toolUseId: `c${n}`, name: 'read', input: {} } }] }, { role: 'user', content: [{ toolResult: { toolUseId: `c${n}`, content: [{ text: text(200) }] } }] }]),
  langchain: many((n) => [{ lc_serializable: true, lc_kwargs: {}, content: text(200), additional_kwargs: {}, id: `m${n}` }]),
  'ai-4': many((n) => [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: `c${n}`, toolName: 'read', args: {} }] }, { role: 'tool', content: [{ type: 'tool-result', toolCallId: `c${n}`, toolName: 'read', result: text(200) }] }]),
};

for (const [form, messages] of Object.entries(FORMS)) {
  test(`messages of the form ${form} are said once, as what they are, and the run goes on unchanged`, async () => {
    for (const create of [createPrepareStep, createSession]) {
      const events = [];
      const summarize = () => assert.fail('nothing is summarized');
      const made = create({ contextWindow: 4_000, summarize, onEvent: (event) => events.push(event) });
      const prepareStep = made.prepareStep ?? made;
      for (const runs of [[], []]) {
        for (let stepNumber = 0; stepNumber < 3; stepNumber += 1) {
          assert.equal(await prepareStep({ messages: messages.slice(0, 20 + 2 * stepNumber), steps: runs, stepNumber, model: MODEL }), undefined);
          runs.push({ usage: { inputTokens: 9_000, outputTokens: 1 } });
        }
      }
      assert.deepEqual(events.filter(({ type }) => type !== 'unknown-model').map(({ type }) => type), ['foreign-messages']);
      const [told] = events.filter(({ type }) => type === 'foreign-messages');
      assert.equal(told.form, form);
      assert.match(told.message, /no ModelMessage\[\]/);
    }
    // `planContext` refuses what has `parts` and no `content`.
    if (messages[0].parts === undefined) assert.equal(planContext(messages, { contextWindow: 4_000 }).events[0].form, form);
  });
}

test('what the SDK writes is never taken for another form', async () => {
  for (const messages of [
    [user('Go on.'), ...calm(20)],
    [user('Go on.'), { role: 'assistant', content: [] }, ...calm(20)],
    [user('Go on.'), { role: 'assistant', content: [{ type: 'custom', kind: 'openai.compaction' }] }, user('x'), ...calm(20)],
    [{ ...user('Go on.'), parts: [{ type: 'text', text: 'Go on.' }], id: '1' }, ...calm(20)],
    [user([{ type: 'text', text: JSON.stringify(FORMS.openai[1]) }]), ...calm(20)],
    [user('Go on.'), { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'x', toolName: 'call', input: { tool_calls: [1], parts: [], content: { parts: [] } } }] }, { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'x', toolName: 'call', output: { type: 'json', value: { format: 2, parts: [{ type: 'tool_use' }] } } }] }, ...calm(20)],
  ]) {
    const events = [];
    await createPrepareStep({ contextWindow: 4_000, onEvent: (event) => events.push(event.type) })({ messages, steps: [], stepNumber: 0, model: MODEL });
    assert.ok(!events.includes('foreign-messages') && (events.includes('cleared') || events.includes('checkpoint')), events.join());
  }
});

test('shapes that cannot be read, or never end, throw nothing', async () => {
  const endless = { role: 'user', parts: [] };
  endless.parts.push(endless);
  const throwing = { role: 'assistant', get content() { throw new Error('no'); } };
  for (const messages of [[endless], [throwing], [null, undefined, 7, 'x'], [{ role: 'user', content: { parts: BigInt(7) } }]]) {
    assert.equal(await createPrepareStep({ contextWindow: 4_000, onEvent: () => {} })({ messages, steps: [], stepNumber: 0, model: MODEL }), undefined);
  }
});
