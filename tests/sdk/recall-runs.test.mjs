// The recall tool of a `prepareStep` without a session: one tool for many conversations at once, of which no call sees another's. Also what a
// call of a session sees that none of its runs made. The order of steps is made by promises the test holds, not by time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createPrepareStep, createSession } from 'stepfold';
import { call, createRandom, pause, result, step as send } from '../hand.mjs';
import { amount } from '../amount.mjs';
import { MAJORS, createModel, createTools, run } from './sdk.mjs';
import { words } from './script.mjs';

const CONVERSATIONS = amount({ push: 15, night: 50 });
const STEPS = 14;
// Results are cleared first, and folded later.
const OPTIONS = { contextWindow: 5_000, overheadTokens: 1, trigger: 0.8, target: 0.4, keepRecent: { tokens: 500 }, maxResultTokens: 3_000 };
const NOTHING = '[Nothing was found. Without id and pattern all results are listed that can be recalled.]';
const secretOf = (index) => `secret-${index}x`;
const firstPage = (index) => `page 0\nThe word is ${secretOf(index)}.\n${words(220, index)}`;

/** Runs wait here at each call of the model; when all that are under way wait, one of them goes on. A new one begins when another has ended. */
function createScheduler(random) {
  const waiting = [];
  let underWay = 0;
  const release = () => {
    if (waiting.length > 0 && waiting.length >= underWay) waiting.splice(random(waiting.length), 1)[0]();
  };
  return {
    wait: () => new Promise((resume) => { waiting.push(() => resume(undefined)); release(); }),
    begin: () => { underWay += 1; },
    end: () => { underWay -= 1; release(); },
  };
}

/** What the model of a conversation does at a step: the ids of its calls are those of all others. */
function answerAt(index, step) {
  const inputs = [{ pattern: 'the word is' }, { id: 'c0' }, { pattern: secretOf((index + 1) % CONVERSATIONS) }, {}, { id: 'c0', fromLine: 2, toLine: 2 }];
  const asks = step > 3 && step % 2 === index % 2;
  return { calls: [{ id: `c${step}`, ...(asks ? { name: 'recall', input: inputs[(step + index) % inputs.length] } : { name: 'read', input: { page: step } }) }] };
}

for (const major of MAJORS) {
  test(`ai ${major}: of ${CONVERSATIONS} interleaved conversations none recalls what another has read`, async () => {
    const events = [];
    const prepareStep = createPrepareStep({ ...OPTIONS, onEvent: (event) => events.push(event.type) });
    const recall = prepareStep.recallTool();
    const scheduler = createScheduler(createRandom(major));
    let found = 0;
    let gone = 0;
    const converse = async (index) => {
      const tools = { ...createTools(major, { read: ({ page }) => (page === 0 ? firstPage(index) : `page ${page}\n${words(250, page)}`) }), recall };
      let messages = [{ role: 'user', content: 'Read all pages.' }];
      // The second request goes on from the first.
      for (const first of [0, STEPS]) {
        scheduler.begin();
        const answers = [...Array.from({ length: STEPS }, (_, step) => answerAt(index, first + step)), { text: 'Done.' }];
        const mock = createModel({ major, answers, onCall: () => scheduler.wait() });
        const { steps, errors } = await run({ major, api: index % 2 === 0 ? 'generateText' : 'streamText', model: mock.model, tools, options: { messages, prepareStep } });
        scheduler.end();
        assert.deepEqual(errors, []);
        for (const [at, step] of steps.entries()) {
          for (const { toolName, input, output } of step.toolResults) {
            if (toolName !== 'recall') continue;
            const reported = JSON.stringify(output);
            for (const [, whose] of reported.matchAll(/secret-(\d+)x/g)) assert.equal(Number(whose), index, `${JSON.stringify(input)} of ${index} told ${reported.slice(0, 300)}`);
            if (input.id === 'c0' && input.fromLine === undefined) assert.equal(output, firstPage(index));
            if (input.id === 'c0' && input.fromLine === 2) assert.equal(output, `The word is ${secretOf(index)}.`);
            if (input.pattern === 'the word is') assert.ok(output.includes(`2: The word is ${secretOf(index)}.`), output);
            if (input.pattern?.startsWith('secret-')) assert.equal(output, NOTHING);
            found += reported.includes(secretOf(index)) ? 1 : 0;
            const prompt = JSON.stringify(mock.prompts()[at]);
            gone += input.id === 'c0' && !prompt.includes(words(220, index)) ? 1 : 0;
          }
        }
        const made = major === 7 ? steps.flatMap(({ response }) => response.messages) : steps.at(-1).response.messages;
        messages = [...messages, ...made, { role: 'user', content: 'Go on.' }];
      }
    };
    // Twelve at once: when one ends, the next begins.
    const left = Array.from({ length: CONVERSATIONS }, (_, index) => index);
    await Promise.all(Array.from({ length: 12 }, async () => { for (let index = left.shift(); index !== undefined; index = left.shift()) await converse(index); }));
    assert.ok(found > 4 * CONVERSATIONS && gone > CONVERSATIONS, `${found} answers with a secret, ${gone} of what was gone from the prompt`);
    for (const type of ['cleared', 'checkpoint']) assert.ok(events.filter((event) => event === type).length > CONVERSATIONS, `too few events ${type} to prove anything`);
    assert.ok(!events.includes('error'));
  });
}

