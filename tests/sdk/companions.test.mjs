// What stands beside stepfold in an app: middleware around the model, and tools that run agents of their own.
// A user's own `prepareStep` around ours: compose.test.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession } from 'stepfold';
import { amount, inTurn } from '../amount.mjs';
import { MAJORS, createModel, createTools, packages, run } from './sdk.mjs';
import { answers, honestCount, request, results, words } from './script.mjs';

const WINDOW_TOKENS = 8_192; // Of gpt-4, known by its id.

const ADDED = { role: 'system', content: `Facts that the middleware has looked up: ${words(500)}` };

/** Middleware as the SDK ships it, and some that changes every prompt. */
const middlewares = {
  'default settings': ({ defaultSettingsMiddleware }) => defaultSettingsMiddleware({ settings: { temperature: 0.1 } }),
  'extracted reasoning': ({ extractReasoningMiddleware }) => extractReasoningMiddleware({ tagName: 'think' }),
  'a longer prompt': () => ({ transformParams: async ({ params }) => ({ ...params, prompt: [ADDED, ...params.prompt] }) }),
};

async function runWith({ major, middleware }) {
  const events = [];
  const mock = createModel({ major, answers, count: honestCount, modelId: 'gpt-4', provider: 'openai' });
  const model = middleware === undefined ? mock.model : packages[major].wrapLanguageModel({ model: mock.model, middleware: middleware(packages[major]) });
  const prepareStep = createPrepareStep({ onEvent: (event) => events.push(event) });
  const { text } = await run({ major, model, tools: createTools(major, results), options: { messages: [request], prepareStep } });
  return { events, text, prompts: mock.prompts() };
}

for (const [turn, [name, middleware]] of Object.entries(middlewares).entries()) {
  for (const major of inTurn(MAJORS, turn)) {
    test(`ai ${major}: behind middleware with ${name} the window is that of the model, and every prompt fits`, async () => {
      const { events, text, prompts } = await runWith({ major, middleware });
      assert.equal(text, answers.at(-1).text);
      assert.deepEqual([...new Set(events.filter(({ type }) => type === 'measured').map(({ contextWindow }) => contextWindow))], [WINDOW_TOKENS]);
      assert.ok(events.some(({ type }) => type === 'checkpoint'));
      assert.deepEqual(events.filter(({ type }) => type === 'error'), []);
      // As the provider counts them, with what the middleware has added.
      prompts.forEach((prompt, step) => assert.ok(honestCount(prompt) <= WINDOW_TOKENS, `step ${step} sent ${honestCount(prompt)} tokens`));
      if (name === 'a longer prompt') assert.ok(prompts.every(([first]) => first.content === ADDED.content));
      else assert.deepEqual(prompts, (await runWith({ major, middleware: undefined })).prompts);
    });
  }
}

/** A lead that delegates topics, two at a time, to agents which each read more than their window holds. */
const TOPICS = Array.from({ length: amount({ push: 8, night: 20 }) }, (_, index) => `topic-${index}`);
const STEPS = 14;
const AGENT_WINDOW_TOKENS = 5_000;
const report = (topic) => `Report on ${topic}: ${words(220, TOPICS.indexOf(topic))}.`;
const agentAnswers = (topic) => [
  ...answers.slice(0, STEPS).map(({ text, calls }, step) => ({ text, calls: calls?.map((call) => ({ ...call, input: { ...call.input, path: `src/${topic}/part-${step}.ts` } })) })),
  { text: report(topic) },
];
const leadAnswers = [
  ...Array.from({ length: TOPICS.length / 2 }, (_, step) => ({
    calls: [0, 1].map((half) => ({ id: `call-${step}-${half}`, name: 'delegate', input: { topic: TOPICS[step * 2 + half] } })),
  })),
  { text: 'All topics are studied.' },
];

async function runAgent({ major, topic, prepareStep }) {
  const mock = createModel({ major, answers: agentAnswers(topic), count: honestCount });
  const { text } = await run({ major, model: mock.model, tools: createTools(major, results), options: { messages: [{ role: 'user', content: `Study ${topic}.` }], prepareStep } });
  return { text, prompts: mock.prompts() };
}

/** Runs the lead. `delegate` answers a topic. */
async function runLead({ major, prepareStep, delegate }) {
  const mock = createModel({ major, answers: leadAnswers, count: honestCount });
  const { text } = await run({ major, model: mock.model, tools: createTools(major, { delegate }), options: { messages: [{ role: 'user', content: 'Have all topics studied.' }], prepareStep } });
  assert.equal(text, 'All topics are studied.');
  return mock.prompts();
}

const fits = (prompts) => prompts.forEach((prompt, step) => assert.ok(honestCount(prompt) <= AGENT_WINDOW_TOKENS, `step ${step} sent ${honestCount(prompt)} tokens`));

for (const major of MAJORS) {
  test(`ai ${major}: a lead and its subagents share one prepareStep, and each has its own context`, async () => {
    const options = { contextWindow: AGENT_WINDOW_TOKENS };
    const events = [];
    const prepareStep = createPrepareStep({ ...options, onEvent: (event) => events.push(event) });
    const agents = new Map();
    const lead = await runLead({
      major,
      prepareStep,
      delegate: async ({ topic }) => {
        agents.set(topic, await runAgent({ major, topic, prepareStep }));
        return agents.get(topic).text;
      },
    });
    fits(lead);
    assert.ok(!JSON.stringify(lead).includes('/part-'), 'the lead was sent what an agent has read');
    for (const [topic, { text, prompts }] of agents) {
      assert.equal(text, report(topic));
      fits(prompts);
      assert.deepEqual(prompts, (await runAgent({ major, topic, prepareStep: createPrepareStep(options) })).prompts, `${topic} was influenced by another`);
    }
    assert.deepEqual(lead, await runLead({ major, prepareStep: createPrepareStep(options), delegate: ({ topic }) => report(topic) }));
    assert.ok(events.filter(({ type }) => type === 'checkpoint').length > TOPICS.length, 'too few checkpoints to prove anything');
    assert.deepEqual(events.filter(({ type }) => type === 'error'), []);
  });

  test(`ai ${major}: subagents with sessions of their own, kept in the lead's store, do not disturb it`, async () => {
    const store = new Map();
    const events = [];
    const open = (id) => createSession({ id, store, contextWindow: AGENT_WINDOW_TOKENS, onEvent: (event) => events.push({ id, ...event }) });
    const lead = open('chat');
    const prompts = await runLead({
      major,
      prepareStep: lead.prepareStep,
      delegate: async ({ topic }) => {
        const session = open(`chat/${topic}`);
        const agent = await runAgent({ major, topic, prepareStep: session.prepareStep });
        fits(agent.prompts);
        await session.dispose();
        return agent.text;
      },
    });
    fits(prompts);
    await lead.dispose();
    assert.deepEqual([...store.keys()].sort(), ['chat', ...TOPICS.map((topic) => `chat.002f${topic}`)].sort());
    assert.deepEqual(events.filter(({ type }) => ['error', 'session-conflict', 'state-rejected', 'store-failed'].includes(type)), []);
    for (const id of ['chat', 'chat/topic-0']) assert.ok(events.some((event) => event.id === id && ['checkpoint', 'cleared'].includes(event.type)), id);
  });
}
