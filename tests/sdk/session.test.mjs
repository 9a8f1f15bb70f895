// A session across requests: the same decisions on messages that come from a database or from UI messages, in all majors;
// stores that fail, two processes and two runs at once. The SDK runs where its own conversions matter, else steps are driven by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StepfoldError, createSession } from 'stepfold';
import { kvStore, redisStore, unstorageStore } from 'stepfold/stores';
import { MODEL, call, result, turns } from '../hand.mjs';
import { play, request, words } from './script.mjs';
import { MAJORS, packages } from './sdk.mjs';
import { deepFreeze } from './watch.mjs';

const WINDOW = 6_500;

/** Options with a summarizer that counts, and everything that was told. */
function listen(options = {}) {
  const events = [];
  const asked = [];
  const summarize = async (summaryRequest) => {
    asked.push(summaryRequest);
    return `Summary ${asked.length}: the modules up to here were read and their parsers fixed, one by one.`;
  };
  // The marks are given, so that what is asked when does not follow the defaults; the summarizer reads all of a fold at once.
  return { events, asked, options: { contextWindow: WINDOW, summarizeWindow: 64_000, overheadTokens: 1, trigger: 0.8, target: 0.5, summarize, onEvent: (event) => events.push(event), ...options }, count: (type) => events.filter((event) => event.type === type).length };
}

/** One request: a run of the whole script. */
const request30 = ({ major, session }) => play({ major, prepareStep: session.prepareStep, options: { onStepFinish: session.onStepEnd } });

/** One step by hand. */
const step = async (session, messages, { steps = [], stepNumber = steps.length } = {}) => {
  deepFreeze(messages);
  const answer = await session.prepareStep({ messages, steps, stepNumber, model: MODEL });
  return answer?.messages ?? messages;
};

const shuffled = (value) => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined).reverse().map(([key, inner]) => [key, shuffled(inner)]));
};
/** What a JSON column makes of messages: new objects, keys in another order, no metadata. */
const throughJson = (messages) => shuffled(JSON.parse(JSON.stringify(messages, (key, value) => (key === 'providerOptions' ? undefined : value))));

/** What an app with UI messages stores: one message per turn, tool calls as parts with their output. */
function toUi(messages) {
  const ui = [];
  for (const { role, content } of messages) {
    if (role === 'user') ui.push({ id: `${ui.length}`, role, parts: [{ type: 'text', text: content }] });
    else if (role === 'assistant') {
      if (ui.at(-1)?.role !== 'assistant') ui.push({ id: `${ui.length}`, role, parts: [] });
      const parts = ui.at(-1).parts;
      parts.push({ type: 'step-start' });
      for (const part of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
        if (part.type === 'text') parts.push({ type: 'text', text: part.text, state: 'done' });
        else if (part.type === 'tool-call') parts.push({ type: `tool-${part.toolName}`, toolCallId: part.toolCallId, state: 'input-available', input: part.input });
      }
    } else {
      for (const { toolCallId, output } of content) {
        const part = ui.at(-1).parts.find((candidate) => candidate.toolCallId === toolCallId);
        if (output.type.startsWith('error')) Object.assign(part, { state: 'output-error', errorText: output.value });
        else Object.assign(part, { state: 'output-available', output: output.value });
      }
    }
  }
  return ui;
}

const ours = (messages) => messages.filter(({ providerOptions }) => providerOptions?.stepfold !== undefined).map((message) => JSON.stringify(message));
const oursInParts = (messages) => messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ providerOptions }) => providerOptions?.stepfold !== undefined).map(({ toolCallId, output }) => `${toolCallId} ${JSON.stringify(output)}`);
const next = { role: 'user', content: 'Now write the changelog.' };

