// Requests whose messages are the very objects of the request before, as `streamText` hands them on: they go on from what was sent
// last, without a plan of the whole list. What is sent must not depend on it. Requests on copies are tested in requests.test.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createPrepareStep, createSession } from 'stepfold';
import { call, pause, result, text, user as say, withRunsInOrder } from '../hand.mjs';
import { answers, honestCount, play, words } from './script.mjs';
import { MAJORS } from './sdk.mjs';
import { assertAppendStable, assertUntouchedAreSame, watch } from './watch.mjs';

const REQUESTS = 10;
const MODEL = { modelId: 'mock', provider: 'mock', specificationVersion: 'v3' };
const OPTIONS = { contextWindow: 8_000 };
const createSessionStep = (options) => createSession(options).prepareStep;

/** A chat of ten requests by `streamText`; `pass` hands the history on. */
async function chat({ major, create, pass }) {
  const watched = watch(create, OPTIONS);
  let history = [];
  const prompts = [];
  for (let request = 0; request < REQUESTS; request += 1) {
    const own = answers.slice((request * 3) % 24, (request * 3) % 24 + 3);
    const calls = own.map((step) => ({ ...step, calls: step.calls.map((one) => ({ ...one, id: `${request}-${one.id}`, input: { ...one.input, request } })) }));
    history.push({ role: 'user', content: `Request ${request}: ${words(25, request)}` });
    const messages = pass(history);
    const played = await play({ major, api: 'streamText', answers: [...calls, { text: `Request ${request} is done.` }], messages, prepareStep: watched.prepareStep });
    prompts.push(...played.prompts);
    history = [...history, ...played.stored.slice(messages.length)];
  }
  return { ...watched, prompts };
}

for (const [name, create] of [['prepareStep', createPrepareStep], ['session', createSessionStep]]) {
  for (const major of MAJORS) {
    test(`ai ${major}, ${name}: a chat on the same objects sends what one on copies sends`, async () => {
      const same = await chat({ major, create, pass: (history) => [...history] });
      const copies = await chat({ major, create, pass: structuredClone });
      const begun = same.steps.filter(({ stepNumber }) => stepNumber === 0);
      assert.ok(begun.slice(1).every(({ input }, index) => input.includes(begun[index].input.at(-1))), 'the SDK handed copies on');
      assert.ok(same.count('checkpoint') >= 2);
      assert.equal(JSON.stringify(same.prompts), JSON.stringify(copies.prompts));
      assert.equal(same.count('checkpoint'), copies.count('checkpoint'));
      assert.equal(same.count('session-recommended') > 0, name === 'prepareStep');
      assertAppendStable(same.steps);
      assertUntouchedAreSame(same.steps);
    });
  }
}

/** A conversation grown step by step until it was folded. */
async function grow(prepareStep, model = MODEL) {
  const messages = [{ role: 'user', content: 'Look through all of these.' }];
  const steps = [];
  for (let n = 0; n < 40; n += 1) {
    messages.push(call(`c${n}`, { path: `src/${n}.ts` }), result(`c${n}`, `${text(150)}${n}`));
    await prepareStep({ messages: [...messages], steps, stepNumber: n, model });
    steps.push({ usage: { inputTokens: honestCount(messages) } });
  }
  return messages;
}

const ask = async (prepareStep, messages) => JSON.stringify((await prepareStep({ messages, steps: [], stepNumber: 0, model: MODEL }))?.messages ?? messages);

