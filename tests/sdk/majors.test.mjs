// The same run over the same inputs through the real `ai` 5, 6 and 7, by every way of calling.
// Checks what the models were sent. Not here: what a provider accepts (tests/wire), and runs that go wrong (tests/faults).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, prepareStep } from 'stepfold';
import { inTurn } from '../amount.mjs';
import { withRunsInOrder } from '../hand.mjs';
import { APIS, MAJORS } from './sdk.mjs';
import { answers, denseCount, honestCount, play, request } from './script.mjs';
import { assertAppendStable, assertUntouchedAreSame, deepFreeze, watch } from './watch.mjs';

const rows = [
  { name: 'usage reported', count: honestCount, options: { contextWindow: 8_000 } },
  { name: 'usage of a dense tokenizer reported', count: denseCount, options: { contextWindow: 8_000 } },
  { name: 'no usage reported', count: undefined, options: { contextWindow: 5_500 } },
  { name: 'a larger window with early marks and a short tail', count: honestCount, options: { contextWindow: 16_000, trigger: 0.4, target: { tokens: 2_500 }, keepRecent: { tokens: 1_500 } } },
  {
    name: 'what the user says of tools',
    count: honestCount,
    options: { contextWindow: 8_000, tools: { read: { digest: ({ path }, output) => `${path} has ${JSON.stringify(output).length} characters.` }, run: { keep: 'never' } } },
  },
];

const few = [...answers.slice(0, 6), answers.at(-1)];

async function drive({ major, api, count, options, messages = [deepFreeze(structuredClone(request))] }) {
  const watched = watch(createPrepareStep, options);
  return { ...(await play({ major, api, count, messages, prepareStep: watched.prepareStep })), ...watched };
}

for (const [turn, { name, count, options }] of rows.entries()) {
  test(`thirty steps send the same bytes in ai 5, 6 and 7 however they are called: ${name}`, async () => {
    const first = await drive({ major: 5, api: 'generateText', count, options });
    assert.ok(first.count('cleared') >= 1, 'the run never cleared');
    assert.ok(first.count('capped') >= 1, 'the run never capped');
    assert.ok(first.count('checkpoint') >= 2, `the run made ${first.count('checkpoint')} checkpoints`);
    for (const major of MAJORS) {
      for (const api of inTurn(APIS, turn + major)) {
        const { prompts, text, errors, events } = await drive({ major, api, count, options });
        assert.equal(prompts.length, answers.length);
        prompts.forEach((prompt, step) => assert.equal(JSON.stringify(prompt), JSON.stringify(first.prompts[step]), `ai ${major} ${api}, step ${step}`));
        assert.equal(JSON.stringify(withRunsInOrder(events)), JSON.stringify(withRunsInOrder(first.events)), `ai ${major} ${api} tells the same events`);
        assert.equal(text, answers.at(-1).text);
        assert.deepEqual(errors, []);
      }
    }
  });

  for (const major of inTurn(MAJORS, turn)) {
    test(`ai ${major}: every prompt fits, keeps the request, only grows between edits and shares what was not edited: ${name}`, async () => {
      const { prompts, steps, events } = await drive({ major, api: 'streamText', count, options });
      prompts.forEach((prompt, step) => {
        const tokens = (count ?? honestCount)(prompt);
        assert.ok(tokens <= options.contextWindow, `step ${step} sent ${tokens} tokens`);
        assert.ok(JSON.stringify(prompt[0]).includes('Never touch the folder `vendor`.'), `step ${step} lost the request`);
      });
      assertAppendStable(steps);
      assertUntouchedAreSame(steps);
      assert.deepEqual(events.filter(({ type }) => type === 'error' || type === 'over-budget'), []);
    });
  }
}

for (const major of MAJORS) {
  for (const api of APIS) {
    test(`ai ${major} ${api}: a run that always fits is answered with undefined`, async () => {
      const watched = watch(createPrepareStep, { contextWindow: 200_000 });
      await play({ major, api, answers: few, prepareStep: watched.prepareStep });
      assert.equal(watched.steps.length, few.length);
      watched.steps.forEach(({ returned, stepNumber }) => assert.equal(returned, undefined, `step ${stepNumber}`));
      assert.equal(watched.count('measured'), few.length);
    });
  }

  test(`ai ${major}: nothing changes when the default prepareStep watches a run that fits`, async () => {
    const [without, watched] = await Promise.all([undefined, prepareStep].map((given) => play({ major, answers: few, modelId: 'gpt-5', provider: 'openai', prepareStep: given })));
    assert.deepEqual(watched.prompts, without.prompts);
  });

  test(`ai ${major}: the messages of the result are the uncompacted ones`, async () => {
    const [bare, edited] = await Promise.all([undefined, createPrepareStep({ contextWindow: 8_000 })].map((prepareStep) => play({ major, prepareStep })));
    assert.ok(edited.prompts.at(-1).length < 30);
    const texts = ({ steps }) => JSON.stringify(steps.map(({ response }) => response.messages));
    assert.equal(texts(edited), texts(bare));
  });
}
