// The command itself: what it is given, what it writes, and what it says on the terminal. What it reads: logs.test.mjs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli, dataOf, folderOf, inspect } from './helpers.mjs';
import { generateSession, modelMessages } from './sessions.mjs';

const messages = modelMessages(generateSession());
const file = (value) => ({ path: 'session.json', text: JSON.stringify(value) });

test('it says in a few lines what was sent, what was edited, and what that saved', (t) => {
  const folder = folderOf(t, [file({ model: 'anthropic/claude-sonnet-4.5', messages })]);
  const { status, stdout, stderr } = inspect(folder, 'session.json', '--window', '20000');
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^Find out why/);
  for (const line of [/log +AI SDK, model messages, anthropic\/claude-sonnet-4\.5, window 20,000, 41 steps/, /unedited, step \d+ would not fit/, /\d+ % less/, /\d+ checkpoint/, /cache breaks/, /money +\$[\d.]+ for input, \$[\d.]+ unedited/, /tools +read_file [\d,]+/, /page: stepfold-inspect\.html/]) assert.match(stdout, line);
});

test('what is shown adds up: no step is over the window, and less is sent than there was', (t) => {
  const folder = folderOf(t, [file({ model: 'anthropic/claude-sonnet-4.5', messages })]);
  const [{ steps, totals, edits, tools }] = inspect(folder, 'session.json', '--json', '--window', '20000').reports();
  assert.ok(steps.every(({ sentTokens, uneditedTokens, windowTokens }) => sentTokens <= windowTokens && sentTokens <= uneditedTokens));
  assert.equal(totals.sentTokens, steps.reduce((sum, { sentTokens }) => sum + sentTokens, 0));
  assert.ok(totals.cost < totals.uneditedCost && totals.cost > 0);
  // Without an edit everything sent before is in the cache; with one, less than that.
  for (const [index, { breaksCache, cachedTokens }] of steps.slice(0, -1).entries()) {
    if (index > 0) assert.equal(cachedTokens === steps[index - 1].sentTokens, !breaksCache, `step ${index}`);
  }
  assert.equal(totals.cacheBreaks, new Set(edits.filter(({ type }) => type !== 'capped').map(({ step }) => step)).size);
  const last = steps.at(-1).uneditedTokens;
  const all = tools.reduce((sum, { tokens }) => sum + tokens, 0);
  // Almost all of this session is calls and results. Steps are counted as usage has taught it, tools as estimated.
  assert.ok(Math.abs(all / last - 1) < 0.1, `${all} tokens of tools, ${last} in all`);
});

test('numbers for machines have no texts, and leave no page', (t) => {
  const folder = folderOf(t, [file(messages)]);
  const { stdout } = inspect(folder, 'session.json', '--json', '--window', '20000');
  assert.doesNotMatch(stdout, /Old result cleared|"before"/);
  assert.equal(existsSync(join(folder, 'stepfold-inspect.html')), false);
});

test('a session that fits is shown with no edit', (t) => {
  const folder = folderOf(t, [file(messages)]);
  assert.match(inspect(folder, 'session.json').stdout, /all steps would fit unedited[\s\S]+edits +none/);
});

