// The provider's prompt cache is asked for where it has to be, and then used: through the real `ai` and `@ai-sdk/anthropic`, before a fake
// Anthropic that caches as documented (`bench/cache/provider.mjs`).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep } from 'stepfold';
import { runAgent } from '../../bench/cache/agent.mjs';
import { serve } from '../overflow/server.mjs';
import { packages } from '../wire/send.mjs';
import { answers, request, results } from './script.mjs';
import { createTools, run } from './sdk.mjs';

const contextWindow = 32_000;
const STEPS = 45;
const small = { steps: STEPS, systemTokens: 4_000, resultTokens: 1_000 };
const MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** Marks of a request: on the request, and on how many of its blocks. */
function marksOf(body) {
  const blocks = body.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return { request: body.cache_control, blocks: blocks.filter((block) => block.cache_control !== undefined).length };
}

for (const major of /** @type {const} */ ([5, 6, 7])) {
  test(`ai ${major}: a run is billed a fifth of what it is billed without the cache, and edits are why it is rewritten`, async () => {
    const edits = [];
    const cached = await runAgent({ major, ...small, prepareStep: createPrepareStep({ contextWindow, onEvent: ({ type, stepNumber }) => type !== 'measured' && edits.push(stepNumber) }) });
    const uncached = await runAgent({ major, ...small, prepareStep: createPrepareStep({ contextWindow, promptCache: false }) });
    assert.equal(cached.provider.bills.length, STEPS);
    assert.ok(edits.length > 0, 'the window is small enough for edits');
    assert.ok(cached.provider.billed() < uncached.provider.billed() * 0.27, `${cached.provider.billed()} of ${uncached.provider.billed()}`);
    assert.deepEqual(uncached.provider.bodies.filter((body) => JSON.stringify(body).includes('cache_control')), []);
    // Each step reads what the step before has sent, except after an edit.
    cached.provider.bills.forEach(({ read }, step) => {
      if (step > (major === 5 ? 1 : 0) && !edits.includes(step)) assert.equal(read, cached.provider.bills[step - 1].tokens, `step ${step}`);
    });
    cached.provider.bodies.forEach((body, step) => {
      // On ai 5 a mark waits for a step that shows what the app asks for itself.
      assert.deepEqual(marksOf(body), major === 5 ? { request: undefined, blocks: step === 0 ? 0 : 1 } : { request: { type: 'ephemeral' }, blocks: 0 }, `step ${step}`);
    });
  });

  test(`ai ${major}: events tell what the cache saved of the step before, by what the provider reported`, async () => {
    const told = [];
    const { provider } = await runAgent({ major, ...small, steps: 4, prepareStep: createPrepareStep({ contextWindow, onEvent: (event) => event.type === 'measured' && told.push(event) }) });
    assert.equal(told[0].cacheSavings, null);
    told.slice(1).forEach(({ cachedTokens, cacheWriteTokens, cacheSavings }, step) => {
      const { read, write } = provider.bills[step];
      assert.deepEqual([cachedTokens, cacheWriteTokens], [read, write]);
      // Three dollars for a million tokens; what is read costs a tenth, what is written a quarter more.
      assert.ok(Math.abs(cacheSavings - (3 * (read * 0.9 - write * 0.25)) / 1e6) <= 1e-6, `${cacheSavings}`);
    });
    assert.ok(told.at(-1).cacheSavings > 0);
  });

  test(`ai ${major}: what is sent is the same with the cache and without, apart from marks`, async () => {
    const plain = (bodies) => bodies.map((body) => JSON.parse(JSON.stringify(body, (key, value) => (key === 'cache_control' ? undefined : value))));
    const run = async (promptCache) => (await runAgent({ major, ...small, prepareStep: createPrepareStep({ contextWindow, promptCache }) })).provider.bodies;
    assert.deepEqual(plain(await run(true)), plain(await run(false)));
  });

  test(`ai ${major}: messages with a mark of the user's are sent as they are`, async () => {
    const request = { role: 'user', content: [{ type: 'text', text: 'Fix every handler.', providerOptions: MARK }] };
    const { provider } = await runAgent({ major, ...small, steps: 4, messages: [request], prepareStep: createPrepareStep({ contextWindow }) });
    assert.equal(provider.bodies.length, 4);
    for (const body of provider.bodies) assert.deepEqual(marksOf(body), { request: undefined, blocks: 1 });
  });

  test(`ai ${major}: an option of the user's for the request is kept`, async () => {
    const { provider } = await runAgent({ major, ...small, steps: 4, options: { providerOptions: MARK }, prepareStep: createPrepareStep({ contextWindow }) });
    for (const body of provider.bodies) assert.deepEqual(body.cache_control, { type: 'ephemeral' });
    assert.ok(provider.bills.slice(1).every(({ read }) => read > 0));
  });
}

