// The gate on time: what first sight, a step, an edit, a fold, a fold with a summarizer and an edit late in a run cost, as multiples of a fixed
// piece of stepfold's own work in the same run, the token estimate of the same bytes as one text. Fails where one costs about a third more than when its limit was written. Not the
// speed bench (run.mjs), which compares with what users write instead and prints these ratios too.

import { resolve } from 'node:path';
import { createPrepareStep, estimateTokens } from 'stepfold';
import { createConversation } from './conversation.mjs';

/**
 * Limits by messages, as multiples of the estimate: the higher of two runs of this file on a machine with two cores, and a third of it, of edits a quarter. A tenth would
 * be missed where caches are of another size; what becomes twice as slow is noticed with a third as well. Whoever makes something faster lowers them.
 *
 * @type {Record<number, Record<string, number>>}
 */
const LIMITS = {
  1_000: { step: 0.055, firstSight: 4.2, edit: 13.5, fold: 20.5, foldWithSummary: 34, laterEdit: 4 },
  10_000: { step: 0.012, firstSight: 4.2, edit: 15.5, fold: 19.5, foldWithSummary: 29, laterEdit: 0.58 },
};
const NAMES = { step: 'a step without an edit', firstSight: 'first sight', edit: 'the first edit with default options, which clears', fold: 'a first edit that folds', foldWithSummary: 'a first edit that folds with a summarizer', laterEdit: 'a later edit in a window of 32k' };
/** A machine that does other things makes one run slow now and then, and hardly three: of up to three the least times count. */
const TRIES = 3;

const MODEL = { provider: 'openai', modelId: 'gpt-5', specificationVersion: 'v4' };
/** A window in which nothing is ever edited. */
const LARGE = { contextWindow: 100_000_000 };
const NEW_MESSAGES = 3;
/** Steps without an edit that are timed together. */
const STEPS = 10;
/** The step at 1,000 messages takes a fifth of a millisecond: of seven rounds the least was up to 40 % above that of others. */
const ROUNDS = 21;
/** An edit so deep that clearing is not enough. */
const DEEP = { target: 0.15 };
/** Steps in which a run grows to its edit. */
const GROWTH_STEPS = 250;
/** Edits are timed for so long, and at most so many of them. */
const EDIT_SECONDS = 3;
const MOST_EDITS = 7;
const WARMING_EDITS = 10;
const LAST_EDITS = 24;
const SUMMARY = 'The parser was split in two, the cache is keyed by path, and the tests of the window pass. What is left is the stream. '.repeat(40);

/** Each ratio beside its limit, and the same work as a multiple of `JSON.stringify`; measured again, up to three times, while a limit is missed. */
export async function measureLimits() {
  const checks = [];
  for (const size of Object.keys(LIMITS).map(Number)) {
    let times = await timesOf(size);
    for (let tries = 1; tries < TRIES && checksOf(size, times).some(isMissed); tries += 1) {
      const again = await timesOf(size);
      times = Object.fromEntries(Object.entries(times).map(([name, time]) => [name, Math.min(time, again[name])]));
    }
    checks.push(...checksOf(size, times));
  }
  return checks;
}

function checksOf(size, times) {
  return Object.entries(LIMITS[size]).map(([name, limit]) => ({
    name: `${NAMES[name]}, ${size.toLocaleString('en')} messages`,
    ratio: times[name] / times.estimate,
    limit,
    ofStringify: times[name] / times.stringify,
    milliseconds: times[name] / 1000,
  }));
}

export const isMissed = ({ ratio, limit }) => ratio > limit;

/** Microseconds of each piece of work on a conversation of so many messages: of the least disturbed round, because other work on the machine only adds. */
async function timesOf(size) {
  const list = createConversation({ messages: size });
  const asText = JSON.stringify(list);
  const times = await leastTimes({
    estimate: { prepare: () => [{ role: /** @type {const} */ ('user'), content: asText }], run: (messages) => estimateTokens(messages, { model: 'gpt-5' }) },
    stringify: { prepare: () => structuredClone(list), run: (messages) => JSON.stringify(messages).length / 4 },
    firstSight: { prepare: () => ({ fold: createPrepareStep(LARGE), messages: structuredClone(list) }), run: async ({ fold, messages }) => mustNotEdit(await fold({ messages, steps: [], stepNumber: 0, model: MODEL })) },
    step: { times: STEPS, prepare: () => underWay(list), run: takeSteps },
  });
  const edits = { edit: await leastEdit(list, {}), fold: await leastEdit(list, DEEP), foldWithSummary: await leastEdit(list, { ...DEEP, summarize: async () => SUMMARY }) };
  return { ...times, ...edits, ...(LIMITS[size].laterEdit && { laterEdit: await laterEdit(list) }) };
}

