// The measures of the replay bench against cases that are worked out by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replay } from '../../bench/replay/replay.mjs';
import { summarize } from '../../bench/replay/report.mjs';
import { countText } from '../../bench/replay/tokens.mjs';
import { takesPart } from '../../bench/replay/transcript.mjs';
import { answered, asked, called, prepared, said, words } from './sessions.mjs';

const policyOf = (step) => ({ name: 'test', semantics: ['rebuild'], create: () => ({ step }) });
const untouched = policyOf(({ messages }) => messages);
const TOOLS = 3_000;

/** Call `read {"path":"a"}` and its message. */
const CALL = 4 + countText('read {"path":"first.txt"}');

/** Three prompts: 104 tokens of messages, then a call and 1,004 more, then a call and 5 more. */
const threeSteps = () => prepared([asked(words(100)), called('1', { path: 'first.txt' }), answered('1', words(1_000)), called('2', { path: 'first.txt' }), answered('2', 'ok'), said('Done.')]);
const PROMPTS = [TOOLS + 104, TOOLS + 104 + CALL + 1_004, TOOLS + 104 + CALL + 1_004 + CALL + 5];
const UNTOUCHED = 1.25 * PROMPTS[0] + (0.1 * PROMPTS[0] + 1.25 * (PROMPTS[1] - PROMPTS[0])) + (0.1 * PROMPTS[1] + 1.25 * (PROMPTS[2] - PROMPTS[1]));

test('words have the tokens they are made for', () => {
  assert.equal(countText(words(1_000)), 1_000);
});

test('an untouched session costs what it is compared with', async () => {
  const row = await replay(threeSteps(), untouched, { window: 64_000 });
  assert.equal(row.costAnthropic, 1);
  assert.equal(row.costOpenai, 1);
  assert.deepEqual({ steps: row.steps, overflow: row.overflow, edits: row.edits, survived: row.survived }, { steps: 3, overflow: 0, edits: 0, survived: true });
});

test('what follows the first change is paid in full, what stands before it as cached', async () => {
  // The request is replaced at the third step: tools and the opening of a user message stay cached, everything else is new.
  const row = await replay(threeSteps(), policyOf(({ messages, stepNumber }) => (stepNumber === 2 ? [asked('short'), ...messages.slice(1)] : messages)), { window: 64_000 });
  const last = PROMPTS[2] - 104 + 5;
  const cost = 1.25 * PROMPTS[0] + (0.1 * PROMPTS[0] + 1.25 * (PROMPTS[1] - PROMPTS[0])) + (0.1 * (TOOLS + 4) + 1.25 * (last - TOOLS - 4));
  assert.ok(Math.abs(row.costAnthropic - cost / UNTOUCHED) < 1e-12);
  assert.equal(row.edits, 1);
});

test('what Anthropic bills depends on whether the cache is asked for, and an edit is written from the beginning', async () => {
  const sum = PROMPTS.reduce((total, tokens) => total + tokens, 0);
  const plain = await replay(threeSteps(), untouched, { window: 64_000 });
  assert.ok(Math.abs(plain.costAsAsked - sum / UNTOUCHED) < 1e-12);
  const asking = await replay(threeSteps(), { ...untouched, asksCache: true }, { window: 64_000 });
  assert.ok(Math.abs(asking.costAsAsked - 1) < 1e-12);
  const edits = { ...policyOf(({ messages, stepNumber }) => (stepNumber === 2 ? [asked('short'), ...messages.slice(1)] : messages)), asksCache: true };
  const row = await replay(threeSteps(), edits, { window: 64_000 });
  const cost = 1.25 * PROMPTS[0] + (0.1 * PROMPTS[0] + 1.25 * (PROMPTS[1] - PROMPTS[0])) + 1.25 * (PROMPTS[2] - 104 + 5);
  assert.ok(Math.abs(row.costAsAsked - cost / UNTOUCHED) < 1e-12);
});

test('a summary is charged: plain input, output at five, and an overflow of its own', async () => {
  const summarizing = {
    name: 'test',
    semantics: ['rebuild'],
    create: ({ summarize }) => ({
      step({ messages, stepNumber }) {
        if (stepNumber === 2) summarize({ messages, inputTokens: 1_000 });
        return messages;
      },
    }),
  };
  const row = await replay(threeSteps(), summarizing, { window: 64_000 });
  assert.ok(Math.abs(row.costAnthropic - (UNTOUCHED + 1_300 + 5 * 1_500) / UNTOUCHED) < 1e-12);
  assert.deepEqual([row.summaries, row.summaryOverflow], [1, 0]);
  assert.equal((await replay(threeSteps(), summarizing, { window: 2_500 })).summaryOverflow, 1);
});

test('a step overflows when prompt and reserve exceed the window, by the count of the provider', async () => {
  const reserve = 4_096;
  const window = PROMPTS[1] + reserve;
  assert.equal((await replay(threeSteps(), untouched, { window })).overflow, 1);
  assert.equal((await replay(threeSteps(), untouched, { window: PROMPTS[2] + reserve })).overflow, 0);
  assert.equal((await replay(threeSteps(), untouched, { window: PROMPTS[2] + reserve, factor: 1.25 })).overflow, 2);
});

/** The last step takes up an id and a line that only the first result holds, and a path that calls hold too. */
const LINE = 'const total = orders.reduce((sum, order) => sum + order.price, 0);';
const recallSession = () =>
  prepared([
    asked('Look into it.'),
    called('1', { path: 'src/orders.ts' }),
    answered('1', `order_4711\n${LINE}\n${words(12_000)}`),
    called('2', { path: 'src/orders.ts' }),
    answered('2', words(10)),
    called('3', { path: 'src/orders.ts', id: 'order_4711', old: LINE }),
    answered('3', 'ok'),
    said('Done.'),
  ]);
