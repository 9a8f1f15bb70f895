// The speed bench: what the published `prepareStep` costs per step, beside what its users write instead. `--json` prints numbers only.
// Compares ratios, which hold on any machine; exits with 1 when one is more than twice over its limit, or one of limits.mjs is missed.
// Not a bench of quality: how well runs go is another matter.

import { pruneMessages } from 'ai';
import { createPrepareStep, estimateTokens } from 'stepfold';
import { createConversation } from './conversation.mjs';
import { isMissed, lineOf, measureLimits } from './limits.mjs';
import { measure } from './measure.mjs';

const SIZES = [10, 100, 1_000, 10_000];
const NEW_MESSAGES = 3;
/** What a step adds while a run grows to its first edit. */
const GROWTH_MESSAGES = 4;
const MODEL = { provider: 'openai', modelId: 'gpt-5', specificationVersion: 'v4' };
/** A window in which nothing is ever edited. */
const LARGE = { contextWindow: 100_000_000 };
/** A step without an edit at 1,000 messages, and the first sight of them, as multiples of `JSON.stringify`. */
const LIMITS = { step: 1 / 10, firstSight: 6 };
/** Times are noisy: only a limit that is missed by this factor makes the command fail. */
const NOISE = 2;

const asJson = process.argv.includes('--json');
const steps = [];
for (const size of SIZES) steps.push(await benchStep(size));
const firstSight = await benchFirstSight(1_000);
const newRequest = await benchNewRequest(1_000);
const edit = await benchEdit(1_000);
const growth = steps.at(-1).stepfold / steps.find(({ messages }) => messages === 100).stepfold;
const checks = [
  { name: 'a step without an edit at 1,000 messages', ratio: steps[2].stepfold / steps[2].stringify, limit: LIMITS.step },
  { name: 'first sight of 1,000 messages', ratio: firstSight.stepfold / firstSight.stringify, limit: LIMITS.firstSight },
];
const ofEstimate = await measureLimits();
const failed = [...checks.filter(({ ratio, limit }) => ratio > limit * NOISE), ...ofEstimate.filter(isMissed)];

if (asJson) console.log(JSON.stringify({ node: process.version, steps, firstSight, newRequest, edit, growth, checks, ofEstimate }, null, 2));
else await print();
process.exitCode = failed.length > 0 ? 1 : 0;

/** A step of a run that is under way: all but three messages were seen before. Microseconds. */
async function benchStep(size) {
  const seen = createConversation({ messages: size });
  const list = [...seen, ...createConversation({ messages: NEW_MESSAGES, seed: 2 })];
  const times = Math.max(1, Math.min(200, Math.round(20_000 / size)));
  const result = await measure({
    seconds: 2,
    work: {
      stepfold: {
        times,
        prepare: async () => {
          const fold = createPrepareStep(LARGE);
          return Promise.all(Array.from({ length: times }, () => beginRun({ fold, seen })));
        },
        run: async (runs) => {
          for (const { fold, input } of runs) mustNotEdit(await fold(input));
        },
      },
      ...rivals({ list, times }),
    },
  });
  return { messages: size, ...result };
}

/** A run whose first step is done, and the input of its second. */
async function beginRun({ fold, seen }) {
  const added = createConversation({ messages: NEW_MESSAGES, seed: 2 });
  const steps = [];
  const first = await fold({ messages: seen, steps, stepNumber: 0, model: MODEL });
  mustNotEdit(first);
  const tokens = estimateTokens(seen, { model: 'gpt-5' });
  steps.push({ usage: { inputTokens: tokens, outputTokens: 100 } });
  return { fold, input: { messages: [...seen, ...added], steps, stepNumber: 1, model: MODEL } };
}

function mustNotEdit(result) {
  if (result !== undefined) throw new Error('a step was edited that should not be');
}

/** What is written instead. */
function rivals({ list, times }) {
  const repeat = (work) => ({
    times,
    run: () => {
      for (let time = 0; time < times; time += 1) work();
    },
  });
  return {
    stringify: repeat(() => JSON.stringify(list).length / 4),
    prune: repeat(() => pruneMessages({ messages: list, reasoning: 'none', toolCalls: 'before-last-20-messages' })),
  };
}

/** Messages that were never seen, as on the first step of a request. */
async function benchFirstSight(size) {
  const list = createConversation({ messages: size });
  return measure({
    seconds: 3,
    work: {
      stepfold: {
        prepare: () => ({ fold: createPrepareStep(LARGE), messages: structuredClone(list) }),
        run: async ({ fold, messages }) => mustNotEdit(await fold({ messages, steps: [], stepNumber: 0, model: MODEL })),
      },
      stringify: { prepare: () => structuredClone(list), run: (messages) => JSON.stringify(messages).length / 4 },
    },
  });
}

/** The first step of a request on the messages of the one before, which was folded, and a new message of the user. */
async function benchNewRequest(size) {
  const list = createConversation({ messages: size });
  const tokens = estimateTokens(list, { model: 'gpt-5' });
  const options = { contextWindow: 4 * tokens, reserveTokens: 0, trigger: { tokens: Math.round(tokens * 0.9) }, target: { tokens: Math.round(tokens / 2) } };
  return measure({
    seconds: 3,
    work: {
      stepfold: {
        times: 10,
        prepare: () => Promise.all(Array.from({ length: 10 }, async () => {
          const fold = createPrepareStep(options);
          const messages = structuredClone(list);
          if ((await fold({ messages, steps: [], stepNumber: 0, model: MODEL })) === undefined) throw new Error('no edit was made');
          return { fold, messages: [...messages, { role: 'user', content: 'Go on with the next part, please.' }] };
        })),
        run: async (runs) => {
          for (const { fold, messages } of runs) await fold({ messages, steps: [], stepNumber: 0, model: MODEL });
        },
      },
      stringify: { prepare: () => structuredClone(list), run: (messages) => JSON.stringify(messages).length / 4 },
    },
  });
}

