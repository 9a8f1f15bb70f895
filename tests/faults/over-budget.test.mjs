// `over-budget` is told when what is sent exceeds window less reserve by all that is known, and only then: not because of what is
// guessed, not at a step whose plan fits in the end. People are shown it only where no error of the estimate can make it false.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, estimateTokens } from 'stepfold';
import { writeEvents } from 'stepfold/ui';
import { steps } from './drive.mjs';
import { calm, talk, text, usageOf, user } from '../hand.mjs';

const go = user('Go through the files.');
/** A provider that counts `overhead` beside the estimate of a list that grows by `calm(1)` at each step. */
const counts = (list, overhead) => (step) =>
  usageOf(overhead + estimateTokens([...list, ...calm(step)]));

const short = [go, ...calm(2)];
const rows = [
  // Told.
  { name: 'a message of the user twice as large as the window', list: [user(text(9_000))], reason: 'message', certain: true },
  { name: 'a message of the user a little larger than the limit', list: [user(text(2_900))], reason: 'message', certain: false },
  { name: 'a system prompt that is told to fill the window', list: short, settings: { contextWindow: 100_000, options: { overheadTokens: 99_000 } }, reason: 'overhead', certain: false },
  { name: 'a system prompt that is reported to fill the window', list: short, settings: { contextWindow: 8_000, usage: counts(short, 6_700) }, reason: 'overhead', certain: false, from: 1 },
  // Not told.
  { name: 'a large reserve, and no room beside what the overhead is guessed to be', list: short, settings: { contextWindow: 10_000, options: { reserveTokens: 6_500 } } },
  { name: 'a system prompt that is reported to leave less than a tenth of the window, beside messages that fit', list: [go], settings: { contextWindow: 8_000, usage: () => usageOf(5_300), extra: [[user('And?')], [user('Well?')]] } },
  { name: 'a system prompt that is told to leave less than a tenth of the window, beside messages that fit', list: [go], settings: { contextWindow: 100_000, options: { overheadTokens: 72_000 } } },
  { name: 'results far larger than the window, which give way', list: [go, ...calm(60)] },
  { name: 'talk far larger than the window, which is folded', list: [go, ...talk(60)] },
  { name: 'talk that is folded with a summary, for which the step waits', list: [go, ...talk(60)], settings: { options: { summarize: async () => 'The files were gone through one by one; what is left to do is the changelog, then the tests.' } } },
  { name: 'one report that is far too high', list: short, settings: { contextWindow: 20_000, usage: (step) => usageOf(step === 0 ? 1_000 : 19_500) } },
];

for (const { name, list, settings, reason, certain, from = 0 } of rows) {
  for (const carries of [false, true]) {
    test(`${reason === undefined ? 'not reported' : 'reported'}: ${name}${carries ? ', carried forward' : ''}`, async () => {
      const { events } = await steps(list, { carries, ...settings });
      const reported = events.filter(({ type }) => type === 'over-budget');
      for (const { tokens, limitTokens } of reported) assert.ok(tokens > limitTokens, `${tokens} of ${limitTokens}`);
      if (reason === undefined) return assert.deepEqual(reported, []);
      const first = reported.find(({ stepNumber }) => stepNumber === from);
      assert.equal(first?.reason, reason);
      assert.equal(first?.certain, certain);
      assert.equal(new Set(reported.map(({ stepNumber }) => stepNumber)).size, reported.length, 'once a step');
    });
  }
}

test('people are shown only what is certainly over', async () => {
  const labels = async (words) => {
    const parts = [];
    const prepareStep = createPrepareStep({ contextWindow: 4_000, onEvent: writeEvents({ write: (part) => void parts.push(part) }) });
    await prepareStep({ messages: [user(text(words))], steps: [], stepNumber: 0, model: { modelId: 'mock', provider: 'mock' } });
    const reported = parts.filter(({ data }) => data.type === 'over-budget');
    assert.equal(reported.length, 1);
    return reported[0].data.label;
  };
  assert.equal(await labels(9_000), 'The conversation is too long for this model.');
  assert.equal(await labels(2_900), undefined);
});

test('the reported overhead stays where it is while prompts grow and are folded', async () => {
  // Seen as 497, 0 and 542 where 490 was true all the time: dense code is estimated too high.
  const OVERHEAD = 490;
  const events = [];
  const prepareStep = createPrepareStep({ contextWindow: 16_000, onEvent: (event) => events.push(event) });
  const count = (list) => Math.round(OVERHEAD + 0.82 * estimateTokens(list));
  const list = [go];
  const finished = [];
  for (let step = 0; step < 60; step += 1) {
    const sent = (await prepareStep({ messages: [...list], steps: finished, stepNumber: step, model: { modelId: 'mock', provider: 'mock' } }))?.messages ?? list;
    const measured = events.findLast(({ type }) => type === 'measured');
    if (step > 3) {
      assert.ok(Math.abs(measured.overheadTokens - OVERHEAD) < 100, `step ${step}: ${measured.overheadTokens}`);
      assert.ok(Math.abs(measured.tokens / count(sent) - 1) < 0.15, `step ${step}: ${measured.tokens} for ${count(sent)}`);
    }
    finished.push(usageOf(count(sent)));
    list.push(...calm(step % 4 === 0 ? 6 : 2, `step-${step}`));
  }
  assert.ok(events.filter(({ type }) => type === 'checkpoint' || type === 'cleared').length >= 3, 'nothing was edited');
});
