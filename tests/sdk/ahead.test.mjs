// Summaries asked ahead of time: begun at a soft mark, put in when they are there, waited for only when nothing else fits.
// Steps are driven by hand, so that each answer comes when the test says; one test runs the SDK in all majors.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession } from 'stepfold';
import { call, isCheckpoint, MODEL, pause, result, text } from '../hand.mjs';
import { play } from './script.mjs';
import { MAJORS } from './sdk.mjs';
import { deepFreeze } from './watch.mjs';

const SUMMARY = 'Summary: the modules up to here were read, and their parsers were fixed one by one.';
/** Work starts at 9,000 tokens, 10,000 fit, a summary is begun at 7,200. */
const BASE = { contextWindow: 13_500, reserveTokens: 3_000, overheadTokens: 1, trigger: { tokens: 9_000 }, target: { tokens: 4_000 }, summarizeAhead: true };

/** One turn of some 270 tokens that can only be folded. */
const talk = (n, word = 'turn') => [{ role: 'user', content: `${word} ${n}: go on, please, with part ${n}.` }, { role: 'assistant', content: `${word} ${n}: ${text(240)}` }];

/** A run that grows by a turn at each step, and a summarizer that answers when it is told to. */
function open({ session: sessionOptions, carries = false, ...options } = {}) {
  const asked = [];
  const events = [];
  const answers = [];
  const summarize = (summaryRequest) => {
    asked.push(summaryRequest);
    return new Promise((resolve, reject) => answers.push({ resolve, reject }));
  };
  const all = { ...BASE, summarize, onEvent: (event) => events.push(event), ...options };
  const session = sessionOptions === undefined ? undefined : createSession({ ...all, ...sessionOptions });
  const prepareStep = session?.prepareStep ?? createPrepareStep(all);
  let steps = [];
  let list = [];
  let raw = [];
  let sent = [];
  const step = async (added) => {
    raw = [...raw, ...added];
    list = [...(carries ? sent : list), ...added];
    const answer = await prepareStep({ messages: deepFreeze(list), steps, stepNumber: steps.length, model: MODEL });
    sent = answer?.messages ?? list;
    steps.push({ usage: {} });
    return sent;
  };
  return {
    asked, events, answers, session, step,
    count: (type) => events.filter((event) => event.type === type).length,
    raw: () => raw,
    /** Goes on until the summarizer is asked; says after how many turns. */
    async untilAsked() {
      for (let n = 0; n < 100; n += 1) {
        await step(talk(n));
        if (asked.length > 0) return n + 1;
      }
      throw new Error('the summarizer was never asked');
    },
    /** Another request on the same messages. */
    restart(messages = raw) {
      steps = [];
      list = [...messages];
      raw = [...messages];
      sent = [...messages];
    },
  };
}

for (const carries of [false, true]) {
  for (const session of [undefined, {}]) {
    test(`the agent goes on while the summary is made, and the next step puts it in: ${session === undefined ? 'prepareStep' : 'session'}, ${carries ? 'carried forward' : 'raw'}`, async () => {
      const run = open({ carries, session });
      const turns = await run.untilAsked();
      assert.ok(turns > 24 && turns < 33, `asked after ${turns} turns`);
      const started = run.events.find(({ type }) => type === 'checkpoint-started');
      assert.equal(started.ahead, true);
      assert.ok(run.asked[0].prompt.includes('turn 0') && run.asked[0].messages[0].content.startsWith('turn 0'));
      // Not there yet: everything is sent as it is.
      assert.deepEqual(await run.step(talk(50)), run.raw());
      assert.equal(run.session?.status ?? 'idle', 'idle');
      run.answers[0].resolve(SUMMARY);
      await pause();
      const sent = await run.step(talk(51));
      assert.ok(isCheckpoint(sent[0]) && sent[0].content[0].text.includes(SUMMARY));
      assert.deepEqual(run.events.filter(({ type }) => type === 'checkpoint').map(({ content }) => content), ['summary']);
      assert.deepEqual(sent.slice(1), run.raw().slice(-(sent.length - 1)), 'what was added meanwhile stands behind it');
      // It stays, and nothing is asked twice.
      const next = await run.step(talk(52));
      assert.deepEqual(next, [...sent, ...talk(52)]);
      assert.deepEqual([run.asked.length, run.count('error'), run.count('fallback')], [1, 0, 0]);
    });
  }
}

test('above the trigger a step goes on without the summary while all fits, and waits when it does not', async () => {
  const run = open({ session: {} });
  await run.untilAsked();
  let sent = [];
  let waited;
  for (let n = 60; waited === undefined && n < 80; n += 1) {
    const stepping = run.step(talk(n));
    let done = false;
    stepping.then(() => (done = true));
    for (let turns = 0; turns < 5; turns += 1) await pause();
    if (done) sent = await stepping;
    else waited = stepping;
  }
  assert.ok(waited !== undefined, 'a step has waited');
  const tokens = run.events.filter(({ type }) => type === 'measured').at(-1).tokens;
  assert.ok(tokens > 9_000 && tokens <= 10_000, `${tokens} tokens were sent last`);
  assert.ok(!sent.some(isCheckpoint));
  assert.equal(run.session.status, 'compacting');
  run.answers[0].resolve(SUMMARY);
  sent = await waited;
  assert.ok(isCheckpoint(sent[0]) && sent[0].content[0].text.includes(SUMMARY));
  assert.equal(run.session.status, 'idle');
  assert.equal(run.asked.length, 1);
});

