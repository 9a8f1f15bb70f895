// The provider's prompt cache is asked for where it has to be, and then used: through the real `ai` and `@ai-sdk/anthropic`, before a fake
// Anthropic that caches as documented (`bench/cache/provider.mjs`).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession, planContext } from 'stepfold';
import { createVertexAnthropic as vertex5 } from 'vertex-v5/anthropic';
import { createVertexAnthropic as vertex6 } from 'vertex-v6/anthropic';
import { createVertexAnthropic as vertex7 } from 'vertex-v7/anthropic';
import { runAgent } from '../../bench/cache/agent.mjs';
import { packages, serve } from '../overflow/server.mjs';
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

for (const major of [5, 6, 7]) {
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
      // A checkpoint has a mark of its own, where a step shows that there is room for two: those of ai 7 keep no bodies.
      const folded = major < 7 && JSON.stringify(body).includes('[Checkpoint ') ? 1 : 0;
      assert.deepEqual(marksOf(body), major === 5 ? { request: undefined, blocks: step === 0 ? 0 : 1 + folded } : { request: { type: 'ephemeral' }, blocks: folded }, `step ${step}`);
    });
  });

  test(`ai ${major}: events tell what the cache saved of the step before, by what the provider reported`, async () => {
    const reported = [];
    const { provider } = await runAgent({ major, ...small, steps: 4, prepareStep: createPrepareStep({ contextWindow, onEvent: (event) => event.type === 'measured' && reported.push(event) }) });
    assert.equal(reported[0].cacheSavings, null);
    reported.slice(1).forEach(({ cachedTokens, cacheWriteTokens, cacheSavings }, step) => {
      const { read, write } = provider.bills[step];
      assert.deepEqual([cachedTokens, cacheWriteTokens], [read, write]);
      // Three dollars for a million tokens; what is read costs a tenth, what is written a quarter more.
      assert.ok(Math.abs(cacheSavings - (3 * (read * 0.9 - write * 0.25)) / 1e6) <= 1e-6, `${cacheSavings}`);
    });
    assert.ok(reported.at(-1).cacheSavings > 0);
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

for (const major of [5, 6, 7]) {
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

for (const major of [5, 6, 7]) {
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

/** Answers that a cloud gives, in its own form; the gateway's are those of the interface of its major. */
const clouds = {
  bedrock: {
    model: (major, fetch) => packages[major].bedrock({ region: 'us-east-1', apiKey: 'none', fetch })('us.anthropic.claude-opus-4-8-v1:0'),
    answer: ({ call, tokens }) => ({
      output: { message: { role: 'assistant', content: call === undefined ? [{ text: 'Done.' }] : [{ toolUse: { toolUseId: call.id, name: 'read', input: call.input } }] } },
      stopReason: call === undefined ? 'end_turn' : 'tool_use',
      usage: { inputTokens: tokens, outputTokens: 10, totalTokens: tokens + 10 },
    }),
    marks: (body) => body.messages.map(({ content }) => content.filter((block) => block.cachePoint !== undefined).length),
    mark: (body) => body.messages.at(-1).content.at(-1),
    expected: { cachePoint: { type: 'default' } },
    first: 1,
  },
  vertex: {
    model: (major, fetch) => ({ 5: vertex5, 6: vertex6, 7: vertex7 })[major]({ project: 'app', location: 'global', generateAuthToken: async () => 'none', fetch })('claude-opus-4-8@20260301'),
    answer: ({ call, tokens }) => ({
      id: 'msg_0', type: 'message', role: 'assistant', model: 'claude-opus-4-8', stop_sequence: null,
      content: call === undefined ? [{ type: 'text', text: 'Done.' }] : [{ type: 'tool_use', id: call.id, name: 'read', input: call.input }],
      stop_reason: call === undefined ? 'end_turn' : 'tool_use',
      usage: { input_tokens: tokens, output_tokens: 10 },
    }),
    marks: (body) => [body, ...body.messages.flatMap(({ content }) => content)].map(({ cache_control }) => (cache_control === undefined ? 0 : 1)),
    mark: (body) => body.messages.at(-1).content.at(-1).cache_control,
    expected: { type: 'ephemeral' },
    first: 1,
  },
  gateway: {
    model: (major, fetch) => packages[major].ai.createGateway({ apiKey: 'none', fetch })('anthropic/claude-sonnet-4.5'),
    answer: ({ call, tokens, major }) => ({
      content: call === undefined ? [{ type: 'text', text: 'Done.' }] : [{ type: 'tool-call', toolCallId: call.id, toolName: 'read', input: JSON.stringify(call.input) }],
      finishReason: ((reason) => (major === 5 ? reason : { unified: reason, raw: reason }))(call === undefined ? 'stop' : 'tool-calls'),
      usage: major === 5 ? { inputTokens: tokens, outputTokens: 10, totalTokens: tokens + 10 } : { inputTokens: { total: tokens, noCache: tokens }, outputTokens: { total: 10 } },
      warnings: [],
    }),
    marks: (body) => body.prompt.map(({ providerOptions }) => (providerOptions?.anthropic?.cacheControl === undefined ? 0 : 1)),
    mark: (body) => body.prompt.at(-1).providerOptions.anthropic,
    expected: { cacheControl: { type: 'ephemeral' } },
    // A mark waits until a step has shown that there is room.
    first: 0,
  },
};

for (const [name, { model: create, answer, marks, mark, expected, first }] of Object.entries(clouds)) {
  for (const major of [5, 6, 7]) {
    test(`ai ${major}, ${name}: what is really sent ends with a mark, and has no other`, async () => {
      const bodies = [];
      const fetch = async (_url, { body }) => {
        bodies.push(JSON.parse(body));
        const step = bodies.length - 1;
        const call = step < 3 ? { id: `call-${step}`, input: { path: 'a', step } } : undefined;
        return new Response(JSON.stringify(answer({ call, tokens: Math.ceil(body.length / 4), major })), { headers: { 'content-type': 'application/json' } });
      };
      // ai 7 keeps the request of a step only when it is asked to.
      const options = { messages: [request], prepareStep: createPrepareStep(), include: { requestBody: true } };
      const { text } = await run({ major, model: create(major, fetch), tools: createTools(major, results), options });
      assert.equal(text, 'Done.');
      assert.equal(bodies.length, 4);
      bodies.forEach((body, step) => {
        const expectedMarks = step === 0 ? first : 1;
        assert.equal(marks(body).reduce((sum, count) => sum + count, 0), expectedMarks, `step ${step}: ${JSON.stringify(body).slice(-400)}`);
        if (expectedMarks === 1) assert.deepEqual(mark(body), expected, `step ${step}`);
      });
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

test('a dry run counts on a cache only where one is asked for, or was seen', async () => {
  const input = 3 / 1e6;
  const messages = [{ role: 'user', content: 'Fix every handler in this repository, one after another. '.repeat(40) }];
  const claude = { modelId: 'claude-sonnet-4-5', provider: 'anthropic.messages', specificationVersion: 'v4' };
  const isUncached = ({ cost, tokensAfter }) => Math.abs(cost.later - tokensAfter * input) < 1e-6;
  for (const model of [claude, 'claude-sonnet-4-5']) {
    assert.equal(isUncached(planContext(messages, { model })), false);
    assert.equal(isUncached(planContext(messages, { model, promptCache: false })), true);
  }
  const openai = { model: 'gpt-5', prices: { input: 3, cacheRead: 0.3 } };
  assert.deepEqual(planContext(messages, { ...openai, promptCache: false }).cost, planContext(messages, openai).cost, 'OpenAI caches by itself');
  const own = [{ ...messages[0], providerOptions: MARK }];
  assert.equal(isUncached(planContext(own, { model: claude, promptCache: false })), false, 'a mark of the user');
  // Options of the request are seen in what the provider reports.
  const session = createSession({ promptCache: false });
  const steps = [];
  await session.prepareStep({ messages, steps, stepNumber: 0, model: claude });
  assert.equal(isUncached(await session.plan(messages, { model: claude })), true);
  steps.push({ usage: { inputTokens: 700, outputTokens: 10, inputTokenDetails: { cacheReadTokens: 500, cacheWriteTokens: 100, noCacheTokens: 100 } } });
  const more = [...messages, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Go on.' }];
  await session.prepareStep({ messages: more, steps, stepNumber: 1, model: claude });
  assert.equal(isUncached(await session.plan(more, { model: claude })), false);
});

test('optimize: \'cost\' edits early where nothing is cached, as there is nothing to write anew', async () => {
  const edits = async (promptCache) => {
    const stepsOfEdits = [];
    const onEvent = ({ type, stepNumber }) => type !== 'measured' && stepsOfEdits.push(stepNumber);
    await runAgent({ major: 6, ...small, prepareStep: createPrepareStep({ contextWindow, optimize: 'cost', promptCache, onEvent }) });
    return new Set(stepsOfEdits).size;
  };
  const [cached, uncached] = [await edits(true), await edits(false)];
  assert.ok(uncached > cached * 1.5, `${uncached} steps with edits, ${cached} with a cache`);
});

test('headers of a model that cannot be had are no fault of a step', async () => {
  const rejects = async () => {
    throw new Error('no credentials');
  };
  const model = { modelId: 'claude-opus-4-8', provider: 'vertex.anthropic.messages', specificationVersion: 'v4', config: { headers: rejects } };
  const events = [];
  const made = await createPrepareStep({ onEvent: (event) => events.push(event) })({ messages: [{ role: 'user', content: 'Go.' }], steps: [], stepNumber: 0, model });
  assert.deepEqual(made?.messages.at(-1)?.providerOptions?.anthropic, MARK.anthropic);
  // A rejection that nobody takes fails the test.
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(events.filter(({ type }) => type === 'error'), []);
});
