// The judge against cases that are worked out by hand, and the gate: no kind of agent loses more than a point against the committed baseline.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { validateMessages } from 'stepfold';
import { ask, isUserSection, readSent } from '../../bench/agents/ask.mjs';
import { extract } from '../../bench/agents/extract.mjs';
import { judgeAll } from '../../bench/agents/judge.mjs';
import { findSessions, FOLDERS } from '../../bench/agents/load.mjs';
import { isTold, placesOf, sectionAt } from '../../bench/agents/near.mjs';
import { loadPolicies, OURS } from '../../bench/agents/policies.mjs';
import { prepare } from '../../bench/agents/prepare.mjs';
import { tables } from '../../bench/agents/report.mjs';
import { judge, pointsOf } from '../../bench/agents/score.mjs';
import { random, session } from '../../bench/agents/session.mjs';

/** Points that a kind may lose. */
const MAY_LOSE = 1;
const BASELINE = JSON.parse(readFileSync(new URL('../../bench/agents/baseline.json', import.meta.url), 'utf8'));

const PRODUCTS = [
  { sku: 'LP-3', name: 'Lampe Nord', price: '129.90', currency: 'EUR' },
  { sku: 'LP-4', name: 'Lampe Süd', price: '119.90', currency: 'EUR' },
];
const FILLER = 'Nothing of this matters later, and there is a lot of it in every answer. ';

/** A shop's chat: a wish and a price said early, a price that changes, and much else behind them. */
const shop = ({ long = 0 } = {}) => session({ id: 'shop', kind: 'support', language: 'en', style: 'tells' }, (s) => {
  s.system('You help customers of a lamp shop.');
  s.user('Hello. Deliver only after 6 pm, please. What does the LP-3 cost?');
  s.fact('wish', { words: ['only after 6 pm'], by: 'user' });
  s.call('listProducts', { category: 'lamps' }, { products: PRODUCTS });
  s.fact('price', { words: ['129.90'], beside: ['LP-3'], by: 'result' });
  s.says('It costs 129.90.');
  for (let turn = 0; turn < long; turn += 1) {
    s.user(`And shade number ${turn}?`);
    s.call('describe', { shade: turn }, FILLER.repeat(40));
    s.says('It is made of paper.');
  }
  s.user('Is that still the price?');
  s.call('getProduct', { sku: 'LP-3' }, { sku: 'LP-3', price: '99.00' });
  s.supersede('price', { words: ['99.00'], beside: ['LP-3'], by: 'result' });
  s.says('No, it is 99.00 now, and in stock.');
  s.user('Good. Order it.');
  s.says('Ordered.');
});

/** What is answered when a policy sends `list` instead of all but the last message. */
function answersTo(list, prepared = prepare(shop(), 'tuning')) {
  const cut = prepared.messages.length - 1;
  const { answers, stale } = ask(prepared, readSent(list(prepared.messages.slice(0, cut)), prepared), cut);
  return { ...Object.fromEntries(answers.map(({ fact, answer, by }) => [fact.id, `${answer}, ${by}`])), stale: stale.map(({ id }) => id) };
}

const checkpoint = (...sections) => ({ role: 'user', content: [{ type: 'text', text: `[A record]\n${sections.map(([title, text]) => `\n--- ${title} (1a2b3c4d5e6f) ---\n${text}\n`).join('')}` }] });
const last = (messages) => messages.slice(-1);

test('a session has the messages that the SDK makes, with approvals, denials, failures, MCP and images', () => {
  const { messages } = session({ id: 'forms', kind: 'support', language: 'en', style: 'silent' }, (s) => {
    s.userImage('Look at this.');
    s.says('I look.');
    s.calls([['a', { x: 1 }, { y: [1] }], ['b', {}, 'text']]);
    s.call('c', {}, {}, { error: 'no route' });
    s.call('d', {}, {}, { denied: 'not today' });
    s.fact('denial', { words: ['not today'], by: 'user' });
    s.call('e', {}, { id: 7 }, { approval: true });
    s.call('f', {}, { id: 8 }, { mcp: true });
    s.image('shot', {}, 'a page');
    s.says('Done.');
    s.user('Thanks.');
  }).build();
  assert.deepEqual(validateMessages(messages), []);
  assert.deepEqual(messages.map(({ role }) => role).join(' '), `user ${'assistant tool '.repeat(6)}assistant user`);
  assert.deepEqual(messages[1].content.map(({ type }) => type), ['text', 'tool-call', 'tool-call']);
  assert.deepEqual(messages[6].content.map(({ type, output }) => output?.type ?? type), ['tool-approval-response', 'execution-denied']);
});