for (const major of MAJORS) {
  const forms = {
    'the same objects': (messages) => messages,
    'a JSON column': throughJson,
    'UI messages': (messages) => packages[major].convertToModelMessages(toUi(messages)),
  };
  for (const [form, rebuild] of Object.entries(forms)) {
    test(`ai ${major}: the next request, on another server and on messages from ${form}, goes on with the same edits`, async () => {
      const store = new Map();
      const first = listen();
      const { stored, prompts } = await request30({ major, session: createSession({ id: 'chat', store, ...first.options }) });
      assert.ok(first.asked.length >= 2);
      assert.deepEqual(first.events.filter(({ type }) => ['error', 'store-failed', 'session-conflict'].includes(type)), []);

      const second = listen();
      const session = createSession({ id: 'chat', store, ...second.options });
      const sent = await step(session, [...(await rebuild(stored)), next]);
      assert.equal(second.count('checkpoint'), 0, 'nothing is folded again');
      assert.equal(second.asked.length, 0, 'no second summary of the same span');
      assert.equal(ours(sent).length, 1, 'the checkpoint stands again');
      // Byte for byte what the first request sent last.
      const last = prompts.at(-1);
      const checkpoint = last.find(({ providerOptions }) => providerOptions?.stepfold?.checkpoint !== undefined);
      assert.equal(JSON.parse(ours(sent)[0]).content[0].text, checkpoint.content[0].text);
      const before = last.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ type, providerOptions }) => type === 'tool-result' && providerOptions?.stepfold !== undefined);
      assert.deepEqual(oursInParts(sent).slice(0, before.length), before.map(({ toolCallId, output }) => `${toolCallId} ${JSON.stringify({ type: output.type, value: output.value })}`));
      assert.ok(JSON.stringify(sent.at(-1)).includes('changelog'));
    });
  }
}

test('the same on ai 5, 6 and 7: summarizer calls and saved decisions', async () => {
  const runs = await Promise.all(MAJORS.map(async (major) => {
    const { asked, options } = listen();
    const session = createSession(options);
    const { prompts } = await request30({ major, session });
    return { asked: asked.map(({ prompt }) => prompt), prompts };
  }));
  for (const other of runs.slice(1)) assert.deepEqual(other, runs[0]);
});

const history = (count) => [...turns(count), next];

test('a snapshot restored at any step gives the same edits', async () => {
  const list = history(60);
  const { options } = listen({ contextWindow: 6_000 });
  const session = createSession(options);
  for (let end = 1; end <= list.length; end += 2) {
    const messages = list.slice(0, end);
    const sent = await step(session, messages);
    const { options: silent, asked } = listen({ contextWindow: 6_000 });
    const restored = createSession({ ...silent, state: JSON.parse(JSON.stringify(session.state)) });
    assert.deepEqual(await step(restored, throughJson(messages)), sent);
    assert.equal(asked.length, 0);
  }
  assert.ok(session.state.fold !== undefined);
  assert.ok(JSON.stringify(session.state).length <= 300_000);
});

for (const major of MAJORS) {
  test(`ai ${major}: a snapshot restored at any step of a run with tools gives the same texts, on messages from a JSON column and from UI messages`, async () => {
    const { stored } = await request30({ major, session: createSession({ contextWindow: 1_000_000 }) });
    const { options } = listen();
    const session = createSession(options);
    const steps = [];
    let edited = 0;
    for (let end = 1; end <= stored.length; end += 1) {
      // A step begins behind complete results.
      if (stored[end]?.role === 'tool') continue;
      const messages = stored.slice(0, end);
      const sent = await step(session, messages, { steps });
      steps.push({ usage: {} });
      const state = JSON.stringify(session.state);
      for (const rebuilt of [throughJson(messages), await packages[major].convertToModelMessages(toUi(messages))]) {
        const { options: silent, asked, count } = listen();
        const again = await step(createSession({ ...silent, state }), rebuilt);
        assert.deepEqual(ours(again), ours(sent), `after ${end} messages`);
        assert.deepEqual(oursInParts(again), oursInParts(sent), `after ${end} messages`);
        assert.deepEqual([asked.length, count('checkpoint'), count('cleared')], [0, 0, 0]);
      }
      edited += ours(sent).length + oursInParts(sent).length;
    }
    assert.ok(edited > 40, `${edited} texts of ours were compared`);
  });
}

