// The same session, as each program logs it, is played alike; and what cannot be read is said. The page: page.browser.mjs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createSession, estimateTokens, tokenBreakdown } from 'stepfold';
import { cli, dataOf, folderOf, inspect } from './helpers.mjs';
import { logsOf, opencodeStorage } from './logs.mjs';
import { generateSession, modelMessages } from './sessions.mjs';

const session = generateSession();
const WINDOW = '12000';
const logs = logsOf(session);
const log = (file) => logs.find((each) => each.file === file)?.text ?? '';

/** All of them in one run of the program. */
let reports = [];
before((t) => {
  const folder = folderOf(t, logs.map(({ file, text }) => ({ path: file, text })));
  reports = inspect(folder, '.', '--json', '--window', WINDOW).reports();
});

for (const { format, file, modelId } of logs) {
  test(`${file}, a log of ${format}, is played with all its calls, in as many steps as it had`, () => {
    const report = reports.find(({ source }) => source === file);
    assert.equal(report.format, format);
    assert.equal(report.modelId, modelId ?? 'gpt-5');
    assert.equal(report.steps.length, session.turns.length + 1);
    assert.equal(report.steps.at(-1).messages, session.turns.length * 2 + 1);
    assert.deepEqual(report.tools.map(({ name }) => name).sort(), ['edit_file', 'read_file', 'search']);
    assert.ok(report.edits.length > 0 && report.totals.largestSentTokens <= 12_000);
    assert.equal(report.notes.some((note) => /not JSON|no known format/.test(note)), false, report.notes.join());
  });
}

test('the messages are those of the session: texts before and after are on the page', (t) => {
  const folder = folderOf(t, logs.map(({ file, text }) => ({ path: file, text })));
  assert.equal(inspect(folder, '.', '--window', WINDOW).status, 0);
  const { data } = dataOf(join(folder, 'stepfold-inspect.html'));
  assert.equal(data.reports.length, logs.length);
  const outputs = new Set(session.turns.flatMap(({ calls }) => calls.map(({ output }) => output)));
  for (const { edits, source } of data.reports) {
    const cleared = edits.filter(({ type }) => type === 'cleared');
    assert.ok(cleared.length > 0 && cleared.every(({ before }) => outputs.has(before)), source);
  }
});

test('a system prompt that the log holds counts towards every prompt', (t) => {
  const messages = modelMessages(generateSession({ steps: 4, resultLines: 4 }));
  const system = 'You look at one file after another. '.repeat(50);
  const folder = folderOf(t, [{ path: 'a.json', text: JSON.stringify({ messages }) }, { path: 'b.json', text: JSON.stringify({ system, messages }) }]);
  const [without, instructed] = inspect(folder, '.', '--json').reports();
  const tokens = estimateTokens([{ role: 'system', content: system }], { model: 'gpt-5' });
  assert.ok(tokens > 100);
  for (const [index, { uneditedTokens }] of instructed.steps.entries()) assert.equal(uneditedTokens, without.steps[index].uneditedTokens + tokens);
});

test("a session in OpenCode's storage is put together from its files", (t) => {
  const folder = folderOf(t, opencodeStorage(session));
  const [report] = inspect(folder, '.', '--json', '--window', WINDOW).reports();
  assert.deepEqual([report.format, report.steps.length], ['OpenCode', session.turns.length + 1]);
});

test('a log that is compressed is read too', (t) => {
  const folder = folderOf(t, [{ path: 'model.json.gz', text: gzipSync(log('model.json')) }]);
  assert.equal(inspect(folder, 'model.json.gz', '--json').reports()[0].steps.length, session.turns.length + 1);
});

test('a recording shows what happened, not what would happen', async (t) => {
  const lines = [];
  const recorded = createSession({ contextWindow: 9_000, onRecord: (line) => lines.push(line) });
  const messages = modelMessages(session);
  const steps = [];
  for (const [index, { role }] of messages.entries()) {
    if (role === 'assistant') await recorded.prepareStep({ messages: messages.slice(0, index), steps, stepNumber: steps.push({ usage: {} }) - 1, model: 'gpt-5' });
  }
  const folder = folderOf(t, [{ path: 'run.jsonl', text: lines.join('\n') }]);
  const [report] = inspect(folder, 'run.jsonl', '--json', '--window', '100000').reports();
  assert.deepEqual([report.isRecorded, report.windowTokens, report.edits.length], [true, 9_000, recorded.history().length]);
});