test('chance comes from a seed', () => {
  const draw = () => {
    const r = random(7);
    return [r.int(100), r.pick(['a', 'b', 'c']), r.id('ORD-', 6), r.chance(0.5), r.shuffle([1, 2, 3, 4])];
  };
  assert.deepEqual(draw(), draw());
});

test('a fact counts as found where the original is still sent', () => {
  assert.deepEqual(answersTo((messages) => messages), { wish: 'right, raw', "price'": 'right, raw', stale: [] });
});

test('a row with its key counts as found, and a figure without it does not', () => {
  const found = (text) => answersTo((messages) => [checkpoint(['Findings', text]), ...last(messages)])["price'"];
  assert.equal(found('getProduct LP-3:\n  price: 99.00'), 'right, own');
  assert.equal(found('{"sku":"LP-3","price":"99.00"}'), 'right, own');
  assert.equal(found('The price is 99.00.'), 'lost, own');
  assert.equal(found('The price of LP-3 was asked. It is 199.00.'), 'lost, own');
  assert.equal(found(`LP-3 was asked about.\n${FILLER.repeat(8)}\nprice: 99.00`), 'lost, own');
});

test('a row counts with the names of its columns: on its line, in its object, or in a line above it in its block', () => {
  const fact = { words: ['140', '900'], beside: ['K-17'], columns: ['stock', 'minimum'] };
  const found = (text) => placesOf(fact, text).length;
  assert.equal(found('code | stock | minimum\nK-16 | 3 | 4\nK-17 | 140 | 900'), 1);
  assert.equal(found('{"code":"K-17","stock":140,"minimum":900}'), 1);
  assert.equal(found('K-17 | 140 | 900'), 0);
  assert.equal(found('## Stock of spring\ncode | stock\n## Other\nK-17 | 140 | 900'), 0);
  assert.equal(placesOf({ ...fact, columns: [] }, 'K-17 | 140 | 900').length, 1);
});

test('a bag of names is not found, though all words stand in it', () => {
  const found = (text) => answersTo((messages) => [checkpoint(['Findings', text]), ...last(messages)])["price'"];
  assert.equal(found('Mentioned: LP-3, LP-4, 7731, 99.00, 129.90, 119.90, ORD-1, ORD-2'), 'lost, own');
  assert.equal(found('LP-4 ORD-2 99.00 ORD-1 LP-3'), 'lost, own');
});

test('a placeholder is read with the call that it answers', () => {
  const cleared = (value) => (messages) => messages.map((message) => (message.role === 'tool' ? { ...message, content: message.content.map((part) => ({ ...part, output: { type: 'text', value } })) } : message)).filter(({ role, content }) => role !== 'assistant' || content.length !== 1 || content[0].type !== 'text');
  assert.equal(answersTo(cleared('[cleared: price 99.00]'))["price'"], 'right, own');
  assert.equal(answersTo(cleared('[cleared]'))["price'"], 'lost, own');
});

test('what only results hold must not stand among the words of the user', () => {
  const titled = (title) => answersTo((messages) => [checkpoint([title, 'sku LP-3, price 99.00, currency EUR']), ...last(messages)], prepare(silent(), 'tuning'))["price'"];
  assert.equal(titled('Findings'), 'right, own');
  assert.equal(titled('Later messages of the user, verbatim'), 'wrong, own');
  assert.equal(titled('What the model told the user'), 'right, own');
});

test('a line of a result among the words of the user is noticed, fact or not', () => {
  const prepared = prepare(silent(), 'tuning');
  const cut = prepared.messages.length - 1;
  const intruders = (line, title = 'Later messages of the user, verbatim') => ask(prepared, readSent([checkpoint([title, line]), ...last(prepared.messages)], prepared), cut).intruders.length;
  assert.equal(intruders('"{"sku":"LP-3","price":"129.90","currency":"EUR"}"'), 1);
  assert.equal(intruders('{"sku":"LP-3","price":"129.90","currency":"EUR"}', 'Findings'), 0);
  assert.equal(intruders('Deliver only after 6 pm, please.'), 0);
});