test('an edited message invalidates what covers it and nothing else', async () => {
  const { options, asked } = listen({ contextWindow: 6_000 });
  const session = createSession(options);
  const list = history(15);
  const sent = await step(session, list);
  assert.equal(asked.length, 1);
  const folded = list.length - sent.length + 1;
  // Regenerated behind the checkpoint: it holds.
  const regenerated = list.with(-2, { role: 'assistant', content: 'Another answer.' });
  assert.deepEqual(await step(session, regenerated), sent.with(-2, regenerated.at(-2)));
  assert.equal(asked.length, 1);
  // Edited under the checkpoint: it does not.
  const edited = list.with(folded - 2, { ...list[folded - 2], content: 'something else entirely' });
  await step(session, edited);
  assert.equal(asked.length, 2);
  assert.equal(asked[1].previousSummary, undefined, 'the summary of the edited span is not built upon');
});

for (const carries of [false, true]) {
  test(`resume: 'tail' goes on from the messages behind the checkpoint alone, as ai ${carries ? 7 : 6} hands them on`, async () => {
    const store = new Map();
    const first = listen({ contextWindow: 6_000 });
    const list = history(15);
    const sent = await step(createSession({ id: 'chat', store, ...first.options }), list);
    const tail = throughJson(list.slice(list.length - sent.length + 1));
    const second = listen({ contextWindow: 6_000 });
    const session = createSession({ id: 'chat', store, resume: 'tail', ...second.options });
    const steps = [];
    let raw = tail;
    let carried = await step(session, tail, { steps });
    assert.deepEqual(carried, sent);
    for (let turn = 0; turn < 30; turn += 1) {
      const added = turns(1, `more ${turn}`);
      steps.push({ usage: {} });
      raw = [...raw, ...added];
      carried = await step(session, carries ? [...carried, ...added] : raw, { steps, stepNumber: steps.length });
      assert.equal(carried.filter(({ providerOptions }) => providerOptions?.stepfold?.checkpoint !== undefined).length, 1);
    }
    assert.ok(second.asked.length >= 1 && second.asked.every(({ previousSummary }) => previousSummary !== undefined));
    const whole = [...list, ...raw.slice(tail.length)];
    const restored = (options) => createSession({ ...listen({ contextWindow: 6_000 }).options, state: session.state, ...options });
    assert.deepEqual(await step(restored({}), whole), carried, 'the whole history gives the same');
    assert.deepEqual(await step(restored({ resume: 'tail' }), throughJson(raw)), carried, 'and so does more than is needed');
    assert.deepEqual(await step(restored({ resume: 'tail' }), throughJson(whole.slice(whole.length - carried.length + 1))), carried);
  });
}

/** Stores in their own manner, all over one Map. */
const stores = {
  'a Map': (map) => map,
  'a Map with promises': (map) => ({ get: async (key) => map.get(key), set: async (key, value) => void map.set(key, value) }),
  'Cloudflare KV': (map) => kvStore({ get: async (key) => map.get(key) ?? null, put: async (key, value, options) => { assert.deepEqual(options, { expirationTtl: 60 }); map.set(key, value); } }, { ttlSeconds: 60 }),
  'unstorage, which parses JSON': (map) => unstorageStore({ getItem: async (key) => (map.has(key) ? JSON.parse(map.get(key)) : null), setItem: async (key, value) => void map.set(key, value) }),
};
for (const [name, make] of Object.entries(stores)) {
  test(`a session is kept in ${name}`, async () => {
    const map = new Map();
    const first = listen({ contextWindow: 6_000 });
    const list = history(15);
    const session = createSession({ id: 'chat', store: make(map), ...first.options });
    const sent = await step(session, list);
    assert.equal(map.size, 1);
    assert.ok([...map.keys()][0].endsWith('chat'));
    assert.deepEqual(JSON.parse([...map.values()][0]), session.state);
    // Twice, so that a save is checked against what was loaded.
    for (let again = 0; again < 2; again += 1) {
      const second = listen({ contextWindow: 6_000 });
      assert.deepEqual(await step(createSession({ id: 'chat', store: make(map), ...second.options }), throughJson(list)), sent);
      assert.deepEqual(second.events.filter(({ type }) => type === 'store-failed'), []);
      assert.equal(second.asked.length, 0);
    }
  });
}

