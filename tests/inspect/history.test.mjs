// What was done can be looked at: `session.history()`, the lines of `onRecord` and of `debug` tell of the same edits, with their texts.
// Steps are driven by hand; the page that shows such lines is tested in page.browser.mjs.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createPrepareStep, createSession, extractText } from 'stepfold';
import { generateSession, modelMessages } from './sessions.mjs';

const WINDOW = 12_000;
const MODEL = 'openai/gpt-5';

/** Every step of a session, as ai 5 and 6 would ask for it. Returns what was sent. */
async function play(prepareStep, messages) {
  const steps = [];
  const sent = [];
  for (const [index, { role }] of messages.entries()) {
    if (role !== 'assistant') continue;
    const given = messages.slice(0, index);
    const prepared = await prepareStep({ messages: given, steps, stepNumber: steps.length, model: MODEL });
    sent.push(prepared?.messages ?? given);
    steps.push({ usage: {} });
  }
  return sent;
}

async function played(options = {}, size = {}) {
  const lines = [];
  const events = [];
  const session = createSession({ contextWindow: WINDOW, onRecord: (line) => lines.push(line), onEvent: (event) => events.push(event), ...options });
  const messages = modelMessages(generateSession(size));
  const sent = await play(session.prepareStep, messages);
  return { session, messages, sent, lines, events, steps: lines.map((line) => JSON.parse(line)) };
}

test('each edit is in the history with its step, reason, tokens, and its texts before and after', async () => {
  const { session, messages, sent, events } = await played({}, { resultLines: 40 });
  const history = session.history();
  const cleared = events.filter(({ type }) => type === 'cleared').flatMap(({ results }) => results);
  assert.equal(history.filter(({ type }) => type === 'cleared').length, cleared.length);
  assert.ok(cleared.length > 0 && cleared.some(({ stale }) => stale) && cleared.some(({ stale }) => !stale));
  for (const edit of history.filter(({ type, after }) => type === 'cleared' && after !== '')) {
    assert.equal(edit.before, extractText(messages[edit.messageIndex]));
    assert.ok(sent[edit.stepNumber].some((message) => extractText(message) === edit.after), edit.after);
    assert.ok(edit.tokensAfter < edit.tokensBefore && edit.reason !== '');
  }
});

test('a checkpoint is in the history whole, as it was sent, with the messages that it now replaces', async () => {
  const { session, messages, sent } = await played({}, { steps: 80, resultLines: 40 });
  const checkpoints = session.history().filter(({ type }) => type === 'checkpoint');
  assert.ok(checkpoints.length > 1);
  let end = 0;
  for (const { stepNumber, after, before, messageIndex, messages: count, tokensBefore, tokensAfter } of checkpoints) {
    assert.equal(extractText(sent[stepNumber][0]), after);
    assert.equal(messageIndex, end);
    assert.match(before, new RegExp(`^\\[${messages[messageIndex].role}\\]`));
    assert.ok(tokensAfter < tokensBefore);
    end = messageIndex + count;
  }
});

test('`onRecord` is given a line for every step, with the edits that the history holds', async () => {
  const { session, steps, sent } = await played();
  assert.deepEqual(steps.map(({ stepNumber }) => stepNumber), sent.map((_, index) => index));
  assert.deepEqual(steps.flatMap(({ edits }) => edits), session.history());
  for (const { stepfold, run, modelId, events } of steps) {
    assert.deepEqual([stepfold, run, modelId], [1, 1, MODEL]);
    assert.equal(events[0].type, 'measured');
  }
  assert.ok(steps.some(({ tools }) => tools.read_file > 0));
});

test('runs at once of one `prepareStep` are told apart by their number', async () => {
  const lines = [];
  const prepareStep = createPrepareStep({ contextWindow: WINDOW, onRecord: (line) => lines.push(line) });
  for (const task of ['One.', 'Two.']) await prepareStep({ messages: [{ role: 'user', content: task }], steps: [], stepNumber: 0, model: MODEL });
  assert.deepEqual(lines.map((line) => JSON.parse(line).run), [1, 2]);
});

test('what is recorded changes nothing that is sent', async () => {
  const { sent } = await played();
  const plain = await played({ onRecord: undefined, onEvent: undefined });
  assert.deepEqual(plain.sent, sent);
  assert.ok(plain.session.history().length > 0);
});

test('a `onRecord` that throws or rejects ends nothing', async () => {
  for (const onRecord of [() => { throw new Error('full'); }, async () => { throw new Error('full'); }]) {
    const { sent, session } = await played({ onRecord });
    assert.ok(sent.length > 30 && session.history().length > 0);
  }
});

test('the history is bounded: long texts lose their middle, old edits go', async () => {
  const sized = async (options, size) => {
    const history = (await played(options, size)).session.history();
    return { history, characters: history.reduce((sum, { before, after }) => sum + before.length + after.length, 0) };
  };
  const long = await sized({ contextWindow: 40_000, maxResultTokens: 1_000 }, { steps: 90, resultLines: 500 });
  assert.ok(long.characters <= 1_000_000 && long.characters > 900_000, `${long.characters} characters`);
  assert.ok(long.history.some(({ before }) => /characters are not shown/.test(before)));
  assert.ok(long.history.at(-1).stepNumber > 80);
  const many = await sized({ maxResultTokens: 100 }, { steps: 550, resultLines: 12 });
  assert.equal(many.history.length, 300);
  assert.ok(many.history[0].stepNumber > 20 && many.history.at(-1).stepNumber > 500);
});

test('`compact` is in the history too', async () => {
  const session = createSession({ contextWindow: 400_000 });
  const messages = modelMessages(generateSession());
  const { compacted, messages: sent } = await session.compact({ messages, model: MODEL });
  assert.equal(compacted, true);
  const edit = session.history().find(({ type }) => type === 'checkpoint');
  assert.equal(edit.after, extractText(sent[0]));
});

test('`debug` writes to the console the size of each step, each edit, and why', async (t) => {
  const log = t.mock.method(console, 'log', () => undefined);
  await played({ debug: true }, { resultLines: 40 });
  const lines = log.mock.calls.map(({ arguments: [line] }) => line);
  log.mock.restore();
  assert.equal(lines.filter((line) => /^stepfold: run \w+, step \d+: [\d,]+ of 12,000 tokens/.test(line)).length, 41);
  assert.ok(lines.some((line) => /: cleared read_file in message \d+, [\d,]+ → [\d,]+ tokens: a later call made it obsolete/.test(line)), lines.join('\n'));
  assert.ok(lines.some((line) => /: folded messages \d+ to \d+, .* clearing was not enough/.test(line)), lines.join('\n'));
});

test('without `debug` nothing is written to the console', async () => {
  const log = mock.method(console, 'log', () => undefined);
  await played();
  assert.equal(log.mock.callCount(), 0);
  log.mock.restore();
});
