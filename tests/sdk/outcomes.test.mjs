// What really happened to a call, told as that: the steps of a run know it where messages do not, because a tool's `toModelOutput` leaves out its error,
// or the SDK never ran it. Real runs of all majors, read off the checkpoints that their models are sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession } from 'stepfold';
import { words } from './script.mjs';
import { MAJORS, createModel, packages, run } from './sdk.mjs';

const WINDOW = 14_000;
const request = { role: 'user', content: 'Look after the orders of Mrs Okafor.' };

/** Tools over MCP: the error of a result stands beside its content, and the model is sent the content alone. */
function toolsOf(major) {
  const { tool, dynamicTool, jsonSchema } = packages[major];
  const inputSchema = jsonSchema({ type: 'object', additionalProperties: true }, { validate: (value) => (value?.order === 'none' ? { success: false, error: new Error('order must be a number') } : { success: true, value }) });
  const toModelOutput = major === 5 ? ({ content }) => ({ type: 'content', value: content }) : ({ output }) => ({ type: 'content', value: output.content });
  const remote = (make, text, isError) => make({ description: 'A tool of a server.', inputSchema, execute: async () => ({ content: [{ type: 'text', text }], isError }), toModelOutput });
  const local = (execute) => tool({ description: 'A tool of the app.', inputSchema, execute });
  const thrown = (name, message) => local(async () => { throw Object.assign(new Error(message), { name }); });
  return {
    refundOrder: remote(tool, 'The card was declined by bank 4.', true),
    payInvoice: remote(tool, 'Receipt re_5511', false),
    voidPayment: remote(dynamicTool, 'Nothing is booked under this number.', true),
    getDelivery: remote(tool, 'The carrier did not answer.', true),
    cancelBooking: local(async () => 'cancelled'),
    sendLetter: thrown('AbortError', 'This was stopped.'),
    chargeCard: thrown('TimeoutError', 'No answer in time.'),
    deleteAddress: thrown('Error', 'The address is locked.'),
    bookCourier: tool({ description: 'Of the app.', inputSchema, execute: async () => ({ booked: false, success: false, note: 'full' }), toModelOutput: () => ({ type: 'content', value: [{ type: 'text', text: 'The courier was asked.' }] }) }),
    read: local(async ({ page }) => words(760, page)),
  };
}

const acts = ['refundOrder', 'payInvoice', 'voidPayment', 'getDelivery', 'sendLetter', 'chargeCard', 'deleteAddress', 'bookCourier'].map((name, index) => ({ id: `act-${index}`, name, input: { order: 4400 + index } }));
const rejected = [{ id: 'act-8', name: 'cancelBooking', input: { order: 'none' } }, { id: 'act-9', name: 'archiveOrder', input: { order: 4409 } }];
const done = { calls: [...acts, ...rejected] };
const reads = Array.from({ length: 22 }, (_, page) => ({ calls: [{ id: `read-${page}`, name: 'read', input: { page } }] }));

const checkpointOf = (prompt) => prompt.find(({ providerOptions }) => providerOptions?.stepfold?.checkpoint !== undefined)?.content[0].text;
const lineOf = (text, name) => text.split('\n').filter((line) => /^(- |\d)/.test(line) && line.includes(`${name}(`)).join('\n');

/** Runs answers to their end. Returns the first checkpoint and what an app would store. */
async function play({ major, api, answers, messages, prepareStep, options = {} }) {
  const mock = createModel({ major, answers });
  const { steps } = await run({ major, api, model: mock.model, tools: toolsOf(major), options: { messages, prepareStep, ...options } });
  const answered = major === 7 ? steps.flatMap(({ response }) => response.messages) : steps.at(-1).response.messages;
  return { text: mock.prompts().map(checkpointOf).find((text) => text !== undefined), stored: JSON.parse(JSON.stringify([...messages, ...answered])) };
}

