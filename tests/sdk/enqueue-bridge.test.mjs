// Mistral's models refuse a message of the user right behind results: what is put in there has a word of the model before it.
// Only there, only for them, and only for what was put in: everything else is sent as the app gave it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession, validateMessages } from 'stepfold';
import { answers, play } from './script.mjs';
import { MAJORS } from './sdk.mjs';
import { assertAppendStable, watch } from './watch.mjs';
import { call, result, user } from '../hand.mjs';

const GUIDANCE = 'Leave module 4 alone, please.';
const isGuidance = ({ role, content }) => role === 'user' && JSON.stringify(content).includes(GUIDANCE);
const MISTRAL = { modelId: 'mistral-large-latest', provider: 'mistral.chat' };

/** As Mistral's endpoint does. */
function assertOrder(messages) {
  messages.forEach(({ role }, index) => assert.ok(role !== 'user' || messages[index - 1]?.role !== 'tool', `messages[${index}]: Unexpected role 'user' after role 'tool'`));
}

for (const major of MAJORS) {
  test(`ai ${major}: what is put in while a Mistral model calls tools is sent in a form that it takes, at every step`, async () => {
    for (const contextWindow of [1_000_000, 8_000]) {
      let session;
      const watched = watch((options) => {
        session = createSession({ contextWindow, ...options });
        return session.prepareStep;
      });
      const { text, prompts } = await play({ major, ...MISTRAL, prepareStep: watched.prepareStep, onCall: (index) => index === 5 && session.enqueue(GUIDANCE) });
      assert.equal(text, answers.at(-1).text);
      prompts.forEach((prompt, index) => {
        assertOrder(prompt);
        assert.deepEqual(validateMessages(prompt), []);
        if (index > 5) assert.ok(JSON.stringify(prompt).includes(GUIDANCE), `step ${index}`);
        // Once, and no more of them with every step.
        assert.ok(JSON.stringify(prompt).split('I have the results.').length <= 2, `step ${index}`);
      });
      assertAppendStable(watched.steps);
    }
  });
}

const LIST = [user('Go.'), call('a'), result('a', 'done')];
const sentTo = async (model, list, enqueues) => {
  const session = createSession({ contextWindow: 100_000 });
  if (enqueues) session.enqueue(GUIDANCE);
  const answer = await session.prepareStep({ messages: [...list], steps: [], stepNumber: 0, model });
  return answer?.messages ?? list;
};

test('another model is sent what is put in as it is', async () => {
  const sent = await sentTo({ modelId: 'gpt-5', provider: 'openai.responses' }, LIST, true);
  assert.deepEqual(sent.map(({ role }) => role), ['user', 'assistant', 'tool', 'user']);
});

test('what the app itself has put behind results stays as it is', async () => {
  const list = [...LIST, user(GUIDANCE)];
  assert.deepEqual(await sentTo(MISTRAL, list, false), list);
});

test('a wrapper that copies the list gives no word of the model a second time', async () => {
  const session = createSession({ contextWindow: 100_000 });
  session.enqueue(GUIDANCE);
  const steps = [];
  const first = await session.prepareStep({ messages: LIST, steps, stepNumber: 0, model: MISTRAL });
  assertOrder(first.messages);
  steps.push({ usage: { inputTokens: 50, outputTokens: 1 } });
  const carried = [...structuredClone(first.messages), call('b'), result('b', 'done')];
  const second = (await session.prepareStep({ messages: carried, steps, stepNumber: 1, model: MISTRAL }))?.messages ?? carried;
  assertOrder(second);
  assert.equal(second.filter(isGuidance).length, 1);
  assert.equal(second.filter(({ content }) => content === 'I have the results.').length, 1);
});