const replaced = (text) => policyOf(({ messages }) => messages.map((message, index) => (index === 2 ? answered('1', text) : message)));

test('recall counts what stands in what was sent, on steps whose history does not fit', async () => {
  const measured = async (policy) => {
    const { recall, results, lines, overflow } = await replay(recallSession(), policy, { window: 16_000 });
    return { recall, results, lines, overflow };
  };
  // The second step takes up the path. The third one takes up five: the path, and four that only the result holds, since the line counts as a
  // short value too, with its words `orders.reduce` and `order.price`.
  assert.deepEqual(await measured(replaced('cleared')), { recall: (1 + 1 / 5) / 2, results: 0, lines: 0, overflow: 0 });
  assert.deepEqual(await measured(replaced('cleared; it mentioned order_4711')), { recall: (1 + 2 / 5) / 2, results: 1 / 4, lines: 0, overflow: 0 });
  assert.deepEqual(await measured(replaced(`order_4711 ${LINE}`)), { recall: 1, results: 1, lines: 1, overflow: 0 });
  // Untouched it holds everything, and is rejected.
  assert.deepEqual(await measured(untouched), { recall: 0, results: 0, lines: 0, overflow: 3 });
});

/** An answer that takes a name, a price and a phrase without spaces from one result, and repeats what the user said. */
const answering = () =>
  prepared([
    asked('Which of the cottages has a sauna?'),
    called('1', { path: 'cottages' }),
    answered('1', `Haus Seeblick 149 東京都港区 sauna\n${words(14_000)}`),
    said('Seeblick has the sauna: 149 a night, at 東京都港.'),
    asked('Thanks.'),
    said('Enjoy Seeblick.'),
  ]);

test('what an answer says counts where only results held it', async () => {
  const measured = async (policy) => (await replay(answering(), policy, { window: 16_000 })).said;
  // `Seeblick`, `149` and `東京都`; the user said `sauna` himself. The last answer repeats what the one before it said.
  assert.equal(await measured(replaced('cleared')), 0);
  assert.equal(await measured(replaced('Seeblick, 149')), 2 / 3);
  assert.equal(await measured(replaced('Seeblick, 149, 東京都港区')), 1);
});

test('a list that breaks a rule the history did not break is invalid', async () => {
  const orphan = await replay(threeSteps(), policyOf(({ messages }) => (messages.length > 4 ? messages.slice(-1) : messages)), { window: 64_000 });
  assert.deepEqual([orphan.invalidSteps, orphan.violations['orphan-result']], [1, 1]);
  const fine = await replay(threeSteps(), replaced('cleared'), { window: 64_000 });
  assert.equal(fine.invalidSteps, 0);
});

test('a policy that throws or changes its input is reported and leaves the list as it was', async () => {
  for (const step of [() => { throw new Error('broken'); }, ({ messages }) => { messages[0].role = 'system'; }]) {
    const row = await replay(threeSteps(), policyOf(step), { window: 64_000 });
    assert.equal(row.errors, 3);
    assert.equal(row.costAnthropic, 1);
  }
});

test('each way of being called gives the lists it is named after', async () => {
  const messages = [asked('a'), said('b'), asked('c'), called('1', {}), answered('1', 'x'), said('d')];
  const lengths = async (semantics) => {
    const seen = [];
    const policy = policyOf(({ messages: given }) => {
      seen.push(given.length);
      return given.slice(-1);
    });
    await replay(prepared(messages), policy, { window: 64_000, semantics });
    return seen;
  };
  assert.deepEqual(await lengths('rebuild'), [1, 3, 5]);
  assert.deepEqual(await lengths('carry'), [1, 3, 3]);
  assert.deepEqual(await lengths('turns'), [1, 3, 3]);
});

test('usage is that of the list sent last, and none without it', async () => {
  const seen = [];
  const policy = policyOf(({ messages, lastInputTokens }) => {
    seen.push(lastInputTokens);
    return messages;
  });
  await replay(threeSteps(), policy, { window: 64_000, factor: 1.25 });
  assert.deepEqual(seen, [undefined, Math.round(PROMPTS[0] * 1.25), Math.round(PROMPTS[1] * 1.25)]);
  seen.length = 0;
  await replay(threeSteps(), policy, { window: 64_000, usage: false });
  assert.deepEqual(seen, [undefined, undefined, undefined]);
});

test('a session takes part in a window that it exceeds and that its system prompt does not fill', () => {
  const session = (tokens, overhead) => ({ tokens, overhead });
  assert.equal(takesPart(session(17_600, 3_000), { window: 16_000 }), false);
  assert.equal(takesPart(session(17_601, 3_000), { window: 16_000 }), true);
  assert.equal(takesPart(session(100_000, 7_105), { window: 16_000 }), false);
  assert.equal(takesPart(session(15_000, 3_000), { window: 16_000, factor: 1.25 }), true);
});

test('a summary averages over transcripts and adds up steps', () => {
  const row = { steps: 10, overflow: 0, survived: true, costAnthropic: 0.4, recall: 1, editedSteps: 4, invalidSteps: 1, softSteps: 0 };
  const { survival, overflow, costAnthropic, recall, invalid } = summarize([row, { ...row, overflow: 3, survived: false, costAnthropic: 0.6, recall: null }]);
  assert.deepEqual({ survival, overflow, costAnthropic, recall, invalid }, { survival: 0.5, overflow: 3, costAnthropic: 0.5, recall: 1, invalid: 0.25 });
});
