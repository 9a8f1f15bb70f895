// Many runs at once through one `prepareStep`: what one conversation is sent must not depend on what the others do.
// The order of steps is made by promises the test holds, not by time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep } from 'stepfold';
import { MAJORS } from './sdk.mjs';
import { answers, play, words } from './script.mjs';

const CONVERSATIONS = 20;
const STEPS = 16;
// Marks of its own: folds that come often, whatever the defaults are tuned to.
const OPTIONS = { contextWindow: 5_000, overheadTokens: 1, trigger: 0.8, target: 0.5 };

/** Conversations 3 and 4 begin with the same message and share their first steps; 5 and 6 are the same to the end. */
const topics = Array.from({ length: CONVERSATIONS }, (_, index) => (index === 4 ? 3 : index === 6 ? 5 : index));
const scripts = topics.map((topic, index) =>
  answers.slice(0, STEPS - 1).map(({ text, calls }, step) => {
    const differs = index !== 4 || step >= STEPS / 2 ? index : topic;
    const label = index === 6 ? topic : differs;
    return { text, calls: calls?.map((call) => ({ ...call, input: { ...call.input, path: `src/${label}/part-${step}.ts` } })) };
  }).concat({ text: 'Done.' }),
);
const requestOf = (index) => ({ role: 'user', content: `Conversation ${topics[index]}: ${words(30, topics[index])}` });

/** Lets every waiting run take one step, each round in another order, until all have ended. */
function createScheduler() {
  const waiting = new Map();
  let running = CONVERSATIONS;
  let round = 0;
  const release = () => {
    if (running === 0 || waiting.size < running) return;
    const order = [...waiting].sort(([a], [b]) => ((a * 7 + round * 11) % CONVERSATIONS) - ((b * 7 + round * 11) % CONVERSATIONS));
    round += 1;
    waiting.clear();
    order.forEach(([, resume]) => resume());
  };
  return {
    wait: (index) => new Promise((resume) => { waiting.set(index, () => resume(undefined)); release(); }),
    end: () => { running -= 1; release(); },
  };
}

async function runOne({ index, ...given }) {
  return JSON.stringify((await play({ ...given, answers: scripts[index], messages: [requestOf(index)] })).prompts);
}

for (const major of MAJORS) {
  test(`ai ${major}: twenty interleaved conversations send what each would send alone`, async () => {
    const alone = [];
    for (let index = 0; index < CONVERSATIONS; index += 1) alone.push(await runOne({ major, index, prepareStep: createPrepareStep(OPTIONS) }));
    const events = [];
    const shared = createPrepareStep({ ...OPTIONS, onEvent: (event) => events.push(event.type) });
    const scheduler = createScheduler();
    const together = await Promise.all(
      topics.map(async (_, index) => {
        const sent = await runOne({ major, index, prepareStep: shared, onCall: () => scheduler.wait(index) });
        scheduler.end();
        return sent;
      }),
    );
    together.forEach((sent, index) => assert.equal(sent, alone[index], `conversation ${index} was influenced by another`));
    assert.ok(events.filter((type) => type === 'checkpoint').length >= CONVERSATIONS, 'too few checkpoints to prove anything');
    assert.ok(!events.includes('error'));
  });

  test(`ai ${major}: summaries awaited at once go to the conversation they were written for`, async () => {
    const asked = [];
    const summarize = ({ prompt }) => new Promise((resolve) => {
      asked.push({ resolve, topic: /src\/(\d+)\/part/.exec(prompt)?.[1] ?? 'none' });
      // Answer in pairs, the later question first.
      if (asked.length % 2 === 0) for (const { resolve: answer, topic } of asked.slice(-2).reverse()) answer(`Summary of topic-${topic}.`);
    });
    const prepareStep = createPrepareStep({ ...OPTIONS, summarize });
    const prompts = await Promise.all([0, 1].map((index) => runOne({ major, index, prepareStep })));
    assert.ok(asked.length >= 4, `${asked.length} summaries`);
    prompts.forEach((prompt, index) => {
      assert.ok(prompt.includes(`Summary of topic-${index}.`), `conversation ${index} has no summary`);
      assert.ok(!prompt.includes(`Summary of topic-${1 - index}.`), `conversation ${index} got the summary of the other`);
    });
  });
}
