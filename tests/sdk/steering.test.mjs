// Steering messages of ai 7 (`experimental_createSteering`): what the user says during a run reaches the model as it was said.
// ai 5 and 6 have no such thing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep } from 'stepfold';
import { inTurn } from '../amount.mjs';
import { APIS, createModel, createTools, normalize, packages, run } from './sdk.mjs';
import { answers, honestCount, play, request, results, words } from './script.mjs';
import { assertAppendStable, deepFreeze, watch } from './watch.mjs';

const STEPS = answers.map((_, step) => step);
const IMAGE = { type: 'image', image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==', mediaType: 'image/png' };

/** Steers before the steps named and returns what became of it. */
async function steerDuring({ api = 'generateText', before, contextWindow = 8_000, messageOf, count = honestCount, options = {} }) {
  const steering = packages[7].experimental_createSteering();
  const outcomes = [];
  const watched = watch(createPrepareStep, { contextWindow, ...options });
  const steer = (step) => before.includes(step) && outcomes.push(steering.steer(messageOf(step)));
  steer(0);
  // What is sent while the model answers step n arrives before step n + 1.
  const { prompts } = await play({ major: 7, api, count, onCall: (index) => steer(index + 1), prepareStep: watched.prepareStep, options: { experimental_steering: steering } });
  return { ...watched, prompts, outcomes: await Promise.all(outcomes) };
}

const textOf = (step) => `Steering before step ${step}: keep the name "module-${step}" & <all> of its $& tests.`;
const shapes = [
  { name: 'a text', messageOf: textOf },
  { name: 'a message', messageOf: (step) => ({ role: 'user', content: textOf(step) }) },
  { name: 'parts', messageOf: (step) => ({ role: 'user', content: [{ type: 'text', text: textOf(step) }] }) },
  { name: 'parts with an image', messageOf: (step) => ({ role: 'user', content: [{ type: 'text', text: textOf(step) }, IMAGE] }) },
  { name: 'a frozen message with metadata', messageOf: (step) => deepFreeze({ role: 'user', content: [{ type: 'text', text: textOf(step) }], providerOptions: { mock: { step } } }) },
];

for (const [turn, { name, messageOf }] of shapes.entries()) {
  for (const api of inTurn(APIS, turn)) {
    test(`${api}: ${name} sent before any step is delivered as it is, also when that step clears, caps or folds`, async () => {
      // Every step once; a run steered everywhere would be a run of nothing else.
      for (const first of inTurn([0, 1, 2], turn)) {
        const before = STEPS.filter((step) => step % 3 === first);
        const { outcomes, prompts, steps, events } = await steerDuring({ api, before, messageOf });
        assert.equal(outcomes.length, before.length);
        for (const outcome of outcomes) assert.equal(outcome.type, 'delivered', JSON.stringify(outcome));
        before.forEach((step) => {
          const last = prompts[step].at(-1);
          assert.equal(last.role, 'user');
          assert.equal(last.content[0].text, textOf(step), `step ${step}`);
          assert.equal(last.content.length, name === 'parts with an image' ? 2 : 1);
        });
        assertAppendStable(steps);
        assert.ok(events.some(({ type }) => type === 'checkpoint'));
      }
    });
  }
}

test('what was said stays in the prompt verbatim after any number of folds, newest first within its budget', async () => {
  const before = [2, 7, 16, 22];
  const { prompts, count } = await steerDuring({ before, messageOf: textOf });
  assert.ok(count('checkpoint') >= 2);
  for (const step of before) {
    for (let later = step; later < prompts.length; later += 1) {
      assert.ok(JSON.stringify(prompts[later]).includes(JSON.stringify(textOf(step)).slice(1, -1)), `what was said before step ${step} is gone at step ${later}`);
    }
  }
});

test('steering messages at every step are all delivered, and the prompt still fits', async () => {
  const { outcomes, prompts } = await steerDuring({ before: STEPS, messageOf: textOf });
  assert.deepEqual(outcomes.map(({ type }) => type), STEPS.map(() => 'delivered'));
  prompts.forEach((prompt, step) => assert.ok(honestCount(prompt) <= 8_000, `step ${step}: ${honestCount(prompt)}`));
});

for (const size of [1_000, 5_000, 40_000]) {
  test(`a steering message of ${size} words is delivered uncut; when it cannot fit an event says so`, async () => {
    const messageOf = () => `A long remark: ${words(size, 5)}`;
    for (const step of [1, 10, 20]) {
      const { outcomes, prompts, steps } = await steerDuring({ before: [step], messageOf });
      assert.equal(outcomes[0].type, 'delivered');
      assert.equal(prompts[step].at(-1).content[0].text, messageOf());
      // Before step 2 the run has not yet learnt how this provider counts; a giant is seen all the same.
      if (honestCount(prompts[step]) > (step === 1 ? 16_000 : 8_000)) {
        const over = steps[step].events.find(({ type }) => type === 'over-budget');
        assert.ok(over !== undefined, `step ${step} sent ${honestCount(prompts[step])} tokens and told nobody`);
      }
    }
  });
}

test('several steering messages before one step all arrive, in order', async () => {
  for (const step of [3, 8, 9, 10, 17]) {
    const steering = packages[7].experimental_createSteering();
    const outcomes = [];
    const { prepareStep } = watch(createPrepareStep, { contextWindow: 8_000 });
    const onCall = (index) => index === step - 1 && [1, 2, 3].forEach((n) => outcomes.push(steering.steer(`Remark ${n}.`)));
    const mock = createModel({ major: 7, answers, count: honestCount, onCall });
    await run({ major: 7, model: mock.model, tools: createTools(7, results), options: { messages: [request], prepareStep, experimental_steering: steering } });
    assert.deepEqual((await Promise.all(outcomes)).map(({ type }) => type), ['delivered', 'delivered', 'delivered']);
    assert.deepEqual(mock.prompts()[step].slice(-3).map(({ content }) => content[0].text), ['Remark 1.', 'Remark 2.', 'Remark 3.']);
  }
});

test('queued messages start the next task in the same run and are delivered', async () => {
  const steering = packages[7].experimental_createSteering();
  const second = answers.slice(0, 20).map((answer) => ({ ...answer, calls: answer.calls?.map((call) => ({ ...call, id: `second-${call.id}` })) }));
  const { prepareStep, count } = watch(createPrepareStep, { contextWindow: 8_000 });
  const mock = createModel({ major: 7, answers: [...answers, ...second, { text: 'Both are done.' }], count: honestCount });
  const outcome = steering.queue('Now do the same for the editors.');
  const { text } = await run({ major: 7, model: mock.model, tools: createTools(7, results), options: { messages: [request], prepareStep, experimental_steering: steering } });
  assert.equal((await outcome).type, 'delivered');
  assert.equal(text, 'Both are done.');
  assert.ok(count('checkpoint') >= 3);
  assert.ok(JSON.stringify(mock.prompts().at(-1)).includes('Now do the same for the editors.'));
});

test('a summarizer that is slow or fails does not lose a steering message', async () => {
  for (const summarize of [async () => 'A summary.', () => { throw new Error('down'); }, () => '']) {
    const before = STEPS.filter((step) => step % 2 === 1);
    const { outcomes, events } = await steerDuring({ before, messageOf: textOf, options: { summarize } });
    assert.ok(outcomes.every(({ type }) => type === 'delivered'));
    assert.ok(events.some(({ type }) => type === 'checkpoint-started'));
  }
});

test('steering messages that repeat each other or the request are all delivered', async () => {
  const before = STEPS.filter((step) => step % 2 === 0);
  const { outcomes, prompts } = await steerDuring({ before, messageOf: () => request.content });
  assert.ok(outcomes.every(({ type }) => type === 'delivered'));
  before.forEach((step) => assert.deepEqual(prompts[step].at(-1), normalize({ role: 'user', content: [{ type: 'text', text: request.content }] })));
});
