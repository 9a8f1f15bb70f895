// The option `checkpointNote`: the app's own words at the end of each checkpoint, the same at every step and after a restore.
// Steps are driven by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession } from 'stepfold';
import { MODEL, text, turns } from '../hand.mjs';
import { deepFreeze } from './watch.mjs';

const NOTE = 'Use readPlan to see the plan, listDocuments for what exists.';
const OPTIONS = { contextWindow: 8_000, overheadTokens: 1 };

/** The text of the checkpoint that one step sends, and its id. */
async function checkpointOf(prepareStep, messages = turns(30)) {
  const { messages: sent } = await prepareStep({ messages: deepFreeze(messages), steps: [], stepNumber: 0, model: MODEL });
  const { content, providerOptions } = sent.find((message) => message.providerOptions?.stepfold?.checkpoint !== undefined);
  return { text: content[0].text, id: providerOptions.stepfold.checkpoint };
}

for (const [kind, checkpointNote] of [['a text', NOTE], ['a function', () => NOTE], ['a promise', async () => `  ${NOTE}\n`]]) {
  test(`${kind} stands last in the checkpoint, word for word`, async () => {
    const { text: checkpoint, id } = await checkpointOf(createPrepareStep({ ...OPTIONS, checkpointNote }));
    assert.ok(checkpoint.endsWith(`\n\n--- Note of the application, for what comes next (${id}) ---\n${NOTE}`), checkpoint.slice(-400));
  });
}

test('a checkpoint without a note says nothing of one', async () => {
  for (const checkpointNote of [undefined, '', ' \n', () => '']) assert.doesNotMatch((await checkpointOf(createPrepareStep({ ...OPTIONS, checkpointNote }))).text, /Note of the application/);
});

test('what a preview shows has the note that is a text', async () => {
  const session = createSession({ ...OPTIONS, checkpointNote: NOTE });
  const { messages } = await session.plan(turns(30), { model: MODEL });
  assert.ok(JSON.stringify(messages).includes(NOTE));
});

test('a function is asked once for each checkpoint, beside workingState, and not at other steps', async () => {
  const asked = [];
  const session = createSession({ ...OPTIONS, workingState: () => (asked.push('state'), { notes: 'tabs' }), checkpointNote: () => (asked.push('note'), `Note ${asked.length / 2}.`) });
  const first = await checkpointOf(session.prepareStep);
  const later = await checkpointOf(session.prepareStep, [...turns(30), ...turns(1, 'then')]);
  assert.equal(later.text, first.text);
  assert.ok(first.text.includes('tabs') && first.text.endsWith('Note 1.'));
  assert.deepEqual(asked, ['state', 'note']);
  const next = await checkpointOf(session.prepareStep, [...turns(30), ...turns(24, 'then')]);
  assert.ok(next.text.endsWith('Note 2.') && !next.text.includes('Note 1.'));
});

test('a restored session sends the same bytes, whatever the option says by then', async () => {
  const first = createSession({ ...OPTIONS, checkpointNote: NOTE });
  const { text: sent } = await checkpointOf(first.prepareStep);
  const restored = createSession({ ...OPTIONS, state: JSON.parse(JSON.stringify(first.state)), checkpointNote: 'Something else.' });
  assert.equal((await checkpointOf(restored.prepareStep, structuredClone(turns(30)))).text, sent);
});

test('a note without end is cut, keeps its head and tail, and holds no secret', async () => {
  const checkpointNote = `Begin here. ${text(20_000, 'long')} API_KEY=sk-proj-x7Kq9ZpL2mVw8RtY4nBcx7Kq9ZpL2mVw8RtY4nBc End here.`;
  const { text: checkpoint } = await checkpointOf(createPrepareStep({ ...OPTIONS, checkpointNote }));
  const note = checkpoint.split('--- Note of the application')[1];
  assert.ok(note.includes('Begin here.') && note.endsWith('End here.') && note.includes('left out'), note);
  assert.ok(note.length < 1_000 && !note.includes('x7Kq9'), note);
});

for (const [name, checkpointNote, message] of [
  ['throws', () => { throw new Error('no database'); }, 'no database'],
  ['rejects', () => Promise.reject(new Error('no database')), 'no database'],
  ['returns a number', () => 7, '`checkpointNote` returned number; allowed is a string'],
  ['returns nothing', () => undefined, '`checkpointNote` returned undefined; allowed is a string'],
]) {
  test(`a function that ${name} leaves a checkpoint without a note, and an event says why`, async () => {
    const events = [];
    const { text: checkpoint } = await checkpointOf(createPrepareStep({ ...OPTIONS, checkpointNote: checkpointNote, onEvent: (event) => events.push(event) }));
    assert.equal(checkpoint, (await checkpointOf(createPrepareStep(OPTIONS))).text);
    assert.deepEqual(events.filter(({ type }) => type === 'checkpoint-note-failed').map(({ runId: _run, ...event }) => event), [{ type: 'checkpoint-note-failed', stepNumber: 0, reason: 'failed', message }]);
  });
}

test('a function that hangs is left behind after 5 seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const events = [];
  const folding = checkpointOf(createPrepareStep({ ...OPTIONS, checkpointNote: () => new Promise(() => undefined), onEvent: (event) => events.push(event) }));
  for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  t.mock.timers.tick(5_000);
  assert.match((await folding).text, /^\[Checkpoint/);
  assert.equal(events.find(({ type }) => type === 'checkpoint-note-failed').reason, 'timeout');
});
