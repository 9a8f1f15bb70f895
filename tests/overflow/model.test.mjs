// `model(…)` beside a mock of each major: what a refusal leads to, and all that can go wrong then. The providers' own forms are in the matrix.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { StepfoldError, createPrepareStep, createSession } from 'stepfold';

import { answers, honestCount, request, results, words } from '../sdk/script.mjs';
import { MAJORS, createModel, createTools, normalize, packages, run } from '../sdk/sdk.mjs';

const BELIEVED = 200_000;
const LIMIT = 20_000;

const refusal = (message) => Object.assign(new Error(message), { statusCode: 400 });
const refused = (tokens, limit = LIMIT) => refusal(`prompt is too long: ${tokens} tokens > ${limit} maximum`);

/** The scripted model, which refuses what is over the limit. `fail` replaces the error, or makes one of its own. */
function limited({ major = 7, script = answers, limit = LIMIT, count = honestCount, fail = (tokens) => (tokens > limit ? refused(tokens, limit) : undefined) } = {}) {
  const { model } = createModel({ major, answers: script, count });
  const taken = [];
  const refusedAt = [];
  let calls = 0;
  for (const method of ['doGenerate', 'doStream']) {
    const original = model[method];
    model[method] = async (options) => {
      const error = fail(honestCount(normalize(options.prompt)), calls++);
      if (error !== undefined) {
        refusedAt.push(taken.length);
        throw error;
      }
      taken.push(normalize(options.prompt));
      return original.call(model, options);
    };
  }
  return { model, taken, refusedAt, calls: () => calls };
}

function listening(options = {}) {
  const events = [];
  return { options: { contextWindow: BELIEVED, onEvent: (event) => events.push(event), ...options }, events, of: (type) => events.filter((event) => event.type === type) };
}

/** Begins a run on a wrapped model that refuses; `make` makes a session or a `prepareStep`. */
function begin({ make = createSession, options: more = {}, major = 7, api = undefined, messages = [request], tools = createTools(major, results), abortSignal = undefined, ...script } = {}) {
  const { options, of } = listening(more);
  const made = make(options);
  const { model, ...seen } = limited({ major, ...script });
  const running = run({ major, api, model: made.model(model), tools, options: { messages, prepareStep: made.prepareStep ?? made, abortSignal } });
  return { running, made, of, ...seen };
}

const isPrefix = (before, after) => JSON.stringify(after).startsWith(JSON.stringify(before).slice(0, -1));

for (const major of MAJORS) {
  for (const place of ['around', 'within']) {
    test(`ai ${major}: middleware of wrapLanguageModel ${place} the model changes nothing of it`, async () => {
      const { options, of } = listening();
      const session = createSession(options);
      const { model: refusing, taken, refusedAt } = limited({ major });
      const { wrapLanguageModel, defaultSettingsMiddleware } = packages[major];
      const wrap = (model) => wrapLanguageModel({ model, middleware: defaultSettingsMiddleware({ settings: { temperature: 0.5 } }) });
      const model = place === 'around' ? wrap(session.model(refusing)) : session.model(wrap(refusing));
      const { text } = await run({ major, model, tools: createTools(major, results), options: { messages: [request], prepareStep: session.prepareStep } });
      assert.equal(text, answers.at(-1).text);
      assert.equal(refusedAt.length, 1);
      assert.equal(of('overflow').length, 1);
      assert.ok(isPrefix(taken[refusedAt[0]], taken[refusedAt[0] + 1]) || of('checkpoint').length + of('cleared').length > 1);
    });
  }
}

for (const major of MAJORS) {
  for (const api of ['generateText', 'streamText', 'agent.stream']) {
    for (const kind of ['session', 'prepareStep']) {
      test(`ai ${major}, ${api}, ${kind}: what was sent a second time is the beginning of what comes next, and the limit is known`, async () => {
        const { running, taken, refusedAt, of } = begin({ make: kind === 'session' ? createSession : createPrepareStep, major, api });
        assert.equal((await running).text, 'All parsers are fixed.');
        assert.equal(refusedAt.length, 1);
        assert.ok(isPrefix(taken[refusedAt[0]], taken[refusedAt[0] + 1]));
        assert.deepEqual(of('overflow').map(({ contextWindow, reported: isReported }) => [contextWindow, isReported]), [[LIMIT, true]]);
        assert.equal(of('measured').at(-1).contextWindow, LIMIT);
        assert.deepEqual(of('error'), []);
      });
    }
  }
}