/** A conversation that read a secret, and then the same as all others. */
const conversation = (index) =>
  [
    { role: 'user', content: 'Read all pages.' },
    ...Array.from({ length: 24 }, (_, page) => [call(`c${page}`, { page }), result(`c${page}`, page === 0 ? firstPage(index) : `page ${page}\n${words(180, page)}`)]).flat(),
  ];
const ask = (tool, input, messages) => tool.execute(input, { toolCallId: 'r', messages });

test('a wrapper that copies what is sent loses nothing, and gains nothing of a run that says the same at its end', async () => {
  const prepareStep = createPrepareStep(OPTIONS);
  const recall = prepareStep.recallTool();
  const runs = [1, 2, 3].map(() => []);
  const sent = await Promise.all(runs.map((steps, index) => send(prepareStep, conversation(index + 1), steps)));
  for (const [index, list] of sent.entries()) {
    assert.ok(list[0].providerOptions.stepfold.checkpoint !== undefined && !JSON.stringify(list.slice(1)).includes('secret-'), 'folded');
    for (const copy of [structuredClone(list), list.map((message) => ({ ...message })), [{ role: 'system', content: 'Be brief.' }, ...structuredClone(list), call('r', {}, 'recall')]]) {
      assert.equal(await ask(recall, { id: 'c0' }, copy), firstPage(index + 1));
    }
  }
  // A checkpoint of another conversation under messages of one's own, and a part of what was sent, lead to nothing that was folded.
  const [mine, others] = [structuredClone(sent[0]), structuredClone(sent[1])];
  for (const list of [[others[0], { role: 'user', content: 'Mine.' }], [others[0], ...mine.slice(2)], [others[0]], mine.slice(0, -1)]) {
    const copy = structuredClone(list);
    assert.ok(!JSON.stringify(await ask(recall, { pattern: 'the word is' }, copy)).includes('secret-'));
    assert.equal(await ask(recall, { id: 'c0' }, copy), NOTHING);
  }
  assert.ok(runs.every((steps) => steps.length === 0));
});

