// Runs the golden cases through the published `prepareStep`: the same files that `main.rs` runs against the engine.
// Holds no expectation of its own; `README.md` tells the format.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createPrepareStep } from 'stepfold';

const folder = new URL('.', import.meta.url);
const cases = readdirSync(folder).filter((name) => name.endsWith('.json')).sort();
/** Events that tell what was looked at or tried, not what was done. */
const UNREPORTED = new Set(['measured', 'checkpoint-started', 'fallback', 'usage-not-reported', 'folded-anew']);

test('there are golden cases', () => assert.ok(cases.length >= 8, `there are only ${cases.length}`));

for (const name of cases) {
  const golden = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  test(`${name}: ${golden.title}`, async () => assert.deepEqual(await run(golden), golden.expected));
}

/** What is sent at each step: the raw history goes in every time, without usage. */
async function run({ model, options, summary, messages, steps: ends }) {
  let events = [];
  const prepareStep = createPrepareStep({
    ...options,
    ...(summary === undefined ? {} : { summarize: () => summary }),
    onEvent: ({ type }) => events.push(type),
  });
  const steps = [];
  const reported = [];
  let before = [];
  for (const [stepNumber, end] of ends.entries()) {
    events = [];
    const given = messages.slice(0, end);
    const sent = (await prepareStep({ messages: given, steps, stepNumber, model }))?.messages ?? given;
    const isUnchanged = sent.length === end && sent.every((message, index) => message === messages[index]);
    // A message is told by its number only if it is the same object.
    const list = sent.map((message) => (messages.includes(message) ? messages.indexOf(message) : plain(message)));
    reported.push({ events: events.filter((type) => !UNREPORTED.has(type)), messages: isUnchanged ? 'unchanged' : list.map((message) => again(message, before)) });
    before = list;
    steps.push({ usage: {} });
  }
  return reported;
}

/** What was sent at the step before, too, is told by its place there. */
function again(message, before) {
  const at = typeof message === 'object' ? before.findIndex((known) => isDeepStrictEqual(known, message)) : -1;
  return at === -1 ? message : `as ${at} before`;
}

const plain = (message) => JSON.parse(JSON.stringify(message));