for (const major of /** @type {const} */ ([5, 6, 7])) {
  test(`ai ${major}: no request is refused where the app asks for the cache of an hour itself, also behind a proxy`, async () => {
    const hour = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } };
    for (const baseURL of [undefined, 'https://proxy.example/v1']) {
      const prepareStep = createPrepareStep({ contextWindow });
      const { provider } = await runAgent({ major, ...small, steps: 5, baseURL, options: { providerOptions: hour }, prepareStep });
      assert.equal(provider.bills.length, 5);
      for (const body of provider.bodies) assert.deepEqual(marksOf(body), { request: { type: 'ephemeral', ttl: '1h' }, blocks: 0 });
    }
  });

  test(`ai ${major}: behind a proxy marks begin with the second step of a conversation, and with the first of a request that goes on with it`, async () => {
    const prepareStep = createPrepareStep({ contextWindow });
    const request = { role: 'user', content: 'Fix every handler.' };
    const run = async (messages) => {
      const { provider, result } = await runAgent({ major, ...small, systemTokens: 9_000, steps: 4, messages, baseURL: 'https://proxy.example/v1', prepareStep });
      return { blocks: provider.bodies.map((body) => marksOf(body).blocks), said: (major === 7 ? result.responseMessages : result.response.messages) ?? [] };
    };
    const first = await run([request]);
    assert.deepEqual(first.blocks, [0, 1, 1, 1]);
    // As an app has it from its database.
    const rebuilt = JSON.parse(JSON.stringify([request, ...first.said, { role: 'user', content: 'And the tests.' }]));
    assert.deepEqual((await run(rebuilt)).blocks, [1, 1, 1, 1]);
    assert.deepEqual((await run([{ role: 'user', content: 'Another conversation.' }])).blocks, [0, 1, 1, 1]);
  });

  test(`ai ${major}: plain requests and such with marks of an hour may share one prepareStep`, async () => {
    const hour = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } } };
    for (const baseURL of [undefined, 'https://proxy.example/v1']) {
      const prepareStep = createPrepareStep({ contextWindow });
      for (const [index, options] of [{}, hour, {}, hour].entries()) {
        const messages = [{ role: 'user', content: `Fix handler ${index}.` }];
        const { provider } = await runAgent({ major, ...small, systemTokens: 9_000, steps: 3, messages, baseURL, options, prepareStep });
        assert.equal(provider.bills.length, 3);
        assert.deepEqual(provider.bodies.map((body) => marksOf(body).blocks), options === hour || (baseURL === undefined && major !== 5) ? [0, 0, 0] : [0, 1, 1]);
      }
    }
  });

  for (const { tools, marks } of [{ tools: 0, marks: 2 }, { tools: 2, marks: 2 }, { tools: 3, marks: 1 }]) {
    test(`ai ${major}: a step of more than 20 blocks has a second mark beside ${tools} of the user's where there is room, and goes on reading`, async () => {
      const { ai } = packages[major];
      const marked = Array.from({ length: tools }, (_, index) => [`other${index}`, ai.tool({ description: 'Another.', inputSchema: ai.jsonSchema({ type: 'object' }), providerOptions: MARK })]);
      // ai 7 keeps the request of a step only when it is asked to.
      const options = { include: { requestBody: true } };
      const { provider } = await runAgent({ major, ...small, steps: 5, resultTokens: 60, callsPerStep: 13, options, otherTools: Object.fromEntries(marked), prepareStep: createPrepareStep({ contextWindow }) });
      assert.equal(provider.bills.length, 5);
      provider.bodies.forEach((body, step) => {
        const all = JSON.stringify(body).split('"cache_control"').length - 1;
        assert.ok(all <= 4, `${all} marks in step ${step}`);
        if (step < 2) return;
        assert.equal(all - tools, marks, `step ${step}`);
        // Tools of the user's are a prefix that is found at any rate.
        assert.equal(provider.bills[step].read >= provider.bills[step - 1].tokens, marks === 2, `step ${step}`);
      });
    });
  }
}

