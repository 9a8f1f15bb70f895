// The user presses Stop: a stream is aborted in mid tool call, and the next request, on another server, goes on from what was decided.
// The real `ai` 5, 6 and 7, with messages as a page keeps them. What a route has to do is in tests/examples.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession, validateMessages } from 'stepfold';
import { honestCount, request, words } from './script.mjs';
import { MAJORS, createModel, createTools, packages } from './sdk.mjs';

const WINDOW_TOKENS = 6_500;
const PAGES = 14;
const reading = Array.from({ length: PAGES }, (_, step) => ({ calls: [{ id: `call-${step}`, name: 'read', input: { page: step } }] }));
/** Two calls at once: one is answered, the other hangs until it is stopped. */
const both = { calls: [{ id: 'call-quick', name: 'read', input: { page: PAGES } }, { id: 'call-hung', name: 'wait', input: {} }] };
const page = (number) => words(400, number);
/** What is not cleared has to be folded, so that the summarizer is asked. */
const options = { id: 'chat', contextWindow: WINDOW_TOKENS, overheadTokens: 1, tools: { read: { keep: 'always' } } };
const quietly = { onError: () => {} };

/** What happens to a request that is stopped, by what it was doing. */
const stops = [
  { name: 'in mid tool call', answers: [...reading, both], hangs: 'wait' },
  { name: 'while a summary is made', answers: [...reading, { text: 'Done.' }], hangs: 'summarize' },
  { name: 'while the model is asked', answers: [...reading, { text: 'Done.' }], hangs: 'model' },
];

for (const major of MAJORS) {
  for (const { name, answers, hangs } of stops) {
    test(`ai ${major}: a run that is stopped ${name} is gone on with by the next request`, async () => {
      const unhandled = [];
      const onUnhandled = (reason) => void unhandled.push(reason);
      process.on('unhandledRejection', onUnhandled);
      const store = new Map();
      const first = await stoppedRequest({ major, answers, hangs, store });
      assert.ok(!first.events.some(({ type }) => type === 'error'), JSON.stringify(first.events));

      const next = await nextRequest({ major, store, ui: first.ui });
      // Not before promises left behind had a turn of the event loop to reject.
      await new Promise((resolve) => setImmediate(resolve));
      process.off('unhandledRejection', onUnhandled);
      assert.deepEqual(unhandled, []);

      const [prompt] = next.prompts;
      assert.deepEqual(validateMessages(next.given), []);
      assert.deepEqual(validateMessages(next.sent), []);
      assert.ok(honestCount(prompt) <= WINDOW_TOKENS);
      const text = JSON.stringify(prompt);
      assert.ok(!text.includes('call-hung'));
      assert.ok(text.includes('Never touch the folder `vendor`.') && text.includes('Go on.'));
      assert.equal(text.split('Shorter, please.').length - 1, 1, 'what was enqueued is sent once');
      assert.equal(next.text, 'All read.');
      assert.deepEqual(next.pending, []);
      // What the first request decided last still stands.
      const checkpoints = (messages) => messages.flatMap(({ providerOptions, content }) => (providerOptions?.stepfold?.checkpoint === undefined ? [] : [content[0].text]));
      if (hangs !== 'summarize') {
        assert.ok(first.events.some(({ type }) => type === 'checkpoint'));
        assert.deepEqual(checkpoints(prompt).length, checkpoints(first.prompts.at(-1)).length);
      }
    });
  }
}

/** A request with a message of the user put in at the end, stopped while something hangs. */
async function stoppedRequest({ major, answers, hangs, store }) {
  const stop = new AbortController();
  let reached = () => {};
  const isReached = new Promise((resolve) => { reached = resolve; });
  /** Hangs until the signal is aborted. */
  const hang = (signal) => new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    reached();
  });
  const events = [];
  const session = createSession({
    ...options, store, abortSignal: stop.signal, onEvent: (event) => events.push(event),
    summarize: ({ abortSignal }) => (hangs === 'summarize' ? hang(abortSignal) : 'The pages up to here were read one by one and their values written down.'),
  });
  const onCall = (index) => (hangs === 'model' && index === PAGES ? hang(stop.signal) : undefined);
  const { model, prompts } = createModel({ major, answers, count: honestCount, onCall });
  const tools = createTools(major, { read: ({ page: number }) => page(number), wait: (_input, { abortSignal }) => hang(abortSignal) });
  const messages = [{ id: 'ui-1', role: 'user', parts: [{ type: 'text', text: request.content }] }];
  const kept = new Promise((keep) => {
    const ended = new Promise((resolve) => {
      const end = () => session.dispose().then(resolve);
      const result = packages[major].streamText({
        model, tools, messages: [request], maxRetries: 0, stopWhen: ({ steps }) => steps.length >= 100, ...quietly,
        prepareStep: session.prepareStep, abortSignal: stop.signal, onStepFinish: session.onStepEnd, onFinish: end, onAbort: end,
      });
      const stream = result.toUIMessageStream({ originalMessages: messages, onFinish: (finished) => ended.then(() => keep(finished.messages)) });
      stream.pipeTo(new WritableStream());
    });
  });
  await isReached;
  session.enqueue('Shorter, please.');
  stop.abort();
  return { ui: await kept, events, prompts: prompts() };
}

/** The next request, on another server: the page sends back what it has, and a new message. */
async function nextRequest({ major, store, ui }) {
  const events = [];
  const session = createSession({ ...options, store, onEvent: (event) => events.push(event) });
  const { model, prompts } = createModel({ major, answers: [{ text: 'All read.' }], count: honestCount });
  const { convertToModelMessages, streamText } = packages[major];
  const fromPage = JSON.parse(JSON.stringify([...ui, { id: 'ui-next', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }]));
  const given = await convertToModelMessages(fromPage, { ignoreIncompleteToolCalls: true });
  let sent = given;
  const prepareStep = async (input) => {
    const prepared = await session.prepareStep(input);
    sent = prepared?.messages ?? input.messages;
    return prepared;
  };
  const result = streamText({ model, messages: given, prepareStep, onStepFinish: session.onStepEnd, maxRetries: 0, ...quietly });
  const text = await result.text;
  await session.dispose();
  return { given, sent, text, events, prompts: prompts(), pending: session.pending() };
}
