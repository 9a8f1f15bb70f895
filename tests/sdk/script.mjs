// The conversation most tests run: an agent that reads, searches and runs its way through 30 steps, by turns calmly and badly.
// Everything is a function of the step number. Holds no tests.

import { createModel, createTools, run } from './sdk.mjs';

const WORDS = 'window budget tokens message result folder branch commit parser editor cursor buffer server client request answer'.split(' ');

/** Plain words, the same for the same seed. */
export function words(count, seed = 1) {
  let state = seed * 7919 + 17;
  const list = Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return WORDS[(state >>> 16) % WORDS.length];
  });
  return list.join(' ');
}

const STEPS = 30;
/** The step whose result alone is larger than the window. */
const GIANT_STEP = 9;
const ERROR_STEP = 12;

/** The model's answers: single calls, every fifth step two calls at once, a text now and then, a final text. */
export const answers = Array.from({ length: STEPS }, (_, step) => {
  if (step === STEPS - 1) return { text: 'All parsers are fixed.' };
  const calls = [{ id: `call-${step}`, name: toolOf(step), input: { path: pathOf(step), step } }];
  if (step % 5 === 4) calls.push({ id: `call-${step}-b`, name: 'search', input: { query: `handler ${step}`, step } });
  return { ...(step % 4 === 1 ? { text: `Step ${step}: looking at module ${step % 11} next.` } : {}), calls };
});

/** No later step runs the file of the error: that would resolve it. */
function pathOf(step) {
  return step === ERROR_STEP ? 'src/broken.ts' : `src/module-${step % 11}.ts`;
}

function toolOf(step) {
  if (step === ERROR_STEP) return 'run';
  return step % 3 === 2 ? 'run' : 'read';
}

/** What the tools return. The size grows with the step; one result is a giant, one an error. */
export const results = {
  read: ({ path, step }) => {
    const text = `// ${path}\n${words(step === GIANT_STEP ? 40_000 : 120 + step * 12, step)}`;
    return step % 2 === 0 ? text : { path, text, lines: step };
  },
  run: ({ step }) => {
    // Not an `Error`: v7 writes its name before its message, v5 and v6 do not.
    if (step === ERROR_STEP) throw `exit code 1: cannot find module-${step % 11}`;
    return { exitCode: 0, output: words(150 + step * 8, step + 100) };
  },
  search: ({ query, step }) => ({ query, hits: Array.from({ length: 10 }, (_, hit) => `src/module-${(step + hit) % 11}.ts:${hit * 7}: ${words(12, hit)}`) }),
};

/** What says of all these tools that nothing of them is cleared while anything else helps. */
export const allKept = (tools) => Object.fromEntries(Object.keys(tools).map((name) => [name, { keep: 'always' }]));

export const request = { role: 'user', content: 'Fix every parser in this repository. Never touch the folder `vendor`.' };

/** An honest provider: it counts the prompt it was sent, a little above the estimate, and an overhead that `prepareStep` cannot see. */
export const honestCount = (prompt) => Math.ceil(JSON.stringify(prompt).length / 5) + 900;

/** A provider whose tokenizer needs almost twice the tokens of the estimate. */
export const denseCount = (prompt) => Math.ceil(JSON.stringify(prompt).length / 3.4) + 900;

/**
 * Plays the script, or what is given of another one, through the SDK. `options` are the SDK's own. Says what the model was sent and what an
 * app would store.
 */
export async function play({ major, api = undefined, prepareStep, messages = [request], tools = createTools(major, results), options = {}, ...script }) {
  const mock = createModel({ major, answers, count: honestCount, ...script });
  const { text, steps, errors } = await run({ major, api, model: mock.model, tools, options: { messages, prepareStep, ...options } });
  // ai 5 and 6 report all messages at each step, ai 7 those of the step.
  const answered = major === 7 ? steps.flatMap(({ response }) => response.messages) : steps.at(-1).response.messages;
  return { text, steps, errors, mock, prompts: mock.prompts(), stored: [...messages, ...answered] };
}
