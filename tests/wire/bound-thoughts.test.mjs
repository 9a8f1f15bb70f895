// Claude models that bind each thought to its prefix accept what stepfold sends: real `ai` 5, 6 and 7, the real provider package, a server
// that checks every thought. Also where a session is restored in between, and where a database hands back rebuilt messages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateMessages, createPrepareStep, createSession } from '../../pkg/dist/index.js';
import { inTurn } from '../amount.mjs';
import { MODEL, createBindingServer, readCall, turn } from './bound-thoughts.mjs';
import { MAJORS } from './send.mjs';

const EDITS = ['capped', 'cleared', 'checkpoint', 'squeezed'];
/** Each makes other edits: what tools return, in which window, by which options. */
const RUNS = {
  cleared: { steps: 40, lines: () => 100, options: { contextWindow: 32_000, keepRecent: { tokens: 6_000 } } },
  checkpoint: { steps: 60, lines: () => 24, options: { contextWindow: 16_000 } },
  capped: { steps: 20, lines: (path) => (path.includes('7_') ? 4_000 : 40), options: { contextWindow: 32_000 } },
  squeezed: { steps: 24, calls: 4, lines: () => 30, options: { contextWindow: 8_000, keepRecent: { tokens: 5_000 } } },
  summarized: { steps: 59, lines: () => 40, options: { contextWindow: 16_000, summarize: async () => 'Files were read one after the other, all is well. Next: the following file.' }, rung: 'checkpoint' },
};