/** The shop's chat, but the model never says a price. */
const silent = () => session({ id: 'silent', kind: 'support', language: 'en', style: 'silent' }, (s) => {
  s.user('Deliver only after 6 pm, please.');
  s.fact('wish', { words: ['only after 6 pm'], by: 'user' });
  s.call('getProduct', { sku: 'LP-3' }, { sku: 'LP-3', price: '129.90', currency: 'EUR' });
  s.fact('price', { words: ['129.90'], beside: ['LP-3'], by: 'result' });
  s.call('getProduct', { sku: 'LP-3' }, { sku: 'LP-3', price: '99.00', currency: 'EUR' });
  s.supersede('price', { words: ['99.00'], beside: ['LP-3'], by: 'result' });
  s.says('Noted.');
  s.user('Go on.');
  s.says('Yes.');
});

test('a wish is found only where it is said to be the words of the user, or in a summary', () => {
  const titled = (title) => answersTo((messages) => [checkpoint([title, 'Deliver only after 6 pm, please.']), ...last(messages)]).wish;
  assert.equal(titled("The user's request, verbatim"), 'right, own');
  assert.equal(titled('Summary of the work so far'), 'right, own');
  assert.equal(titled('Work log, one line a call'), 'elsewhere, own');
  assert.equal(titled('What the model told the user'), 'elsewhere, own');
});

test('a fact that is over counts against where nothing behind it says what holds now', () => {
  const stale = (text, rest = last) => answersTo((messages) => [checkpoint(['Findings', text]), ...rest(messages)]).stale;
  assert.deepEqual(stale('sku LP-3, price 129.90'), ['price']);
  assert.deepEqual(stale('sku LP-3, price 129.90\nlater: sku LP-3, price 99.00'), []);
  assert.deepEqual(stale('later: sku LP-3, price 99.00\nsku LP-3, price 129.90'), ['price']);
  assert.deepEqual(stale('sku LP-3, price 129.90', (messages) => messages.slice(-3)), [], 'the newer result stands behind it');
});

test('layout is read in any language: labels above, list items, sections', () => {
  const fact = { words: ['15時以降のみ'], beside: ['配送'], sourceTexts: ['配送は15時以降のみでお願いします。'] };
  assert.deepEqual(placesOf(fact, '配送は15時以降のみでお願いします。'), [3]);
  assert.equal(isTold(fact, '配送: 15時以降のみ', 4, []), true);
  const outline = `## Quellen\n\nhttps://a.example/x:\n${'- ein Satz ohne Belang, und noch einer, damit es lang wird\n'.repeat(20)}- 42 Prozent der Befragten\n`;
  const percent = { words: ['42 Prozent'], beside: ['https://a.example/x'] };
  assert.equal(placesOf(percent, outline).length, 1);
  assert.equal(sectionAt(outline, outline.indexOf('42')), 'Quellen');
  assert.equal(placesOf(percent, outline.replace('- 42', 'https://b.example/y:\n- 42')).length, 0);
});

test('the checkpoint of today has its user’s words in a section that is known as such', async () => {
  const reported = [];
  const policies = (await loadPolicies()).filter(({ name }) => name === 'stepfold');
  const rows = await judge(shop({ long: 60 }), { half: 'tuning', policies, windows: [16_000], tell: (answers) => reported.push(answers) });
  const wishes = reported.flatMap(({ answers }) => answers.filter(({ fact }) => fact.id === 'wish'));
  assert.equal(rows[0].overflows, 0);
  assert.ok(wishes.some(({ by }) => by === 'own'), 'the wish was folded');
  assert.ok(wishes.every(({ answer }) => answer === 'right'));
  for (const title of ["The user's request, verbatim", 'Later messages of the user, verbatim, oldest first']) assert.ok(isUserSection(title));
  for (const title of ['What the model told the user', 'Agreed with the user', 'Summary of the work so far', 'Findings: parts of results and calls that matter most']) assert.ok(!isUserSection(title));
});

