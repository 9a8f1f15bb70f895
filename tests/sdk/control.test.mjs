// What can be asked of a session outside of a step: a dry run with its table, a checkpoint now, taking it back.
// Steps are driven by hand; nothing here calls a model.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StepfoldError, createSession, planContext } from 'stepfold';
import { call, isCheckpoint, MODEL, pause, result, text, turns, withoutBridges } from '../hand.mjs';
import { deepFreeze } from './watch.mjs';

/** A session with a summarizer that counts, and everything that was told. */
function open(options = {}) {
  const events = [];
  const asked = [];
  const summarize = async (request) => {
    asked.push(request);
    return `Summary ${asked.length}: the modules up to here were read, and their parsers fixed one by one.`;
  };
  const session = createSession({ contextWindow: 20_000, overheadTokens: 1, summarize, onEvent: (event) => events.push(event), ...options });
  return { session, events, asked, count: (type) => events.filter((event) => event.type === type).length };
}

const step = async (session, messages, steps = []) => (await session.prepareStep({ messages: deepFreeze(messages), steps, stepNumber: steps.length, model: MODEL }))?.messages ?? messages;
const reads = (count) => Array.from({ length: count }, (_, n) => [call(`r${n}`, { path: `src/${n}.ts` }), result(`r${n}`, `${text(300)}${n}`)]).flat();

test('a dry run says for each message and tool what would happen, and changes nothing', async () => {
  const { session, events, asked } = open({ contextWindow: 16_000, trigger: 0.5, target: 0.2, modelFamily: 'claude', summarizeWindow: 64_000 });
  const messages = deepFreeze([{ role: 'user', content: 'Fix it.' }, ...reads(14), ...turns(16)]);
  const plan = await session.plan(messages, { model: MODEL });
  assert.ok(plan.tokensAfter < plan.tokensBefore && plan.tokensAfter <= plan.limitTokens);
  assert.ok(plan.events.some(({ type }) => type === 'checkpoint'));
  assert.equal(plan.messages.filter(isCheckpoint).length, 1);
  const lines = plan.table.split('\n');
  // Neighbours that the checkpoint stands for share a line; the others have one each.
  const [, last, folded] = (/^ *0-(\d+) +\d+ +0 {2}(\d+) messages: folded into the checkpoint, as /m.exec(plan.table) ?? []).map(Number);
  assert.equal(folded, last + 1);
  for (const [index, { role }] of messages.entries()) if (index > last) assert.match(plan.table, new RegExp(`^ *${index} +\\d+ +\\d+  ${role}`, 'm'));
  assert.match(plan.table, /^ {3}tool +\d{4} +0 {2}read$/m);
  assert.equal(plan.table.match(/folded into the checkpoint, as /g)?.length, 1);
  assert.match(plan.table, /^ +0 +\d+ {2}checkpoint$/m);
  assert.ok(lines.some((line) => line.startsWith(`Saves ${plan.tokensBefore - plan.tokensAfter} tokens`) && line.includes('from message 0 on')), plan.table);
  // The fold must pay for the summary: for what is read to write it, and for its 2,000 tokens of output.
  const [, withSummary] = (/that costs (\d+) once, the summary included, and saves \d+ each time/.exec(plan.table) ?? []).map(Number);
  assert.ok(withSummary > plan.tokensAfter + 2_000 * 5 && withSummary < plan.tokensBefore + plan.tokensAfter + 2_000 * 5, plan.table);
  assert.ok(plan.table.includes(`The prompt has ${plan.tokensBefore} tokens`) && plan.table.includes(`would have ${plan.tokensAfter}`));
  assert.deepEqual([events, asked, session.state.fold], [[], [], undefined]);

  // What it says is what the step does, apart from the summary.
  const sent = await step(session, messages);
  assert.equal(sent.length, plan.messages.length);
  assert.equal(asked.length, 1);
  // The step decided; now nothing new would happen, and the table says what was decided before.
  const after = await session.plan();
  assert.match(after.table, /^ +0-\d+ +\d+ +0 {2}\d+ messages, before: folded/m);
  assert.match(after.table, /Nothing new would happen/);
  assert.deepEqual(after.messages, sent);
});

