// `keepRecent.images` in real runs of ai 5, 6 and 7: screenshots age in batches, the prompt between two batches only grows, and a restored session sends the same.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession, validateMessages } from 'stepfold';
import { MAJORS, createModel, normalize, packages, run } from './sdk.mjs';

const STEPS = 30;
const KEPT = 3;
/** A picture of one dot; no two steps see the same. */
const picture = (step) => Buffer.concat([Buffer.from('iVBORw0KGgoAAAANSUhEUgAABAAAAAMACAIAAAA=', 'base64'), Buffer.from([step])]).toString('base64');
const answers = [
  ...Array.from({ length: STEPS }, (_, step) => ({ calls: [{ id: `shot-${step}`, name: 'screenshot', input: { step } }] })),
  { text: 'Booked.' },
];

const createTools = (major) => {
  const { tool, jsonSchema } = packages[major];
  const media = (data) => (major === 5 ? { type: 'media', data, mediaType: 'image/png' } : { type: 'image-data', data, mediaType: 'image/png' });
  const toModelOutput = (given) => ({ type: 'content', value: [{ type: 'text', text: 'The page now.' }, media((given.output ?? given).data)] });
  return { screenshot: tool({ description: 'Looks at the screen.', inputSchema: jsonSchema({ type: 'object', additionalProperties: true }), execute: async ({ step }) => ({ data: picture(step) }), toModelOutput }) };
};

const images = (prompt) => JSON.stringify(prompt).split('image/png').length - 1;
const request = { role: 'user', content: 'Book the flight.' };

/** Plays the run; `restarts` gives every step a session restored from the one before. */
async function play(major, { restarts = false, api = 'generateText' } = {}) {
  const events = [];
  const options = { contextWindow: 200_000, keepRecent: { images: KEPT }, onEvent: (event) => events.push(event) };
  let session = createSession(options);
  const mock = createModel({ major, answers });
  const prepareStep = async (step) => {
    if (restarts) session = createSession({ ...options, state: JSON.stringify(session.state) });
    return session.prepareStep(step);
  };
  await run({ major, api: api, model: mock.model, tools: createTools(major), options: { messages: [request], prepareStep } });
  return { prompts: mock.prompts(), aged: events.filter(({ type }) => type === 'images-cleared') };
}

for (const major of MAJORS) {
  for (const api of ['generateText', 'streamText']) {
    test(`v${major}, ${api}: old screenshots go in batches, and in between the prompt only grows`, async () => {
      const { prompts, aged } = await play(major, { api });
      assert.deepEqual(aged.map(({ stepNumber, results }) => [stepNumber, results.length]), [7, 11, 15, 19, 23, 27].map((step) => [step, 4]));
      for (const [step, prompt] of prompts.entries()) {
        assert.ok(images(prompt) <= 2 * KEPT, `step ${step} sends ${images(prompt)} images`);
        assert.deepEqual(validateMessages(prompt), []);
        if (step === 0 || aged.some(({ stepNumber }) => stepNumber === step)) continue;
        assert.deepEqual(prompt.slice(0, prompts[step - 1].length), prompts[step - 1], `step ${step}`);
      }
      const [{ tokensBefore, tokensAfter }] = aged;
      assert.ok(tokensAfter < tokensBefore);
    });
  }

  test(`v${major}: a session restored before every step sends the same`, async () => {
    const [plain, restored] = [await play(major), await play(major, { restarts: true })];
    assert.deepEqual(restored.prompts.map((prompt) => normalize(prompt)), plain.prompts.map((prompt) => normalize(prompt)));
  });
}
