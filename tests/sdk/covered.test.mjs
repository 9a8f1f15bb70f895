// What stands behind a checkpoint is not written for the engine again, which must not decide anything: a run on the same messages, as ai 5
// and 6 hand them on, sends what one on copies sends, of which every message is written at every plan.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession } from 'stepfold';
import { call, result, talk, text, user } from '../hand.mjs';

const model = { modelId: 'gpt-5', provider: 'openai' };
const OPTIONS = { contextWindow: 6_000, reserveTokens: 0, overheadTokens: 1 };
const request = user('Look through all parts, and keep a list of what is wrong.');
const part = (n) => [call(`c${n}`, { path: `src/part-${n}.ts` }), result(`c${n}`, `${text(200)} part ${n}`)];
const history = (parts) => [request, ...Array.from({ length: parts }, (_, n) => [...part(n), ...(n % 4 === 3 ? talk(1, `part ${n}`) : [])]).flat()];

/** Gives a `prepareStep` a list two messages longer at each step; `change` may do something to it, or elsewhere, before. */
async function grow({ prepareStep, messages, pass = (list) => [...list], change = (_list, _step) => {} }) {
  const steps = [];
  const sent = [];
  for (let length = 1; length <= messages.length; length += 2) {
    await change(messages, steps.length);
    const list = pass(messages.slice(0, length));
    const answer = await prepareStep({ messages: list, steps, stepNumber: steps.length, model });
    sent.push(JSON.stringify(answer?.messages ?? list));
    steps.push({ usage: {} });
  }
  return sent;
}

/** The same on the same objects and on copies; checks that both send the same, and says how often was folded. */
async function growBoth({ make, messages, change = undefined }) {
  const runs = [undefined, structuredClone].map(async (pass) => {
    const folds = [];
    const events = { onEvent: (event) => event.type === 'checkpoint' && folds.push(event) };
    const { prepareStep, change: own = change } = make(events);
    const sent = await grow({ prepareStep, messages: structuredClone(messages), pass, change: own });
    return { sent, folds: folds.length };
  });
  const [same, copies] = await Promise.all(runs);
  assert.deepEqual(same.sent, copies.sent);
  assert.equal(same.folds, copies.folds);
  return same;
}

const plainStep = (events) => ({ prepareStep: createPrepareStep({ ...OPTIONS, ...events }) });

test('many folds of the same messages send what folds of copies send', async () => {
  const { folds } = await growBoth({ make: plainStep, messages: history(80) });
  assert.ok(folds >= 4, `${folds} folds`);
});

test('a message that a checkpoint covers is not read at later edits', async () => {
  let reads = 0;
  const counted = { role: 'assistant', content: [{ type: 'text', get text() { reads += 1; return 'I begin with the first part.'; } }] };
  const readsAtFold = [];
  const prepareStep = createPrepareStep({ ...OPTIONS, onEvent: ({ type }) => type === 'checkpoint' && readsAtFold.push(reads) });
  const [first, ...rest] = history(80);
  const steps = [];
  const messages = [first, counted, ...rest];
  for (let length = 2; length <= messages.length; length += 2) {
    await prepareStep({ messages: messages.slice(0, length), steps, stepNumber: steps.length, model });
    steps.push({ usage: {} });
  }
  assert.ok(readsAtFold.length >= 4, `${readsAtFold.length} folds`);
  assert.deepEqual(new Set(readsAtFold.slice(1)).size, 1, String(readsAtFold));
});

test('a message of the user that is changed behind a checkpoint begins another history', async () => {
  const change = (messages, step) => {
    if (step === 70) messages[0].content = 'Look through all parts, and mend what is wrong.';
  };
  const { sent, folds } = await growBoth({ make: plainStep, messages: history(80), change });
  assert.ok(folds >= 4, `${folds} folds`);
  assert.match(sent[69], /keep a list/);
  assert.doesNotMatch(sent[70], /keep a list/);
  assert.match(sent.at(-1) ?? '', /mend what is wrong/);
});

test('what `undo` takes back is written again', async () => {
  const make = (events) => {
    const session = createSession({ ...OPTIONS, ...events });
    const change = async (_messages, step) => {
      if (step === 60) assert.equal(await session.undo(), true);
    };
    return { prepareStep: session.prepareStep, change };
  };
  const { folds } = await growBoth({ make, messages: history(80) });
  assert.ok(folds >= 4, `${folds} folds`);
});
