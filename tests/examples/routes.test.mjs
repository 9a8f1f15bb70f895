// The routes that the guides show, word for word, over a chat of many requests whose tool has a `toModelOutput`: what the model is not to see it
// never sees, and each request goes on from the checkpoint of the one before. `ai` is version 7 there.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { jsonSchema, readUIMessageStream, tool } from 'ai-v7';
import { transformSync } from 'esbuild';
import { createSession } from 'stepfold';
import { createRoute } from '../../examples/route-handler.mjs';
import { createModel } from '../sdk/sdk.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const SECRET = 'for the page alone';
const page = (number) => Array.from({ length: 50 }, (_, line) => `page ${number} line ${line + 1}: value ${number * 1000 + line}`).join('\n');
const tools = {
  read: tool({
    description: 'Reads a page.',
    inputSchema: jsonSchema({ type: 'object', additionalProperties: true }),
    execute: async ({ page: number }) => ({ text: page(number), internal: SECRET }),
    toModelOutput: ({ output }) => ({ type: 'text', value: output.text }),
  }),
};
const summarize = async () => ({ content: [{ type: 'text', text: 'The pages up to here were read one by one and their values written down.' }], finishReason: { unified: 'stop' }, usage: { inputTokens: {}, outputTokens: {} }, warnings: [] });

/** The route in a guide: its one example that has a `POST`. What it takes for granted is handed over. */
async function routeOf(path, given) {
  const code = [...readFileSync(`${root}${path}`, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block).find((block) => block.includes('function POST'));
  const folder = `${root}build/routes`;
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/${path.replace(/\W/g, '-')}.mjs`;
  const { code: plain } = transformSync(code, { loader: 'ts' });
  writeFileSync(file, `const { tools, store } = globalThis.routes;\nconst console = { log() {} };\n${plain.replaceAll(/from ["']ai["']/g, "from 'ai-v7'").replaceAll(/^(\s*)model,$/gm, '$1model: globalThis.routes.model(),').replace('{ model, tools', '{ model: globalThis.routes.model(), tools')}`);
  globalThis.routes = given;
  return (await import(pathToFileURL(file).href)).POST;
}

const routes = {
  'docs/sessions.md': (given) => routeOf('docs/sessions.md', given),
  'docs/react.md': (given) => routeOf('docs/react.md', given),
  'examples/route-handler.mjs': (given) => (request) => createRoute({ model: given.model(), smallModel: { ...createModel({ major: 7, answers: [] }).model, specificationVersion: 'v4', provider: 'mock', modelId: 'small', supportedUrls: {}, doGenerate: summarize }, tools: given.tools, store: given.store, mayOpen: async () => true })(request),
};

for (const [name, make] of Object.entries(routes)) {
  test(`with the route of ${name} a chat goes on from its checkpoint, and results of earlier requests are what \`toModelOutput\` makes of them`, async () => {
    const store = new Map();
    let mock;
    const POST = await make({ tools, store, model: () => mock.model });
    let messages = [];
    let checkpoints = 0;
    let lost = 0;
    for (let turn = 0; turn < 24; turn += 1) {
      messages = [...messages, { id: `u${turn}`, role: 'user', parts: [{ type: 'text', text: `Read page ${turn}.` }] }];
      mock = createModel({ major: 7, modelId: 'openai/gpt-4', answers: [{ text: `I read page ${turn}.`, calls: [{ id: `c${turn}`, name: 'read', input: { page: turn } }] }, { text: `Page ${turn} is read.` }] });
      const response = await POST(new Request('http://test/api/chat', { method: 'POST', body: JSON.stringify({ id: 'chat-1', messages }) }));
      assert.equal(response.status, 200);
      const chunks = (await response.text()).split('\n').filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)));
      lost += chunks.filter(({ data }) => data?.type === 'checkpoint-lost').length;
      let answer;
      for await (const read of readUIMessageStream({ stream: new ReadableStream({ start: (controller) => { chunks.forEach((chunk) => controller.enqueue(chunk)); controller.close(); } }) })) answer = read;
      messages = JSON.parse(JSON.stringify([...messages, { ...answer, id: `a${turn}`, parts: answer.parts.filter(({ type }) => !type.startsWith('data-')) }]));
      for (const prompt of mock.prompts()) {
        const text = JSON.stringify(prompt);
        assert.ok(!text.includes(SECRET), `request ${turn}`);
        if (text.includes('[Checkpoint ')) checkpoints += 1;
        else assert.equal(checkpoints, 0, `request ${turn} has lost its checkpoint`);
      }
    }
    assert.ok(checkpoints > 5, `${checkpoints}`);
    assert.equal(lost, 0);
    assert.ok(JSON.stringify(messages).includes(SECRET));
    assert.ok(createSession({ state: store.get('chat-1') }).state.fold !== undefined);
  });
}