test('a summary whose span is no more is dropped, and its signal aborted', async () => {
  const run = open();
  await run.untilAsked();
  run.restart([{ role: 'user', content: 'Edited: something else.' }, ...run.raw().slice(1)]);
  // Another request with a message edited: another conversation for all that is known, which asks for itself.
  await run.step(talk(70));
  run.answers[0].resolve(SUMMARY);
  await pause();
  const sent = await run.step(talk(71));
  assert.ok(!sent.some(isCheckpoint) || !sent[0].content[0].text.includes(SUMMARY));

  const session = open({ session: {} });
  await session.untilAsked();
  session.restart([{ role: 'user', content: 'Edited: something else.' }, ...session.raw().slice(1)]);
  await session.step(talk(70));
  assert.equal(session.asked[0].abortSignal.aborted, true, 'a session knows that it is of no use');
  session.answers[0].resolve(SUMMARY);
  await pause();
  assert.ok(!JSON.stringify(await session.step(talk(71))).includes(SUMMARY));
  assert.equal(session.count('fallback'), 0);
});

test('aborted: nothing changes, and the run goes on as without it', async () => {
  const controller = new AbortController();
  const run = open({ session: {}, abortSignal: controller.signal });
  await run.untilAsked();
  const before = JSON.stringify(run.session.state);
  controller.abort();
  await pause();
  assert.equal(run.asked[0].abortSignal.aborted, true);
  assert.deepEqual(run.events.filter(({ type }) => type === 'fallback').map(({ reason }) => reason), ['aborted']);
  assert.deepEqual(await run.step(talk(50)), run.raw());
  run.answers[0].resolve(SUMMARY);
  await pause();
  assert.deepEqual(await run.step(talk(51)), run.raw());
  assert.equal(JSON.parse(before).fold, run.session.state.fold);
});

test('a summarizer that fails ahead of time is asked again only at the trigger', async () => {
  // It reads all at once.
  const run = open({ summarizeWindow: 64_000 });
  await run.untilAsked();
  run.answers[0].reject(new Error('overloaded'));
  await pause();
  assert.equal(run.events.find(({ type }) => type === 'fallback').message, 'overloaded');
  let n = 50;
  while (run.asked.length === 1 && n < 90) {
    const stepping = run.step(talk((n += 1)));
    await pause();
    run.answers[1]?.resolve(SUMMARY);
    await stepping;
  }
  assert.ok(run.events.filter(({ type }) => type === 'checkpoint-started').length === 2);
  assert.equal(run.events.find(({ type }) => type === 'checkpoint').content, 'summary');
});

test('a text that cannot be used ahead of time leaves everything as it is, and says why', async () => {
  const run = open();
  await run.untilAsked();
  run.answers[0].resolve("I'm sorry, I cannot help with that.");
  await pause();
  assert.deepEqual(await run.step(talk(50)), run.raw());
  assert.equal(run.events.find(({ type }) => type === 'fallback').reason, 'refusal');
});

test('waitUntil keeps the summary alive behind a request, and the next one, on another server, puts it in', async () => {
  const store = new Map();
  const kept = [];
  const first = open({ session: { id: 'chat', store }, waitUntil: (promise) => kept.push(promise) });
  await first.untilAsked();
  assert.equal(kept.length, 1);
  assert.equal(store.size, 0, 'nothing was decided yet');
  first.answers[0].resolve(SUMMARY);
  await kept[0];
  const second = open({ session: { id: 'chat', store } });
  second.restart(JSON.parse(JSON.stringify(first.raw())));
  const sent = await second.step([{ role: 'user', content: 'And now?' }]);
  assert.ok(isCheckpoint(sent[0]) && sent[0].content[0].text.includes(SUMMARY));
  assert.deepEqual([first.asked.length, second.asked.length], [1, 0]);
  assert.equal(JSON.parse(store.get('chat')).ahead, undefined, 'it was put in');
});

test('without a session too, the next request puts in what an earlier one began', async () => {
  const run = open();
  await run.untilAsked();
  run.restart();
  await run.step(talk(50));
  run.answers[0].resolve(SUMMARY);
  await pause();
  assert.ok(isCheckpoint((await run.step(talk(51)))[0]));
  assert.equal(run.asked.length, 1);
});

test('a waitUntil that throws does not end the step', async () => {
  const run = open({ waitUntil: () => { throw new Error('no context'); } });
  await run.untilAsked();
  assert.equal(run.events.find(({ type }) => type === 'error').message, 'no context');
});