test('quiet steps do not write to the store, and a run reads it once', async () => {
  let reads = 0;
  let writes = 0;
  const store = { get: () => void (reads += 1), set: () => void (writes += 1) };
  const session = createSession({ id: 'chat', store, contextWindow: 1_000_000 });
  const steps = [];
  for (let turn = 1; turn < 20; turn += 1) {
    await step(session, turns(turn), { steps });
    steps.push({ usage: {} });
  }
  assert.deepEqual([reads, writes], [1, 0]);
});

const broken = {
  'get throws': { get() { throw new Error('down'); }, set: () => undefined },
  'get rejects': { get: async () => { throw new Error('down'); }, set: () => undefined },
  'set throws': { get: () => undefined, set() { throw new Error('down'); } },
  'set rejects': { get: () => undefined, set: async () => { throw new Error('down'); } },
  'both throw': { get() { throw new Error('down'); }, set() { throw new Error('down'); } },
};
for (const [name, store] of Object.entries(broken)) {
  test(`a store of which ${name} is reported, and the run goes on as without one`, async () => {
    const list = history(15);
    const bare = listen({ contextWindow: 6_000 });
    const expected = await step(createSession(bare.options), list);
    const { events, options } = listen({ contextWindow: 6_000 });
    const session = createSession({ id: 'chat', store, ...options });
    assert.deepEqual(await step(session, list), expected);
    const failures = events.filter(({ type }) => type === 'store-failed');
    assert.ok(failures.length >= 1 && failures.every(({ reason, message }) => reason === 'failed' && message === 'down'));
    assert.deepEqual(await step(session, list), expected, 'the next request of this process still knows');
    await session.dispose();
  });
}

test('two processes at once: the later save does not write over the earlier one, and the next run takes it up', async () => {
  const store = new Map();
  const [one, two] = [listen({ contextWindow: 6_000 }), listen({ contextWindow: 6_000 })];
  const [a, b] = [createSession({ id: 'chat', store, ...one.options }), createSession({ id: 'chat', store, ...two.options })];
  const list = turns(10);
  const [stepsA, stepsB] = [[], []];
  await step(a, list, { steps: stepsA });
  await step(b, list, { steps: stepsB });
  const long = [...list, ...turns(5, 'more'), next];
  await step(a, long, { steps: stepsA, stepNumber: 1 });
  const kept = store.get('chat');
  await step(b, long, { steps: stepsB, stepNumber: 1 });
  assert.equal(store.get('chat'), kept);
  assert.equal(two.count('store-conflict'), 1);
  assert.equal(two.asked.length, 1);
  await step(b, [...long, ...turns(2, 'last')], { steps: [] });
  assert.equal(two.asked.length, 1);
  assert.deepEqual(b.state.fold !== undefined, true);
  assert.equal(two.count('store-conflict'), 1);
  assert.equal(two.count('store-failed'), 0);
});

test('a store that can compare and set is told what it would write over', async () => {
  const writes = [];
  const { events, options } = listen({ contextWindow: 6_000 });
  const session = createSession({ id: 'chat', store: { get: () => undefined, set: async (...given) => { writes.push(given); return false; } }, ...options });
  await step(session, history(15));
  assert.equal(writes[0][2], undefined);
  assert.deepEqual(events.filter(({ type }) => type === 'store-failed').map(({ reason }) => reason), ['refused']);
});