function assertTold(text) {
  const told = Object.fromEntries([...acts, ...rejected].map(({ name }) => [name, lineOf(text, name)]));
  const mayHave = /it may have taken effect/;
  for (const [name, why] of [['refundOrder', 'declined by bank 4'], ['voidPayment', 'Nothing is booked'], ['deleteAddress', 'is locked'], ['bookCourier', 'courier was asked']]) {
    assert.match(told[name], new RegExp(`→ error \\(it may have taken effect.*${why}`), text);
  }
  assert.match(told.payInvoice, /→ .*re_5511/);
  assert.doesNotMatch(told.payInvoice, /not recorded|error|may have taken/);
  assert.match(told.sendLetter, /→ aborted \(it may have taken effect/);
  assert.match(told.chargeCard, /→ timed out \(it may have taken effect/);
  assert.match(told.getDelivery, /→ failed|did not answer/);
  for (const name of ['cancelBooking', 'archiveOrder']) {
    assert.match(told[name], /did not run/, text);
    assert.doesNotMatch(told[name], mayHave);
    const [, section] = text.split(/^--- What was done.*$/m);
    assert.doesNotMatch((section ?? '').split(/^--- /m)[0], new RegExp(`${name}\\(`));
  }
  assert.match(text.split(/^--- What still fails.*$/m)[1] ?? '', /cancelBooking/);
}

for (const major of MAJORS) {
  for (const api of ['generateText', 'streamText']) {
    test(`ai ${major}, ${api}: within a run, calls are told as they ended`, async () => {
      const { text } = await play({ major, api, answers: [done, ...reads, { text: 'done' }], messages: [request], prepareStep: createPrepareStep({ contextWindow: WINDOW }) });
      assertTold(text);
    });
  }

  test(`ai ${major}: a session knows in later requests, and on other servers, how calls ended, those of a run's last step included`, async () => {
    const store = new Map();
    const stepEnd = major === 7 ? 'onStepEnd' : 'onStepFinish';
    const first = createSession({ id: 'chat', store, contextWindow: WINDOW });
    const { stored } = await play({ major, answers: [done], messages: [request], prepareStep: first.prepareStep, options: { stopWhen: ({ steps }) => steps.length === 1, [stepEnd]: first.onStepEnd } });
    await first.dispose();
    const second = createSession({ id: 'chat', store, contextWindow: WINDOW });
    const more = [...stored, { role: 'user', content: 'Now read the whole file.' }];
    const { text } = await play({ major, answers: [...reads, { text: 'done' }], messages: more, prepareStep: second.prepareStep });
    assertTold(text);
    assert.ok(![...store.values()].join().includes('"isError"'), 'what tools returned is not stored');
  });

  test(`ai ${major}: without a session a later request does not say that a call over MCP succeeded`, async () => {
    const { stored } = await play({ major, answers: [done, { text: 'Done.' }], messages: [request], prepareStep: createPrepareStep({ contextWindow: WINDOW }) });
    const { text } = await play({ major, answers: [...reads, { text: 'done' }], messages: [...stored, { role: 'user', content: 'Now read the whole file.' }], prepareStep: createPrepareStep({ contextWindow: WINDOW }) });
    for (const name of ['refundOrder', 'payInvoice', 'voidPayment', 'bookCourier']) assert.match(lineOf(text, name), /→ answered, success not recorded/, text);
  });
}

test('a refusal that is known ends no earlier doubt, and a success does', async () => {
  const refund = (id, order) => ({ calls: [{ id, name: 'refundOrder', input: { order } }] });
  const pay = (id, order) => ({ calls: [{ id, name: 'payInvoice', input: { order } }] });
  const { text } = await play({ major: 7, answers: [refund('a', 7), refund('b', 7), pay('c', 8), ...reads, { text: 'done' }], messages: [request], prepareStep: createPrepareStep({ contextWindow: WINDOW }) });
  assert.doesNotMatch(lineOf(text, 'refundOrder'), /a call like it succeeded/);
  assert.match(lineOf(text, 'payInvoice'), /re_5511/);
});

test('of ids that a provider gives again each call keeps its own outcome', async () => {
  const { text } = await play({ major: 6, answers: [
    { calls: [{ id: 'call_0', name: 'payInvoice', input: { order: 1 } }] },
    { calls: [{ id: 'call_0', name: 'refundOrder', input: { order: 2 } }] },
    { calls: [{ id: 'call_0', name: 'payInvoice', input: { order: 3 } }] },
    ...reads.map(({ calls: [call] }) => ({ calls: [{ ...call, id: 'call_0' }] })), { text: 'done' },
  ], messages: [request], prepareStep: createPrepareStep({ contextWindow: WINDOW }) });
  assert.match(lineOf(text, 'refundOrder'), /→ error/);
  assert.doesNotMatch(lineOf(text, 'payInvoice'), /error|not recorded/);
});

test('steps that cannot be read leave a step as it would have been', async () => {
  const prepareStep = createPrepareStep({ contextWindow: WINDOW });
  const broken = { get content() { throw new Error('no'); }, usage: {} };
  const cyclic = {};
  cyclic.self = cyclic;
  const odd = { content: [null, 7, { type: 'tool-result', toolCallId: 'x', output: cyclic }, { type: 'tool-error', toolCallId: 'x', error: { cause: cyclic } }, { type: 'tool-result', output: 10n ** 40n }], usage: {} };
  for (const step of [broken, odd, undefined, { content: 'text' }]) {
    await assert.doesNotReject(prepareStep({ messages: [request, { role: 'assistant', content: 'Yes.' }], steps: [step], stepNumber: 1, model: { modelId: 'gpt-5', provider: 'openai' } }));
  }
});

test('a call with broken JSON is known not to have run also where a stored chat has the text that the model wrote', async () => {
  const session = createSession({ contextWindow: WINDOW });
  const MODEL = { modelId: 'gpt-5', provider: 'openai' };
  const invalid = { type: 'tool-call', toolCallId: 'b', toolName: 'cancelBooking' };
  const pair = (input, output) => [{ role: 'assistant', content: [{ ...invalid, input }] }, { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'b', toolName: 'cancelBooking', output }] }];
  const steps = [{ usage: {}, content: [{ ...invalid, invalid: true }, { type: 'tool-error', toolCallId: 'b', toolName: 'cancelBooking', error: new Error('Invalid input') }] }];
  const run = [request, ...pair({}, { type: 'error-text', value: 'Invalid input' })];
  await session.prepareStep({ messages: run, steps, stepNumber: 1, model: MODEL });
  const stored = [request, ...pair('{"order": 44', { type: 'text', value: 'An error occurred.' })];
  const later = createSession({ contextWindow: WINDOW, state: session.state });
  const pages = Array.from({ length: 12 }, (_, page) => [{ role: 'assistant', content: words(700, page) }, { role: 'user', content: `And page ${page}?` }]).flat();
  const sent = (await later.prepareStep({ messages: [...stored, ...pages], steps: [], stepNumber: 0, model: MODEL })).messages;
  assert.match(lineOf(sent[0].content[0].text, 'cancelBooking'), /did not run/, sent[0].content[0].text);
});
