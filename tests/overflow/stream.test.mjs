// Streams of `model(…)`: what is held back and for how long, when they begin again, and when they do not.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createPrepareStep } from 'stepfold';

const START = { type: 'stream-start', warnings: [] };
const META = { type: 'response-metadata', id: 'r' };
const TEXT = { type: 'text-delta', id: 't', delta: 'Hello' };
const FINISH = { type: 'finish', finishReason: 'stop', usage: {} };
/** Each provider's error is an object of its own. */
const overflow = () => ({ type: 'error', error: { message: 'prompt is too long: 30000 tokens > 20000 maximum', code: 'context_length_exceeded' } });

/** A prompt of which much can give way. */
const prompt = Array.from({ length: 60 }, (_, index) => [
  { role: 'user', content: [{ type: 'text', text: `Go on with ${index}.` }] },
  { role: 'assistant', content: [{ type: 'text', text: `I looked at module ${index}. `.repeat(200) }] },
]).flat().concat({ role: 'user', content: [{ type: 'text', text: 'And now?' }] });

/** A model whose streams are these lists of parts; a function waits, an error ends the stream. */
function scripted(streams) {
  const calls = [];
  const cancelled = [];
  const model = {
    specificationVersion: 'v2',
    provider: 'mock',
    modelId: 'mock-model',
    doGenerate: async () => ({}),
    doStream: async (call) => {
      const parts = [...streams[calls.length]];
      calls.push(call);
      return {
        stream: new ReadableStream(
          {
            async pull(controller) {
              const part = parts.shift();
              if (part === undefined) controller.close();
              else if (part instanceof Error) controller.error(part);
              else if (typeof part === 'function') await part(controller);
              else controller.enqueue(part);
            },
            cancel: (reason) => void cancelled.push(reason),
          },
          { highWaterMark: 0 },
        ),
      };
    },
  };
  return { model: createPrepareStep({ contextWindow: 200_000 }).model(model), calls, cancelled };
}

async function read(stream) {
  const parts = [];
  try {
    for await (const part of stream) parts.push(part);
  } catch (error) {
    parts.push(error);
  }
  return parts;
}

const streamed = async (scriptedModel, rest = {}) => read((await scriptedModel.model.doStream({ prompt, ...rest })).stream);

test('an overflow before any content begins the stream again, with one start', async () => {
  const script = scripted([[START, META, overflow(), FINISH], [START, TEXT, FINISH]]);
  assert.deepEqual(await streamed(script), [START, TEXT, FINISH]);
  assert.equal(script.calls.length, 2);
  assert.ok(JSON.stringify(script.calls[1].prompt).length < JSON.stringify(prompt).length / 2);
  assert.equal(script.cancelled.length, 1, 'the first stream is let go');
});

test('a stream that breaks with an overflow before any content begins again', async () => {
  const error = Object.assign(new Error('prompt is too long: 30000 tokens > 20000 maximum'), { statusCode: 400 });
  assert.deepEqual(await streamed(scripted([[START, error], [START, TEXT, FINISH]])), [START, TEXT, FINISH]);
});

test('after content nothing is repeated: the error is passed on', async () => {
  const script = scripted([[START, TEXT, overflow(), FINISH]]);
  assert.deepEqual(await streamed(script), [START, TEXT, overflow(), FINISH]);
  const broken = new Error('prompt is too long: 30000 tokens > 20000 maximum');
  const parts = await streamed(scripted([[START, TEXT, broken]]));
  assert.ok(parts.at(-1) === broken);
});

test('other errors before content are passed on as they are, with all that came before', async () => {
  const other = { type: 'error', error: { message: 'Overloaded' } };
  assert.deepEqual(await streamed(scripted([[START, META, other, FINISH]])), [START, META, other, FINISH]);
});

test('when the second stream fails too, the first one is passed on whole', async () => {
  const other = { type: 'error', error: { message: 'Overloaded' } };
  for (const second of [[START, overflow()], [START, META, other], [new Error('fetch failed')]]) {
    const script = scripted([[START, META, overflow(), FINISH], second]);
    assert.deepEqual(await streamed(script), [START, META, overflow(), FINISH]);
    assert.equal(script.calls.length, 2);
  }
});

test('no part is held back longer than the first content', async () => {
  let release;
  const waits = (controller) => new Promise((resolve) => (release = () => resolve(controller.enqueue(FINISH))));
  const { stream } = await scripted([[START, TEXT, waits]]).model.doStream({ prompt });
  const reader = stream.getReader();
  assert.deepEqual((await reader.read()).value, START);
  assert.deepEqual((await reader.read()).value, TEXT);
  const last = reader.read();
  while (release === undefined) await new Promise((resolve) => setImmediate(resolve));
  release();
  assert.deepEqual((await last).value, FINISH);
});

test('an empty stream stays one', async () => {
  assert.deepEqual(await streamed(scripted([[]])), []);
  assert.deepEqual(await streamed(scripted([[START]])), [START]);
});

test('cancelling reaches the provider, before and after content', async () => {
  for (const reads of [0, 2]) {
    const script = scripted([[START, TEXT, () => new Promise(() => undefined)]]);
    const reader = (await script.model.doStream({ prompt })).stream.getReader();
    for (let index = 0; index < reads; index += 1) await reader.read();
    await reader.cancel('enough');
    assert.deepEqual(script.cancelled, ['enough']);
  }
});

test('an abort while the recovered prompt is made ends the stream', async () => {
  const controller = new AbortController();
  const aborting = (stream) => (controller.abort(), stream.enqueue(overflow()));
  const script = scripted([[START, aborting]]);
  const parts = await streamed(script, { abortSignal: controller.signal });
  assert.equal(parts.at(-1).name, 'AbortError');
  assert.equal(script.calls.length, 1);
});