test('a number is not found inside a longer one', () => {
  const fact = { words: ['2.1', '650'], beside: [] };
  assert.equal(placesOf(fact, '2.1 points, 650 euros').length, 1);
  for (const text of ['12.1 points, 650 euros', '2.15 points, 650 euros', '2.1 points, 1650 euros', '2.1 points, 1,650 euros', '4.2.1 points, 650 euros']) assert.equal(placesOf(fact, text).length, 0, text);
});

test('a comma joins digits within one number, and parts them in a list', () => {
  const found = (word, text) => placesOf({ words: [word], beside: [] }, text).length === 1;
  for (const text of ['a,17,b', 'x, 17', '1,250,17', '3,17,9', '[1,17,true]', 'GW-4401,17', '2025-03-14,17', '12:30:05,17', '38.0,17', '"1,250",17']) assert.ok(found('17', text), text);
  for (const text of ['1,17', '4401,17', '1.250,17', '-3,17 points', 'EUR 3,17, and more']) assert.ok(!found('17', text), text);
  for (const text of ['1,650', 'EUR1,650', '900-1,650 euros', '1,650.50', '3,141,650', '약 1,650원']) assert.ok(!found('650', text), text);
  assert.ok(found('8,20', 'GW-4431,8,20'));
  assert.ok(found('38.4', '부산광역시,75세 이상,38.0,38.4'));
  assert.ok(!found('250,10', '1.250,10'));
});

test('any of several forms will do', () => {
  const fact = { words: ['8,20'], beside: [['GW-4431', 'Aronia']] };
  assert.equal(placesOf(fact, 'Aronia für 8,20 Euro').length, 1);
  assert.equal(placesOf(fact, 'GW-4431: 8,20').length, 1);
  assert.equal(placesOf(fact, 'Sanddorn für 8,20 Euro').length, 0);
});

test('what the user or the model said too may be quoted among the words of the user', () => {
  const titled = (messages) => answersTo(() => [checkpoint(['Later messages of the user, verbatim', '"yes", in answer to: The LP-3? No, it is 99.00 now, and in stock.']), ...last(messages)])["price'"];
  assert.equal(titled(shop().build().messages), 'right, own');
});

test('the stand-in for a summarizer copies from its prompt alone, as much as it may', () => {
  const prompt = `Write a summary. Be exact.\n--- conversation 1a2b ---\nuser: Deliver only after 6 pm, please. And no vouchers!\n\ngetProduct gives:\nproducts:\n  -\n    sku: LP-3\n    price: 129.90\n\n${FILLER.repeat(200)}\n--- end 1a2b ---`;
  const summary = extract({ prompt, maxOutputTokens: 120 });
  assert.match(summary, /only after 6 pm/);
  assert.match(summary, /sku: LP-3; price: 129\.90/);
  assert.doesNotMatch(summary, /Be exact/);
  assert.ok(summary.length < 120 * 6);
  for (const piece of summary.split(/[\n;]/)) assert.ok(prompt.includes(piece.trim()), piece);
  assert.equal(extract({ prompt, maxOutputTokens: 120 }), summary);
  assert.equal(extract({ prompt: '', maxOutputTokens: 120 }), '');
});

test('no kind of agent and no form of input falls more than a point below the baseline', async () => {
  const sessions = findSessions(undefined, FOLDERS);
  assert.equal(new Set(sessions.map(({ id }) => id)).size, sessions.length, 'ids are unique');
  const rows = await judgeAll(sessions, { only: OURS });
  const figures = pointsOf(rows);
  for (const [found, committed] of [[figures, BASELINE], [figures.inputs, BASELINE.inputs]]) {
    assert.deepEqual(found.sessions, committed.sessions, 'sessions came or went: npm run bench:agents -- --write-baseline, in a commit of its own');
    for (const [name, before] of Object.entries(committed.points)) {
      for (const policy of OURS) assert.ok(found.points[name][policy] >= before[policy] - MAY_LOSE, `${name}, ${policy}: ${found.points[name][policy]} points, ${before[policy]} before`);
    }
  }
  const printed = tables(rows);
  for (const { id, half } of sessions) if (half === 'judging') assert.ok(!printed.includes(id), 'of the judging half only totals are printed');
});
