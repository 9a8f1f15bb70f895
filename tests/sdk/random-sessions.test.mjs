// Random sessions with restarts between requests: nothing of the history is lost, no result is without its call,
// and no span is summarized twice. Generated from a seed; steps are driven by hand, the summarizer is a mock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateMessages, createSession } from 'stepfold';
import { createRandom, MODEL, withoutBridges } from '../hand.mjs';
import { amount } from '../amount.mjs';
import { words } from './script.mjs';

const SESSIONS = amount({ push: 150, night: 1_000 });

/** What one step of a model adds, the last of a request being its answer, with marks that are found again in prompts. */
function stepOf(random, mark, isLast) {
  const size = 20 + random(180);
  if (isLast) return [{ role: 'assistant', content: `${mark()} ${words(size, size)}` }];
  const calls = Array.from({ length: 1 + random(3) }, () => ({ toolCallId: mark(), toolName: random(3) === 0 ? 'run' : 'read' }));
  return [
    { role: 'assistant', content: [...(random(2) === 0 ? [{ type: 'text', text: `${mark()} looking.` }] : []), ...calls.map((call, n) => ({ type: 'tool-call', ...call, input: { path: `src/${random(9)}.ts`, mark: call.toolCallId, n } }))] },
    { role: 'tool', content: calls.map((call) => ({ type: 'tool-result', ...call, output: random(6) === 0 ? { type: 'error-text', value: `${call.toolCallId} failed` } : { type: 'text', value: `${call.toolCallId} ${words(size, size + 1)}` } })) },
  ];
}

/** Marks that stand in the part of the conversation that a summarizer is to summarize. */
const marksIn = (text) => new Set(text.match(/mark-\d+/g) ?? []);
const idsOf = ({ content }) => (typeof content === 'string' ? [content] : content.map(({ toolCallId, text }) => toolCallId ?? text));

async function play(seed) {
  const random = createRandom(seed);
  const store = new Map();
  const background = [];
  const summarized = [];
  const problems = [];
  let marks = 0;
  const mark = () => `mark-${(marks += 1)}`;
  const carries = random(2) === 0;
  const options = {
    id: 'chat', store, contextWindow: 3_000 + random(3_000), overheadTokens: 1,
    ...(random(3) === 0 ? { summarizeAhead: true, waitUntil: (promise) => background.push(promise) } : {}),
    summarize: async ({ prompt }) => {
      const conversation = /\n--- conversation \w+ ---\n([^]*?)\n--- end /.exec(prompt)?.[1];
      // Told as a fallback.
      if (conversation === undefined) throw new Error('a prompt without a conversation');
      summarized.push(marksIn(conversation));
      return `Summary ${summarized.length}: the modules up to here were read and their parsers fixed, one by one.`;
    },
    onEvent: (event) => {
      if (['error', 'fallback', 'state-rejected', 'store-failed', 'session-conflict'].includes(event.type)) problems.push(event);
    },
  };
  const request = `Please fix all of it; the request of session ${seed} stands.`;
  let raw = [];
  for (let requests = 2 + random(3); requests > 0; requests -= 1) {
    // Another process, and messages from a database.
    await Promise.all(background.splice(0));
    const session = createSession(options);
    raw = [...JSON.parse(JSON.stringify(raw)), { role: 'user', content: raw.length === 0 ? request : `${mark()} and then?` }];
    let list = [...raw];
    const steps = [];
    for (let count = 2 + random(8); count > 0; count -= 1) {
      const sent = (await session.prepareStep({ messages: list, steps, stepNumber: steps.length, model: MODEL }))?.messages ?? list;
      assertWhole(sent, raw, request, seed);
      const added = stepOf(random, mark, count === 1);
      raw = [...raw, ...added];
      list = [...(carries ? sent : list), ...added];
      steps.push({ usage: {} });
    }
  }
  assert.deepEqual(problems, [], `session ${seed}`);
  const all = summarized.flatMap((span) => [...span]);
  assert.equal(new Set(all).size, all.length, `session ${seed}: a span was summarized twice`);
  return summarized.length;
}

/** What is sent is the raw history, or a checkpoint of its beginning and all that comes behind that. */
function assertWhole(sent, raw, request, seed) {
  assert.deepEqual(validateMessages(sent), [], `session ${seed}`);
  const [first, ...rest] = withoutBridges(sent);
  const isFolded = first.providerOptions?.stepfold?.checkpoint !== undefined;
  const kept = isFolded ? rest : [first, ...rest];
  assert.ok(isFolded || kept.length === raw.length, `session ${seed}: messages are missing without a checkpoint`);
  assert.deepEqual(kept.map(idsOf), raw.slice(raw.length - kept.length).map(idsOf), `session ${seed}`);
  assert.ok(JSON.stringify(first).includes(request), `session ${seed}: the request is lost`);
}

test(`${SESSIONS} random sessions with restarts between requests: no history loss, no orphan, no second summary of the same span`, async () => {
  let summaries = 0;
  for (let seed = 1; seed <= SESSIONS; seed += 1) summaries += await play(seed);
  assert.ok(summaries > SESSIONS, `only ${summaries} summaries were made`);
});