test('the three majors send the same after a refusal', async () => {
  const sent = [];
  for (const major of MAJORS) {
    const { running, taken } = begin({ major });
    await running;
    sent.push(JSON.stringify(taken.map((prompt) => prompt.map(({ role, content }) => [role, content.map?.(({ text, input, output }) => [text, input, output?.value])]))));
  }
  assert.equal(sent[0], sent[1]);
  assert.equal(sent[1], sent[2]);
});

test('a provider that names no numbers is believed all the same, and no usage is needed', async () => {
  const fail = (tokens) => (tokens > LIMIT ? refusal('Input is too long for requested model.') : undefined);
  const { running, taken, refusedAt, of } = begin({ count: () => undefined, fail });
  assert.equal((await running).text, 'All parsers are fixed.');
  assert.ok(refusedAt.length <= 2, `${refusedAt.length} refused of ${taken.length}`);
  assert.ok(of('overflow').every(({ reported: isReported }) => !isReported));
});

for (const major of MAJORS) {
  test(`ai ${major}: without usage the system prompt and the tools are known from the first call on, and nobody is told to report any`, async () => {
    const { running, of } = begin({ major, count: () => undefined, limit: Infinity, options: { contextWindow: 8_000 } });
    await running;
    const [first, ...later] = of('measured');
    assert.ok(first.budgetTokens <= 4_000, `${first.budgetTokens} of 8,000 tokens, before anything is known`);
    assert.ok(later.every(({ overheadTokens, budgetTokens }) => overheadTokens > 50 && Math.abs(budgetTokens + overheadTokens - 6_000) <= 1));
    assert.ok(of('cleared').length + of('checkpoint').length > 0);
    assert.equal(of('usage-not-reported').length, 0);
  });
}

test('the limit outlives the run in the session, also when it is stored', async () => {
  const first = begin();
  const { steps } = await first.running;
  const messages = [request, ...steps.flatMap(({ response }) => response.messages), { role: 'user', content: 'Now the others.' }];
  const next = begin({ options: { state: JSON.stringify(first.made.state) }, messages });
  await next.running;
  assert.equal(next.refusedAt.length, 0);
});

test('a provider that refuses every size is asked twice, and the first error is thrown', async () => {
  const errors = [];
  const { running, made, calls, of } = begin({ fail: (tokens, call) => (call < 8 ? undefined : (errors.push(refused(tokens, 300)), errors.at(-1))) });
  await assert.rejects(running, (error) => error === errors[0]);
  assert.equal(errors.length, 2);
  assert.equal(calls(), 10);
  assert.equal(made.state.fold, undefined, 'nothing was decided');
  assert.equal(of('checkpoint').length + of('cleared').length, 0);
});

test('when the second answer is another error, the first is thrown', async () => {
  const first = refused(30_000);
  const { running } = begin({ fail: (_tokens, call) => (call === 12 ? first : call === 13 ? new Error('out of order') : undefined) });
  await assert.rejects(running, (error) => error === first);
});

test('where nothing can give way no second call is made', async () => {
  const { running, calls } = begin({ fail: () => refused(30_000), tools: {}, messages: [{ role: 'user', content: 'Hello.' }] });
  await assert.rejects(running, /too long/);
  assert.equal(calls(), 1);
});

test('other errors pass untouched, as the same object', async () => {
  const session = createSession(listening().options);
  for (const error of [new Error('fetch failed'), Object.assign(new Error('Overloaded'), { statusCode: 529 }), 'a text', undefined]) {
    const model = session.model({ specificationVersion: 'v4', doGenerate: async () => Promise.reject(error), doStream: async () => Promise.reject(error) });
    for (const method of ['doGenerate', 'doStream']) {
      const thrown = await model[method]({ prompt: [] }).then(() => 'nothing', (caught) => [caught]);
      assert.deepEqual(thrown, [error]);
      assert.ok(thrown[0] === error);
    }
  }
});

