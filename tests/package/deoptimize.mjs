// Calls one function of the package until V8 has optimised it, then throws the optimised code away while the engine is at work: a
// getter in the messages, which the engine reads, tells the profiler to start, and V8 then deoptimises all there is.
// A program, started by `node20.test.mjs` with the name of the function. Exits with 0 unless the process dies.

import { Session } from 'node:inspector';
import { createPrepareStep, createSession, estimateTokens, planContext, tokenBreakdown, validateMessages } from '../../pkg/dist/index.js';

/** Enough for V8 to optimise a function, several times over. */
const CALLS = 1_000;
const ROUNDS = 10;

const session = new Session();
session.connect();
session.post('Profiler.enable');
function deoptimizeAll() {
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
  session.post('Profiler.stopPreciseCoverage');
}

let isArmed = false;
let deoptimized = 0;
const image = {
  type: 'image',
  get image() {
    if (isArmed) {
      isArmed = false;
      deoptimized += 1;
      deoptimizeAll();
    }
    return new Uint8Array(8);
  },
};
// New objects each time: the engine reads what it does not know.
const conversation = () => [
  { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] },
  { role: 'assistant', content: 'An image.' },
];
const model = 'gpt-5';
const prepareStep = createPrepareStep({ contextWindow: 8_000 });
const prepared = createSession({ contextWindow: 8_000 });
const { execute: recall } = prepared.recallTool();

const functions = {
  prepareStep: () => prepareStep({ messages: conversation(), steps: [], stepNumber: 0, model }),
  planContext: () => planContext(conversation(), { contextWindow: 8_000 }),
  validateMessages: () => validateMessages(conversation()),
  estimateTokens: () => estimateTokens(conversation()),
  tokenBreakdown: () => tokenBreakdown(conversation()),
  recall: async () => {
    await prepared.prepareStep({ messages: conversation(), steps: [], stepNumber: 0, model });
    return recall({ pattern: 'nothing says this' });
  },
};

const call = functions[process.argv[2]];
for (let round = 0; round < ROUNDS; round += 1) {
  for (let index = 0; index < CALLS; index += 1) await call();
  isArmed = true;
  await call();
}
console.log(`deoptimised ${deoptimized} times`);