test('a dry run says what an edit costs and saves, by the prices of the model', async () => {
  const messages = [{ role: 'user', content: 'Fix it.' }, ...reads(14), ...turns(16)];
  const reported = async (options) => {
    const plan = await createSession({ contextWindow: 16_000, trigger: 0.5, target: 0.2, ...options }).plan(messages, { model: MODEL });
    const [, once, each, requests, steps] = (/that costs (\d+) once and saves (\d+) each time: paid back after (\d+) requests?\. As many steps as so far are to be expected: (\d+)\./.exec(plan.table) ?? []).map(Number);
    assert.equal(requests, Math.ceil(once / each), plan.table);
    assert.equal(steps, messages.filter(({ role }) => role === 'assistant').length);
    return { plan, once, each };
  };
  // Reading from the cache costs a tenth of new input, writing into it 1.25: the fold must pay for what it makes the provider write.
  const { plan, once, each } = await reported({ modelFamily: 'claude' });
  assert.equal(each, Math.floor((plan.tokensBefore - plan.tokensAfter) / 10));
  assert.ok(once > plan.tokensAfter && once <= Math.ceil(1.15 * plan.tokensAfter), plan.table);
  // Where nothing is cached, an edit costs nothing and saves all of it.
  const uncached = await reported({ modelFamily: 'claude', prices: { input: 3, cacheRead: 3, cacheWrite: 3, output: 15 } });
  assert.deepEqual([uncached.once, uncached.each], [0, plan.tokensBefore - plan.tokensAfter]);
});

test('a dry run says what requests cost as they would be sent and unedited, where prices are known', () => {
  const messages = [{ role: 'user', content: 'Fix it.' }, ...reads(14), ...turns(16)];
  const options = { contextWindow: 16_000, trigger: 0.5, target: 0.2 };
  const plan = planContext(messages, { ...options, model: 'claude-sonnet-4-5' });
  // What is read costs 0.3 dollars for a million tokens, what is written 3.75.
  assert.equal(plan.cost?.unedited, Math.round(plan.tokensBefore * 0.3) / 1e6);
  assert.equal(plan.cost?.later, Math.round(plan.tokensAfter * 0.3) / 1e6);
  assert.ok(plan.cost.next > plan.cost.later && plan.cost.next <= (plan.tokensAfter * 3.75) / 1e6 + 1e-6, JSON.stringify(plan.cost));
  const dear = planContext(messages, { ...options, model: 'claude-sonnet-4-5', prices: { input: 30, cacheRead: 3 } });
  assert.equal(dear.cost?.unedited, Math.round(plan.tokensBefore * 3) / 1e6);
  assert.equal(planContext(messages, options).cost, undefined);
  const quiet = planContext(turns(2), { model: 'claude-sonnet-4-5' });
  assert.deepEqual(quiet.cost, { next: quiet.cost?.later, later: quiet.cost?.later, unedited: quiet.cost?.later });
});

test('the table of a quiet conversation, and of one rung alone', () => {
  const quiet = planContext(turns(2), { contextWindow: 20_000 });
  assert.match(quiet.table, /Nothing new would happen/);
  const cleared = planContext([{ role: 'user', content: 'Fix it.' }, ...reads(12)], { contextWindow: 12_000, maxResultTokens: 100_000 });
  assert.match(cleared.table, /tool read: cleared, as old results/);
  assert.doesNotMatch(cleared.table, /folded into the checkpoint/);
  assert.doesNotMatch(cleared.table, /more than fits/);
});

