// What images and files cost through the published functions: by their real extent, in every shape the three majors give them.
// Rules and headers one by one are tested in Rust (`tokens/media.rs`, `tokens/extent.rs`).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, estimateTokens } from 'stepfold';
import { images, jpeg, pdf, real } from './files.mjs';

const MODEL = 'claude-haiku-4-5';
const base64 = (file) => Buffer.from(file).toString('base64');
const message = (part) => ({ role: 'user', content: [part] });
const tokens = (part, model = MODEL) => estimateTokens([message(part)], { model });

/** The shapes in which one file reaches `prepareStep`; those marked by a major exist only there. */
const shapes = (file, mediaType) => ({
  'image, bytes': { type: 'image', image: file, mediaType },
  'image, array buffer': { type: 'image', image: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) },
  'image, base64': { type: 'image', image: base64(file) },
  'image, base64 for URLs': { type: 'image', image: Buffer.from(file).toString('base64url'), mediaType },
  'image, data url': { type: 'image', image: `data:${mediaType};base64,${base64(file)}` },
  'file, base64': { type: 'file', data: base64(file), mediaType },
  'file, tagged (ai 7)': { type: 'file', data: { type: 'data', data: file }, mediaType },
  'reasoning file (ai 7)': { type: 'reasoning-file', data: { type: 'data', data: base64(file) }, mediaType },
});

/** The shapes in which a tool returns it. */
const items = (file, mediaType) => ({
  'media (ai 5)': { type: 'media', data: base64(file), mediaType },
  'image-data (ai 6)': { type: 'image-data', data: base64(file), mediaType },
  'file-data (ai 6)': { type: 'file-data', data: base64(file), mediaType },
  'file (ai 7)': { type: 'file', data: { type: 'data', data: file }, mediaType },
});

const result = (item) => ({ role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'look', output: { type: 'content', value: [item] } }] });

for (const [mediaType, make] of Object.entries(images)) {
  test(`${mediaType} costs what its pixels cost, in every shape`, () => {
    const [small, large] = [make(300, 200), make(1_400, 1_000)];
    // ceil(300 / 28) x ceil(200 / 28) patches, and about 6 % for caution, form and the unit.
    for (const [file, patches] of [[small, 88], [large, 1_568]]) {
      for (const [shape, part] of Object.entries(shapes(file, mediaType))) near(tokens(part), patches, shape);
      for (const [shape, item] of Object.entries(items(file, mediaType))) near(estimateTokens([result(item)], { model: MODEL }), patches, shape);
    }
  });
}

function near(found, counted, shape) {
  assert.ok(found >= counted && found <= counted * 1.06 + 16, `${shape}: ${found} tokens for ${counted} that the provider counts`);
}

for (const [name, image] of Object.entries(real)) {
  test(`a real file (${name}) says its size`, () => {
    // Two patches; without a size it would be taken for a screenshot of 1,568.
    near(tokens({ type: 'image', image }), 2, name);
  });
}

test('an image by url or id is taken for a screenshot', () => {
  const parts = [
    { type: 'image', image: new URL('https://example.com/a.png') },
    { type: 'image', image: 'https://example.com/a.png' },
    { type: 'file', data: { type: 'url', url: new URL('https://example.com/a.png') }, mediaType: 'image/png' },
    { type: 'file', data: { type: 'reference', reference: { openai: 'file-1' } }, mediaType: 'image/png' },
  ];
  assert.equal(new Set(parts.map((part) => tokens(part))).size, 1);
  near(tokens(parts[0]), 1_568, 'url');
});

test('a pdf costs by its pages, wherever it says how many', () => {
  for (const file of [pdf(3), pdf(3, { atEnd: false }), pdf(3, { size: 5_000_000 })]) {
    for (const data of [file, base64(file)]) {
      const found = tokens({ type: 'file', data, mediaType: 'application/pdf' });
      assert.ok(found > 7_500 && found < 8_000, `${found}`);
    }
  }
});