for (const major of MAJORS) {
  for (const [at, [name, { steps, lines, calls, options, rung = name }]] of Object.entries(RUNS).entries()) {
    for (const how of inTurn(['generateText', 'streamText'], at + major)) {
      test(`no thought is refused in a long run that is ${name}, ${how} of ai ${major}`, async () => {
        const server = createBindingServer((call) => (call < steps ? readCall(call, calls) : [{ type: 'text', text: 'Done.' }]), { isRedacted: (call) => call % 5 === 0 });
        const events = [];
        const prepareStep = createPrepareStep({ ...options, onEvent: (event) => events.push(event) });
        await turn({ major, how, messages: [{ role: 'user', content: 'Read all files and report.' }], fetch: server.fetch, prepareStep, lines });
        assert.deepEqual(server.refusals, []);
        assert.equal(server.bodies.length, steps);
        assert.ok(events.some(({ type }) => type === rung), `no step was ${rung}: ${events.map(({ type }) => type)}`);
        assert.ok(events.every(({ type }) => type !== 'error'));
        // A squeezed prompt is edited at its end at every step.
        if (rung === 'squeezed') return;
        const thoughts = server.bodies.at(-1).messages.flatMap(({ content }) => content).filter(({ type }) => /thinking/.test(type ?? ''));
        assert.ok(thoughts.length > 0, 'thoughts made after the newest edit are kept');
      });
    }
  }

  test(`a conversation of several requests is never refused, sessions restored from JSON and messages rebuilt in between, ai ${major}`, async () => {
    const server = createBindingServer((call) => (call % 12 === 0 ? [{ type: 'text', text: `Part ${call} is done.` }] : readCall(call)));
    let state;
    let messages = [];
    const edits = new Set();
    for (let request = 0; request < 5; request += 1) {
      messages.push({ role: 'user', content: `Go on with part ${request}.` });
      const session = createSession({ contextWindow: 24_000, state, onEvent: ({ type }) => EDITS.includes(type) && edits.add(`${request} ${type}`) });
      const made = await turn({ major, how: 'streamText', messages, fetch: server.fetch, prepareStep: session.prepareStep, lines: () => 90 });
      messages = JSON.parse(JSON.stringify([...messages, ...made]));
      // A database that keeps each tool result as a row of its own.
      messages = messages.flatMap((message) => (message.role === 'tool' ? message.content.map((part) => ({ role: 'tool', content: [part] })) : [message]));
      state = JSON.parse(JSON.stringify(session.state));
    }
    assert.deepEqual(server.refusals, []);
    assert.equal(server.bodies.length, 60);
    assert.ok(edits.size > 2, [...edits].join());
  });

  test(`what a session folds or takes back while a tool runs leaves out the thought that called the tool, ai ${major}`, async () => {
    for (const change of ['compact', 'undo']) {
      const server = createBindingServer((call) => (call < 40 ? readCall(call) : [{ type: 'text', text: 'Done.' }]));
      // In the step that was edited, so that all older thoughts are left out already.
      let isEdited = false;
      let changes = 0;
      const onEvent = ({ type }) => (isEdited ||= EDITS.includes(type));
      const session = createSession({ contextWindow: 32_000, keepRecent: { tokens: 6_000 }, onEvent });
      const onRead = async () => {
        if (!isEdited) return;
        isEdited = false;
        const done = await session[change]();
        if (done.compacted ?? done) changes += 1;
      };
      const messages = [{ role: 'user', content: 'Read all files.' }];
      await turn({ major, how: 'streamText', messages, fetch: server.fetch, prepareStep: session.prepareStep, lines: () => 100, onRead });
      assert.deepEqual(server.refusals, [], change);
      assert.equal(server.bodies.length, 40, change);
      assert.ok(changes > 0, change);
    }
  });

  test(`a prepareStep of the app around stepfold's, which copies messages to set cache marks, changes nothing, ai ${major}`, async () => {
    const server = createBindingServer((call) => (call < 50 ? readCall(call) : [{ type: 'text', text: 'Done.' }]));
    const edits = [];
    const own = createPrepareStep({ contextWindow: 24_000, onEvent: ({ type }) => EDITS.includes(type) && edits.push(type) });
    const prepareStep = async (input) => {
      const prepared = await own(input);
      const messages = (prepared?.messages ?? input.messages).map((message) => ({ ...message }));
      messages[messages.length - 1].providerOptions = { ...messages.at(-1).providerOptions, anthropic: { cacheControl: { type: 'ephemeral' } } };
      return { ...prepared, messages };
    };
    await turn({ major, how: 'streamText', messages: [{ role: 'user', content: 'Read all files.' }], fetch: server.fetch, prepareStep, lines: () => 60 });
    assert.deepEqual(server.refusals, []);
    assert.equal(server.bodies.length, 50);
    assert.ok(edits.length > 1);
  });

  test(`an app that changes a message which was edited before is told, and its thoughts are left out, ai ${major}`, async () => {
    const server = createBindingServer((call) => (call % 20 === 0 ? [{ type: 'text', text: 'Done.' }] : readCall(call)));
    const events = [];
    const session = createSession({ contextWindow: 24_000, onEvent: (event) => events.push(event) });
    let messages = [{ role: 'user', content: 'Read all files.' }];
    messages.push(...(await turn({ major, how: 'generateText', messages, fetch: server.fetch, prepareStep: session.prepareStep, lines: () => 90 })));
    messages = JSON.parse(JSON.stringify(messages));
    messages[0].content = 'Read all files, but not those of tests.';
    messages.push({ role: 'user', content: 'Go on.' });
    await turn({ major, how: 'generateText', messages, fetch: server.fetch, prepareStep: session.prepareStep, lines: () => 20 });
    assert.deepEqual(server.refusals, []);
    assert.ok(events.some(({ type, reason }) => type === 'reasoning-dropped' && reason === 'history-changed'), JSON.stringify(events.map(({ type }) => type)));
  });

  test(`a session whose app changes a message before anything was edited sends no thought that this made invalid, ai ${major}`, async () => {
    // The second is the same message to a session, and not to the provider.
    for (const changed of ['Read some files, but not those of tests.', ' Read some files.']) await goesOn(changed);
  });

  async function goesOn(changed) {
    const server = createBindingServer((call) => (call % 4 === 0 ? [{ type: 'text', text: 'Done.' }] : readCall(call)));
    const session = createSession();
    let messages = [{ role: 'user', content: 'Read some files.' }];
    for (let request = 0; request < 3; request += 1) {
      messages.push(...(await turn({ major, how: 'generateText', messages, fetch: server.fetch, prepareStep: session.prepareStep, lines: () => 5 })));
      messages = JSON.parse(JSON.stringify(messages));
      if (request === 0) messages[0].content = changed;
      messages.push({ role: 'user', content: `Go on, part ${request}.` });
    }
    assert.deepEqual(server.refusals, []);
    assert.equal(server.bodies.length, 12);
  }

  test(`a request from another process without a session keeps to the rules, ai ${major}`, async () => {
    const server = createBindingServer((call) => (call % 15 === 0 ? [{ type: 'text', text: 'Done.' }] : readCall(call)));
    let messages = [];
    for (let request = 0; request < 4; request += 1) {
      messages.push({ role: 'user', content: `Read on, part ${request}.` });
      const made = await turn({ major, how: 'generateText', messages, fetch: server.fetch, prepareStep: createPrepareStep({ contextWindow: 24_000 }), lines: () => 60 });
      messages = JSON.parse(JSON.stringify([...messages, ...made]));
    }
    assert.deepEqual(server.refusals, []);
  });

  test(`a model that thinks once and then makes a hundred calls is folded, ai ${major}`, async () => {
    for (const [modelId, thinking] of [
      ['claude-sonnet-4-5', { type: 'enabled', budgetTokens: 2_000 }],
      ['claude-opus-4-7', { type: 'adaptive' }],
      [MODEL, { type: 'adaptive' }],
    ]) {
      const server = createBindingServer((call) => (call < 100 ? readCall(call) : [{ type: 'text', text: 'Done.' }]), { thinks: (call) => call === 1 });
      const { fetch } = modelId === MODEL ? server : { fetch: unbound(server) };
      const events = [];
      const prepareStep = createPrepareStep({ contextWindow: 24_000, onEvent: (event) => events.push(event) });
      const messages = [{ role: 'user', content: 'Read all files and report.' }];
      await turn({ major, how: 'generateText', messages, fetch, prepareStep, lines: () => 40, modelId, providerOptions: { anthropic: { thinking } } });
      assert.equal(server.bodies.length, 100);
      assert.ok(events.some(({ type }) => type === 'checkpoint'));
      const { messages: sent } = server.bodies.at(-1);
      const assistant = sent.find(({ role }) => role === 'assistant');
      // Manual thinking: the loop goes on beginning with the thought it began with.
      assert.equal(assistant.content[0].type, modelId === 'claude-sonnet-4-5' ? 'thinking' : 'tool_use');
      // Of 200: how many exactly depends on where the newest fold fell.
      assert.ok(sent.length < 100, `${sent.length} messages`);
    }
  });
}