test('an abort between both calls ends the call, and no second one is made', async () => {
  const controller = new AbortController();
  const summarize = () => (controller.abort(), new Promise(() => undefined));
  const { running, calls } = begin({ options: { summarize }, abortSignal: controller.signal });
  await assert.rejects(running, (error) => error.name === 'AbortError');
  assert.equal(calls(), 11);
});

/** Lets calls of two runs through in pairs: what one learns of a refusal cannot spare the other its own. */
function inPairs() {
  const waiting = [];
  return async () => {
    const other = waiting.shift();
    if (other === undefined) await new Promise((resolve) => waiting.push(resolve));
    else other();
  };
}

test('two runs on one wrapped model at once do not mix', async () => {
  const prepareStep = createPrepareStep(listening().options);
  const marks = ['first', 'second'];
  const scripts = marks.map(() => limited({}));
  // One model object for both: it sends each call on by what the request says.
  const both = { specificationVersion: 'v4', provider: 'mock', modelId: 'mock-model', supportedUrls: {} };
  const paired = inPairs();
  for (const method of ['doGenerate', 'doStream']) both[method] = async (options) => (await paired(), scripts[JSON.stringify(options.prompt).includes('work of first') ? 0 : 1].model[method](options));
  const model = prepareStep.model(both);
  const runs = marks.map((mark) => run({ major: 7, model, tools: createTools(7, results), options: { messages: [{ ...request, content: `${request.content} This is the work of ${mark}.` }], prepareStep } }));
  for (const { text } of await Promise.all(runs)) assert.equal(text, 'All parsers are fixed.');
  for (const [index, { taken, refusedAt }] of scripts.entries()) {
    assert.equal(refusedAt.length, 1);
    assert.ok(isPrefix(taken[refusedAt[0]], taken[refusedAt[0] + 1]));
    assert.ok(taken.every((prompt) => !JSON.stringify(prompt).includes(`work of ${marks[1 - index]}`)));
  }
});

test('two runs that said the same so far are each recovered', async () => {
  const prepareStep = createPrepareStep(listening().options);
  const scripts = [limited({}), limited({})];
  const paired = inPairs();
  for (const { model } of scripts) for (const method of ['doGenerate', 'doStream']) model[method] = ((call) => async (options) => (await paired(), call(options)))(model[method]);
  const runs = scripts.map(({ model }) => run({ major: 7, model: prepareStep.model(model), tools: createTools(7, results), options: { messages: [request], prepareStep } }));
  for (const { text } of await Promise.all(runs)) assert.equal(text, 'All parsers are fixed.');
  for (const { taken, refusedAt } of scripts) {
    assert.equal(refusedAt.length, 1);
    assert.ok(isPrefix(taken[refusedAt[0]], taken[refusedAt[0] + 1]));
  }
});

test('a call that no run has prepared is recovered by itself', async () => {
  const prepareStep = createPrepareStep(listening().options);
  const { model, taken, refusedAt } = limited({ script: [{ text: 'Done.' }] });
  const messages = [request, ...Array.from({ length: 40 }, (_, index) => [{ role: 'assistant', content: words(400, index) }, { role: 'user', content: `Go on with ${index}.` }]).flat()];
  const { text } = await run({ major: 7, model: prepareStep.model(model), tools: {}, options: { messages } });
  assert.equal(text, 'Done.');
  assert.deepEqual([taken.length, refusedAt.length], [1, 1]);
});

test('a wrapped model that is wrapped again is the same, and with another session each mends for itself', async () => {
  const [one, other] = [createSession(listening().options), createSession(listening().options)];
  const { model, calls } = limited({ fail: (tokens) => (tokens > LIMIT ? refused(tokens, 300) : undefined), limit: LIMIT });
  const wrapped = one.model(model);
  assert.equal(one.model(wrapped), wrapped);
  assert.equal(one.model(model), wrapped);
  assert.notEqual(other.model(wrapped), wrapped);
  const refusing = { specificationVersion: 'v4', doGenerate: async () => Promise.reject(refused(30_000)), doStream: async () => Promise.reject(refused(30_000)) };
  const around = other.model({ ...refusing, doGenerate: (options) => (one.model(refusing)).doGenerate(options) });
  await assert.rejects(around.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }] }), /too long/);
  assert.equal(calls(), 0);
});

