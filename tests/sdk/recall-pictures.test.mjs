// Pictures and files of the user's, brought back by recall: in the form of each major where the provider's package sends them as pictures, by name elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createPrepareStep, createSession } from 'stepfold';

import { call, result, step, text } from '../hand.mjs';

const png = Buffer.concat([Buffer.from('iVBORw0KGgoAAAANSUhEUgAABAAAAAMACAIAAAA=', 'base64'), Buffer.alloc(9, 7)]);
const base64 = png.toString('base64');
const options = { contextWindow: 9_000, reserveTokens: 1_000, overheadTokens: 1, trigger: 0.8, target: 0.4, keepRecent: { tokens: 1_000 }, minClearTokens: 500 };

/** A chat whose first turn brought this part, and whose second has filled the window. */
const chat = (part) => [
  { role: 'user', content: [{ type: 'text', text: 'What is this?' }, part] },
  { role: 'assistant', content: 'A shop.' },
  { role: 'user', content: 'Now read all pages.' },
  ...Array.from({ length: 40 }, (_, n) => [call(`c${n}`, { path: `pages/${n}.txt` }), result(`c${n}`, `${text(240)}${n}`)]).flat(),
];

async function recalled(part, model, make = createPrepareStep) {
  const made = make(options);
  const tool = made.recallTool();
  const messages = chat(part);
  const sent = await step(made, messages, [], model);
  assert.ok(!JSON.stringify(sent).includes(base64), 'it has left');
  const ask = (input) => tool.execute(input, { toolCallId: 'r', messages: sent });
  const list = await ask({ pattern: 'front.png' });
  const [, id] = /\[(\d{9}) (?:image|PDF) "front.png", attached by the user\]/.exec(list) ?? [];
  assert.ok(id !== undefined, list);
  return { tool, found: await ask({ id }), sent };
}

const PARTS = {
  'an image of ai 5 as bytes': { type: 'image', image: new Uint8Array(png), filename: 'front.png' },
  'an image as base64': { type: 'image', image: base64, mediaType: 'image/png', filename: 'front.png' },
  'a file as a data URL': { type: 'file', data: `data:image/png;base64,${base64}`, mediaType: 'image/png', filename: 'front.png' },
  'a file of ai 7': { type: 'file', mediaType: 'image/png', filename: 'front.png', data: { type: 'data', data: base64 } },
};

for (const [name, part] of Object.entries(PARTS)) {
  test(`${name} comes back as a picture where the package sends it as one`, async () => {
    for (const make of [createPrepareStep, createSession]) {
      const { tool, found } = await recalled(part, { modelId: 'claude-sonnet-4-5', provider: 'anthropic.messages', specificationVersion: 'v3' }, make);
      const [, item] = tool.toModelOutput(found).value;
      assert.deepEqual(item, { type: 'media', data: base64, mediaType: 'image/png' });
      const [words, newer] = tool.toModelOutput({ toolCallId: 'r', input: {}, output: found }).value;
      assert.deepEqual(newer, { type: 'image-data', data: base64, mediaType: 'image/png' });
      assert.match(words.text, /image "front.png", attached by the user/);
    }
  });

  test(`${name} is named where the package would write it as text`, async () => {
    for (const provider of ['vendor.chat', 'openai.chat']) {
      const { found } = await recalled(part, { modelId: 'm', provider, specificationVersion: 'v3' });
      assert.equal(typeof found, 'string');
      assert.match(found, /image "front.png".*\n\[It cannot be shown again/);
      assert.ok(!found.includes(base64.slice(0, 20)));
    }
  });
}

test('what stands behind a URL comes back as its address, and a file under the title that a provider is told', async () => {
  const model = { modelId: 'claude-sonnet-4-5', provider: 'anthropic.messages' };
  const { found } = await recalled({ type: 'image', image: new URL('https://files.example/a/front.png?size=9') }, model);
  assert.match(found, /https:\/\/files.example\/a\/front.png\?size=9$/);
  const pdf = { type: 'file', mediaType: 'application/pdf', data: Buffer.from(`%PDF-1.4 ${'x'.repeat(400_000)}`).toString('base64'), providerOptions: { anthropic: { title: 'front.png' } } };
  const { tool, found: file } = await recalled(pdf, model);
  assert.equal(tool.toModelOutput({ toolCallId: 'r', input: {}, output: file }).value[1].type, 'file-data');
});

test('a result with images is named where the package would write them as text', async () => {
  const made = createPrepareStep(options);
  const tool = made.recallTool();
  const shot = { type: 'content', value: [{ type: 'text', text: 'the page' }, { type: 'media', mediaType: 'image/png', data: base64 }] };
  const messages = [{ role: 'user', content: 'Look.' }, call('shot', {}, 'screenshot'), result('shot', shot, 'screenshot'), call('c', {}), result('c', 'x')];
  const ask = async (provider) => {
    const sent = await step(made, messages, [], { modelId: 'm', provider });
    return tool.execute({ id: 'shot' }, { toolCallId: 'r', messages: sent });
  };
  assert.match(await ask('vendor.chat'), /^the page\n\[1 × image\]\n\[It cannot be shown again/);
});

test('names, and nothing of the bytes, stand in state and checkpoint', async () => {
  const session = createSession(options);
  const sent = await step(session, chat(PARTS['an image as base64']), [], { modelId: 'm', provider: 'anthropic.messages' });
  const state = JSON.stringify(session.state);
  assert.ok(!state.includes(base64.slice(0, 40)));
  assert.match(JSON.stringify(sent[0]), /image \\\"front.png\\\"/);
});
