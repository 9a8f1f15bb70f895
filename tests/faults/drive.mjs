// Takes one list of messages, however strange, through everything the package offers, and says what came of it.
// Plays the SDK by hand, so that lists can be tried which the SDK itself would refuse. Holds no tests.

import assert from 'node:assert/strict';
import { validateMessages, clearToolResults, buildCheckpoint, createPrepareStep, estimateTokens, extractText, planContext } from 'stepfold';
import { calm, MODEL, usageOf } from '../hand.mjs';

/** Runs `messages` and two more steps behind them, as ai 6 does (raw history) or ai 7 (what was sent). */
export async function steps(messages, { contextWindow = 4_000, options = {}, carries = false, model = MODEL, usage = () => usageOf(undefined), extra = [calm(1, 'then'), calm(1, 'last')] } = {}) {
  const events = [];
  const prepareStep = createPrepareStep({ contextWindow, onEvent: (event) => events.push(event), ...options });
  const finished = [];
  let list = [...messages];
  const sent = [];
  const returned = [];
  for (let stepNumber = 0; stepNumber <= extra.length; stepNumber += 1) {
    if (stepNumber > 0) {
      finished.push(usage(stepNumber - 1));
      list = [...(carries ? sent[stepNumber - 1] : list), ...extra[stepNumber - 1]];
    }
    const answer = await prepareStep({ messages: list, steps: finished, stepNumber, model });
    assertAnswer(answer, list);
    returned.push(answer?.messages);
    sent.push(answer?.messages ?? list);
  }
  return { events, sent, returned, types: new Set(events.map(({ type }) => type)) };
}

/** Undefined, or a list in which everything is the caller's own object or a message of ours. */
function assertAnswer(answer, list) {
  if (answer === undefined) return;
  assert.deepEqual(Object.keys(answer), ['messages']);
  assert.ok(Array.isArray(answer.messages));
  const known = new Set(list);
  for (const message of answer.messages) {
    if (known.has(message)) continue;
    assert.ok(['user', 'assistant', 'tool'].includes(message.role), 'an edited message has a role');
    assert.ok(typeof message.content === 'string' || Array.isArray(message.content));
  }
}

/**
 * Everything at once: both ways of carrying, a small and a large window, and every pure function. Returns the events of all.
 * `make`: makes the list anew, because some values can be read only once.
 */
export async function throughEverything(make) {
  const types = new Set();
  const events = [];
  for (const contextWindow of [2_000, 4_000, 1_000_000]) {
    for (const carries of [false, true]) {
      const run = await steps(make(), { contextWindow, carries });
      run.types.forEach((type) => types.add(type));
      events.push(...run.events);
      assert.ok(run.types.has('measured') || run.types.has('error'), 'every step says something');
    }
  }
  const messages = make();
  const tokens = estimateTokens(messages);
  assert.ok(Number.isSafeInteger(tokens) && tokens >= 0, `estimateTokens gave ${tokens}`);
  const violations = validateMessages(messages);
  assert.ok(Array.isArray(violations));
  for (const { rule, path, message } of violations) assert.ok([rule, path, message].every((part) => typeof part === 'string' && part.length > 0));
  const plans = [1_000, 4_000, 1_000_000].map((contextWindow) => planContext(messages, { contextWindow }));
  for (const { tokensBefore, tokensAfter, messages: planned } of plans) {
    assert.ok(tokensAfter <= tokensBefore, 'a plan never makes a list larger');
    assert.ok(Array.isArray(planned));
  }
  assert.ok(Array.isArray(clearToolResults(messages, { contextWindow: 2_000 }).messages));
  assert.ok(Array.isArray(buildCheckpoint(messages, { contextWindow: 2_000 }).messages));
  for (const message of messages) assert.equal(typeof extractText(message), 'string');
  return { types, events, tokens, rules: violations.map(({ rule }) => rule), plans };
}