test('the model stays itself: its fields, its class, methods with private fields', () => {
  class Own {
    #secret = 'kept';
    specificationVersion = 'v3';
    provider = 'own';
    get modelId() {
      return `own-${this.#secret}`;
    }
    doGenerate() {}
    doStream() {}
    secret() {
      return this.#secret;
    }
  }
  const model = createPrepareStep().model(new Own());
  assert.ok(model instanceof Own);
  assert.deepEqual([model.modelId, model.secret(), model.specificationVersion, Object.keys(model)], ['own-kept', 'kept', 'v3', ['specificationVersion', 'provider']]);
});

test('what is no model is refused at once, and an id where nothing can resolve it', () => {
  const { model } = createPrepareStep();
  for (const given of [undefined, null, 7, {}, { doGenerate: () => undefined }]) {
    assert.throws(() => model(given), (error) => StepfoldError.isInstance(error) && error.code === 'invalid-option' && /language model/.test(error.message));
  }
  assert.throws(() => model('openai/gpt-5'), /gateway\("openai\/gpt-5"\)/);
  const known = { specificationVersion: 'v4', doGenerate() {}, doStream() {} };
  globalThis.AI_SDK_DEFAULT_PROVIDER = { languageModel: (id) => ({ ...known, modelId: id }) };
  try {
    assert.equal(model('openai/gpt-5').modelId, 'openai/gpt-5');
  } finally {
    delete (globalThis.AI_SDK_DEFAULT_PROVIDER);
  }
});

test('retries of the SDK and a fallback around it go together with it', async () => {
  const session = createSession(listening().options);
  const busy = Object.assign(new Error('Overloaded'), { statusCode: 529, isRetryable: true });
  let failures = 0;
  const inner = limited({});
  const failing = { specificationVersion: 'v4', provider: 'mock', modelId: 'mock-model', supportedUrls: {} };
  for (const method of ['doGenerate', 'doStream']) failing[method] = async () => Promise.reject((failures++, busy));
  const [first, second] = [session.model(failing), session.model(inner.model)];
  const fallback = { ...failing, doGenerate: (options) => first.doGenerate(options).catch(() => second.doGenerate(options)) };
  const { text } = await run({ major: 7, model: fallback, tools: createTools(7, results), options: { messages: [request], prepareStep: session.prepareStep } });
  assert.equal(text, 'All parsers are fixed.');
  assert.equal(inner.refusedAt.length, 1);
  assert.equal(failures, inner.taken.length + 1 - 1);
});

test('a reply that fills the window is not repeated, and the limit sinks', async () => {
  for (const api of ['generateText', 'streamText']) {
    const { options, of } = listening();
    const session = createSession(options);
    const { model, taken } = limited({ limit: Infinity });
    const finish = (part) => (taken.length === 8 && part.finishReason !== undefined ? { ...part, finishReason: { unified: 'length', raw: 'model_context_window_exceeded' }, usage: { ...part.usage, inputTokens: { total: 9_000, noCache: 9_000 }, outputTokens: { total: 500 } } } : part);
    const [generate, stream] = [model.doGenerate, model.doStream];
    model.doGenerate = async (call) => finish(await generate.call(model, call));
    model.doStream = async (call) => {
      const { stream: parts } = await stream.call(model, call);
      return { stream: parts.pipeThrough(new TransformStream({ transform: (part, controller) => controller.enqueue(part.type === 'finish' ? finish(part) : part) })) };
    };
    const { steps } = await run({ major: 7, api, model: session.model(model), tools: createTools(7, results), options: { messages: [request], prepareStep: session.prepareStep } });
    assert.equal(taken.length, 8, 'it ends the run');
    const messages = [request, ...steps.flatMap(({ response }) => response.messages), { role: 'user', content: 'Go on.' }];
    await session.prepareStep({ messages, steps: [], stepNumber: 0, model });
    assert.deepEqual(of('measured').slice(-2).map(({ contextWindow }) => contextWindow), [BELIEVED, 9_500]);
    assert.deepEqual(of('overflow'), []);
  }
});