/** The step that crosses the trigger, in a run that grew to it and in one that saw all messages at once a step before; and the one after it. */
async function benchEdit(size) {
  const all = createConversation({ messages: size });
  const added = createConversation({ messages: 3 * GROWTH_MESSAGES, seed: 2 });
  // More, because after one report a part of what was estimated is taken for overhead.
  const manyAdded = createConversation({ messages: 80, seed: 2 });
  const tokensOf = (list) => estimateTokens(list, { model: 'gpt-5' });
  const tokens = tokensOf(all);
  const options = { contextWindow: 4 * tokens, reserveTokens: 0, trigger: { tokens: tokens + tokensOf(added) / 2 }, target: { tokens: Math.round(tokens / 2) } };
  const begin = async (lengths, added) => {
    const fold = createPrepareStep(options);
    const [seen, steps] = [structuredClone(all), []];
    for (const { length, inputTokens } of lengths) {
      mustNotEdit(await fold({ messages: seen.slice(0, length), steps, stepNumber: steps.length, model: MODEL }));
      steps.push({ usage: { inputTokens, outputTokens: 100 } });
    }
    return { fold, input: { messages: [...seen, ...added], steps, stepNumber: steps.length, model: MODEL } };
  };
  const growth = Array.from({ length: size / GROWTH_MESSAGES }, (_, step) => {
    const length = (step + 1) * GROWTH_MESSAGES;
    return { length, inputTokens: tokensOf(all.slice(0, length)) };
  });
  const edited = async ({ fold, input }) => {
    const result = await fold(input);
    if (result === undefined) throw new Error('no edit was made');
    return result.messages;
  };
  const afterEdit = async (run) => {
    const messages = [...(await edited(run)), ...createConversation({ messages: NEW_MESSAGES, seed: 3 })];
    run.input.steps.push({ usage: { inputTokens: Math.round(tokens / 2), outputTokens: 100 } });
    return { fold: run.fold, input: { ...run.input, messages, stepNumber: run.input.stepNumber + 1 } };
  };
  return measure({
    seconds: 3,
    work: {
      edit: { prepare: () => begin(growth, added), run: edited },
      editAtOnce: { prepare: () => begin(growth.slice(-1), manyAdded), run: edited },
      stepAfter: {
        times: 10,
        prepare: () => Promise.all(Array.from({ length: 10 }, async () => afterEdit(await begin(growth.slice(-1), manyAdded)))),
        run: async (runs) => {
          for (const { fold, input } of runs) await fold(input);
        },
      },
      stringify: { run: () => JSON.stringify(all).length / 4 },
    },
  });
}

async function print() {
  const list = createConversation({ messages: 1_000 });
  const bytes = JSON.stringify(list).length / list.length;
  console.log(`\nOverhead of a step: ${NEW_MESSAGES} new messages, no edit. Node ${process.version}, ${bytes.toFixed(0)} bytes a message, processor time, medians.\n`);
  console.table(
    Object.fromEntries(
      steps.map(({ messages, stepfold, stringify, prune }) => [
        `${messages} messages`,
        { stepfold: time(stepfold), 'JSON.stringify / 4': time(stringify), pruneMessages: time(prune), 'stepfold / JSON': ratio(stepfold / stringify), 'stepfold / prune': ratio(stepfold / prune) },
      ]),
    ),
  );
  console.log(`From 100 to 10,000 messages a step grows ${growth.toFixed(1)} times; JSON.stringify grows ${(steps[3].stringify / steps[1].stringify).toFixed(0)} times.\n`);
  console.table({
    'first sight (fresh objects)': { stepfold: time(firstSight.stepfold), 'JSON.stringify / 4': time(firstSight.stringify), ratio: ratio(firstSight.stepfold / firstSight.stringify) },
    'a new request on known messages': { stepfold: time(newRequest.stepfold), 'JSON.stringify / 4': time(newRequest.stringify), ratio: ratio(newRequest.stepfold / newRequest.stringify) },
    'a step with a deep edit': { stepfold: time(edit.edit), 'JSON.stringify / 4': time(edit.stringify), ratio: ratio(edit.edit / edit.stringify) },
    'the same right after first sight': { stepfold: time(edit.editAtOnce), 'JSON.stringify / 4': time(edit.stringify), ratio: ratio(edit.editAtOnce / edit.stringify) },
    'the step after it': { stepfold: time(edit.stepAfter), 'JSON.stringify / 4': time(edit.stringify), ratio: ratio(edit.stepAfter / edit.stringify) },
  });
  for (const { name, ratio: value, limit } of checks) {
    const verdict = value <= limit ? 'ok' : value <= limit * NOISE ? 'missed' : 'MISSED BY FAR';
    console.log(`${verdict}: ${name} takes ${ratio(value)} of JSON.stringify; the limit is ${ratio(limit)}`);
  }
  console.log('\nAs multiples of the token estimate of the same bytes:');
  for (const check of ofEstimate) console.log(lineOf(check));
  console.log('\nWhat the package weighs:');
  await import('../scripts/size.mjs');
}

function time(microseconds) {
  return microseconds < 1000 ? `${microseconds.toFixed(1)} µs` : `${(microseconds / 1000).toFixed(2)} ms`;
}

function ratio(value) {
  return value < 0.5 ? `1/${(1 / value).toFixed(0)}` : `${value.toFixed(2)} times`;
}