/** A run long enough for a checkpoint, beside a real package of OpenAI's. */
async function bodiesOfOpenAi(major, endpoint, modelId, fetchUrl) {
  const server = serve({ major, provider: endpoint === 'responses' ? 'openai-responses' : 'openai-chat', answers, limit: 1e9 });
  const model = packages[major].openai({ apiKey: 'none', fetch: server.fetch, ...(fetchUrl === undefined ? {} : { baseURL: fetchUrl }) })[endpoint](modelId);
  const { text } = await run({ major, model, tools: createTools(major, results), options: { messages: [request], prepareStep: createPrepareStep({ contextWindow: 12_000 }) } });
  assert.equal(text, 'All parsers are fixed.');
  return server.taken;
}

const breakpoints = (value) => JSON.stringify(value).split('"prompt_cache_breakpoint"').length - 1;

for (const major of /** @type {const} */ ([5, 6, 7])) {
  for (const endpoint of ['responses', 'chat']) {
    test(`ai ${major}, ${endpoint}: the checkpoint of a model of OpenAI's that knows breakpoints ends with one, and nothing else does`, async () => {
      const bodies = await bodiesOfOpenAi(major, endpoint, 'gpt-6-astra');
      let folded = 0;
      for (const body of bodies) {
        const checkpoint = (body.input ?? body.messages).find(({ content }) => Array.isArray(content) && content[0]?.text?.includes("The user's request, verbatim"));
        assert.equal(breakpoints(body), checkpoint === undefined ? 0 : 1);
        if (checkpoint === undefined) continue;
        folded += 1;
        assert.equal(checkpoint.role, 'user');
        assert.deepEqual(checkpoint.content.at(-1).prompt_cache_breakpoint, { mode: 'explicit' });
      }
      assert.ok(folded >= 2, `${folded} of ${bodies.length}`);
      for (const body of await bodiesOfOpenAi(major, endpoint, 'gpt-5.4')) assert.equal(breakpoints(body), 0);
      for (const body of await bodiesOfOpenAi(major, endpoint, 'gpt-6-astra', 'https://proxy.invalid/v1')) assert.equal(breakpoints(body), 0);
    });
  }
}

test('a marked list keeps every object but the last, and the run recognises it when ai 7 hands it back', async () => {
  const model = { modelId: 'us.anthropic.claude-opus-4-8-v1:0', provider: 'amazon-bedrock', specificationVersion: 'v4' };
  const prepareStep = createPrepareStep();
  const steps = [];
  let messages = [{ role: 'user', content: 'Go.' }];
  for (let step = 0; step < 3; step += 1) {
    const given = messages;
    const made = await prepareStep({ messages: given, steps, stepNumber: step, model });
    assert.deepEqual(made?.messages.slice(0, -1).map((message) => message.providerOptions), given.slice(0, -1).map(() => undefined), 'the mark has moved on');
    assert.deepEqual(made?.messages.at(-1)?.providerOptions?.bedrock, { cachePoint: { type: 'default' } });
    if (step === 0) assert.deepEqual(given, [{ role: 'user', content: 'Go.' }], 'the input is not changed');
    steps.push({ usage: {} });
    messages = [...made.messages, { role: 'assistant', content: `Done ${step}.` }, { role: 'user', content: 'More.' }];
  }
});
