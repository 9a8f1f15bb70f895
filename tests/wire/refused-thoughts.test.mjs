// What an app changes before signed thoughts makes a Claude model refuse them: the system prompt, the name of a deployment that hides which
// model it is, a proxy that does not know `block_binding`. `model(…)` makes the call once more; real `ai` 5, 6 and 7, a server that checks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession, isContextOverflow } from '../../pkg/dist/index.js';
import { inTurn } from '../amount.mjs';
import { MODEL, createBindingServer, readCall, turn } from './bound-thoughts.mjs';
import { MAJORS } from './send.mjs';

const WAYS = MAJORS.flatMap((major) => inTurn(['generateText', 'streamText'], major).map((how) => ({ major, how })));
/** Every eighth answer ends a request. */
const script = (call) => (call % 8 === 0 ? [{ type: 'text', text: `Part ${call} is done.` }] : readCall(call));

/** Four requests, of which the third and the fourth have another system prompt. Sessions are stored as JSON in between. */
async function fourRequests({ major, how, server, recovers, onEvent, modelId, providerOptions }) {
  let messages = [];
  let state;
  for (let request = 0; request < 4; request += 1) {
    messages.push({ role: 'user', content: `Go on with part ${request}.` });
    const session = createSession({ state, onEvent });
    const around = recovers ? session.model : undefined;
    const system = request < 2 ? 'Today is Monday.' : 'Today is Tuesday.';
    const made = await turn({ major, how, messages, fetch: server.fetch, prepareStep: session.prepareStep, lines: () => 10, system, around, modelId, providerOptions });
    messages = JSON.parse(JSON.stringify([...messages, ...made]));
    await session.dispose();
    state = JSON.parse(JSON.stringify(session.state));
  }
}

for (const { major, how } of WAYS) {
  test(`another system prompt costs one refused call, and the thoughts made later are kept, ${how} of ai ${major}`, async () => {
    const server = createBindingServer(() => script(server.bodies.length - server.refusals.length));
    const dropped = [];
    await fourRequests({ major, how, server, recovers: true, onEvent: (event) => event.type === 'reasoning-dropped' && dropped.push(event.reason) });
    // ai 7 hands over the system prompt, so nothing needs to be refused there.
    assert.equal(server.refusals.length, major === 7 ? 0 : 1);
    assert.equal(server.bodies.length, major === 7 ? 32 : 33);
    assert.deepEqual(dropped, [major === 7 ? 'instructions-changed' : 'refused']);
    const thoughts = server.bodies.at(-1).messages.flatMap(({ content }) => content).filter(({ type }) => type === 'thinking');
    assert.equal(thoughts.length, 15, 'those of two requests but for the answer to come');
  });

  test(`a deployment that hides which model it is, is known by its answers, ${how} of ai ${major}`, async () => {
    const server = createBindingServer((call) => (call < 40 ? readCall(call) : [{ type: 'text', text: 'Done.' }]), { named: `${MODEL}-20260915` });
    const prepareStep = createPrepareStep({ contextWindow: 32_000, keepRecent: { tokens: 6_000 }, onEvent: () => undefined });
    await turn({ major, how, messages: [{ role: 'user', content: 'Read all files.' }], fetch: server.fetch, prepareStep, lines: () => 100, modelId: 'my-deployment' });
    assert.deepEqual(server.refusals, []);
    assert.equal(server.bodies.length, 40);
  });

  test(`one that hides it in its answers, too, costs one refused call for all conversations, ${how} of ai ${major}`, async () => {
    const server = createBindingServer(() => ((server.bodies.length - server.refusals.length) % 40 === 0 ? [{ type: 'text', text: 'Done.' }] : readCall(server.bodies.length)));
    const prepareStep = createPrepareStep({ contextWindow: 32_000, keepRecent: { tokens: 6_000 }, onEvent: () => undefined });
    for (const request of ['Read all files.', 'Read all files once more.']) {
      await turn({ major, how, messages: [{ role: 'user', content: request }], fetch: server.fetch, prepareStep, lines: () => 100, modelId: 'my-deployment', around: prepareStep.model });
    }
    assert.equal(server.refusals.length, 1);
    assert.equal(server.bodies.length, 81);
  });
}

for (const { major, how } of WAYS.filter(({ major }) => major !== 5)) {
  test(`the option \`blockBinding\` costs one call where it is refused, and is not sent again, ${how} of ai ${major}`, async () => {
    const server = createBindingServer(() => (server.bodies.length - server.refusals.length < 40 ? readCall(server.bodies.length) : [{ type: 'text', text: 'Done.' }]), { knowsBinding: false });
    const events = [];
    const session = createSession({ contextWindow: 32_000, keepRecent: { tokens: 6_000 }, onEvent: ({ type }) => events.push(type) });
    const turnOfSession = { major, how, messages: [{ role: 'user', content: 'Read all files.' }], fetch: server.fetch, prepareStep: session.prepareStep, around: session.model, lines: () => 100 };
    await turn({ ...turnOfSession, providerOptions: { anthropic: { effort: 'low' } } });
    assert.deepEqual(server.refusals.map(({ message }) => message), ['thinking.block_binding: Extra inputs are not permitted']);
    assert.equal(server.bodies.length, 41);
    assert.equal(events.filter((type) => type === 'binding-refused').length, 1);
    assert.ok(server.bodies.every(({ output_config }) => output_config.effort === 'low'), 'other options stay');
    // Another process goes on with the session.
    const other = createSession({ state: JSON.parse(JSON.stringify(session.state)), contextWindow: 32_000, keepRecent: { tokens: 6_000 } });
    await turn({ ...turnOfSession, prepareStep: other.prepareStep, around: other.model });
    assert.equal(server.refusals.length, 1);
  });
}

// On ai 6: ai 7 hands over the system prompt, so that nothing is refused for its thoughts.
for (const how of ['generateText', 'streamText']) {
  test(`a call that is refused for \`blockBinding\` and then for its thoughts is recovered for both, ${how}`, async () => {
    const server = createBindingServer(() => script(server.bodies.length - server.refusals.length), { knowsBinding: false });
    const events = [];
    const providerOptions = { anthropic: { thinking: { type: 'adaptive', blockBinding: { prefixMismatchBehavior: 'drop_block' } } } };
    await fourRequests({ major: 6, how, server, recovers: true, onEvent: ({ type }) => events.push(type), providerOptions });
    const messages = server.refusals.map(({ message }) => message);
    assert.equal(messages.filter((message) => message.includes('bound to a different conversation')).length, 1);
    assert.equal(messages.length, 33, 'and each call once for the option');
    assert.ok(events.includes('reasoning-dropped'));
  });

  test(`who asks for errors about thoughts gets them, ${how}`, async () => {
    const server = createBindingServer(() => script(server.bodies.length - server.refusals.length));
    const providerOptions = { anthropic: { thinking: { type: 'adaptive', blockBinding: { prefixMismatchBehavior: 'error' } } } };
    let error;
    try {
      await fourRequests({ major: 6, how, server, recovers: true, onEvent: () => {}, providerOptions });
    } catch (cause) {
      error = cause;
    }
    assert.ok(error !== undefined);
    assert.equal(server.refusals.length, 1);
    assert.equal(isContextOverflow(error), false);
  });
}
