// The recall tool inside real runs of ai 5, 6 and 7 and by hand: ids in placeholders, results exactly as they were, parts of them,
// after a fold, from the store, and only those of the session.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clearToolResults, createSession } from 'stepfold';
import { call, result, step } from '../hand.mjs';
import { MAJORS, createModel, createTools, run } from './sdk.mjs';

const page = (number) => Array.from({ length: 60 }, (_, line) => `page ${number} line ${line + 1}: value ${number * 1000 + line}, “umlauts” äöü\t\r`).join('\n');
const image = { type: 'content', value: [{ type: 'text', text: 'the picture' }, { type: 'media', mediaType: 'image/png', data: 'iVBORw0KGgo='.repeat(400) }] };
const options = { contextWindow: 9_000, reserveTokens: 1_000, overheadTokens: 1, trigger: 0.8, target: 0.4, keepRecent: { tokens: 1_000 }, minClearTokens: 500, maxResultTokens: 6_000 };
const idOf = (value) => /use the recall tool with id (\d{9}) if you need it/.exec(JSON.stringify(value))?.[1];

for (const major of MAJORS) {
  test(`v${major}: the model brings a cleared result back byte for byte, and that one is cleared in its turn`, async () => {
    const session = createSession(options);
    const answers = [];
    const asked = [];
    const outputs = { text: page(1), json: { rows: [1, 2, { deep: 'ä' }], text: page(2) } };
    const mock = createModel({
      major,
      answers,
      onCall: (index) => {
        const results = mock.prompts().at(-1).flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ type }) => type === 'tool-result');
        for (const name of ['text', 'json']) {
          const id = idOf(results.find((result) => result.toolName === name && idOf(result.output) !== undefined));
          if (id === undefined || asked.includes(id)) continue;
          asked.push(id);
          answers[index] = { calls: [{ id: `recall-${name}`, name: 'recall', input: { id } }] };
          return;
        }
        const done = asked.length === 2 && idOf(results.filter(({ toolName }) => toolName === 'recall')) !== undefined;
        answers[index] = done || index > 60 ? { text: 'Done.' } : { calls: [{ id: `c${index}`, name: index === 0 ? 'text' : index === 1 ? 'json' : 'read', input: { page: index } }] };
      },
    });
    const tools = { ...createTools(major, { text: () => outputs.text, json: () => outputs.json, read: ({ page: number }) => page(number) }), recall: session.recallTool() };
    const { steps } = await run({ major, model: mock.model, tools, options: { messages: [{ role: 'user', content: 'Read all pages.' }], prepareStep: session.prepareStep } });
    assert.equal(asked.length, 2);
    assert.ok(steps.length < 60, 'a recalled result was cleared again');
    const sent = mock.prompts().flat().flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ type, toolName }) => type === 'tool-result' && toolName === 'recall');
    assert.deepEqual(sent.find(({ toolCallId }) => toolCallId === 'recall-text').output, { type: 'text', value: outputs.text });
    assert.deepEqual(sent.find(({ toolCallId }) => toolCallId === 'recall-json').output, { type: 'json', value: outputs.json });
  });
}

const conversation = (pages, first = 1) =>
  [
    { role: 'user', content: 'Read all pages.' },
    ...Array.from({ length: pages }, (_, index) => index + first).flatMap((number) => [
      call(`c${number}`, { path: `pages/${number}.txt` }),
      result(`c${number}`, number === 2 ? image : { type: 'text', value: page(number) }),
    ]),
  ];
const recall = (session, input) => session.recallTool().execute(input, { toolCallId: 'r', messages: [] });

test('ids stand in placeholders once the tool was asked for, and never in those of others', async () => {
  const messages = conversation(12);
  const plain = await step(createSession(options), messages);
  assert.ok(JSON.stringify(plain).includes('call the tool again if you need it') && idOf(plain) === undefined);
  assert.equal(idOf(clearToolResults(messages, { ...options, keepRecent: { tokens: 100 } }).messages), undefined);
  const session = createSession(options);
  session.recallTool();
  const sent = await step(session, messages);
  assert.ok(idOf(sent) !== undefined && !JSON.stringify(sent).includes('call the tool again if you need it'));
  // The decision remembers it: the text stays the same where the tool is not asked for any more.
  const later = createSession({ ...options, state: JSON.stringify(session.state) });
  assert.deepEqual(JSON.stringify(await step(later, messages)), JSON.stringify(sent));
});

