// Stands between the SDK and a `prepareStep`: freezes what goes in, keeps what comes out, and says what was sent at each step.
// Holds no tests. Expects one run at a time; make one watcher for each run.

import assert from 'node:assert/strict';
import { answers, honestCount } from './script.mjs';
import { normalize } from './sdk.mjs';

/** @typedef {{ stepNumber: number, input: any[], returned: any[] | undefined, sent: any[], events: any[] }} Step */

/** Events after which the sent list may differ from the one before. */
export const EDITS = ['capped', 'cleared', 'checkpoint', 'squeezed'];

/** Freezes a value and all that hangs on it; bytes cannot be frozen. */
export function deepFreeze(value, seen = new Set()) {
  if (typeof value !== 'object' || value === null || seen.has(value) || ArrayBuffer.isView(value)) return value;
  seen.add(value);
  Object.values(value).forEach((inner) => deepFreeze(inner, seen));
  return Object.freeze(value);
}

/**
 * `create`: makes the `prepareStep`, e.g. `createPrepareStep`.
 * `options`: its options.
 */
export function watch(create, options = {}) {
  const events = [];
  const steps = [];
  const prepare = create({ ...options, onEvent: (event) => events.push(event) });
  let reported = 0;
  const prepareStep = async (input) => {
    deepFreeze(input.messages);
    const returned = await prepare(input);
    const messages = returned?.messages;
    steps.push({ stepNumber: input.stepNumber, input: input.messages, returned: messages, sent: messages ?? input.messages, events: events.slice(reported) });
    reported = events.length;
    return returned;
  };
  return { prepareStep, steps, events, count: (type) => events.filter((event) => event.type === type).length };
}

/** Between two steps without an edit the sent list only grows. @param {readonly Step[]} steps */
export function assertAppendStable(steps) {
  steps.forEach(({ sent, events, stepNumber }, index) => {
    if (index === 0 || events.some(({ type }) => EDITS.includes(type))) return;
    const previous = steps[index - 1].sent;
    assert.ok(sent.length >= previous.length, `step ${stepNumber} sent fewer messages than the one before, without an event`);
    previous.forEach((message, at) => assert.deepEqual(normalize(sent[at]), normalize(message), `step ${stepNumber} changed message ${at} without an event`));
  });
}

/** What stepfold did not edit is the very object that came in. @param {readonly Step[]} steps */
export function assertUntouchedAreSame(steps) {
  const ours = new Set(steps.flatMap(({ input, returned }) => returned?.filter((message) => !input.includes(message)) ?? []));
  const theirs = new Set(steps.flatMap(({ input }) => input).filter((message) => !ours.has(message)));
  const parts = new Set([...theirs].flatMap(({ content }) => (typeof content === 'string' ? [] : content)));
  for (const { sent, stepNumber } of steps) {
    for (const message of sent) {
      if (theirs.has(message)) continue;
      assert.ok(ours.has(message), `step ${stepNumber} sent a message nobody made`);
      if (message.providerOptions?.stepfold?.checkpoint !== undefined) continue;
      for (const part of message.content) {
        const isEdited = part.providerOptions?.stepfold?.original !== undefined;
        assert.ok(isEdited || parts.has(part), `step ${stepNumber} copied a part that it did not edit`);
      }
    }
  }
}

/** What must hold of a run of the script, whatever the summarizer does. */
export function assertSoundRun({ text, prompts, steps, events }, windowTokens) {
  assert.equal(text, answers.at(-1).text);
  assert.equal(prompts.length, answers.length);
  prompts.forEach((prompt, step) => {
    assert.ok(honestCount(prompt) <= windowTokens, `step ${step} sent ${honestCount(prompt)} tokens`);
    assert.ok(JSON.stringify(prompt).includes('Never touch the folder `vendor`.'), `step ${step} lost the request`);
  });
  assertAppendStable(steps);
  assertUntouchedAreSame(steps);
  assert.deepEqual(events.filter(({ type }) => type === 'error'), []);
}
