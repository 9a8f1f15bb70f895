// `session.prune`: old results are cleared between two runs, with the real `ai` 5, 6 and 7, and hold at the next request, also on another server.
// Which results go is tested in tests/policy.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StepfoldError, createSession } from 'stepfold';
import { call, result, step, text } from '../hand.mjs';
import { MAJORS, createModel, createTools, normalize, run } from './sdk.mjs';
import { answers, honestCount, request, results } from './script.mjs';

const OPTIONS = { id: 'chat', contextWindow: 400_000, trigger: 0.9, target: { tokens: 4_000 }, keepRecent: { tokens: 1_000 } };
const onEnd = (major, then) => ({ [major === 7 ? 'onEnd' : 'onFinish']: then });
const isPlaceholder = (part) => part.type === 'tool-result' && typeof part.output.value === 'string' && part.output.value.startsWith('[');
const resultsIn = (prompt) => prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
const rebuilt = (messages) => JSON.parse(JSON.stringify(messages));

/** A run that is pruned at its end, and the first prompt of the request after it. */
async function twoRequests(major, { prunes = true } = {}) {
  const store = new Map();
  const events = [];
  const open = () => createSession({ ...OPTIONS, store, onEvent: (event) => events.push(event) });
  const tools = createTools(major, results);
  const session = open();
  const { model, prompts } = createModel({ major, answers, count: honestCount });
  let pruned;
  let said = [];
  const end = async ({ responseMessages, response }) => {
    said = responseMessages ?? response.messages;
    if (prunes) pruned = await session.prune({ messages: [request, ...said] });
  };
  await run({ major, api: 'streamText', model, tools, options: { messages: [request], prepareStep: session.prepareStep, ...onEnd(major, end) } });
  const before = events.filter(({ type }) => type === 'cleared').length;
  const next = createModel({ major, answers: [{ text: 'Done.' }], count: honestCount });
  const messages = rebuilt([request, ...said, { role: 'user', content: 'And now the tests.' }]);
  await run({ major, model: next.model, tools, options: { messages, prepareStep: open().prepareStep } });
  return { first: prompts(), second: next.prompts()[0], pruned, events, before };
}

for (const major of MAJORS) {
  test(`ai ${major}: what is pruned at the end of a run is a placeholder in the next request, and nothing is folded`, async () => {
    const { first, second, pruned, events, before } = await twoRequests(major);
    assert.deepEqual(first.flatMap(resultsIn).filter(isPlaceholder), [], 'the run itself was not edited');
    assert.equal(pruned.pruned, true);
    assert.ok(pruned.tokensAfter < pruned.tokensBefore);
    const placeholders = resultsIn(second).filter(isPlaceholder);
    assert.ok(placeholders.length > 3, JSON.stringify(second).slice(0, 500));
    assert.ok(!isPlaceholder(resultsIn(second).at(-1)), 'the newest result stays');
    assert.equal(events.filter(({ type }) => type === 'checkpoint' || type === 'error' || type === 'session-conflict').length, 0);
    assert.equal(before, 1);
    assert.equal(events.filter(({ type }) => type === 'cleared').length, 1, 'nothing more is cleared by the request');
    // Every message stands in its place.
    assert.deepEqual(second.map(({ role }) => role), (await twoRequests(major, { prunes: false })).second.map(({ role }) => role));
  });
}

test('the three majors send the same after it', async () => {
  const [five, six, seven] = await Promise.all(MAJORS.map(async (major) => normalize(resultsIn((await twoRequests(major)).second).map(({ output }) => output))));
  assert.deepEqual(five, six);
  assert.deepEqual(six, seven);
});

const talk = () => [{ role: 'user', content: 'Fix it.' }, ...Array.from({ length: 30 }, (_, n) => [call(`r${n}`, { path: `src/${n}.ts` }), result(`r${n}`, `${text(300)}${n}`)]).flat()];

test('after an error the messages of the newest step are pruned, and pruning twice changes nothing', async () => {
  const session = createSession(OPTIONS);
  assert.deepEqual(await step(session, talk()), talk());
  const { pruned, tokensAfter } = await session.prune();
  assert.equal(pruned, true);
  const { fold } = session.state;
  assert.deepEqual(await session.prune(), { pruned: false, tokensBefore: tokensAfter, tokensAfter });
  assert.deepEqual(session.state.fold, fold);
  const sent = await step(session, talk());
  assert.ok(sent.flatMap(({ content }) => content).filter(isPlaceholder).length > 3);
});

test('below the target nothing is pruned and nothing is decided', async () => {
  const session = createSession({ ...OPTIONS, target: { tokens: 100_000 } });
  await step(session, talk());
  const { pruned, tokensBefore, tokensAfter } = await session.prune();
  assert.deepEqual([pruned, tokensBefore], [false, tokensAfter]);
  assert.equal(session.state.fold, undefined);
});

test('what was pruned can be taken back', async () => {
  const session = createSession(OPTIONS);
  await step(session, talk());
  await session.prune();
  assert.equal(await session.undo(), true);
  assert.deepEqual(await step(session, talk()), talk());
});

test('before the first step there is nothing to prune, and the error says so', async () => {
  await assert.rejects(createSession(OPTIONS).prune(), (error) => StepfoldError.isInstance(error) && error.code === 'invalid-message' && error.message.includes('`prune`'));
});