test('a result comes back whole, by lines or by matches; all can be listed and searched', async () => {
  const session = createSession({ ...options, target: 0.7, keepRecent: { tokens: 2_000 } });
  session.recallTool();
  const sent = await step(session, conversation(12));
  const cleared = sent.find(({ content }) => idOf(content) !== undefined && Array.isArray(content));
  const id = idOf(cleared);
  const number = Number(/c(\d+)/.exec(JSON.stringify(cleared))?.[1]);
  const lines = page(number).split('\n');
  assert.equal(await recall(session, { id }), page(number));
  assert.equal(await recall(session, { id: `c${number}` }), page(number));
  assert.equal(await recall(session, { id, fromLine: 10, toLine: 12 }), lines.slice(9, 12).join('\n'));
  assert.equal(await recall(session, { id, fromLine: 59 }), lines.slice(58).join('\n'));
  assert.match(await recall(session, { id, fromLine: 500 }), /^\[\d{9} read\(pages\/\d+\.txt\), 60 lines\]\n$/);
  const found = await recall(session, { id, pattern: 'LINE 7:*value|line 9:.*äöü' });
  assert.match(found, /^\[\d{9} read\(pages\/\d+\.txt\), 60 lines\]\n7: page/);
  assert.deepEqual(found.split('\n').slice(1, 3), [`7: ${lines[6]}`, `9: ${lines[8]}`]);
  assert.equal((await recall(session, { id, pattern: 'line 1', fromLine: 10, toLine: 11 })).split('\n').length, 4);
  // What does not name one result is about all of them, newest first.
  const list = await recall(session, {});
  assert.equal(list.trim().split('\n').length, 12);
  assert.match(list, /^\[\d{9} read\(pages\/12\.txt\), 60 lines\]\n/);
  assert.ok(list.includes(`[${id} read(pages/${number}.txt), 60 lines]`));
  assert.match(await recall(session, { pattern: 'value 3004' }), /^\[\d{9} read\(pages\/3\.txt\), 60 lines\]\n5: page 3 line 5/);
  assert.match(await recall(session, { pattern: 'page' }), /\[There may be more/);
  // What is not there, and what no model should write.
  for (const input of [{ id: '999999999' }, { pattern: 'nowhere at all' }]) assert.match(await recall(session, input), /^\[Nothing was found/);
  for (const input of [undefined, null, 7, { id: {}, pattern: [], fromLine: -1, toLine: 'x' }]) assert.equal(await recall(session, input), list);
  assert.equal(await recall(session, { id: Number(id) }), page(number));
  for (const pattern of ['(a+)+$', '*', '|', '.*', '*'.repeat(5_000), 'x'.repeat(1e6)]) assert.equal(typeof (await recall(session, { pattern })), 'string');
});

test('a result with images comes back as it was sent', async () => {
  const session = createSession(options);
  const tool = session.recallTool();
  await step(session, conversation(3));
  const found = await recall(session, { id: 'c2' });
  for (const given of [found, { toolCallId: 'r', input: {}, output: found }]) assert.deepEqual(tool.toModelOutput?.(given), image);
  assert.deepEqual(tool.toModelOutput?.({ toolCallId: 'r', input: {}, output: undefined }), { type: 'json', value: null });
});

test('folded results come back; another session knows nothing of them', async () => {
  const session = createSession({ ...options, tools: { read: { keep: 'always' } } });
  session.recallTool();
  const sent = await step(session, conversation(12));
  assert.match(JSON.stringify(sent[0]), /Checkpoint/);
  assert.ok(!JSON.stringify(sent).includes('page 3 line 5'));
  const [, id] = /\[(\d{9}) read\(pages\/3\.txt\)/.exec(await recall(session, {})) ?? [];
  assert.equal(await recall(session, { id }), page(3));
  assert.match(await recall(createSession(options), { id }), /^\[Nothing was found/);
});

test('what is folded away for good is written to the store and found there by later requests', async () => {
  const store = new Map();
  const events = [];
  const open = (more = {}) => {
    const session = createSession({ ...options, tools: { read: { keep: 'always' } }, id: 'chat', store, resume: 'tail', onEvent: (event) => events.push(event), ...more });
    session.recallTool();
    return session;
  };
  const first = open();
  const sent = await step(first, conversation(12));
  const folded = 12 - sent.filter(({ role }) => role === 'tool').length;
  assert.ok(folded > 3);
  assert.equal(store.size, 2);
  // The next request is given only what stands behind the checkpoint.
  const later = open();
  const tail = sent.slice(1);
  await step(later, tail);
  assert.equal(await recall(later, { id: 'c3' }), page(3));
  assert.deepEqual(later.recallTool().toModelOutput?.(await recall(later, { id: 'c2' })), image);
  assert.equal((await recall(later, {})).trim().split('\n').length, 12);
  assert.equal(store.size, 2, 'nothing is written twice');
  // Further folds add pages, and the first stays.
  const more = [...tail, ...conversation(12, 13).slice(1)];
  await step(later, more);
  assert.equal(store.size, 3);
  assert.equal(await recall(open({ state: undefined }), { id: 'c3' }), '[Nothing was found. Without id and pattern all results are listed that can be recalled.]', 'before its first step a session has not loaded');
  const last = open();
  await step(last, more.slice(-4));
  assert.equal(await recall(last, { id: 'c3' }), page(3));
  assert.equal(await recall(last, { id: 'c14' }), page(14));
  assert.deepEqual(events.filter(({ type }) => ['error', 'store-failed'].includes(type)), []);
});

test('what is folded on demand is written to the store as well', async () => {
  const store = new Map();
  const open = () => createSession({ ...options, contextWindow: 100_000, id: 'chat', store, resume: 'tail' });
  const session = open();
  session.recallTool();
  const { compacted, messages } = await session.compact({ messages: conversation(12), model: 'mock' });
  assert.ok(compacted && store.size === 2);
  const later = open();
  await step(later, messages.slice(1));
  assert.equal(await recall(later, { id: 'c3' }), page(3));
});

test('a store that fails or holds something else is reported and never ends a run', async () => {
  const events = [];
  const values = new Map();
  const store = { get: (key) => values.get(key), set: (key, value) => { if (key !== 'chat') throw new Error('full'); values.set(key, value); } };
  const session = createSession({ ...options, tools: { read: { keep: 'always' } }, id: 'chat', store, resume: 'tail', onEvent: (event) => events.push(event) });
  session.recallTool();
  await step(session, conversation(12));
  assert.deepEqual(events.filter(({ type }) => type === 'store-failed').map(({ operation, message }) => [operation, message]), [['save', 'full']]);
  assert.equal(await recall(session, { id: 'c3' }), page(3), 'at hand it still is');
  for (const page of ['no json', '{}', '[null,7]']) {
    const broken = createSession({ ...options, id: 'x', resume: 'tail', store: new Map([['x:p', page]]), state: { version: 2, pages: ['p', 'q'] } });
    assert.match(await recall(broken, { id: 'c3' }), /^\[Nothing was found/);
  }
});

test('what was brought back before is not found again', async () => {
  const session = createSession(options);
  const messages = conversation(6);
  await step(session, messages);
  const found = await recall(session, { pattern: 'page 4 line 7:' });
  const whole = await recall(session, { id: 'c4' });
  assert.match(found, /^\[\d{9} read\(.*\), 60 lines\]\n7: page 4 line 7:/);
  const again = [...messages, call('r1', { pattern: 'page 4' }, 'recall'), result('r1', found, 'recall'), call('r2', { id: 'c4' }, 'recall'), result('r2', whole, 'recall')];
  await step(session, again);
  const second = await recall(session, { pattern: 'page 4 line 7:' });
  assert.equal(second.split('page 4 line 7:').length, found.split('page 4 line 7:').length);
  assert.ok(!second.includes('[') || second.match(/^\[/gm).length === 1, second);
});

test('no answer of ours is found again, whatever the tool is called, also after a restart and with placeholders in the messages', async () => {
  const messages = conversation(6);
  const first = createSession(options);
  const sent = await step(first, messages);
  const [, id] = /\[(\d{9}) read\(pages\/4\.txt\)/.exec(await recall(first, {})) ?? [];
  const asked = [{ id, fromLine: 5, toLine: 9 }, { id: 'c4', fromLine: 7 }, { id: Number(id) }, { id, pattern: 'line 7' }, { pattern: 'page 4 line 7:' }];
  let grown = messages;
  for (const [index, input] of asked.entries()) {
    const value = await recall(first, input);
    grown = [...grown, call(`r${index}`, input, 'look_back'), result(`r${index}`, index % 2 === 0 ? { type: 'text', value } : { type: 'json', value }, 'look_back')];
    await step(first, grown);
  }
  // An answer that was asked for a part of is nested in a further one.
  const nested = { id: 'r3', fromLine: 2 };
  grown = [...grown, call('r9', nested, 'look_back'), result('r9', await recall(first, nested), 'look_back')];
  // What an app has stored as it was sent.
  const placeholder = JSON.stringify(sent).match(/\[Old result[^"]*?if you need it\.\]/)?.[0] ?? '[Old result of read cleared to save context. It had about 900 tokens; call the tool again if you need it.]';
  grown = [...grown, call('p1', { path: 'pages/99.txt' }), result('p1', placeholder)];
  for (const state of [undefined, JSON.stringify(first.state)]) {
    const session = createSession({ ...options, ...(state === undefined ? {} : { state }) });
    await step(session, JSON.parse(JSON.stringify(grown)));
    assert.equal(await recall(session, { pattern: 'page 4 line 7:' }), `[${id} read(pages/4.txt), 60 lines]\n7: ${page(4).split('\n')[6]}\n`);
    assert.match(await recall(session, { pattern: 'Old result' }), /^\[Nothing was found/);
    assert.equal((await recall(session, {})).trim().split('\n').length, 6);
  }
  // A tool of the user's with fields of these names is found: it names no result.
  const session = createSession(options);
  await step(session, [...messages, call('o1', { id: '4711' }, 'get_order'), result('o1', 'page 4 line 7: an order', 'get_order')]);
  assert.match(await recall(session, { pattern: 'an order' }), /get_order/);
});

test('a search looks into the inputs of calls, and shows rows of JSON whole', async () => {
  const session = createSession({ ...options, contextWindow: 100_000, maxResultTokens: 20_000 });
  const mail = (number) => [call(`m${number}`, { to: `anna-${number}@example.com`, subject: 'Angebot 見積もり' }, 'gmail_send'), result(`m${number}`, 'ok', 'gmail_send')];
  const orders = Array.from({ length: 40 }, (_, row) => ({ id: `ORD-${100 + row}`, total: row * 10, note: 'handle with care, '.repeat(4) }));
  const nested = { content: [{ type: 'text', text: JSON.stringify({ orders }) }] };
  await step(session, [
    ...mail(1), ...mail(2), // Two calls with equal results are two calls.
    call('o', { year: 2025 }, 'lookup'), result('o', { type: 'json', value: { orders } }, 'lookup'),
    call('n', {}, 'mcp'), result('n', { type: 'json', value: nested }, 'mcp'),
  ]);
  const title = (name) => new RegExp(`^\\[\\d{9} ${name}.*, 1 lines\\]$`);
  const mails = (await recall(session, { pattern: 'ANNA-' })).trim().split('\n');
  assert.match(mails[0], title('gmail_send'));
  assert.deepEqual([mails.length, mails[1], mails[3]], [4, 'input: {"to":"anna-2@example.com","subject":"Angebot 見積もり"}', 'input: {"to":"anna-1@example.com","subject":"Angebot 見積もり"}']);
  const found = (await recall(session, { pattern: 'ord-117' })).trim().split('\n');
  const row = `{"id":"ORD-117","total":170,"note":"${'handle with care, '.repeat(4)}"}`;
  assert.equal(found.filter((line) => line.endsWith(row)).length, 2);
  assert.ok(found.includes(`orders[17]: ${row}`) && found.includes(`content[0].text orders[17]: ${row}`), found.join('\n'));
  assert.ok(found.every((line) => line.length < 500));
  // The lines of a result are not those of its call.
  assert.match(await recall(session, { pattern: 'anna-1', fromLine: 1 }), /^\[Nothing was found/);
});

test('questions that found nothing are not found again, nor listed', async () => {
  const session = createSession(options);
  let grown = conversation(3);
  await step(session, grown);
  for (const [index, input] of [{ pattern: 'amber' }, { id: '999999999' }, { id: 'c1', pattern: 'amber' }, { pattern: 'amber', fromLine: 2 }].entries()) {
    const value = await recall(session, input);
    assert.match(value, /^\[Nothing was found/);
    grown = [...grown, call(`r${index}`, input, 'look_back'), result(`r${index}`, { type: index % 2 === 0 ? 'text' : 'json', value }, 'look_back')];
    await step(session, grown);
  }
  for (const pattern of ['amber', 'nothing was found', '999']) assert.match(await recall(session, { pattern }), /^\[Nothing was found/);
  assert.equal((await recall(session, {})).trim().split('\n').length, 3);
  // A tool of the user's that was asked for the same is found.
  await step(session, [...grown, call('g', { pattern: 'amber' }, 'grep'), result('g', 'no matches', 'grep')]);
  assert.match(await recall(session, { pattern: 'amber' }), /^\[\d{9} .*\ninput: \{"pattern":"amber"\}\n$/);
});

test('what one search does not look through is said, and one result is found however old it is', async () => {
  const messages = [{ role: 'user', content: 'go' }, ...Array.from({ length: 12_000 }, (_, index) => [call(`n${index}`, {}), result(`n${index}`, `number ${index}.`)]).flat()];
  const session = createSession({ ...options, contextWindow: 4_000_000, trigger: 0.9 });
  session.recallTool();
  await step(session, messages);
  assert.equal(await recall(session, { id: 'n3' }), 'number 3.');
  assert.match(await recall(session, { pattern: 'number 11999.' }), /1: number 11999\.\n\[Not all results were looked through/);
  assert.match(await recall(session, { pattern: 'number 3.' }), /^\[Not all results were looked through/);
  // So much text and so many alternatives that the work ends first.
  const dear = createSession({ ...options, contextWindow: 40_000_000, trigger: 0.9, maxResultTokens: 20_000_000 });
  dear.recallTool();
  await step(dear, [...conversation(1), call('big', {}), result('big', 'a'.repeat(4_000_000))]);
  const pattern = Array.from({ length: 40 }, (_, index) => `z${index}`).join('|');
  assert.match(await recall(dear, { pattern }), /^\[Not all results were looked through/);
  assert.match(await recall(dear, { pattern, id: 'big' }), /^\[The result was not looked through to its end/);
});

test('a page of another session is neither read nor overwritten, and that is said', async () => {
  const values = new Map();
  const events = [];
  const open = (id, more = {}) => {
    const session = createSession({ ...options, tools: { read: { keep: 'always' } }, id, store: values, resume: 'tail', onEvent: (event) => events.push(event), ...more });
    session.recallTool();
    return session;
  };
  await step(open('anna'), conversation(12));
  const key = [...values.keys()].find((name) => name !== 'anna');
  const name = key.slice('anna.p'.length);
  const refused = /\[1 stored page of older results could not be read, or belong to another conversation\.\]/;
  // Its page under the key of another session, which a forged state names.
  for (const [pages, texts] of [
    [[name], [[`ben.p${name}`, values.get(key)]]],
    [[name], [[`ben.p${name}`, JSON.stringify(conversation(3))]]],
  ]) {
    for (const [at, text] of texts) values.set(at, text);
    const ben = open('ben', { state: { version: 2, pages } });
    const answer = await recall(ben, { pattern: 'page 3 line 5' });
    assert.match(answer, refused);
    assert.ok(!answer.includes('value 3004'), answer);
    for (const [at] of texts) values.delete(at);
  }
  // What is no name of a page is refused with the state.
  for (const page of ['../anna', `x:${name}`]) {
    values.set(`ben.p${page}`, values.get(key));
    events.length = 0;
    const ben = open('ben', { state: { version: 2, pages: [page] } });
    assert.match(await recall(ben, { pattern: 'page 3 line 5' }), /^\[Nothing was found/);
    await step(ben, conversation(1));
    assert.match(events.find(({ type }) => type === 'state-rejected')?.reason, /among its pages is one that is none/);
    values.delete('ben');
    values.delete(`ben.p${page}`);
  }
  // A page that would stand where something else is: that stays, and an event says so.
  values.set(`carl.p${name}`, values.get(key));
  await step(open('carl'), conversation(12));
  assert.equal(values.get(`carl.p${name}`), values.get(key));
  assert.match(events.find(({ type }) => type === 'store-failed')?.message, /holds no page of this session/);
});

test('a long message of the user comes back as a result does, also from behind a checkpoint; short ones are in nobody’s way', async () => {
  const contract = Array.from({ length: 400 }, (_, line) => `${line + 1}. ${line === 217 ? 'The seat of arbitration is Lugano.' : `Clause ${line} says nothing of note about matter ${line % 7}.`}`).join('\n');
  const messages = [{ role: 'user', content: `Read this.\n${contract}` }, { role: 'assistant', content: 'I have.' }, ...conversation(8), { role: 'assistant', content: 'Read.' }, { role: 'user', content: 'Where is the seat of arbitration?' }];
  const session = createSession(options);
  session.recallTool();
  const sent = JSON.stringify(await step(session, messages));
  assert.ok(sent.includes('long messages of the user can be brought back'));
  const found = await recall(session, { pattern: 'seat of arbitration' });
  const [, id] = /^\[(\d{9}) a long message of the user, 401 lines\]\n219: 218\. The seat of arbitration is Lugano\.\n$/.exec(found) ?? [];
  assert.ok(id !== undefined, found);
  assert.equal(await recall(session, { id }), messages[0].content);
  assert.equal(await recall(session, { id, fromLine: 219, toLine: 219 }), '218. The seat of arbitration is Lugano.');
});
