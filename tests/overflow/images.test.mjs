// `model(…)` beside a host that takes only so many images in a request, or so many bytes: the refusal is recovered within its step, the limit is learnt, and
// no later request passes it. Mock models of each major, which refuse as the hosts do.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createPrepareStep, createSession } from 'stepfold';

import { MAJORS, createModel, packages, run } from '../sdk/sdk.mjs';

const STEPS = 24;
/** A picture of one dot and many bytes; no two steps see the same. */
const picture = (step, bytes = 1) => Buffer.concat([Buffer.from('iVBORw0KGgoAAAANSUhEUgAABAAAAAMACAIAAAA=', 'base64'), Buffer.alloc(bytes, step)]).toString('base64');
const answers = [
  ...Array.from({ length: STEPS }, (_, step) => ({ calls: [{ id: `shot-${step}`, name: 'screenshot', input: { step } }] })),
  { text: 'Booked.' },
];
const request = (major) => ({
  role: 'user',
  content: [{ type: 'text', text: 'Make the page like this.' }, major === 5 ? { type: 'image', image: picture(200), mediaType: 'image/png' } : { type: 'file', data: picture(200), mediaType: 'image/png', filename: 'front.png' }],
});

function createTools(major, bytes) {
  const { tool, jsonSchema } = packages[major];
  const item = (data) => (major === 5 ? { type: 'media', data, mediaType: 'image/png' } : { type: 'image-data', data, mediaType: 'image/png' });
  const toModelOutput = (given) => ({ type: 'content', value: [{ type: 'text', text: 'The page now.' }, item((given.output ?? given).data)] });
  return { screenshot: tool({ description: 'Looks at the screen.', inputSchema: jsonSchema({ type: 'object', additionalProperties: true }), execute: async ({ step }) => ({ data: picture(step, bytes) }), toModelOutput }) };
}

const images = (prompt) => JSON.stringify(prompt, (_key, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value)).split('"image/png"').length - 1;

/** Plays the run with a host that refuses what `refuse` says of a prompt. */
async function play({ major = 7, make = createPrepareStep, options = {}, refuse, bytes = 1 }) {
  const events = [];
  const made = make({ contextWindow: 1_000_000, onEvent: (event) => events.push(event), ...options });
  const mock = createModel({ major, answers });
  const taken = [];
  let refused = 0;
  const doGenerate = mock.model.doGenerate;
  mock.model.doGenerate = async (call) => {
    const message = refuse(call.prompt);
    if (message !== undefined) {
      refused += 1;
      throw Object.assign(new Error(message), { statusCode: 400 });
    }
    taken.push(images(call.prompt));
    return doGenerate.call(mock.model, call);
  };
  const { text } = await run({ major, model: made.model(mock.model), tools: createTools(major, bytes), options: { messages: [request(major)], prepareStep: made.prepareStep ?? made, maxRetries: 0 } });
  return { text, taken, refused: () => refused, events, last: mock.prompts().at(-1) };
}

const REFUSALS = {
  vLLM: (most) => `At most ${most} image(s) may be provided in one request.`,
  Anthropic: (most, sent) => `too many images and documents: ${sent} + 0 > ${most}`,
  Azure: (most) => `Exceeded maximum number of images (${most}) allowed in the request.`,
  'one that names no number': () => 'Too many images.',
};

for (const major of MAJORS) {
  for (const [host, say] of Object.entries(REFUSALS)) {
    test(`ai ${major}, ${host}: a refusal of images is recovered, and the limit is never passed again`, async () => {
      const refuse = (prompt) => (images(prompt) > 5 ? say(5, images(prompt)) : undefined);
      const { text, taken, refused, events, last } = await play({ major, make: major === 6 ? createSession : createPrepareStep, refuse });
      assert.equal(text, 'Booked.');
      assert.equal(taken.length, STEPS + 1);
      assert.equal(refused(), 1);
      assert.deepEqual(events.filter(({ type }) => type === 'image-limit').map(({ reported }) => reported), [host !== 'one that names no number']);
      assert.ok(taken.every((count) => count <= 5), taken.join(' '));
      assert.ok(last[0].content.some(({ type }) => type === 'file' || type === 'image'), 'what the user attached stays');
      assert.deepEqual(events.filter(({ type }) => type === 'error'), []);
    });
  }
}

test('an image too large for a request of many takes the limit down to twenty', async () => {
  const refuse = (prompt) => (images(prompt) > 20 ? 'messages.19.content.27.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels' : undefined);
  const { taken, refused } = await play({ refuse });
  assert.deepEqual([taken.length, refused(), Math.max(...taken)], [STEPS + 1, 1, 20]);
});

test('a request refused for its bytes loses images and not its words', async () => {
  const size = (prompt) => JSON.stringify(prompt, (_key, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value)).length;
  const refuse = (prompt) => (size(prompt) > 2_000_000 ? '{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}' : undefined);
  const { taken, refused, events } = await play({ refuse, bytes: 150_000 });
  assert.equal(taken.length, STEPS + 1);
  assert.equal(refused(), 1);
  assert.ok(events.every(({ type }) => type !== 'checkpoint' && type !== 'overflow'));
});

test('a limit that was given is never passed, and nothing is refused', async () => {
  const refuse = (prompt) => (images(prompt) > 4 ? 'At most 4 image(s) may be provided in one request.' : undefined);
  const { taken, refused } = await play({ options: { maxImages: 4 }, refuse });
  assert.deepEqual([taken.length, refused(), Math.max(...taken)], [STEPS + 1, 0, 4]);
});