test('two requests that go on from the same one, each its own way, do not mix', async () => {
  const prepareStep = createPrepareStep(OPTIONS);
  const messages = await grow(prepareStep);
  const branches = ['maple', 'birch'].map((word) => ({ word, list: [...messages, say(`Turn ${word}.`)], steps: [] }));
  const step = async ({ list, steps }) => {
    const sent = (await prepareStep({ messages: [...list], steps, stepNumber: steps.length, model: MODEL }))?.messages ?? list;
    steps.push({ usage: {} });
    return sent;
  };
  const starts = await Promise.all(branches.map(step));
  for (let n = 0; n < 12; n += 1) {
    for (const branch of branches) branch.list.push(call(`${branch.word}${n}`, { path: `${branch.word}/${n}.ts` }), result(`${branch.word}${n}`, `${branch.word} ${text(150)}`));
    const sent = await Promise.all(branches.map(step));
    sent.forEach((list, index) => {
      const other = branches[1 - index].word;
      assert.ok(!JSON.stringify(list).includes(other), `${other} is not of this branch`);
      assert.ok(JSON.stringify(list).includes(`Turn ${branches[index].word}.`));
    });
  }
  assert.equal(JSON.stringify(starts[0]).replace('maple', 'birch'), JSON.stringify(starts[1]));
});

test('a list that was cut, put together anew or changed in place is planned as copies of it are', async () => {
  const changes = {
    'cut in the middle': (list) => [...list.slice(0, 31), say('Again.')],
    'cut at the end': (list) => [...list.slice(0, -2), say('Again.')],
    'a message put in': (list) => [...list.slice(0, 5), say('Between.'), ...list.slice(5), say('Again.')],
    'a message left out': (list) => [list[0], ...list.slice(3), say('Again.')],
    'another request before it': (list) => [say('Something else.'), ...list, say('Again.')],
    'a content replaced': (list) => {
      list[2].content = [{ ...list[2].content[0], output: { type: 'text', value: 'Other.' } }];
      return [...list, say('Again.')];
    },
  };
  for (const [name, change] of Object.entries(changes)) {
    const ways = await Promise.all([(list) => list, structuredClone].map(async (pass) => {
      const prepareStep = createPrepareStep(OPTIONS);
      const messages = await grow(prepareStep);
      return ask(prepareStep, pass(change(messages)));
    }));
    assert.equal(ways[0], ways[1], name);
    assert.ok(ways[0].includes('Again.'), name);
  }
});

test('an app may write on in the array it gave, and take messages out of it again', async () => {
  // Loops by hand do: after "regenerate" the answers that were taken out were sent again, and the question was not.
  const ways = await Promise.all([(list) => list, (list) => [...list]].map(async (give) => {
    const prepareStep = createPrepareStep(OPTIONS);
    const messages = [];
    for (const word of ['first', 'second']) {
      messages.push(say(`Look for the ${word}.`));
      const steps = [];
      for (let n = 0; n < 25; n += 1) {
        await prepareStep({ messages: give(messages), steps, stepNumber: n, model: MODEL });
        steps.push({ usage: { inputTokens: honestCount(messages) } });
        messages.push(call(`${word}${n}`, { path: `src/${n}.ts` }), result(`${word}${n}`, `${text(150)}${word}${n}`));
      }
    }
    messages.length = messages.findLastIndex(({ role }) => role === 'user') + 1;
    return ask(prepareStep, give(messages));
  }));
  assert.equal(ways[0], ways[1]);
  assert.ok(ways[0].includes('Look for the second.') && !/second\d/.test(ways[0]));
});

test('with another model, or a longer system prompt, a request goes on from copies as from the same objects', async () => {
  const [gpt, claude] = [{ modelId: 'gpt-5', provider: 'openai' }, { modelId: 'claude-sonnet-4-5', provider: 'anthropic.messages' }];
  for (const [name, model, instructions, leastOverhead] of [['model', claude, undefined, 500], ['prompt', gpt, text(20_000), 18_000]]) {
    const ways = await Promise.all([(list) => list, structuredClone].map(async (pass) => {
      const measured = [];
      const prepareStep = createPrepareStep({ contextWindow: 40_000, onEvent: (event) => event.type === 'measured' && measured.push(event) });
      const messages = await grow(prepareStep, gpt);
      const answer = await prepareStep({ messages: pass([...messages, say('Go on.')]), steps: [], stepNumber: 0, model, instructions });
      return { sent: answer?.messages, ...withRunsInOrder(measured).at(-1) };
    }));
    // On copies the overhead of the other model was forgotten; of the longer prompt nobody heard, and it did not fit.
    assert.equal(JSON.stringify(ways[0]), JSON.stringify(ways[1]), name);
    assert.ok(ways[0].overheadTokens > leastOverhead, `${name}: ${ways[0].overheadTokens}`);
  }
});