test('the results of a tool are recorded once, however many requests a conversation has', async () => {
  const lines = [];
  const session = createSession({ contextWindow: 200_000, onRecord: (line) => lines.push(JSON.parse(line)) });
  const messages = [];
  for (let request = 0; request < 5; request += 1) {
    messages.push({ role: 'user', content: `Look at page ${request}.` });
    const steps = [];
    await session.prepareStep({ messages: [...messages], steps, stepNumber: 0, model: 'gpt-5' });
    const call = `c${request}`;
    messages.push(
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: call, toolName: 'page', input: { n: request } }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: call, toolName: 'page', output: { type: 'text', value: `Page ${request}. ${'The gauge stands at four metres. '.repeat(60)}` } }] },
    );
    steps.push({ usage: {} });
    await session.prepareStep({ messages: [...messages], steps, stepNumber: 1, model: 'gpt-5' });
    messages.push({ role: 'assistant', content: 'It is read.' });
  }
  const recorded = lines.reduce((sum, { tools }) => sum + (tools.page ?? 0), 0);
  const once = tokenBreakdown(messages, { model: 'gpt-5' }).tools.page;
  // Each request rounds its own.
  assert.ok(Math.abs(recorded - once) <= 5, `${recorded} recorded, ${once} in the conversation`);
});

test('lines that were cut, are not JSON or of no known format are skipped, and counted', (t) => {
  const lines = log('claude-code.jsonl').trimEnd().split('\n');
  const damaged = ['not JSON', ...lines.slice(0, 20), lines[20].slice(0, 40), '{"odd":1}', '[]', '', ...lines.slice(20), lines.at(-1).slice(0, 30)].join('\n');
  const folder = folderOf(t, [{ path: 'a.jsonl', text: damaged }]);
  const [report] = inspect(folder, 'a.jsonl', '--json').reports();
  assert.equal(report.steps.length, session.turns.length + 1);
  assert.ok(report.notes.includes('3 × line that is not JSON, or was cut'), report.notes.join());
  assert.ok(report.notes.includes('1 × line of no known format'), report.notes.join());
  assert.ok(report.notes.includes('1 × message of a subagent'), report.notes.join());
});

test('a line longer than any message is skipped, and the rest is read', (t) => {
  const long = Buffer.alloc(65 * 1024 * 1024, 'x');
  const folder = folderOf(t, [{ path: 'a.jsonl', text: Buffer.concat([Buffer.from(`${JSON.stringify({ role: 'user', content: 'Go.' })}\n`), long, Buffer.from(`\n${JSON.stringify({ role: 'assistant', content: 'Done.' })}\n`)]) }]);
  const [report] = inspect(folder, 'a.jsonl', '--json').reports();
  assert.ok(report.notes.includes('1 × line of more than 64 MB'), report.notes.join());
  assert.equal(report.steps.length, 1);
});

for (const [what, text, why] of [
  ['text', 'once upon a time', /no log of a known format.*not JSON/],
  ['JSON that was cut', '{"messages": [', /no log of a known format.*not JSON/],
  ['another JSON', '{"name":"x","version":"1"}', /no log of a known format|no step/],
  ['nothing', '', /no log of a known format|no step/],
  ['messages without a reply', '[{"role":"user","content":"Hi."}]', /no step of an agent in it: 1 message$/m],
  ['a parts list that is no list', '[{"role":"assistant","content":null,"parts":7},{"type":"user","sessionId":1,"message":null}]', /no log of a known format|no step/],
]) {
  test(`a file of ${what} is named with the reason, and ends the command with 1`, (t) => {
    const folder = folderOf(t, [{ path: 'a.json', text }]);
    const { status, stderr } = inspect(folder, 'a.json');
    assert.equal(status, 1);
    assert.match(stderr, why);
    assert.doesNotMatch(stderr, /\n {4}at /);
  });
}