test('the table says what is kept for system prompt and tools, and when nothing helps', () => {
  const long = [{ role: /** @type {const} */ ('user'), content: 'word '.repeat(40_000) }];
  const { table, limitTokens } = planContext(long, { contextWindow: 16_000 });
  const [, fit, kept] = (/(\d+) fit, as (\d+) more are kept for system prompt and tools until their size is known\./.exec(table) ?? []).map(Number);
  assert.equal(fit, limitTokens);
  assert.equal(fit + kept, 12_000);
  assert.match(table, /That is more than fits, and nothing more can give way\./);
  assert.match(planContext(long, { contextWindow: 16_000, overheadTokens: 2_000 }).table, /ends at \d+; \d+ fit\.\n/);
});

test('compact makes a checkpoint long before the trigger, with the focus in the prompt, and the next step sends it', async () => {
  const { session, events, asked, count } = open();
  const messages = turns(8);
  assert.deepEqual(await step(session, messages), messages);
  const done = await session.compact({ focus: 'the parser of {fence} and $&' });
  assert.equal(done.compacted, true);
  assert.ok(done.tokensAfter < done.tokensBefore);
  assert.equal(asked.length, 1);
  for (const text of [asked[0].prompt, asked[0].instruction]) assert.match(text, /What matters most this time:\nthe parser of \{fence\} and \$&\n/);
  assert.deepEqual([count('checkpoint-started'), count('checkpoint')], [1, 1]);
  assert.equal(events.find(({ type }) => type === 'checkpoint').content, 'summary');
  const sent = await step(session, [...messages, { role: 'user', content: 'And now?' }]);
  assert.ok(isCheckpoint(sent[0]) && sent[0].content[0].text.includes('Summary 1'));
  assert.deepEqual(sent.slice(0, -1), done.messages);
  assert.equal(asked.length, 1, 'no second summary of the same span');
  // Again and again, until nothing but the newest message is left.
  while ((await session.compact()).compacted) assert.ok(asked.length < 6);
  assert.deepEqual(withoutBridges((await session.plan()).messages).length, 2);
});

test('compact on messages that no step has seen, on another server, and saved for the next', async () => {
  const store = new Map();
  const first = open({ id: 'chat', store });
  await assert.rejects(first.session.compact(), (error) => StepfoldError.isInstance(error) && error.code === 'invalid-message' && error.message.includes('compact'));
  await assert.rejects(first.session.plan(), (error) => StepfoldError.isInstance(error));
  const { compacted } = await first.session.compact({ messages: turns(8), model: MODEL });
  assert.equal(compacted, true);
  const second = open({ id: 'chat', store });
  const sent = await step(second.session, [...turns(8), { role: 'user', content: 'And now?' }]);
  assert.ok(isCheckpoint(sent[0]));
  assert.equal(second.asked.length, 0);
});

test('compact in the middle of a run is taken up by its next step, on each way of handing messages on', async () => {
  for (const carries of [false, true]) {
    const { session, asked } = open();
    const steps = [];
    const list = turns(8);
    await step(session, list, steps);
    assert.equal((await session.compact()).compacted, true);
    steps.push({ usage: { inputTokens: 2_500, outputTokens: 1 } });
    const more = [...list, ...turns(1, 'then')];
    const sent = await step(session, more, steps);
    assert.ok(isCheckpoint(sent[0]));
    steps.push({ usage: { inputTokens: 900, outputTokens: 1 } });
    const last = turns(1, 'last');
    const next = await step(session, [...(carries ? sent : more), ...last], steps);
    assert.deepEqual(next, [...sent, ...last]);
    assert.equal(asked.length, 1);
  }
});

test('an aborted compact changes nothing', async () => {
  const { session, events } = open();
  await step(session, turns(8));
  const { compacted, tokensAfter, tokensBefore } = await session.compact({ abortSignal: AbortSignal.abort() });
  assert.deepEqual([compacted, tokensAfter], [false, tokensBefore]);
  assert.equal(events.find(({ type }) => type === 'fallback').reason, 'aborted');
  assert.equal(session.state.fold, undefined);
});