test('a call that belongs to no run finds nothing, and whatever it is given nothing throws', async () => {
  const prepareStep = createPrepareStep(OPTIONS);
  const recall = prepareStep.recallTool();
  await send(prepareStep, conversation(1));
  const odd = [undefined, null, 7, 'text', {}, [], [null], [undefined, 7, 'text', {}, []], [{ role: 'user' }], [{ role: 'user', content: 'Read all pages.' }]];
  for (const messages of odd) {
    for (const input of [{}, { id: 'c0' }, { pattern: 'the word is' }, undefined]) assert.equal(await ask(recall, input, messages), NOTHING);
  }
  assert.equal(await recall.execute({ id: 'c0' }), NOTHING);
  const broken = [{ role: 'tool', content: [null, { type: 'tool-result' }, { type: 'tool-result', toolCallId: 'c0', toolName: 'read' }] }];
  for (const input of [{}, { pattern: 'the word is' }, { id: '' }]) assert.equal(typeof (await ask(recall, input, broken)), 'string');
  assert.equal(await ask(recall, { id: 'c0' }, broken), null);
  // What a subagent was sent itself it may search.
  assert.equal(await ask(recall, { id: 'c0' }, conversation(2)), firstPage(2));
});

test('ids stand in placeholders from the first call of recallTool() on', async () => {
  const options = { ...OPTIONS, contextWindow: 9_000 };
  const prepareStep = createPrepareStep(options);
  assert.ok(!JSON.stringify(await send(prepareStep, conversation(1))).includes('use the recall tool with id'));
  prepareStep.recallTool();
  assert.ok(JSON.stringify(await send(prepareStep, conversation(2))).includes('use the recall tool with id'));
});

test('nothing is kept for recall: messages go with the run, also while tool and prepareStep live', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const prepareStep = createPrepareStep(OPTIONS);
  const recall = prepareStep.recallTool();
  const begin = async () => {
    const messages = conversation(1);
    const sent = await send(prepareStep, messages);
    assert.equal(await ask(recall, { id: 'c0' }, sent), firstPage(1));
    assert.equal(await ask(recall, { id: 'c0' }, structuredClone(sent)), firstPage(1));
    return new WeakRef(messages[2]);
  };
  const read = await begin();
  await pause();
  collect();
  await pause();
  collect();
  assert.equal(read.deref(), undefined);
  assert.ok(recall);
});

test('a call of another conversation sees nothing of a session or its store, and of two runs at once each sees its own', async () => {
  const store = new Map();
  const session = createSession({ ...OPTIONS, id: 'chat', store, resume: 'tail' });
  const recall = session.recallTool();
  const sent = await send(session.prepareStep, conversation(1));
  assert.ok(store.size > 1, 'what was folded is in the store');
  assert.equal(await ask(recall, { id: 'c0' }, sent), firstPage(1));
  assert.equal(await ask(recall, { id: 'c0' }, structuredClone(sent)), firstPage(1));
  assert.equal(await ask(recall, { id: 'c0' }, [{ role: 'user', content: 'Something else.' }]), NOTHING);
  assert.equal(await ask(recall, { pattern: 'the word is' }, [{ role: 'user', content: 'Something else.' }]), NOTHING);
  assert.equal(await ask(recall, { id: 'c0' }, conversation(2)), firstPage(2));
  // The next request is given what stands behind the checkpoint.
  const later = createSession({ ...OPTIONS, id: 'chat', store, resume: 'tail' });
  const tail = [...sent.slice(1), { role: 'user', content: 'Go on.' }];
  later.enqueue('And be brief.');
  await send(later.prepareStep, tail);
  assert.equal(await ask(later.recallTool(), { id: 'c0' }, tail), firstPage(1));
  assert.equal(await ask(later.recallTool(), { id: 'c0' }, [{ role: 'user', content: 'Something else.' }]), NOTHING);
  // Two requests of one session at once: the newer one has not seen what the older one reads.
  const both = createSession({ ...OPTIONS, contextWindow: 50_000 });
  const [older, newer] = [[...conversation(1), call('a', {}), result('a', 'older: amber')], [...conversation(1), { role: 'user', content: 'Stop.' }, call('b', {}), result('b', 'newer: amber')]];
  await send(both.prepareStep, older);
  await send(both.prepareStep, newer, []);
  const tool = both.recallTool();
  assert.match(await ask(tool, { pattern: 'amber' }, older), /older: amber\n$/);
  assert.doesNotMatch(await ask(tool, { pattern: 'amber' }, older), /newer/);
  assert.doesNotMatch(await ask(tool, { pattern: 'amber' }, newer), /older/);
});