test('what one conversation has learnt of a window holds for the others of a prepareStep, for this model and not for another', async () => {
  for (const major of MAJORS) {
    const { options, of } = listening();
    const prepareStep = createPrepareStep(options);
    const converse = async (said, settings = {}) => {
      const { model, refusedAt } = limited({ major, ...settings });
      const messages = [{ role: 'user', content: said }];
      await run({ major, model: prepareStep.model(model), tools: createTools(major, results), options: { messages, prepareStep } });
      return refusedAt.length;
    };
    assert.equal(await converse('Fix every parser.'), 1);
    assert.equal(await converse('Fix every lexer.'), 0);
    assert.equal(of('overflow').length, 1);
    const refused = of('measured').filter(({ stepNumber }) => stepNumber === 0).map(({ contextWindow }) => contextWindow);
    assert.deepEqual(refused, [BELIEVED, LIMIT]);
    await prepareStep({ messages: [{ role: 'user', content: 'Hello.' }], steps: [], stepNumber: 0, model: { modelId: 'other-model', provider: 'mock', specificationVersion: 'v4' } });
    assert.equal(of('measured').at(-1).contextWindow, BELIEVED);
  }
});

test('a limit that conversations share ends when a larger prompt is taken, and with the time', async () => {
  const { options, of } = listening();
  const prepareStep = createPrepareStep(options);
  const { model } = limited();
  await run({ major: 7, model: prepareStep.model(model), tools: createTools(7, results), options: { messages: [request], prepareStep } });
  const window = () => of('measured').at(-1).contextWindow;
  const begin = (index) => prepareStep({ messages: [{ role: 'user', content: `Conversation ${index}.` }], steps: [], stepNumber: 0, model });
  await begin(0);
  assert.equal(window(), LIMIT);
  // The provider was fixed.
  const messages = [{ role: 'user', content: 'Another one.' }];
  const steps = [];
  await prepareStep({ messages, steps, stepNumber: 0, model });
  steps.push({ usage: { inputTokens: 2 * LIMIT, outputTokens: 10 } });
  await prepareStep({ messages: [...messages, { role: 'assistant', content: 'Well.' }, { role: 'user', content: 'More.' }], steps, stepNumber: 1, model });
  assert.equal(window(), BELIEVED);
  await begin(1);
  assert.equal(window(), BELIEVED);
  // Learnt again, and then left alone.
  await run({ major: 7, model: prepareStep.model(limited().model), tools: createTools(7, results), options: { messages: [{ role: 'user', content: 'Once more.' }], prepareStep } });
  const windows = [];
  for (let index = 2; index < 30; index += 1) {
    await begin(index);
    windows.push(window());
  }
  assert.ok(windows.indexOf(BELIEVED) > 10, `${windows}`);
  assert.ok(windows.lastIndexOf(LIMIT) < windows.indexOf(BELIEVED), `${windows}`);
});

test('a recovered step whose reply then fills the window has learnt that too', async () => {
  const { options, of } = listening();
  const session = createSession(options);
  const { model, taken, refusedAt } = limited();
  const generate = model.doGenerate;
  model.doGenerate = async (call) => {
    const answer = await generate.call(model, call);
    if (refusedAt.length === 0) return answer;
    return { ...answer, finishReason: { unified: 'length', raw: 'model_context_window_exceeded' }, usage: { inputTokens: { total: 9_000, noCache: 9_000 }, outputTokens: { total: 500 } } };
  };
  const { steps } = await run({ major: 7, model: session.model(model), tools: createTools(7, results), options: { messages: [request], prepareStep: session.prepareStep } });
  assert.equal(refusedAt.length, 1);
  assert.equal(taken.length, refusedAt[0] + 1, 'it ends the run');
  const messages = [request, ...steps.flatMap(({ response }) => response.messages), { role: 'user', content: 'Go on.' }];
  await session.prepareStep({ messages, steps: [], stepNumber: 0, model });
  assert.equal(of('measured').at(-1).contextWindow, 9_500);
});