test('two runs at once on one session: both fit, the first decision is kept, the other run goes on by itself', async () => {
  const { events, asked, options } = listen({ contextWindow: 6_000 });
  const session = createSession(options);
  const [stepsA, stepsB] = [[], []];
  const shared = turns(10);
  await step(session, [...shared, { role: 'user', content: 'tab one' }], { steps: stepsA });
  await step(session, [...shared, { role: 'user', content: 'tab two' }], { steps: stepsB });
  const longA = [...shared, { role: 'user', content: 'tab one' }, ...turns(5, 'one')];
  const longB = [...shared, { role: 'user', content: 'tab two' }, ...turns(5, 'two')];
  const [sentA, sentB] = await Promise.all([step(session, longA, { steps: stepsA, stepNumber: 1 }), step(session, longB, { steps: stepsB, stepNumber: 1 })]);
  assert.equal(ours(sentA).length + ours(sentB).length, 2);
  assert.ok(!JSON.stringify(sentA).includes('tab two') && !JSON.stringify(sentB).includes('tab one'));
  assert.equal(events.filter(({ type }) => type === 'session-conflict').length, 1);
  // The run that was not kept still holds what it decided.
  assert.deepEqual(await step(session, [...longB, ...turns(1, 'more')], { steps: stepsB, stepNumber: 2 }), [...sentB, ...turns(1, 'more')]);
  assert.equal(asked.length, 2);
});

test('an aborted step changes nothing and holds what was decided', async () => {
  const controller = new AbortController();
  const { options } = listen({ contextWindow: 6_000 });
  const session = createSession({ ...options, abortSignal: controller.signal });
  const list = history(15);
  const sent = await step(session, list);
  const state = JSON.stringify(session.state);
  controller.abort();
  const longer = [...list, ...turns(20, 'more'), next];
  assert.deepEqual(await step(session, longer), [...sent, ...longer.slice(list.length)]);
  assert.equal(JSON.stringify(session.state), state);
});

test('report takes the usage of a last step, so that the next request knows the overhead', async () => {
  const reported = (events) => events.filter(({ type }) => type === 'measured').at(-1);
  const { events, options } = listen({ contextWindow: 100_000 });
  const session = createSession(options);
  const list = turns(5);
  await step(session, list);
  session.onStepEnd({ usage: { inputTokens: 20_000, outputTokens: 10 } });
  const another = listen({ contextWindow: 100_000 });
  await session.dispose();
  assert.equal(reported(events).source, 'estimate');
  // It was lost with the session's object: a server that makes a session for each request never learnt from a request's last step.
  const restored = createSession({ ...another.options, state: session.state });
  await step(restored, [...list, next]);
  assert.equal(reported(another.events).source, 'reported');
  assert.ok(reported(another.events).overheadTokens > 15_000);
  assert.ok(!('reported' in restored.state), 'it is learnt from once');
});

test('of summaries that no step has put in, a store is given the newest that have room', () => {
  // Ten of them made a value of 320 KB, where 256 were promised.
  const ahead = Array.from({ length: 10 }, (_, index) => ({ key: `${index}`, text: 'x'.repeat(10_000) }));
  const session = createSession({ state: { version: 2, ahead } });
  assert.deepEqual(session.state.ahead, ahead.slice(-3));
});

test('what is reported and cannot be read says nothing, and no step fails of it', async () => {
  const thrown = { get inputTokens() { throw new Error('a getter'); } };
  for (const usage of [thrown, { usage: thrown }, undefined, null, 7]) {
    const session = createSession({ contextWindow: 100_000 });
    session.onStepEnd(usage);
    const list = turns(5);
    assert.deepEqual(await step(session, list), list);
  }
});

test('status says what the session is doing, and a run goes on after dispose', async () => {
  const seen = [];
  const { options } = listen({ contextWindow: 6_000 });
  const session = createSession({
    ...options,
    id: 'chat',
    store: { get: async () => void seen.push(session.status), set: async () => void seen.push(session.status) },
    summarize: async () => { seen.push(session.status); return 'A summary of everything that was said so far.'; },
  });
  assert.equal(session.status, 'idle');
  const list = history(15);
  await step(session, list);
  assert.deepEqual(seen, ['loading', 'compacting', 'saving', 'saving']);
  assert.equal(session.status, 'idle');
  await session[Symbol.asyncDispose]();
  await session.dispose();
  assert.equal(session.status, 'disposed');
  // A route that returns a stream may dispose of the session before the first step: the run must fit all the same.
  assert.equal(ours(await step(session, list)).length, 1);
});

