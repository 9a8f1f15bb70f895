// What becomes of results that are to be kept (`keep: 'always'`) when everything around them is folded: the latest stands in the checkpoint, verbatim.
// That they are not cleared before is a golden case (`protected-tool`).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCheckpoint, createPrepareStep } from 'stepfold';
import { call, calm, result, usageOf, user } from '../hand.mjs';

const PLAN = (version) => `Plan, version ${version}:\n1. read all of src\n2. never touch vendor\n   {braces} $& stay as they are`;
const plan = (version) => [call(`plan-${version}`, {}, 'read_plan'), result(`plan-${version}`, PLAN(version), 'read_plan')];
const OPTIONS = { contextWindow: 8_000, overheadTokens: 1, keepRecent: { messages: 4 }, tools: { read_plan: { keep: 'always' } } };
const textOf = (checkpoint) => checkpoint.content[0].text;
/** The text without the log: what a call of step 1 returned in step 1 is history, and says so by its number. */
const apartFromLog = (text) => text.replace(/^--- Work log[^]*?(?=^--- )/m, '');
const log = (text) => text.match(/^\d+ read_plan.*$/gm);

test('a checkpoint holds the latest result of a tool that is to be kept verbatim, and no older one', () => {
  const list = [user('Go on.'), ...plan(1), ...calm(8), ...plan(2), ...calm(8, 'more')];
  const text = textOf(buildCheckpoint(list, OPTIONS).checkpoint);
  assert.ok(text.includes(`Latest result of read_plan, verbatim`) && text.includes(PLAN(2)));
  assert.ok(!apartFromLog(text).includes('version 1'));
  assert.deepEqual(log(text), ['1 read_plan → Plan, version 1:', '10 read_plan → Plan, version 2:'], 'in the log each at its step');
  assert.ok(!textOf(buildCheckpoint(list, { ...OPTIONS, tools: {} }).checkpoint).includes(PLAN(2)));
});

test('a result that stands in the tail is not said again in the checkpoint', () => {
  const list = [user('Go on.'), ...plan(1), ...calm(14), ...plan(2)];
  const { checkpoint, messages } = buildCheckpoint(list, OPTIONS);
  assert.ok(!textOf(checkpoint).includes('Latest result of'));
  assert.ok(JSON.stringify(messages.at(-1)).includes('version 2'));
});

test('what was kept goes from checkpoint to checkpoint until there is a later result', async () => {
  const prepareStep = createPrepareStep(OPTIONS);
  const steps = [];
  let list = [user('Go on.'), ...plan(1)];
  let sent = list;
  for (let step = 0; step < 120; step += 1) {
    const answer = await prepareStep({ messages: list, steps, stepNumber: step, model: 'mock' });
    sent = answer?.messages ?? list;
    const text = JSON.stringify(sent);
    // The call of the newest plan is made at step 60.
    assert.ok(text.includes(`version ${step <= 60 ? 1 : 2}`), `step ${step} lost the plan`);
    steps.push(usageOf(undefined));
    list = [...list, ...(step === 60 ? plan(2) : calm(1, `step-${step}`))];
  }
  const checkpoint = sent.find(({ providerOptions }) => providerOptions?.stepfold?.checkpoint !== undefined);
  assert.ok(textOf(checkpoint).includes(PLAN(2)) && !apartFromLog(textOf(checkpoint)).includes('version 1'));
});

test('a giant result is cut to a share of the checkpoint', () => {
  const list = [user('Go on.'), call('plan', {}, 'read_plan'), result('plan', `FIRST ${'word '.repeat(8_000)} LAST`, 'read_plan'), ...calm(10)];
  const text = textOf(buildCheckpoint(list, OPTIONS).checkpoint);
  assert.ok(text.includes('FIRST') && text.includes('LAST') && text.length < 8_000, `${text.length} characters`);
});
