// The gate on time: what first sight, a step, an edit and an edit with a summarizer cost, as multiples of a fixed piece of stepfold's own work in the same
// run, the token estimate of the same bytes as one text. Fails where one costs more than a tenth more than when its limit was written. Not the
// speed bench (run.mjs), which compares with what users write instead and prints these ratios too.

import { createPrepareStep, estimateTokens } from 'stepfold';
import { createConversation } from './conversation.mjs';
import { measure } from './measure.mjs';

/**
 * Limits by messages, as multiples of the estimate: the median of three runs of this file, and a tenth. Whoever makes something faster lowers them.
 *
 * @type {Record<number, Record<string, number>>}
 */
const LIMITS = {
  1_000: { step: 1, firstSight: 1, edit: 1, editWithSummary: 1 },
  10_000: { step: 1, firstSight: 1, edit: 1, editWithSummary: 1 },
};
const NAMES = { step: 'a step without an edit', firstSight: 'first sight', edit: 'an edit with default options', editWithSummary: 'an edit with a summarizer' };
/** A machine that does other things makes one run slow now and then, and hardly three: a limit is missed when all miss it. */
const TRIES = 1;

const MODEL = { provider: 'openai', modelId: 'gpt-5', specificationVersion: 'v4' };
/** A window in which nothing is ever edited. */
const LARGE = { contextWindow: 100_000_000 };
const NEW_MESSAGES = 3;
/** Steps in which a run grows to its edit. */
const GROWTH_STEPS = 250;
/** Edits are timed for so long, and at most so many of them. */
const EDIT_SECONDS = 3;
const MOST_EDITS = 7;
const SUMMARY = 'The parser was split in two, the cache is keyed by path, and the tests of the window pass. What is left is the stream. '.repeat(40);

/** Each ratio beside its limit, and the same work as a multiple of `JSON.stringify`; measured again, up to three times, while a limit is missed. */
export async function measureLimits() {
  const checks = [];
  for (const size of Object.keys(LIMITS).map(Number)) {
    let best;
    for (let tries = 0; tries < TRIES && (best === undefined || best.some(isMissed)); tries += 1) {
      const times = await timesOf(size);
      const now = Object.entries(LIMITS[size]).map(([name, limit]) => ({ size, name: `${NAMES[name]}, ${size.toLocaleString('en')} messages`, ratio: times[name] / times.estimate, limit, ofStringify: times[name] / times.stringify, milliseconds: times[name] / 1000 }));
      best = best === undefined ? now : best.map((check, index) => (now[index].ratio < check.ratio ? now[index] : check));
    }
    checks.push(...(best ?? []));
  }
  return checks;
}

export const isMissed = ({ ratio, limit }) => ratio > limit;

/** Median microseconds of each piece of work on a conversation of so many messages. */
async function timesOf(size) {
  const list = createConversation({ messages: size });
  const asText = JSON.stringify(list);
  const light = await measure({
    seconds: 2,
    leastRounds: 5,
    work: {
      estimate: { prepare: () => [{ role: /** @type {const} */ ('user'), content: asText }], run: (messages) => estimateTokens(messages, { model: 'gpt-5' }) },
      stringify: { prepare: () => structuredClone(list), run: (messages) => JSON.stringify(messages).length / 4 },
      firstSight: { prepare: () => ({ fold: createPrepareStep(LARGE), messages: structuredClone(list) }), run: async ({ fold, messages }) => mustNotEdit(await fold({ messages, steps: [], stepNumber: 0, model: MODEL })) },
      step: {
        times: 10,
        prepare: () => Promise.all(Array.from({ length: 10 }, () => secondStep(list))),
        run: async (runs) => {
          for (const { fold, input } of runs) mustNotEdit(await fold(input));
        },
      },
    },
  });
  const edit = await medianOfEdits(list, {});
  const editWithSummary = await medianOfEdits(list, { summarize: async () => SUMMARY });
  return { ...light, edit, editWithSummary };
}

/** A run whose first step is done, and the input of its second: a few messages more. */
async function secondStep(list) {
  const fold = createPrepareStep(LARGE);
  mustNotEdit(await fold({ messages: list, steps: [], stepNumber: 0, model: MODEL }));
  const steps = [{ usage: { inputTokens: estimateTokens(list, { model: 'gpt-5' }), outputTokens: 100 } }];
  return { fold, input: { messages: [...list, ...createConversation({ messages: NEW_MESSAGES, seed: 2 })], steps, stepNumber: 1, model: MODEL } };
}

/** Median microseconds of the step that edits, in runs that grew to it; of one run where that takes long. */
async function medianOfEdits(list, options) {
  const samples = [];
  for (let spent = 0; spent < EDIT_SECONDS * 1e6 && samples.length < MOST_EDITS; spent += samples.at(-1)) samples.push(await timeOfEdit(list, options));
  return samples.sort((left, right) => left - right)[samples.length >> 1];
}

/** Grows a run step by step until one is edited, and gives that step's processor time. */
async function timeOfEdit(list, options) {
  const fold = createPrepareStep({ contextWindow: Math.round(0.95 * estimateTokens(list, { model: 'gpt-5' })), ...options });
  const messages = structuredClone(list);
  const steps = [];
  let inputTokens = 0;
  let length = 0;
  for (let step = 1; step <= GROWTH_STEPS; step += 1) {
    const next = Math.round((step * list.length) / GROWTH_STEPS);
    inputTokens += estimateTokens(messages.slice(length, next), { model: 'gpt-5' });
    length = next;
    const input = { messages: messages.slice(0, length), steps, stepNumber: steps.length, model: MODEL };
    const start = process.cpuUsage();
    const result = await fold(input);
    const { user, system } = process.cpuUsage(start);
    if (result !== undefined) return user + system;
    steps.push({ usage: { inputTokens, outputTokens: 100 } });
  }
  throw new Error('no edit was made');
}

function mustNotEdit(result) {
  if (result !== undefined) throw new Error('a step was edited that should not be');
}

if (import.meta.filename === process.argv[1]) {
  const checks = await measureLimits();
  for (const { name, ratio, limit, ofStringify, milliseconds } of checks) {
    console.log(`${ratio <= limit ? 'ok' : 'MISSED'}: ${name}: ${ratio.toFixed(3)} times the estimate, limit ${limit}; ${ofStringify.toFixed(3)} times JSON.stringify; ${milliseconds.toFixed(2)} ms`);
  }
  process.exitCode = checks.some(isMissed) ? 1 : 0;
}