const refused = [
  [{ id: '' }, '`id`'], [{ id: 7 }, '`id`'], [{ store: new Map() }, '`id`'], [{ id: 'a', store: {} }, '`store`'], [{ id: 'a', store: null }, '`store`'],
  [{ state: 7 }, '`state`'], [{ state: null }, '`state`'], [{ resume: 'tale' }, '`resume`'], [{ triger: 1 }, '`trigger`'], [{ trigger: 7 }, '`trigger`'],
];
for (const [options, name] of refused) {
  test(`createSession refuses ${JSON.stringify(options)}`, () => {
    assert.throws(() => createSession(options), (error) => StepfoldError.isInstance(error) && error.message.includes(name));
  });
}

test('a store that has forgotten the session is told of it again', async () => {
  // Every later save was refused, as if another process had saved.
  const store = new Map();
  const { events, options } = listen({ contextWindow: 6_000 });
  const session = createSession({ id: 'chat', store, ...options });
  await step(session, history(15));
  store.delete('chat');
  await step(session, history(40));
  assert.ok(store.has('chat'));
  assert.deepEqual(events.filter(({ type }) => type === 'store-failed'), []);
});

test('a store that hands back parsed JSON with other keys first is no other process', async () => {
  const turned = (value) => (typeof value !== 'object' || value === null ? value : Array.isArray(value) ? value.map(turned) : Object.fromEntries(Object.entries(value).reverse().map(([key, inner]) => [key, turned(inner)])));
  const kept = new Map();
  const store = { get: (key) => (kept.has(key) ? turned(JSON.parse(kept.get(key))) : undefined), set: (key, value) => void kept.set(key, value) };
  const { events, options } = listen({ contextWindow: 6_000 });
  const session = createSession({ id: 'chat', store, ...options });
  for (const turns of [15, 30, 45]) await step(session, history(turns));
  assert.ok(events.filter(({ type }) => type === 'checkpoint').length >= 2);
  assert.deepEqual(events.filter(({ type }) => type === 'store-failed'), []);
});

test('where the part of the engine is of another version, that is reported, and what waits is kept', async () => {
  const store = new Map([['chat', JSON.stringify({ version: 2, run: { parts: 3 }, queue: [{ role: 'user', content: 'Waits.' }] })]]);
  const { events, options } = listen({ contextWindow: 6_000 });
  const sent = await step(createSession({ id: 'chat', store, ...options }), history(2));
  assert.equal(sent.at(-1).content, 'Waits.');
  assert.equal(events.filter(({ type }) => type === 'state-rejected').length, 1);
});

const client = { get: async () => null, eval: async () => 't', put: async () => undefined, getItem: async () => null, setItem: async () => undefined };
for (const [name, options, allowed] of [['zero seconds', { ttlSeconds: 0 }, 'ttlSeconds'], ['half a second', { ttlSeconds: 0.5 }, 'ttlSeconds'], ['an unknown option', { ttl: 5 }, 'allowed are']]) {
  test(`a store refuses ${name}`, () => {
    for (const create of [redisStore, kvStore, unstorageStore]) assert.throws(() => create(client, options), (error) => StepfoldError.isInstance(error) && error.message.includes(allowed));
  });
}

test('Workers KV keeps nothing for less than a minute: its store refuses what the others take', () => {
  assert.throws(() => kvStore(client, { ttlSeconds: 30 }), (error) => StepfoldError.isInstance(error) && error.code === 'invalid-option' && error.message.includes('at least 60'));
  for (const create of [redisStore, unstorageStore]) assert.ok(create(client, { ttlSeconds: 30 }));
});

test('a store over nothing, or over something else, is refused where it is made, and the argument is named', () => {
  for (const [create, name] of [[kvStore, '`kv`'], [redisStore, '`client`'], [unstorageStore, '`storage`']]) {
    for (const given of [undefined, null, 'redis://localhost', {}, new Map()]) {
      assert.throws(() => create(given), (error) => StepfoldError.isInstance(error) && error.code === 'invalid-option' && error.message.includes(name), `${create.name} ${given}`);
    }
  }
});