test('control characters of a log do not reach the terminal', (t) => {
  const folder = folderOf(t, [file([{ role: 'user', content: '\u001B[31mred\u0007 \u202Eturned' }, ...messages.slice(1)])]);
  assert.match(inspect(folder, 'session.json').stdout, /^⟨U\+001B⟩\[31mred⟨U\+0007⟩ ⟨U\+202E⟩turned/);
});

test('the page is one file, which may ask for nothing and run its own script alone', (t) => {
  const folder = folderOf(t, [file(messages)]);
  inspect(folder, 'session.json', '--out', 'page.html');
  const { html, data } = dataOf(join(folder, 'page.html'));
  assert.match(html, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'">/);
  assert.doesNotMatch(html.replace(/<script type="application\/json"[\s\S]*?<\/script>/, ''), / src=| href=|@import|url\(|fetch\(|innerHTML/);
  assert.equal(data.reports.length, 1);
});

for (const [what, parameters, why] of [
  ['another command', ['explain', 'x'], /there is no command `explain`; there is `inspect`/],
  ['an option that is none', ['inspect', '--windows', '7'], /--windows/],
  ['a window that is no number', ['inspect', 'x', '--window', 'large'], /`--window` is large; it must be a number of tokens from 1,000 to 100,000,000/],
  ['a window below the least', ['inspect', 'x', '--window', '999'], /`--window` is 999;/],
  ['a window without end', ['inspect', 'x', '--window', 'Infinity'], /`--window` is Infinity;/],
  ['a model without a name', ['inspect', 'x', '--model', ''], /`--model` is empty/],
  ['no file', ['inspect'], /takes a file or folder, and is given none/],
  ['two files', ['inspect', 'x', 'y'], /takes one file or folder, and is given 2/],
]) {
  test(`${what} is refused in one line, with a hint at the help`, () => {
    const { status, stderr } = spawnSync(process.execPath, [cli, ...parameters], { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, why);
    assert.match(stderr, /^stepfold: [^\n]+ \(`stepfold --help`\)\n$/);
  });
}

test('it says its version and its options', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../pkg/package.json', import.meta.url), 'utf8'));
  const said = (option) => spawnSync(process.execPath, [cli, option], { encoding: 'utf8' });
  assert.deepEqual([said('--version').stdout, said('--version').status], [`${version}\n`, 0]);
  assert.match(said('--help').stdout, /^npx stepfold inspect <file or folder>/);
});

test('one of a thing is told as one', (t) => {
  const one = [messages[0], { role: 'assistant', content: 'Done.' }];
  const folder = folderOf(t, [file(one), ...Array.from({ length: 5 }, (_, index) => ({ path: `more/${index}.json`, text: JSON.stringify(one) }))]);
  const { stdout } = inspect(folder, '.', '--window', '20000');
  assert.match(stdout, /window 20,000, 1 step\n/);
  assert.match(stdout, /and 1 more session, on the page/);
  assert.match(inspect(folder, 'session.json').stdout, /edits +none; 0 cache breaks/);
  const edited = folderOf(t, [file(messages.slice(0, 60))]);
  const [{ edits, totals }] = inspect(edited, 'session.json', '--json', '--window', '50000').reports();
  assert.equal(totals.cacheBreaks, 1, `${edits.length} edits`);
  assert.match(inspect(edited, 'session.json', '--window', '50000').stdout, /; 1 cache break\n/);
});

test('steps are counted from 1 in the numbers as on the page and on the terminal', (t) => {
  const folder = folderOf(t, [file(messages)]);
  const [{ steps, edits, totals }] = inspect(folder, 'session.json', '--json', '--window', '20000').reports();
  assert.equal(steps.findIndex(({ uneditedTokens, windowTokens }) => uneditedTokens > windowTokens) + 1, totals.firstTooLarge);
  assert.match(inspect(folder, 'session.json', '--window', '20000').stdout, new RegExp(`unedited, step ${totals.firstTooLarge} would not fit`));
  // Each edit but a cut moves the prefix of the step that it belongs to.
  for (const { step } of edits.filter(({ type }) => type !== 'capped')) assert.equal(steps[step - 1].breaksCache, true);
});

test('a window is assumed of an unknown model only where none is given', (t) => {
  const folder = folderOf(t, [file({ model: 'mystery-9', messages })]);
  const assumed = (...options) => inspect(folder, 'session.json', '--json', ...options).reports()[0].notes.filter((note) => /is assumed/.test(note));
  assert.deepEqual(assumed(), ['mystery-9 is not known; a window of 128,000 tokens is assumed (`--window`)']);
  assert.deepEqual(assumed('--window', '64000'), []);
});

test('the page of a folder stays small: what has no room loses its middle, and is said to', (t) => {
  let state = 7;
  const noise = () => Array.from({ length: 8_000 }, () => (state = (state * 48_271) % 2_147_483_647).toString(36)).join(' ');
  const measured = { type: 'measured', stepNumber: 0, tokens: 10, uneditedTokens: 10, contextWindow: 9_000, cachedTokens: null };
  const edit = () => ({ stepNumber: 0, type: 'cleared', reason: 'r', messageIndex: 2, messages: 1, toolName: 'x', toolCallId: 'c', tokensBefore: 9, tokensAfter: 5, before: noise(), after: 'gone' });
  const recording = () => ({ stepfold: 1, run: 1, stepNumber: 0, modelId: 'gpt-5', messages: 3, tools: {}, events: [measured], edits: Array.from({ length: 30 }, edit) });
  const folder = folderOf(t, Array.from({ length: 5 }, (_, each) => ({ path: `${each}.jsonl`, text: JSON.stringify(recording()) })));
  assert.equal(inspect(folder, '.').status, 0);
  const page = join(folder, 'stepfold-inspect.html');
  assert.ok(statSync(page).size < 5_000_000 && statSync(page).size > 1_000_000, `${statSync(page).size} bytes`);
  const { reports } = dataOf(page).data;
  assert.equal(reports.length, 5);
  for (const { notes, edits } of reports) {
    assert.match(notes.at(-1), /^the page has no room for more than [\d,]+ characters of each text/);
    assert.ok(edits.every(({ before, rows, marks }) => /\n… [\d,]+ characters are not shown …\n/.test(before) && rows.length === marks.length));
  }
});

test('a path that is not there, and a page that cannot be written, are named', (t) => {
  const folder = folderOf(t, [file(messages)]);
  for (const [parameters, why] of [[['none.json'], /none\.json cannot be read/], [['session.json', '--out', 'no/such/folder.html'], /no\/such\/folder\.html cannot be written/]]) {
    const { status, stderr } = inspect(folder, ...parameters);
    assert.equal(status, 1);
    assert.match(stderr, why);
  }
});

test('a page is not written over a log, by whatever path', (t) => {
  const folder = folderOf(t, [file(messages)]);
  symlinkSync('session.json', join(folder, 'link.html'));
  for (const [path, out] of [['session.json', 'session.json'], ['.', './session.json'], ['session.json', 'link.html']]) {
    const { status, stderr } = inspect(folder, path, '--out', out);
    assert.equal(status, 2);
    assert.match(stderr, /`--out` is \S+, which belongs to the log session\.json/);
  }
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8')), messages);
});

test('control characters in names of models and tools do not reach the terminal', (t) => {
  const named = JSON.parse(JSON.stringify({ model: 'x\u001B[2J', messages }).replaceAll('read_file', 'read\\u001B[31m'));
  const { stdout, stderr } = inspect(folderOf(t, [file(named)]), 'session.json');
  assert.match(stdout, /model messages, x⟨U\+001B⟩\[2J[\s\S]+tools +read⟨U\+001B⟩\[31m/);
  assert.equal(`${stdout}${stderr}`.includes('\u001B'), false);
});

test('the program names every option that docs/inspect.md names', () => {
  const { stdout } = spawnSync(process.execPath, [cli, '--help'], { encoding: 'utf8' });
  const documented = readFileSync(new URL('../../docs/inspect.md', import.meta.url), 'utf8').match(/`--\w+`/g);
  assert.deepEqual([...new Set(documented)].map((name) => name.slice(1, -1)).sort(), stdout.match(/^ {2}--\w+/gm)?.map((name) => name.trim()).filter((name) => name !== '--help' && name !== '--version').sort());
});
