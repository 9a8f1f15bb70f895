// The harness that replay, judge and tau share: which list a step is given, what usage is reported, and how an app calls the package.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callsOf } from '../../bench/harness/package.mjs';
import { play } from '../../bench/harness/play.mjs';
import { standIn } from '../../bench/harness/summaries.mjs';
import { Ledger } from '../../bench/replay/tokens.mjs';

const say = (role, text) => ({ role, content: [{ type: 'text', text }] });
const OVERHEAD = 100;

/** Two requests: the second begins at message 4. */
function listOf() {
  const messages = [
    say('user', 'one'),
    say('assistant', 'two'),
    say('assistant', 'three'),
    say('assistant', 'four'),
    say('user', 'five'),
    say('assistant', 'six'),
  ];
  const steps = [1, 2, 3, 5].map((at) => ({ at, end: at + 1 }));
  return { messages, steps, ledger: new Ledger(), overhead: OVERHEAD, system: 'Be kind.' };
}

const texts = (messages) => messages.map(({ content }) => content[0].text).join(' ');

/** Plays a policy that drops the first message from the second step on, and notes what it is given and what is looked at. */
async function played(settings) {
  const [given, seen] = [[], []];
  const step = ({ messages, stepNumber, ...reported }) => {
    given.push({ text: texts(messages), ...reported });
    return stepNumber === 1 ? messages.slice(1) : messages;
  };
  const look = (prompt) => {
    seen.push(prompt);
    return settings.until === undefined || prompt.number < settings.until;
  };
  await play(listOf(), { create: () => ({ step }) }, { window: 1_000, reserve: 10, look, ...settings });
  return { given, seen };
}

test('a step is given the raw history, or what was sent last and the additions, and a request begins with the raw history', async () => {
  const lists = async (semantics) => (await played({ semantics })).given.map(({ text }) => text);
  assert.deepEqual(await lists('rebuild'), ['one', 'one two', 'one two three', 'one two three four five']);
  assert.deepEqual(await lists('carry'), ['one', 'one two', 'two three', 'two three four five']);
  assert.deepEqual(await lists('turns'), ['one', 'one two', 'two three', 'one two three four five']);
});

test('usage is that of the prompt before and of its answer, with what a cache held of it, as the provider counts', async () => {
  const { given, seen } = await played({ semantics: 'carry', factor: 2 });
  assert.deepEqual(Object.keys(given[0]), ['text']);
  for (const [at, { lastInputTokens, lastCachedTokens, lastOutputTokens }] of given.entries()) {
    if (at === 0) continue;
    assert.deepEqual([lastInputTokens, lastCachedTokens], [2 * seen[at - 1].tokens, 2 * seen[at - 1].cached]);
    assert.ok(lastOutputTokens > 0);
  }
  assert.deepEqual(
    seen.map(({ breaks }) => breaks),
    [false, true, false, false],
  );
  assert.deepEqual([seen[0].cached, seen[1].cached, seen[2].cached], [0, OVERHEAD, seen[1].tokens]);
  assert.deepEqual(Object.keys((await played({ usage: false })).given[2]), ['text']);
});

test('a play ends where nobody looks any further', async () => {
  assert.equal((await played({ until: 1 })).given.length, 2);
});

test('a prompt overflows when it and the reserve exceed the window, as the provider counts', async () => {
  const [{ tokens }] = (await played({})).seen;
  const overflows = async (settings) => (await played(settings)).seen[0].overflows;
  assert.equal(await overflows({ window: tokens + 10 }), false);
  assert.equal(await overflows({ window: tokens + 9 }), true);
  assert.equal(await overflows({ window: tokens + 10, factor: 1.1 }), true);
});

/** A package that notes how it is called. */
function noting() {
  const notes = [];
  const prepareStep = (step) =>
    void notes.push(
      `step ${step.stepNumber} of ${step.steps.length}, ${step.model.specificationVersion}${step.instructions ? ', told' : ''}`,
    );
  const createSession = ({ id }) => {
    notes.push(`session ${id ?? ''}`.trim());
    return {
      prepareStep,
      onStepEnd: ({ usage }) => notes.push(`used ${usage.inputTokens > OVERHEAD}`),
      dispose: () => notes.push('disposed'),
      recallTool: () => ({ name: 'recall' }),
    };
  };
  return { notes, createPrepareStep: () => prepareStep, createSession };
}

async function notesOf({ keeps, semantics }) {
  const { notes, ...stepfold } = noting();
  const create = ({ transcript }) => callsOf(stepfold, { keeps, settings: {}, semantics, system: transcript.system });
  await play(listOf(), { create }, { window: 1_000, reserve: 10, semantics, look: () => true });
  return notes.join('; ');
}

test('an app keeps one prepareStep, one session, or a store with a session for each request', async () => {
  const told = (number) => `step ${number} of ${number}, v4, told`;
  assert.equal(
    await notesOf({ keeps: 'process', semantics: 'rebuild' }),
    'step 0 of 0, v3; step 1 of 1, v3; step 2 of 2, v3; step 0 of 0, v3',
  );
  assert.equal(
    await notesOf({ keeps: 'session', semantics: 'turns' }),
    `session; ${told(0)}; used true; ${told(1)}; used true; ${told(2)}; used true; ${told(0)}; used true`,
  );
  const first = `session conversation; ${told(0)}; used true; ${told(1)}; used true; ${told(2)}; used true; disposed`;
  assert.equal(await notesOf({ keeps: 'store', semantics: 'turns' }), `${first}; session conversation; ${told(0)}; used true; disposed`);
});

test('the stand-in for a model is shown what the policy says it shows, and told of', () => {
  const asked = [];
  const { summarize } = standIn((request) => asked.push(request));
  const messages = [say('user', 'Please book the ferry to Hiiumaa for Friday.'), say('assistant', 'Booked for Friday as H-2231.')];
  assert.match(summarize({ messages, previous: 'Before.' }), /H-2231|Hiiumaa/);
  assert.match(asked[0].prompt, /^Before\.\n\nuser: Please book[^]*assistant: Booked/);
  summarize({ messages, inputTokens: 3 });
  assert.equal(asked[1].prompt.length, 12);
});