test('a video costs by its bytes, 300 tokens for each second at 2 Mbit/s, in every shape', () => {
  // No length is read from the file: what is counted is what the rule in `media.rs` says of its bytes.
  const file = new Uint8Array(3_000_000);
  file.set(Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'));
  const files = Object.entries(shapes(file, 'video/mp4')).filter(([, { type }]) => type !== 'image');
  const parts = { ...Object.fromEntries(files), 'file, bytes': { type: 'file', data: file, mediaType: 'video/mp4' }, 'file, array buffer': { type: 'file', data: file.buffer, mediaType: 'video/mp4' }, 'file, data url': { type: 'file', data: `data:video/mp4;base64,${base64(file)}`, mediaType: 'video/mp4' } };
  for (const model of ['gemini-2.5-flash', 'gemini-3-pro-preview', 'gpt-5']) {
    for (const [shape, part] of Object.entries(parts)) near(tokens(part, model), 12 * 300, `${model}, ${shape}`);
    for (const [shape, item] of Object.entries(items(file, 'video/mp4'))) near(estimateTokens([result(item)], { model }), 12 * 300, `${model}, ${shape}`);
  }
});

test('a video by url or id costs as one of a minute', () => {
  for (const data of [new URL('https://example.com/a.mp4'), 'https://example.com/a.mp4', { type: 'reference', reference: { google: 'files/1' } }]) {
    near(tokens({ type: 'file', data, mediaType: 'video/mp4' }, 'gemini-2.5-flash'), 60 * 300, String(data));
  }
});

test('the same image costs each family what its provider counts', () => {
  const image = jpeg(1_920, 1_080);
  const expected = { 'gpt-4o': 1_105, 'gpt-5.5': 2_448, 'claude-haiku-4-5': 1_564, 'claude-opus-4-8': 2_695, 'gemini-2.5-flash': 1_548, 'gemini-3.8-flash': 1_120 };
  for (const [model, counted] of Object.entries(expected)) {
    const found = tokens({ type: 'image', image }, model);
    assert.ok(found >= counted && found <= counted * 1.06 + 16, `${model}: ${found}, the provider counts ${counted}`);
  }
});

test('a change of the model measures the same messages anew', async () => {
  const events = [];
  const prepareStep = createPrepareStep({ contextWindow: 500_000, overheadTokens: 1, onEvent: (event) => events.push(event) });
  const messages = [message({ type: 'image', image: jpeg(4_000, 3_000) })];
  const measure = async (modelId) => {
    await prepareStep({ messages, steps: [], stepNumber: 0, model: { modelId, provider: '', specificationVersion: 'v3' } });
    return events.findLast(({ type }) => type === 'measured').tokens;
  };
  const [haiku, gpt, again] = [await measure('claude-haiku-4-5'), await measure('gpt-5.5'), await measure('claude-haiku-4-5')];
  assert.ok(gpt > 11_000 && haiku < 1_800, `${haiku} and ${gpt}`);
  assert.equal(again, haiku);
});

const SECRET = 'QWxhZGRpbjpvcGVuIHNlc2FtZQ'.repeat(4_000);
const hidden = {
  'a signature of Anthropic (ai 5, 6, 7)': { type: 'reasoning', text: 'Because.', providerOptions: { anthropic: { signature: SECRET } } },
  'redacted reasoning of Anthropic (ai 5, 6, 7)': { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: SECRET } } },
  'encrypted reasoning of OpenAI (ai 5, 6, 7)': { type: 'reasoning', text: '', providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: SECRET } } },
  'a thought signature of Google on text (ai 5, 6, 7)': { type: 'text', text: 'Because.', providerOptions: { google: { thoughtSignature: SECRET } } },
  'a thought signature of Google on a call (ai 5, 6, 7)': { type: 'tool-call', toolCallId: '1', toolName: 'read', input: {}, providerOptions: { google: { thoughtSignature: SECRET } } },
  'a generated file (ai 5, 6, 7)': { type: 'file', data: SECRET, mediaType: 'image/png' },
};

for (const [name, part] of Object.entries(hidden)) {
  test(`${name} is not counted as text`, () => {
    const found = estimateTokens([{ role: 'assistant', content: [part] }], { model: 'gpt-5' });
    assert.ok(found < 2_600, `${found} tokens for ${SECRET.length} characters that are no text`);
  });
}
