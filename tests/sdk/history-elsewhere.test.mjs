// Histories that lie with the provider: real `ai` and provider packages of the three majors before a server that keeps what it was sent. Nothing is
// edited once the options are seen, one event a run says so, and no prompt is called too large: what is seen here is not all there is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession } from 'stepfold';
import { z } from 'zod';
import { step, talk, user } from '../hand.mjs';
import { MAJORS, packages } from '../wire/send.mjs';
import { words } from './script.mjs';

const STEPS = 14;

const openai = (index, isLast) => ({
  id: `resp_${index}`,
  object: 'response',
  created_at: 0,
  status: 'completed',
  model: 'gpt-5',
  output: isLast
    ? [{ type: 'message', id: `msg_${index}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.', annotations: [] }] }]
    : [{ type: 'function_call', id: `fc_${index}`, call_id: `call_${index}`, name: 'read', arguments: JSON.stringify({ index }), status: 'completed' }],
  usage: { input_tokens: 9_000, output_tokens: 20, total_tokens: 9_020 },
});
const anthropic = (index, isLast) => ({
  type: 'message',
  id: `msg_${index}`,
  model: 'claude-opus-5',
  role: 'assistant',
  content: isLast ? [{ type: 'text', text: 'Done.' }] : [{ type: 'tool_use', id: `toolu_${index}`, name: 'read', input: { index } }],
  stop_reason: isLast ? 'end_turn' : 'tool_use',
  usage: { input_tokens: 9_000, output_tokens: 20 },
});

/** Options that give the history to the provider, by the majors whose package has them. */
const FORMS = [
  { name: 'previousResponseId', majors: MAJORS, answer: openai, model: (of, settings) => of.openai(settings).responses('gpt-5'), options: { openai: { previousResponseId: 'resp_earlier' } } },
  { name: 'conversation', majors: MAJORS, answer: openai, model: (of, settings) => of.openai(settings).responses('gpt-5'), options: { openai: { conversation: 'conv_1' } } },
  { name: 'thread', majors: [7], answer: anthropic, model: (of, settings) => of.anthropic(settings)('claude-opus-5'), options: { anthropic: { thread: { type: 'continue', previousMessageId: 'msg_earlier' } } } },
];

/** An agent whose results come to 12,000 tokens, in a window of 6,000. `see`: how stepfold can see the options. */
async function run({ major, name, answer, model, options, see, messages = [user('Read all files.')] }) {
  const { ai } = packages[major];
  const events = [];
  const bodies = [];
  const session = createSession({ contextWindow: 6_000, onEvent: (event) => events.push(event) });
  const fetch = async (_url, init) => {
    bodies.push(JSON.parse(init.body));
    return Response.json(answer(bodies.length, bodies.length === STEPS));
  };
  const own = model(packages[major], { apiKey: 'none', fetch });
  await ai.generateText({
    model: see === 'model' ? session.model(own) : own,
    messages,
    tools: { read: ai.tool({ description: 'Reads.', inputSchema: z.any(), execute: async ({ index }) => words(700, index) }) },
    providerOptions: options,
    maxRetries: 0,
    prepareStep: see === 'input' ? (input) => session.prepareStep({ ...input, providerOptions: options }) : session.prepareStep,
    stopWhen: (ai.stepCountIs ?? ai.isStepCount)(STEPS),
    ...(see === 'body' && major === 7 ? { include: { requestBody: true } } : {}),
  });
  assert.equal(bodies.length, STEPS, name);
  return { events, bodies, session, types: events.map(({ type }) => type) };
}

for (const major of MAJORS) {
  for (const form of FORMS.filter(({ majors }) => majors.includes(major))) {
    for (const see of ['body', 'model', 'input']) {
      test(`ai ${major}, ${form.name}, seen by ${see}: nothing is edited, and one event says why`, async () => {
        const { types, events } = await run({ major, see, ...form });
        for (const type of ['cleared', 'checkpoint', 'capped', 'squeezed', 'over-budget', 'error', 'truncated-by-provider']) assert.ok(!types.includes(type), type);
        const stood = events.filter(({ type }) => type === 'stood-down');
        assert.equal(stood.length, 1);
        assert.ok(stood[0].reason.includes(`\`${form.name}\``) && stood[0].reason.includes('history'), stood[0].reason);
        assert.equal(stood[0].stepNumber, see === 'input' ? 0 : 1, 'the first step that can know');
      });
    }
  }

  test(`ai ${major}: where nothing of the history lies with the provider, the same agent is kept within its window`, async () => {
    for (const see of ['body', 'model', 'input']) {
      const { types } = await run({ major, see, ...FORMS[0], options: { openai: { store: false } } });
      assert.ok(types.includes('cleared') || types.includes('checkpoint'));
      assert.ok(!types.includes('stood-down'));
    }
  });
}

