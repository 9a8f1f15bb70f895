// Runs the agent of each guide with a scripted model whose window is far smaller than its work, and holds the guide to what it says is kept.
// That the guide shows this very example is tested here, too. What stepfold itself does is tested elsewhere.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { o200k } from 'stepfold/o200k';
import { createModel } from '../sdk/sdk.mjs';
import { loadExample, shownOf } from './load.mjs';

const GUIDES = ['chat-and-support', 'research', 'browser', 'data-analysis', 'coding'];
/** 16,385 tokens. */
const SMALL = 'openai/gpt-3.5-turbo';
const tokenizer = o200k();
const tokensOf = (prompt) => tokenizer.count(JSON.stringify(prompt));
/** A model that reports usage, as providers do. */
const modelOf = (answers, modelId = SMALL) => createModel({ major: 7, answers, modelId, count: tokensOf });
const summary = 'The sources up to here were read one by one. What they say was written down beside their addresses; the next ones follow.';
const summarizer = () => createModel({ major: 7, answers: Array.from({ length: 30 }, () => ({ text: summary })) });
const range = (count) => Array.from({ length: count }, (_, index) => index);
const call = (name, input, id, text = undefined) => ({ text, calls: [{ id, name, input }] });
const textOf = (prompt) => prompt.flatMap(({ content }) => (typeof content === 'string' ? [content] : content.map((part) => part.text ?? ''))).join('\n');
const resultOf = (prompt, id) => JSON.stringify(prompt.flatMap(({ role, content }) => (role === 'tool' ? content : [])).find(({ toolCallId }) => toolCallId === id)?.output);
const wasEdited = (prompt) => assert.match(JSON.stringify(prompt), /cleared to save context|\[Checkpoint /);
/** The texts of results, placeholders among them. */
const outputsOf = (prompt) => prompt.flatMap(({ role, content }) => (role === 'tool' ? content : [])).map(({ output }) => output.value).filter((value) => typeof value === 'string');
/** Every prompt leaves the reply its room. */
const allFit = (prompts) => assert.ok(Math.max(...prompts.map(tokensOf)) < 13_000, String(prompts.map(tokensOf)));

for (const guide of GUIDES) {
  test(`docs/${guide}.md shows the example that is tested here`, () => {
    const text = readFileSync(new URL(`../../docs/${guide}.md`, import.meta.url), 'utf8');
    assert.ok(text.includes(`\`\`\`ts\n${shownOf(`${guide}/agent.ts`)}\`\`\``), `docs/${guide}.md does not show examples/${guide}/agent.ts as it is`);
  });
}

const chairs = ['Alva', 'Bero', 'Cato', 'Dina', 'Elio', 'Fina', 'Gero', 'Hilde'];
const shop = {
  findOrder: async (orderId) => {
    const number = Number(orderId.slice(4));
    return {
      orderId, state: 'delivered', total: 150 + number, carrier: ['DHL', 'UPS', 'GLS'][number % 3], tracking: `JD0146${7919 * number}`,
      address: { street: 'Quay 4', city: 'Bremen' },
      items: chairs.map((name, index) => ({ sku: `CH-${number}${index}`, name: `Chair ${name}`, price: 49 + index, material: 'oiled oak', warehouse: `hall ${index}` })),
    };
  },
  refund: async (orderId, amount) => ({ refundId: 'REF-90817', orderId, amount, state: 'booked' }),
  pickup: async (orderId, date) => ({ pickupId: 'RMA-301188', orderId, date, courier: 'DHL' }),
};

/** The prompts of a support chat of sixty turns. Each request has its own session, as if another process had taken it. */
async function supportChat() {
  const { answer } = await loadExample('chat-and-support/agent.ts');
  const store = new Map();
  let messages = [];
  const prompts = [];
  const say = async (content, answers) => {
    messages = [...messages, { role: 'user', content }];
    const mock = modelOf(answers);
    const result = answer({ id: 'chat-1', messages: structuredClone(messages), model: mock.model, shop, store });
    await result.consumeStream();
    messages = [...messages, ...(await result.responseMessages)];
    prompts.push(...mock.prompts());
  };
  await say('Two legs of ORD-17 are broken. Please never call me, I am deaf, and come only after 6 pm.', [call('findOrder', { orderId: 'ORD-17' }, 'o17'), { text: 'I am sorry. Shall the courier fetch it on 4 May, or do you want 42 EUR back?' }]);
  await say('both, please', [call('pickup', { orderId: 'ORD-17', date: '2026-05-04' }, 'pickup'), call('refund', { orderId: 'ORD-17', amount: 42 }, 'refund'), { text: 'DHL comes on 4 May after 6 pm (RMA-301188), and 42 EUR are on their way back.' }]);
  for (const index of range(58)) {
    const orderId = `ORD-${20 + index}`;
    await say(`And where is ${orderId}?`, [call('findOrder', { orderId }, `o${20 + index}`), { text: `${orderId} was delivered.` }]);
  }
  await say('Which chair of ORD-17 was the fourth?', [call('recall', { pattern: 'CH-173' }, 'recalled'), { text: 'Chair Dina.' }]);
  return prompts;
}

test('a support agent still has the wishes, pickups and refunds of sixty turns, and recalls an order', async () => {
  const prompts = await supportChat();
  allFit(prompts);
  const last = prompts.at(-1);
  wasEdited(last);
  const sent = textOf(last);
  assert.match(sent, /Please never call me, I am deaf, and come only after 6 pm\./);
  assert.match(sent, /"both, please" \[reply to: ".*fetch it on 4 May, or do you want 42 EUR back\?"\]/);
  assert.match(sent, /pickup\(.*ORD-17.*RMA-301188/);
  assert.match(sent, /refund\(.*ORD-17.*REF-90817/);
  assert.match(resultOf(last, 'recalled'), /CH-173.*Chair Dina/);
  // What the README shows of this chat. Ids and counts are the engine's.
  const plain = (text) => text.replace(/\b(\d{9}|[0-9a-f]{12})\b/g, 'id').replace(/about \d+ tokens/g, 'about n tokens');
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const shown = [...readme.matchAll(/```text\n([\s\S]*?)```/g)].flatMap(([, block]) => block.trimEnd().split('\n'));
  assert.ok(shown.length >= 11);
  assert.ok(readme.includes(`${/: (\d+) earlier messages/.exec(sent)?.[1]} older messages`));
  const lines = plain([sent, ...outputsOf(last)].join('\n')).split('\n');
  for (const line of shown) assert.ok(lines.includes(plain(line)), `the README shows "${line}", which is not sent`);
});

test('a research agent has the line it wrote of each page, and recalls a sentence from the middle of one', async () => {
  const { research } = await loadExample('research/agent.ts');
  const filler = (page) => range(60).map((line) => `The region ${page} has ${line} sites, most of them small and old.`).join(' ');
  const quote = (page) => `Storage in region ${page} reached ${10 + page}.7 percent above plan.`;
  const web = {
    search: async () => range(28).map((page) => ({ title: `Region ${page}`, url: `https://grid.example/${page}` })),
    readPage: async (url) => ({ url, title: `Region ${url.split('/').at(-1)}`, text: `${filler(Number(url.split('/').at(-1)))} ${quote(Number(url.split('/').at(-1)))} ${filler(9)}` }),
  };
  const notes = range(28).map((page) => `https://grid.example/${page}: storage ${10 + page}.7 % above plan.`);
  const mock = modelOf([
    call('search', { query: 'storage by region' }, 's'),
    ...range(28).map((page) => call('readPage', { url: `https://grid.example/${page}` }, `p${page}`, page === 0 ? undefined : notes[page - 1])),
    call('recall', { pattern: 'region 3 reached' }, 'recalled', notes[27]),
    { text: 'A report.' },
  ]);
  assert.equal(await research({ question: 'Which regions have more storage than planned?', model: mock.model, web }), 'A report.');

  allFit(mock.prompts());
  const last = mock.prompts().at(-1);
  wasEdited(last);
  assert.deepEqual(notes.filter((note) => !textOf(last).includes(note)), [], 'no note is lost');
  assert.match(resultOf(last, 'recalled'), /Storage in region 3 reached 13\.7 percent above plan\./);
});

test('a browser agent keeps its notes, what it bought and the newest pictures', async () => {
  const { browse } = await loadExample('browser/agent.ts');
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const snapshot = (shop) => `- Page URL: https://shop-${shop}.example/\n- main:\n${range(110).map((line) => `  - link "Lamp ${line} of shop ${shop}" [ref=e${line}]: ${20 + line + shop},99 €`).join('\n')}`;
  const browser = {
    open: async (url) => snapshot(Number(/\d+/.exec(url)?.[0])),
    click: async () => '- main:\n  - status: Order SH-77120 is placed.',
    fill: async () => 'Filled in.',
    screenshot: async () => pixel,
  };
  const notes = range(30).map((shop) => `https://shop-${shop}.example/ has Lamp 7 for ${27 + shop},99 €.`);
  const mock = modelOf([
    call('open', { url: 'https://shop-0.example/' }, 'p0'),
    call('click', { element: 'Buy now', ref: 'e7' }, 'buy', notes[0]),
    ...range(29).flatMap((index) => [call('open', { url: `https://shop-${index + 1}.example/` }, `p${index + 1}`, index === 0 ? undefined : notes[index]), call('screenshot', {}, `i${index}`)]),
    { text: notes[29] },
  ]);
  await browse({ task: 'Buy Lamp 7 at the first shop, then find out what it costs elsewhere.', model: mock.model, browser });

  allFit(mock.prompts());
  const last = mock.prompts().at(-1);
  const sent = JSON.stringify(last);
  wasEdited(last);
  assert.deepEqual(notes.slice(0, 29).filter((note) => !sent.includes(note)), [], 'no note is lost');
  assert.match(sent, /click\([^)]*Buy now[^)]*\)[^\n]*SH-77120/);
  assert.ok(sent.split(pixel).length - 1 <= 4, 'older pictures gave way');
});

test('an analyst has every figure of the notebook, and recalls a row', async () => {
  const { analyze } = await loadExample('data-analysis/agent.ts');
  const rows = (query) => range(30).map((month) => ({ month: `2024-${month}`, region: `R${query}`, revenue: 1000 * query + month, orders: 7 * month, refunds: month }));
  const database = { describe: async () => [{ column: 'month' }, { column: 'revenue' }], query: async (sql) => rows(Number(/R(\d+)/.exec(sql)?.[1])) };
  const findings = range(30).map((query) => `R${query}: ${30_000 * query + 435} EUR revenue`);
  const mock = modelOf([
    call('describeTable', { table: 'invoices' }, 'd'),
    ...range(30).flatMap((query) => [call('runSql', { sql: `SELECT * FROM invoices WHERE region = 'R${query}'` }, `q${query}`), call('note', { finding: findings[query] }, `n${query}`)]),
    call('recall', { pattern: "region = 'R2'|2007" }, 'recalled'),
    { text: 'A report.' },
  ]);
  await analyze({ question: 'What is the revenue of each region?', model: mock.model, database });

  allFit(mock.prompts());
  const last = mock.prompts().at(-1);
  wasEdited(last);
  assert.deepEqual(findings.filter((finding) => !JSON.stringify(last).includes(finding)), [], 'no figure is lost');
  assert.match(resultOf(last, 'recalled'), /2007/);
});

test('a coding agent finds in a file what is no longer in its prompt, and its summaries are written while it works', async () => {
  const { work } = await loadExample('coding/agent.ts');
  const root = mkdtempSync(join(tmpdir(), 'stepfold-example-'));
  mkdirSync(join(root, 'src'));
  for (const file of range(45)) writeFileSync(join(root, `src/part-${file}.ts`), range(60).map((line) => `export const value${line} = ${file * 1000 + line}; // part ${file} line ${line}`).join('\n'));
  const log = `FAIL src/part-5.test.ts\n${range(40).map((line) => `    at step ${line} of the first run`).join('\n')}\nexpected 5007, got 5008`;
  const mock = modelOf([
    call('run', { command: 'npm test' }, 'test'),
    ...range(45).map((file) => call('readFile', { path: `src/part-${file}.ts` }, `r${file}`)),
    call('grep', { directory: 'tool-results/job-1', text: 'step 17 of the first run' }, 'found'),
    call('readFile', { path: '../secret' }, 'outside'),
    { text: 'Mended.' },
  ]);
  const small = summarizer();
  const text = await work({ id: 'job-1', messages: [{ role: 'user', content: 'Make the tests pass.' }], model: mock.model, smallModel: small.model, root, run: async () => log, store: new Map() });

  assert.equal(text, 'Mended.');
  assert.ok(JSON.stringify(mock.prompts().at(-1)).includes(summary));
  allFit(mock.prompts());
  assert.match(resultOf(mock.prompts().at(-1), 'found'), /tool-results\/job-1\/\d{9}\.txt:\d+: {5}at step 17 of the first run/);
  assert.match(resultOf(mock.prompts().at(-1), 'outside'), /error-text.*outside of the folder/);
  rmSync(root, { recursive: true });
});
