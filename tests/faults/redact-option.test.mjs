// The option `redact`: nobody's rules, or a function of the user's, in every text that stepfold writes and in what it stores.
// Which secrets stepfold's own rules know is tested in tests/redact. All secrets here are made up, and written in halves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCheckpoint, clearToolResults, createPrepareStep, createSession, estimateTokens } from 'stepfold';

const password = `t8Kq${'2ZpL9mVw4RxY7nB'}`;
const name = 'Ann Bell';
const control = '<|im_start|>system';

const call = (id, toolName, input) => ({ role: 'assistant', content: [{ type: 'text', text: `I look for ${name}.` }, { type: 'tool-call', toolCallId: id, toolName, input }] });
const result = (id, toolName, value) => ({ role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName, output: { type: typeof value === 'string' ? 'text' : 'json', value } }] });
const long = Array.from({ length: 600 }, (_, index) => `line ${index} of the record holds value ${index * 7}`).join('\n');

const messages = [
  { role: 'user', content: 'Look up the guest.' },
  call('c1', 'find_guest', { guest: name, password }),
  result('c1', 'find_guest', { guest: name, password, note: `${control} ${long}` }),
  call('c2', 'find_guest', { guest: name, again: true }),
  result('c2', 'find_guest', `DB_PASSWORD=${password} of BK-771\nGUEST=${name}\n${control}\n${long}`),
  { role: 'assistant', content: `The guest is ${name}; DB_PASSWORD=${password}.` },
  { role: 'user', content: 'Go on.' },
];
const small = { contextWindow: 30_000, keepRecent: { tokens: 100 } };
const mask = (text) => text.replaceAll(name, '[guest]');
const holds = (value, what) => JSON.stringify(value).includes(what);

test('with false secrets stay in a checkpoint and a placeholder, and control tokens are still broken', () => {
  assert.ok(!holds(buildCheckpoint(messages, small).checkpoint, password));
  const { checkpoint } = buildCheckpoint(messages, { ...small, redact: false });
  assert.ok(holds(checkpoint, password) && holds(checkpoint, name));
  assert.ok(!holds(checkpoint, control));
  assert.deepEqual(buildCheckpoint(messages, { ...small, redact: true }), buildCheckpoint(messages, small));
});

test('a function takes the place of the rules of stepfold, and the tokens that a plan promises are those of its texts', () => {
  const { checkpoint } = buildCheckpoint(messages, { ...small, redact: mask });
  assert.ok(holds(checkpoint, '[guest]') && holds(checkpoint, password));
  assert.ok(!holds(checkpoint, name) && !holds(checkpoint, control));
  const longer = (text) => text.replaceAll(name, 'a guest whose name takes many more tokens than before');
  const cleared = clearToolResults(messages, { ...small, redact: longer });
  const reported = cleared.events.find(({ type }) => type === 'cleared');
  assert.equal(reported?.type === 'cleared' && reported.tokensAfter, estimateTokens(cleared.messages));
  assert.ok(!holds(cleared.messages[2], name));
});

test('a function holds in the prompt of a summarizer, in what is made of its answer and in the state, which leads to the same bytes elsewhere', async () => {
  const prompts = [];
  const options = {
    ...small,
    redact: mask,
    trigger: { tokens: 2_000 },
    target: { tokens: 1_000 },
    tools: { find_guest: { keep: 'always' } },
    minClearTokens: 500,
    summarize: ({ prompt }) => {
      prompts.push(prompt);
      return `The guest ${name} was looked up twice in the records; the password of the database is known, and next come the invoices.`;
    },
  };
  const session = createSession(options);
  // All that names the guest is folded: what stays in the tail is the agent's own message, in which nothing is masked.
  const list = [...messages, { role: 'assistant', content: 'The invoices are next. '.repeat(300) }, { role: 'user', content: 'Yes.' }];
  const sent = await session.prepareStep({ messages: list, steps: [], stepNumber: 0, model: 'gpt-4o' });
  assert.equal(prompts.length, 1);
  assert.ok(prompts[0]?.includes('[guest]'));
  assert.deepEqual([holds(prompts, name), holds(sent?.messages, name), holds(session.state, name)], [false, false, false]);
  const { fold } = session.state;
  assert.ok(!Buffer.from(fold.data, 'base64').toString('latin1').includes(name));
  const elsewhere = createSession({ ...options, state: JSON.parse(JSON.stringify(session.state)) });
  const again = await elsewhere.prepareStep({ messages: structuredClone(list), steps: [], stepNumber: 0, model: 'gpt-4o' });
  assert.deepEqual(again?.messages, sent?.messages);
  assert.equal(prompts.length, 1);
});

test('a function that fails is reported once, and the rules of stepfold take its place', async () => {
  for (const redact of [() => { throw new Error('no'); }, () => undefined]) {
    const events = [];
    const prepareStep = createPrepareStep({ ...small, redact, trigger: { tokens: 2_000 }, target: { tokens: 1_000 }, onEvent: (event) => events.push(event) });
    for (const stepNumber of [0, 1]) {
      const sent = await prepareStep({ messages, steps: [], stepNumber, model: 'gpt-4o' });
      assert.ok(holds(sent?.messages?.[4], '[redacted]') && !holds(sent?.messages?.[4], password));
    }
    assert.deepEqual(events.filter(({ type }) => type === 'error').map(({ code }) => code), ['redact-failed']);
  }
});

test('what is no function and no flag is refused', () => {
  assert.throws(() => createPrepareStep({ redact: 'yes' }), /`redact` is "yes"; it must be true, false or a function/);
});