test('a thread that is only begun, with all messages, is no reason', async () => {
  const { types } = await run({ major: 7, see: 'input', ...FORMS[2], options: { anthropic: { thread: { type: 'create' } } } });
  assert.ok(!types.includes('stood-down') && (types.includes('cleared') || types.includes('checkpoint')));
});

const elsewhere = (body) => ({ usage: { inputTokens: 50_000, outputTokens: 1 }, request: { body } });

test('a session knows it in its next run, says it once there, and goes on when a request does without', async () => {
  const events = [];
  const session = createSession({ contextWindow: 4_000, onEvent: (event) => events.push(event) });
  const messages = [user('Go on.')];
  const finished = [];
  await step(session, messages, finished);
  finished.push(elsewhere({ previous_response_id: 'resp_1' }));
  messages.push(...talk(30));
  assert.equal(await step(session, messages, finished), messages);
  finished.push(elsewhere({ previous_response_id: 'resp_1' }));
  assert.equal(await step(session, messages, finished), messages);
  const others = [];
  assert.equal(await step(session, messages, others), messages, 'the next run, of which nothing is reported yet');
  assert.deepEqual(events.filter(({ type }) => type === 'stood-down').map(({ stepNumber }) => stepNumber), [1, 0]);
  assert.ok(!events.some(({ type }) => type === 'over-budget'));
  others.push({ usage: { inputTokens: 3_500, outputTokens: 1 }, request: { body: { store: false } } });
  assert.ok((await step(session, messages, others)).length < messages.length);
});

test('what was decided before stays as it was', async () => {
  const prepareStep = createPrepareStep({ contextWindow: 4_000 });
  const messages = [user('Go on.'), ...talk(30)];
  const finished = [];
  const first = await step(prepareStep, messages, finished);
  assert.ok(first.length < messages.length);
  finished.push(elsewhere({ conversation: { id: 'conv_1' } }));
  messages.push(...talk(20, 'more'));
  const second = await step(prepareStep, messages, finished);
  assert.deepEqual(second.slice(0, first.length), first);
  assert.equal(second.length, first.length + 40);
});

test('a refused call is not folded where its history lies with the provider', async () => {
  for (const [providerOptions, calls] of [[{ openai: { previousResponseId: 'resp_1' } }, 1], [undefined, 2]]) {
    const session = createSession({ contextWindow: 400_000 });
    let count = 0;
    const model = session.model({
      specificationVersion: 'v3', provider: 'openai.responses', modelId: 'gpt-5', supportedUrls: {},
      doStream: async () => assert.fail(),
      doGenerate: async () => {
        count += 1;
        throw Object.assign(new Error('Your input exceeds the context window of this model.'), { name: 'AI_APICallError', statusCode: 400, responseBody: JSON.stringify({ error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model. Please adjust your input and try again.' } }) });
      },
    });
    const messages = [user('Go on.'), ...talk(40)];
    await step(session, messages, [], model);
    const prompt = messages.map((message) => (typeof message.content === 'string' ? { ...message, content: [{ type: 'text', text: message.content }] } : message));
    await assert.rejects(async () => model.doGenerate({ prompt, providerOptions }), /exceeds the context window/);
    assert.equal(count, calls);
  }
});