test('a model that comes back is counted as it was learnt, also when the step between asked the summarizer', async () => {
  // The other model's numbers were kept under its name.
  const { events, options } = listen({ contextWindow: 20_000, overheadTokens: undefined, trigger: undefined, target: undefined });
  const session = createSession(options);
  const steps = [];
  let list = [request];
  const go = async (modelId, added) => {
    list = [...list, ...added];
    await session.prepareStep({ messages: list, steps, stepNumber: steps.length, model: { modelId, provider: 'mock' } });
    const measured = events.findLast(({ type }) => type === 'measured');
    steps.push({ usage: { inputTokens: measured.tokens - measured.overheadTokens + (modelId === 'a' ? 5_000 : 6_500) } });
    return measured.overheadTokens;
  };
  let learnt = 0;
  for (let n = 0; n < 14; n += 1) learnt = await go('a', turns(2, `part ${n}`));
  assert.ok(Math.abs(learnt - 5_000) < 600, String(learnt));
  const asked = events.filter(({ type }) => type === 'checkpoint').length;
  await go('b', turns(20, 'more'));
  assert.ok(events.filter(({ type }) => type === 'checkpoint').length > asked, 'the summarizer was asked');
  const again = await go('a', turns(1, 'back'));
  assert.ok(Math.abs(again - learnt) < 300, `${learnt} before, ${again} after`);
});

test('a store that never answers is waited for once, and then left alone', async (t) => {
  t.mock.method(globalThis, 'setTimeout', (late) => {
    queueMicrotask(late);
    return 0;
  });
  let reads = 0;
  const hangs = () => new Promise(() => {});
  const failed = [];
  const session = createSession({
    id: 'chat',
    contextWindow: 16_000,
    store: { get: () => ((reads += 1), hangs()), set: hangs },
    onEvent: (event) => event.type === 'store-failed' && failed.push(event.reason),
  });
  const steps = [];
  const messages = [{ role: 'user', content: 'Read all files.' }];
  for (let n = 0; n < 30; n += 1) {
    await session.prepareStep({ messages: [...messages], steps, stepNumber: n, model: 'gpt-4o' });
    steps.push({ usage: {} });
    messages.push(
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: `call_${n}`, toolName: 'read', input: { path: `src/${n}.ts` } }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: `call_${n}`, toolName: 'read', output: { type: 'text', value: 'words of a file '.repeat(300) } }] },
    );
  }
  assert.deepEqual([reads, failed], [1, ['timeout']]);
});

test('what was folded for a small model is whole again for a large one, unless a summary stands or messages are gone', async () => {
  const messages = [{ role: 'user', content: 'Look at every order.' }, ...Array.from({ length: 30 }, (_, n) => [call(`c${n}`, { order: n }), result(`c${n}`, { type: 'text', value: words(300, n) })]).flat()];
  const next = [...messages, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'And now?' }];
  const summarize = () => 'All orders were looked at one by one; none of them was late, and nothing is left to be done about any of them.';
  for (const [options, given, isWhole] of [[{}, next, true], [{ summarize }, next, false], [{}, next.map((message, at) => (at === 1 ? call('c0', { order: 99 }) : message)), false]]) {
    const store = new Map();
    const events = [];
    const request = async (modelId, list) => {
      const session = createSession({ id: 'chat', store, onEvent: (event) => events.push(event.type), ...options });
      const sent = (await session.prepareStep({ messages: structuredClone(list), steps: [], stepNumber: 0, model: { modelId, provider: 'openai' } }))?.messages ?? list;
      await session.dispose();
      return sent;
    };
    assert.ok((await request('gpt-4', messages)).length < messages.length);
    const sent = await request('gpt-5', given);
    assert.equal(events.includes('unfolded'), isWhole, events.join());
    assert.equal(sent.length === given.length, isWhole || events.includes('checkpoint-lost'));
    if (isWhole) assert.deepEqual(sent, given);
  }
});