/** Rounds are interleaved, so that a busy machine disturbs all pieces alike. */
async function leastTimes(work) {
  const least = Object.fromEntries(Object.keys(work).map((name) => [name, Infinity]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, { prepare, run, times = 1 }] of Object.entries(work)) {
      const prepared = await prepare();
      least[name] = Math.min(least[name], (await timeOf(() => run(prepared))) / times);
    }
  }
  return least;
}

/** Processor time of the whole process in microseconds, so that compilers and garbage collection count. */
async function timeOf(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** A run whose first step is done, and what it is given at the next ones: a few messages more each time. */
async function underWay(list) {
  const fold = createPrepareStep(LARGE);
  mustNotEdit(await fold({ messages: list, steps: [], stepNumber: 0, model: MODEL }));
  const added = createConversation({ messages: STEPS * NEW_MESSAGES, seed: 2 });
  const lists = Array.from({ length: STEPS }, (_, step) => [...list, ...added.slice(0, (step + 1) * NEW_MESSAGES)]);
  return { fold, lists, inputTokens: estimateTokens(list, { model: 'gpt-5' }) };
}

async function takeSteps({ fold, lists, inputTokens }) {
  const steps = [];
  for (const messages of lists) {
    steps.push({ usage: { inputTokens: inputTokens + 500 * steps.length, outputTokens: 100 } });
    mustNotEdit(await fold({ messages, steps, stepNumber: steps.length, model: MODEL }));
  }
}

/** Microseconds of the least disturbed of several steps that edit; of one where that takes long. */
async function leastEdit(list, options) {
  let least = Infinity;
  for (let spent = 0, edits = 0; spent < EDIT_SECONDS * 1e6 && edits < MOST_EDITS; edits += 1) {
    const time = await timeOfEdit(list, options);
    least = Math.min(least, time);
    spent += time;
  }
  return least;
}

/** Grows a run step by step until one is edited, and gives that step's processor time. */
async function timeOfEdit(list, options) {
  let folds = false;
  const onEvent = (event) => (folds ||= event.type === 'checkpoint');
  const fold = createPrepareStep({ contextWindow: Math.round(0.95 * estimateTokens(list, { model: 'gpt-5' })), onEvent, ...options });
  const messages = structuredClone(list);
  const steps = [];
  let inputTokens = 0;
  let length = 0;
  for (let step = 1; step <= GROWTH_STEPS; step += 1) {
    const next = Math.round((step * list.length) / GROWTH_STEPS);
    inputTokens += estimateTokens(messages.slice(length, next), { model: 'gpt-5' });
    length = next;
    const input = { messages: messages.slice(0, length), steps, stepNumber: steps.length, model: MODEL };
    let result;
    const time = await timeOf(async () => (result = await fold(input)));
    if (result !== undefined && folds !== ('target' in options)) throw new Error(folds ? 'an edit with default options folded' : 'a deep edit did not fold');
    if (result !== undefined) return time;
    steps.push({ usage: { inputTokens, outputTokens: 100 } });
  }
  throw new Error('no edit was made');
}

/**
 * The same of a run that goes on, whose checkpoint is replaced again and again: what stands behind it must cost nothing. The mean of the
 * last edits in a window of 32k, behind which almost all messages stand: half of them clear and half of them fold, so a median would be one or the other by chance.
 */
async function laterEdit(list) {
  const fold = createPrepareStep({ contextWindow: 32_000 });
  const messages = structuredClone(list);
  const [steps, times] = [[], []];
  let before = [];
  for (let end = 2; end <= messages.length; end += 2) {
    const given = messages.slice(0, end);
    let result;
    const time = await timeOf(async () => (result = await fold({ messages: given, steps, stepNumber: steps.length, model: MODEL })));
    const sent = result?.messages ?? given;
    if (before.some((message, at) => sent[at] !== message)) times.push(time);
    before = sent;
    steps.push({ usage: { inputTokens: estimateTokens(sent, { model: 'gpt-5' }), outputTokens: 100 } });
  }
  const later = times.slice(WARMING_EDITS).slice(-LAST_EDITS);
  if (later.length < WARMING_EDITS) throw new Error(`only ${times.length} edits were made`);
  return later.reduce((sum, time) => sum + time, 0) / later.length;
}

function mustNotEdit(result) {
  if (result !== undefined) throw new Error('a step was edited that should not be');
}

/** A check as a line for people. */
export function lineOf(check) {
  const { name, ratio, limit, ofStringify, milliseconds } = check;
  return `${isMissed(check) ? 'MISSED' : 'ok'}: ${name}: ${ratio.toFixed(3)} times the estimate, limit ${limit}; ${ofStringify.toFixed(3)} times JSON.stringify; ${milliseconds.toFixed(2)} ms`;
}

if (import.meta.filename === resolve(process.argv[1] ?? '')) {
  const checks = await measureLimits();
  for (const check of checks) console.log(lineOf(check));
  process.exitCode = checks.some(isMissed) ? 1 : 0;
}