test('a recorded step with anything missing is skipped, and the others are shown', (t) => {
  const measured = { type: 'measured', stepNumber: 0, tokens: 10, uneditedTokens: 10, contextWindow: 9_000, cachedTokens: null };
  const step = { stepfold: 1, run: 1, stepNumber: 0, modelId: 'gpt-5', messages: 1, tools: {}, events: [measured], edits: [] };
  const damaged = [{ ...step, edits: [{}] }, { ...step, events: [{ ...measured, tokens: undefined }] }, { ...step, events: 7 }, { ...step, modelId: undefined }, { ...step, tools: undefined }, { ...step, stepfold: 2 }, { ...step, tools: { x: 'many' } }, { ...step, events: [{ ...measured, cachedTokens: 'all' }] }];
  const folder = folderOf(t, [{ path: 'run.jsonl', text: [...damaged, step].map((each) => JSON.stringify(each)).join('\n') }]);
  assert.equal(inspect(folder, 'run.jsonl').status, 0);
  const [report] = inspect(folder, 'run.jsonl', '--json').reports();
  assert.deepEqual([report.steps.length, report.notes], [1, [`${damaged.length} × line of no known format`]]);
});

test('messages of no form are played as far as they can be', (t) => {
  const odd = [null, 7, { role: 'user', content: [null, { type: 'text' }, 'x'] }, { role: 'assistant', content: [{ type: 'tool-call' }, null] }, { role: 'tool', content: [{ type: 'tool-result', output: null }] }, { role: 'assistant', content: '' }, { role: 'assistant', content: [{ type: 'tool-result', output: { type: 'content', value: 7 } }] }];
  const folder = folderOf(t, [{ path: 'a.json', text: JSON.stringify([...odd, ...modelMessages(session)]) }]);
  const { status, stderr } = inspect(folder, 'a.json', '--window', WINDOW);
  assert.deepEqual([status, stderr], [0, '']);
  assert.ok(dataOf(join(folder, 'stepfold-inspect.html')).data.reports[0].edits.length > 0);
});

test('a folder that cannot be read is skipped and said', (t) => {
  const folder = folderOf(t, [{ path: 'good.json', text: log('model.json') }, { path: 'shut/a.json', text: '[]' }]);
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'shut'), 0);
  // Nothing is shut to root, so root reads as somebody else.
  const { status, stderr } = spawnSync(process.execPath, [cli, 'inspect', '.', '--json'], { cwd: folder, encoding: 'utf8', ...(process.getuid?.() === 0 ? { uid: 65_534 } : {}) });
  chmodSync(join(folder, 'shut'), 0o755);
  assert.deepEqual([status, stderr], [0, 'stepfold: shut cannot be read\n']);
});

test('a session too large for the window gives no warning of the engine on the terminal', (t) => {
  const large = [{ role: 'user', content: 'word '.repeat(20_000) }, { role: 'assistant', content: 'Yes.' }];
  const folder = folderOf(t, [{ path: 'a.json', text: JSON.stringify(large) }]);
  const { status, stderr } = inspect(folder, 'a.json', '--window', '1000');
  assert.deepEqual([status, stderr], [0, '']);
});

test('a compressed file that is damaged is named, and the others are shown', (t) => {
  const folder = folderOf(t, [{ path: 'bad.jsonl.gz', text: 'no gzip' }, { path: 'good.json', text: log('model.json') }]);
  const { status, stderr } = inspect(folder, '.');
  assert.equal(status, 0);
  assert.match(stderr, /^stepfold: bad\.jsonl\.gz cannot be read: incorrect header check\n$/);
});

test('one compressed value is measured as it is when decompressed', (t) => {
  const megabytes = gzipSync(Buffer.alloc(1024 * 1024, ' '));
  const folder = folderOf(t, [{ path: 'a.json.gz', text: Buffer.concat(Array.from({ length: 257 }, () => megabytes)) }]);
  const { status, stderr } = inspect(folder, 'a.json.gz');
  assert.equal(status, 1);
  assert.match(stderr, /one JSON value of more than 256 MB/);
});

test('a log is read from a pipe', (t) => {
  const folder = folderOf(t, [{ path: 'a.json', text: log('model.json') }]);
  const { status, stderr } = spawnSync('sh', ['-c', 'cat a.json | "$0" "$1" inspect /dev/stdin', process.execPath, cli], { cwd: folder, encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
});

test('one file that cannot be read does not keep the others from the page', (t) => {
  const folder = folderOf(t, [{ path: 'bad.json', text: 'no' }, { path: 'deep/er/good.json', text: log('model.json') }]);
  const { status, stderr } = inspect(folder, '.');
  assert.equal(status, 0);
  assert.match(stderr, /bad\.json is no log/);
  const { data } = dataOf(join(folder, 'stepfold-inspect.html'));
  assert.deepEqual([data.reports.length, data.failures.length], [1, 1]);
});