test('what a step decides while compact waits for its summary is not written over', async () => {
  const answers = [];
  const { session, count } = open({ trigger: 0.5, target: 0.2, summarize: () => new Promise((resolve) => answers.push(resolve)) });
  await step(session, turns(8));
  const compacting = session.compact();
  await pause();
  assert.equal(session.status, 'compacting');
  const stepping = step(session, turns(36, 'other'));
  await pause();
  answers[1]('Summary: everything of the other conversation up to here was told and nothing is open.');
  await stepping;
  const kept = JSON.stringify(session.state);
  answers[0]('Summary: everything up to here was told and nothing is open in this conversation.');
  assert.equal((await compacting).compacted, false);
  assert.equal(count('session-conflict'), 1);
  assert.equal(JSON.stringify(session.state), kept);
});

test('undo takes the newest checkpoint back: the messages are sent as they are, until the next trigger', async () => {
  const { session, asked } = open();
  const messages = turns(8);
  await step(session, messages);
  assert.equal(await session.undo(), false, 'there is nothing to take back');
  await session.compact();
  assert.equal(await session.undo(), true);
  assert.equal(await session.undo(), false);
  const more = [...messages, ...turns(1, 'then')];
  assert.deepEqual(await step(session, more), more);
  assert.equal(asked.length, 1);
  // The checkpoint before is in force again.
  await session.compact();
  const long = [...more, ...turns(6, 'later')];
  const older = (await step(session, long))[0];
  await session.compact();
  assert.notDeepEqual((await step(session, long))[0], older);
  assert.equal(await session.undo(), true);
  assert.deepEqual((await step(session, long))[0], older);
});

test('undo in a run that hands on what was sent brings the raw messages back, and is saved', async () => {
  const store = new Map();
  const { session } = open({ id: 'chat', store });
  const steps = [];
  const list = turns(8);
  await step(session, list, steps);
  await session.compact();
  steps.push({ usage: { inputTokens: 2_500, outputTokens: 1 } });
  const sent = await step(session, [...list, ...turns(1, 'then')], steps);
  assert.ok(isCheckpoint(sent[0]));
  await session.undo();
  steps.push({ usage: { inputTokens: 900, outputTokens: 1 } });
  const last = turns(1, 'last');
  assert.deepEqual(await step(session, [...sent, ...last], steps), [...list, ...turns(1, 'then'), ...last]);
  const { session: other } = open({ id: 'chat', store });
  assert.deepEqual(await step(other, list), list);
});

for (const what of ['undo', 'compact']) {
  test(`${what} while a step waits for its summary is not written over by that step`, async () => {
    const answers = [];
    let waits = false;
    const { session, count } = open({
      summarize: () => (waits ? new Promise((resolve) => answers.push(resolve)) : Promise.resolve('Summary: the modules up to here were read, one by one.')),
    });
    const steps = [];
    let list = [{ role: 'user', content: 'Fix it.' }, ...turns(70)];
    await step(session, list, steps);
    assert.ok(count('checkpoint') > 0);
    steps.push({ usage: {} });
    list = [...list, ...turns(60, 'more')];
    waits = true;
    const waiting = step(session, list, steps);
    await pause();
    assert.equal(answers.length, 1);
    waits = false;
    if (what === 'undo') assert.equal(await session.undo(), true);
    else assert.equal((await session.compact()).compacted, true);
    const decided = JSON.stringify(session.state.fold);
    answers[0]('Summary of the step in flight: the modules up to here were read.');
    await waiting;
    assert.equal(JSON.stringify(session.state.fold), decided);
    assert.equal(count('session-conflict'), 1);
  });
}

test('a dry run knows the usage that was reported, and an aborted compact leaves it to the next step', async () => {
  const { session } = open({ overheadTokens: 0, contextWindow: 40_000 });
  const list = [{ role: 'user', content: 'Fix it.' }, ...turns(4)];
  await step(session, list);
  const { tokensBefore } = await session.plan();
  session.onStepEnd({ inputTokens: tokensBefore + 7_000 });
  assert.ok((await session.plan()).tokensBefore > tokensBefore + 6_000);
  await session.compact({ abortSignal: AbortSignal.abort() });
  assert.ok((await session.plan()).tokensBefore > tokensBefore + 6_000);
});