for (const summarizeAhead of [undefined, false]) {
  test(`summarizeAhead ${summarizeAhead}: nothing is asked below the trigger`, async () => {
    const early = await open().untilAsked();
    const run = open({ summarizeAhead, summarize: async () => SUMMARY });
    while (run.count('checkpoint-started') === 0) await run.step(talk(run.raw().length / 2));
    assert.ok(run.raw().length / 2 > early + 4, `asked after ${run.raw().length / 2} and ${early} turns`);
    assert.deepEqual(run.events.filter(({ ahead }) => ahead !== undefined), []);
  });
}

test('nothing is asked where clearing will be enough', async () => {
  const run = open({ maxResultTokens: 5_000 });
  for (let n = 0; run.count('cleared') === 0; n += 1) await run.step([call(`r${n}`, { path: `src/${n}.ts` }), result(`r${n}`, `${text(240)}${n}`)]);
  assert.deepEqual([run.asked.length, run.count('checkpoint')], [0, 0]);
});

test('a mark of its own', async () => {
  const run = open({ summarizeAhead: { tokens: 5_500 } });
  const turns = await run.untilAsked();
  assert.ok(turns > 18 && turns < 26, `asked after ${turns} turns`);
});

test('real runs of ai 5, 6 and 7 ask as often and send the same bytes, and no prompt is over the window', async () => {
  const runs = await Promise.all(MAJORS.map(async (major) => {
    const asked = [];
    const events = [];
    const summarize = async ({ prompt }) => {
      asked.push(prompt);
      return `Summary ${asked.length}: the modules up to here were read and their parsers fixed, one by one.`;
    };
    const prepareStep = createPrepareStep({ contextWindow: 8_000, overheadTokens: 1, trigger: 0.8, target: 0.4, summarizeAhead: 0.6, summarize, onEvent: (event) => events.push(event) });
    const { prompts } = await play({ major, prepareStep });
    assert.ok(events.some(({ type, ahead }) => type === 'checkpoint-started' && ahead === true));
    for (const { tokens } of events.filter(({ type }) => type === 'measured')) assert.ok(tokens <= 8_000);
    assert.equal(new Set(asked).size, asked.length);
    return { asked, prompts, types: events.map(({ type }) => type) };
  }));
  for (const other of runs.slice(1)) assert.deepEqual(other, runs[0]);
});

test('forty conversations on one prepareStep: no summary under way is given up, and no prompt is over the window', async () => {
  // The oldest of 32 was given up; the step that waited for it took that for an abort and sent everything.
  const answers = [];
  const summarize = () => new Promise((resolve) => answers.push(resolve));
  const prepareStep = createPrepareStep({ ...BASE, summarize });
  const runs = Array.from({ length: 40 }, (_, run) => ({ list: [{ role: 'user', content: `Conversation ${run}.` }], steps: [] }));
  const step = async (run, added) => {
    run.list = [...run.list, ...added];
    const answer = await prepareStep({ messages: run.list, steps: run.steps, stepNumber: run.steps.length, model: MODEL });
    run.steps.push({ usage: {} });
    return answer?.messages ?? run.list;
  };
  for (const [index, run] of runs.entries()) {
    for (let n = 0; answers.length === index && n < 60; n += 1) await step(run, talk(n));
  }
  assert.equal(answers.length, 40);
  const waiting = runs.map((run) => step(run, [{ role: 'user', content: text(4_000) }]));
  // They come one after another, in turns of the event loop.
  for (let turns = 0; turns < runs.length; turns += 1) await pause();
  answers.forEach((answer) => answer(SUMMARY));
  for (const sent of await Promise.all(waiting)) assert.ok(sent.some(isCheckpoint) && JSON.stringify(sent).includes(SUMMARY));
  assert.equal(answers.length, 40, 'nobody is asked twice');
});

test('a summary that is due at the first step of a request goes on from the checkpoint before, on copies too', async () => {
  for (const copies of [false, true]) {
    const run = open();
    await run.untilAsked();
    run.answers[0].resolve(SUMMARY);
    await pause();
    for (let n = 50; run.asked.length === 1 && n < 120; n += 1) await run.step(talk(n));
    assert.equal(run.asked.length, 2);
    run.restart(copies ? structuredClone(run.raw()) : run.raw());
    const waiting = run.step([{ role: 'user', content: `And now: ${text(4_500)}` }]);
    await pause();
    run.answers[1].resolve(`${SUMMARY} Second.`);
    const sent = await waiting;
    assert.ok(sent.find(isCheckpoint).content[0].text.includes('Second.'), `copies: ${copies}`);
    assert.ok(!sent.some(({ content }) => typeof content === 'string' && content.startsWith('turn 0:')), 'what was folded stays folded');
    assert.equal(run.asked.filter(({ prompt }) => prompt.includes(`turn 1: ${text(240).slice(0, 20)}`)).length, 1, 'no summarizer reads it twice');
  }
});

test('a waitUntil that rejects ends nothing and is reported', async () => {
  const run = open({ waitUntil: () => Promise.reject(new Error('gone')) });
  await run.untilAsked();
  await pause();
  assert.deepEqual(run.events.filter(({ type }) => type === 'error').map(({ message }) => message), ['gone']);
});