test('a message that a session put in, and that the app has stored itself, stands there once', async () => {
  for (const stored of ['not', 'as it was delivered', 'as a copy']) {
    const session = createSession({ contextWindow: 100_000 });
    const steps = [];
    const messages = [say('Begin.')];
    const step = async () => {
      const answer = await session.prepareStep({ messages: [...messages], steps, stepNumber: steps.length, model: MODEL });
      steps.push({ usage: {} });
      return answer?.messages ?? messages;
    };
    await step();
    messages.push(call('c0', { path: 'a.ts' }), result('c0', 'one'));
    session.enqueue('Careful.');
    await step();
    if (stored !== 'not') messages.push(stored === 'as a copy' ? structuredClone(session.delivered()[0]) : session.delivered()[0]);
    messages.push(say('Go on.'));
    steps.length = 0;
    const next = await session.prepareStep({ messages: [...messages], steps: [], stepNumber: 0, model: MODEL });
    const texts = (next?.messages ?? messages).filter(({ role }) => role === 'user').map(({ content }) => content);
    assert.deepEqual(texts, ['Begin.', 'Careful.', 'Go on.'], `stored ${stored}`);
  }
});

test('a summarizer that failed three times is asked again in the next request', async () => {
  let asked = 0;
  const summarize = () => {
    asked += 1;
    throw new Error('unavailable');
  };
  const prepareStep = createPrepareStep({ ...OPTIONS, summarize });
  const messages = await grow(prepareStep);
  const before = asked;
  assert.ok(before >= 3, `asked ${before} times`);
  const steps = [];
  messages.push(say('Go on.'));
  for (let n = 0; n < 6; n += 1) {
    await prepareStep({ messages: [...messages], steps, stepNumber: n, model: MODEL });
    steps.push({ usage: {} });
    messages.push(call(`d${n}`, { path: `src/${n}.md` }), result(`d${n}`, `${text(600)}${n}`));
  }
  assert.ok(asked > before, 'the new request does not rest');
});

test('of a run that is no longer among the recent ones nothing is kept, also while its messages live', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const prepareStep = createPrepareStep(OPTIONS);
  const messages = await grow(prepareStep);
  const checkpoint = new WeakRef((await prepareStep({ messages: [...messages], steps: [], stepNumber: 0, model: MODEL })).messages[0]);
  await pause();
  collect();
  assert.notEqual(checkpoint.deref(), undefined, 'the next request goes on from it');
  for (let n = 0; n < 33; n += 1) await prepareStep({ messages: [say(`Other ${n}.`)], steps: [], stepNumber: 0, model: MODEL });
  await pause();
  collect();
  assert.equal(checkpoint.deref(), undefined);
  const sent = await ask(prepareStep, [...messages, say('And now?')]);
  assert.ok(sent.includes('[Checkpoint') && sent.includes('And now?'));
});

test('what is given at the first step can be anything, and nothing throws', async () => {
  const prepareStep = createPrepareStep(OPTIONS);
  for (const odd of [null, undefined, 7, 'text', {}, []]) {
    assert.equal(await prepareStep({ messages: [say('Hello.'), odd], steps: [], stepNumber: 0, model: MODEL }), undefined);
    assert.equal(await prepareStep({ messages: [say('Hello.'), odd, say('More.')], steps: [], stepNumber: 0, model: MODEL }), undefined);
  }
});