/** The same server for a model that binds nothing: signatures come back as they are. */
function unbound(server) {
  return async (url, init) => {
    const body = JSON.parse(init.body);
    for (const { content } of body.messages) {
      if (Array.isArray(content)) content.splice(0, content.length, ...content.filter(({ type }) => type !== 'thinking'));
    }
    const answered = await server.fetch(url, { ...init, body: JSON.stringify(body) });
    server.bodies[server.bodies.length - 1] = JSON.parse(init.body);
    return answered;
  };
}

for (const major of [6, 7]) {
  test(`an edited request lets the provider drop what stepfold cannot see, merged with the user's options, ai ${major}`, async () => {
    for (const [given, expected] of [
      [undefined, { block_binding: { prefix_mismatch_behavior: 'drop_block' } }],
      [{ effort: 'low', thinking: { type: 'adaptive', display: 'summarized' } }, { type: 'adaptive', display: 'summarized', block_binding: { prefix_mismatch_behavior: 'drop_block' } }],
    ]) {
      const server = createBindingServer((call) => (call < 30 ? readCall(call) : [{ type: 'text', text: 'Done.' }]));
      const prepareStep = createPrepareStep({ contextWindow: 24_000 });
      const messages = [{ role: 'user', content: 'Read.' }];
      await turn({ major, how: 'generateText', messages, fetch: server.fetch, prepareStep, lines: () => 90, providerOptions: given && { anthropic: given } });
      assert.deepEqual(server.bodies.at(-1).thinking, expected);
      assert.equal(server.bodies[0].thinking?.block_binding, undefined, 'nothing is asked for before the first edit');
      if (given) assert.equal(server.bodies.at(-1).output_config.effort, 'low');
    }
  });

  test(`beside \`between_tools\`, which allows no binding, none is sent, ai ${major}`, async () => {
    const server = createBindingServer((call) => (call < 30 ? readCall(call) : [{ type: 'text', text: 'Done.' }]));
    const prepareStep = createPrepareStep({ contextWindow: 24_000 });
    const providerOptions = { anthropic: { thinking: { type: 'between_tools' } } };
    await turn({ major, how: 'generateText', messages: [{ role: 'user', content: 'Read.' }], fetch: server.fetch, prepareStep, lines: () => 90, modelId: 'claude-sonnet-5-5', providerOptions });
    assert.equal(server.bodies.length, 30);
    assert.deepEqual(server.bodies.at(-1).thinking, { type: 'between_tools' });
  });
}

test('the server of these tests refuses thoughts behind an edit that leaves them in', async () => {
  const server = createBindingServer((call) => (call < 6 ? readCall(call) : [{ type: 'text', text: 'Done.' }]));
  const prepareStep = ({ messages, stepNumber }) => ({
    messages: stepNumber < 4 ? messages : messages.map((message) => (message.role === 'tool' ? { ...message, content: message.content.map((part) => ({ ...part, output: { type: 'text', value: '[cleared]' } })) } : message)),
  });
  await assert.rejects(turn({ major: 6, how: 'generateText', messages: [{ role: 'user', content: 'Read.' }], fetch: server.fetch, prepareStep, lines: () => 5 }));
  assert.deepEqual(server.refusals.map(({ call }) => call), [5]);
});

test('validateMessages finds thoughts that lost their prefix since the request before', () => {
  const thought = (text, signature) => ({ type: 'reasoning', text, providerOptions: { anthropic: { signature } } });
  const previous = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [thought('a', 's1'), { type: 'text', text: 'one' }] },
    { role: 'user', content: 'on' },
  ];
  const changed = [{ role: 'user', content: 'stop' }, ...previous.slice(1)];
  assert.deepEqual(validateMessages(previous, { previous }), []);
  assert.deepEqual(validateMessages(changed), []);
  assert.deepEqual(validateMessages(changed, { previous }).map(({ rule, path }) => [rule, path]), [['thought-prefix-changed', 'messages[1].content[0]']]);
});
