// What stepfold sends is accepted wherever the unedited conversation was: real `ai` 5, 6 and 7, real provider packages, recorded
// requests, the oracle. Runs the built package. Says nothing about how well stepfold chooses.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { validateMessages, createPrepareStep } from '../../pkg/dist/index.js';
import { amount } from '../amount.mjs';
import { createTally, driveConversation, WINDOW } from './drive.mjs';
import { generateConversation, PROVIDERS } from './generate.mjs';
import { MAJORS } from './send.mjs';

/** At a push the majors take turns; each summary and each window has one, and a conversation that its provider compacts. */
const seedsOf = (major) => {
  const seeds = Array.from({ length: amount({ push: 12, night: 60 }) }, (_, seed) => seed);
  return amount({ push: seeds.filter((seed) => seed % MAJORS.length === major % MAJORS.length), night: seeds });
};

/** A summarizer may answer anything. `undefined`: there is none, and checkpoints hold the digest. */
const SUMMARIES = [
  undefined,
  'The parser was fixed, tests pass.',
  undefined,
  '',
  ' \n',
  'Cut in the middle: \ud83d',
  '<end> '.repeat(5000),
];
const WINDOWS = [WINDOW, { contextWindow: 4000, reserveTokens: 500 }, { contextWindow: 20_000, reserveTokens: 4000 }];

const tally = createTally();

for (const major of MAJORS) {
  for (const provider of PROVIDERS) {
    test(`edits of conversations of ${provider} are accepted, v${major}`, async () => {
      const failures = [];
      for (const seed of seedsOf(major)) {
        const conversation = generateConversation(optionsOf({ seed, major, provider }));
        const summary = SUMMARIES[seed % SUMMARIES.length];
        const create = (options) => createPrepareStep(summary === undefined ? options : { ...options, summarize: async () => summary });
        const window = WINDOWS[seed % WINDOWS.length];
        for (const endpoint of conversation.endpoints) {
          failures.push(...(await driveConversation(conversation, { endpoint, createPrepareStep: create, tally, window })));
        }
      }
      assert.equal(failures.length, 0, describe(failures));
    });

    test(`validateMessages accepts what providers accept of conversations of ${provider}, v${major}`, () => {
      for (const seed of seedsOf(major)) {
        const { messages, steps, endpoints } = generateConversation(optionsOf({ seed, major, provider }));
        const apis = new Set(['all', ...endpoints.map((endpoint) => endpoint.split('-')[0])]);
        for (const { end } of steps) {
          const violations = validateMessages(messages.slice(0, end)).filter(({ rejectedBy }) => apis.has(rejectedBy));
          assert.deepEqual(violations, [], `seed ${seed}, ${end} messages`);
        }
      }
    });
  }
}

function optionsOf({ seed, major, provider }) {
  return { seed, major, provider, compaction: provider !== 'none' && seed % 8 === 7 };
}

/** The first failure of each rule in full, and how many there are. */
function describe(failures) {
  const rules = [...new Set(failures.map(({ rule }) => rule))];
  return rules
    .map((rule) => {
      const [first, ...others] = failures.filter((failure) => failure.rule === rule);
      return `${rule}, ${others.length + 1} times. First: ${JSON.stringify(first, null, 2)}`;
    })
    .join('\n');
}

after(() => {
  console.log(String(tally));
  for (const rung of ['cleared', 'checkpoint', 'capped', 'squeezed'])
    assert.ok(tally.total(rung) > 0, `no step was ${rung}: the test would prove nothing`);
});
