// Whose turn it is: two messages of the user, or two of the assistant, are sent side by side only where the app's list has the same two side by
// side. One rule for all models, in every way a list comes to be. Calls, results and system messages take no turns, as in chat templates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCheckpoint, createPrepareStep, createSession, validateMessages } from 'stepfold';
import { answers, play } from './script.mjs';
import { MAJORS, packages } from './sdk.mjs';
import { assertAppendStable, watch } from './watch.mjs';
import { call, copy, isCheckpoint, result, step, talk, text, textOf, turns, user } from '../hand.mjs';

const BRIDGE = '[The conversation continues.]';
const GUIDANCE = 'Leave module 4 alone, please.';
const partsOf = ({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);
const takesTurn = (message) => message.role === 'user' || (message.role === 'assistant' && !partsOf(message).some(({ type }) => type === 'tool-call'));
const said = (message) => JSON.stringify([message.role, textOf(message)]);
const neighbours = (messages) => {
  const turn = messages.filter(takesTurn);
  return turn.slice(1).flatMap((message, at) => (message.role === turn[at].role ? [`${said(turn[at])} | ${said(message)}`] : []));
};

/** Nothing stands side by side in what is sent that did not in the app's list, and nothing of ours is blank. */
function assertTurns(sent, given, where = '') {
  const allowed = new Set(neighbours(given));
  assert.deepEqual(neighbours(sent).filter((pair) => !allowed.has(pair)), [], where);
  assert.deepEqual(validateMessages(sent).filter(({ rule }) => rule !== 'ends-with-assistant'), [], where);
  sent.filter(takesTurn).forEach((message) => assert.ok(textOf(message).trim() !== '' || given.includes(message), where));
}

const folded = { contextWindow: 6_000, reserveTokens: 500, overheadTokens: 1 };
const bridgesIn = (messages) => messages.filter((message) => textOf(message) === BRIDGE).length;

test('a chat that alternates still does after every fold, wherever the tail begins', async () => {
  for (const [keepRecent, list] of [[undefined, turns(60)], [{ turns: 1 }, turns(60)], [{ tokens: 1_500 }, turns(60)], [{ messages: 3 }, turns(60)], [undefined, [user('Go.'), ...talk(50)]]]) {
    const session = createSession({ ...folded, ...(keepRecent && { keepRecent }) });
    let folds = 0;
    for (let end = 1; end <= list.length; end += 2) {
      const given = list.slice(0, end);
      const sent = await step(session, given);
      assertTurns(sent, given, `${JSON.stringify(keepRecent)}, ${end} messages`);
      folds += sent.some(isCheckpoint) ? 1 : 0;
    }
    assert.ok(folds > 5, JSON.stringify(keepRecent));
  }
});

test('of two messages that the app has side by side neither is joined with a checkpoint, and both may stay so', async () => {
  const list = [...turns(40), user('One more thing.'), user('And this.')];
  const sent = await step(createSession(folded), list);
  assertTurns(sent, list);
  assert.ok(sent.includes(list.at(-1)) && sent.includes(list.at(-2)));
});

test('an enqueued message stands apart from the user’s own before the first step, and behind results', async () => {
  for (const [list, expected] of [
    [[user('Go.')], ['user', 'assistant', 'user']],
    [[user('Go.'), { role: 'assistant', content: 'Gone.' }], ['user', 'assistant', 'user']],
    [[user('Go.'), call('a'), result('a', 'done')], ['user', 'assistant', 'tool', 'assistant', 'user']],
  ]) {
    const session = createSession({ contextWindow: 100_000 });
    session.enqueue(GUIDANCE);
    const sent = await step(session, list);
    assert.deepEqual(sent.map(({ role }) => role), expected);
    assertTurns(sent, [...list, { role: 'assistant', content: 'any' }]);
    list.forEach((message) => assert.ok(sent.includes(message)));
  }
});

test('several enqueued messages stand apart from each other, the same at every later step', async () => {
  const session = createSession({ contextWindow: 100_000 });
  session.enqueue('First.');
  session.enqueue('Second.');
  const list = [user('Go.')];
  const steps = [];
  const first = await step(session, list, steps);
  assert.deepEqual(first.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant', 'user']);
  steps.push({ usage: { inputTokens: 50, outputTokens: 1 } });
  const second = await step(session, [...list, call('a'), result('a', 'done')], steps);
  assert.deepEqual(second.slice(0, first.length), first);
  assert.equal(bridgesIn(second), 2);
});

for (const major of MAJORS) {
  test(`ai ${major}: what is put in while a model calls tools stands behind a word of the assistant, the same at every step`, async () => {
    for (const contextWindow of [1_000_000, 8_000]) {
      let session;
      const watched = watch((options) => {
        session = createSession({ contextWindow, ...options });
        return session.prepareStep;
      });
      const { text: last, prompts } = await play({ major, prepareStep: watched.prepareStep, onCall: (index) => index === 5 && session.enqueue(GUIDANCE) });
      assert.equal(last, answers.at(-1).text);
      prompts.forEach((prompt, index) => {
        assert.deepEqual(validateMessages(prompt), []);
        prompt.forEach(({ role }, at) => assert.ok(role !== 'user' || prompt[at - 1]?.role !== 'tool', `step ${index}: a message of the user right behind results`));
        if (index > 5) assert.ok(JSON.stringify(prompt).includes(GUIDANCE), `step ${index}`);
        assert.ok(bridgesIn(prompt) <= 2, `step ${index}`);
      });
      assertAppendStable(watched.steps);
    }
  });
}

test('a wrapper that copies the list gets no second bridge', async () => {
  const session = createSession({ contextWindow: 100_000 });
  session.enqueue(GUIDANCE);
  const steps = [];
  const first = await step(session, [user('Go.'), call('a'), result('a', 'done')], steps);
  steps.push({ usage: { inputTokens: 50, outputTokens: 1 } });
  const carried = [...structuredClone(first), call('b'), result('b', 'done')];
  const second = await step(session, carried, steps);
  assert.equal(bridgesIn(second), 1);
  assert.equal(second.filter((message) => textOf(message).includes(GUIDANCE)).length, 1);
});

test('what the app itself has put side by side stays as it is', async () => {
  for (const list of [[user('Go.'), user('Now.')], [user('Go.'), call('a'), result('a', 'done'), user(GUIDANCE)]]) {
    assert.deepEqual(await step(createSession({ contextWindow: 100_000 }), list), list);
  }
});

test('compact(), the next message of the user, undo() and what follows keep turns', async () => {
  const session = createSession({ contextWindow: 20_000, overheadTokens: 1 });
  const list = turns(20);
  await step(session, list);
  const { compacted, messages } = await session.compact();
  assert.ok(compacted);
  assertTurns(messages, list);
  const asked = [...list, user('What did we decide?')];
  const sent = await step(session, asked);
  assertTurns(sent, asked);
  assert.ok(sent.some(isCheckpoint));
  const answered = [...asked, { role: 'assistant', content: 'This.' }, user('Thanks.')];
  const later = await step(session, answered);
  assertTurns(later, answered);
  assert.deepEqual(later.slice(0, sent.length), sent);
  assert.ok(await session.undo());
  assert.deepEqual(await step(session, answered), answered);
});

test('all of a chat that is folded away stands before a bridge and the next message', async () => {
  const session = createSession({ contextWindow: 20_000, overheadTokens: 1, keepRecent: { tokens: 0 } });
  const list = [user(`Do this: ${text(900)}`), { role: 'assistant', content: text(900) }, user(text(700)), { role: 'assistant', content: `Done. ${text(600)}` }];
  await step(session, list);
  await session.compact();
  const asked = [...list, user('And now?')];
  assertTurns(await step(session, asked), asked);
});

test('a session resumed on another server, or from its tail, sends the same turns', async () => {
  const store = new Map();
  const list = turns(40);
  const open = (options = {}) => createSession({ ...folded, id: 'chat', store, ...options });
  const first = open();
  const sent = await step(first, list.slice(0, -1));
  await first.dispose();
  assertTurns(sent, list);
  const stored = copy(list);
  const again = await step(open(), stored.slice(0, -1));
  assert.deepEqual(copy(again), copy(sent));
  const covered = list.findIndex((message) => sent.at(-1) !== message && sent.includes(message));
  const tail = copy(list.slice(covered, -1));
  assertTurns(await step(open({ resume: 'tail' }), tail), tail);
});

test('buildCheckpoint returns turns that alternate, also right before a message of the user', () => {
  for (const keepRecent of [{ messages: 1 }, { messages: 2 }, { turns: 1 }, { tokens: 400 }]) {
    const list = turns(12).slice(0, -1);
    const { messages, checkpoint } = buildCheckpoint(list, { keepRecent });
    assert.ok(checkpoint);
    assertTurns(messages, list, JSON.stringify(keepRecent));
  }
});

test('the model that compacts by itself goes on in turns', async () => {
  const session = createSession({ contextWindow: 20_000, overheadTokens: 1 });
  const list = [...turns(15), user('Fold, please.')];
  await step(session, list);
  const tool = session.compactTool();
  const answer = await tool.execute({ focus: 'parts' }, { toolCallId: 'fold', messages: list });
  const steps = [{ usage: { inputTokens: 8_000, outputTokens: 1 } }];
  const next = [...list, call('fold', { focus: 'parts' }, 'compact'), result('fold', answer, 'compact')];
  const sent = await step(session, next, steps);
  assert.ok(sent.some(isCheckpoint));
  assertTurns(sent, next);
});

test('ai 7: steering behind a fold stands apart from the checkpoint, and is delivered as it was said', async () => {
  const steering = packages[7].experimental_createSteering();
  const watched = watch(createPrepareStep, { contextWindow: 8_000 });
  const outcomes = [];
  const steer = (index) => [3, 9, 15, 21].includes(index) && outcomes.push(steering.steer(`Steering ${index}: mind the tests.`));
  await play({ major: 7, onCall: (index) => steer(index), prepareStep: watched.prepareStep, options: { experimental_steering: steering } });
  for (const outcome of await Promise.all(outcomes)) assert.equal(outcome.type, 'delivered');
  assert.ok(watched.count('checkpoint') > 0);
  assertAppendStable(watched.steps);
  for (const { sent, stepNumber } of watched.steps) {
    const first = sent.findIndex(isCheckpoint);
    if (first === -1) continue;
    const next = sent.slice(first + 1).find(takesTurn);
    assert.notEqual(next?.role, 'user', `step ${stepNumber}`);
  }
});
