// Prints what the model of a session is sent at one of its steps, whole, for people who read it as the model would. Tuning sessions only.
//   node bench/agents/show.mjs <session> [--window 32000] [--at 0.85] [--checkpoint]

import { parseArgs } from 'node:util';
import { createPrepareStep } from 'stepfold';
import { stepsOf } from './cuts.mjs';
import { findSessions } from './load.mjs';
import { RESERVE_TOKENS } from './prepare.mjs';
import { partsOf, textOfPart } from './texts.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { window: { type: 'string', default: '32000' }, at: { type: 'string', default: '0.85' }, checkpoint: { type: 'boolean', default: false } },
});
const found = findSessions(['tuning']).find(({ id }) => id === positionals[0]);
if (found === undefined) {
  console.error(`expected the id of a tuning session: ${findSessions(['tuning']).map(({ id }) => id).join(', ')}`);
  process.exit(1);
}
const { messages } = (await import(found.url)).default.build();
const steps = stepsOf(messages);
const prepareStep = createPrepareStep({ contextWindow: Number(values.window), reserveTokens: RESERVE_TOKENS, onEvent: () => undefined });
const model = { provider: 'judge', modelId: 'judge', specificationVersion: 'v2' };
let taken = [];
let sent = messages.slice(0, steps[0]);
for (const at of steps.slice(0, Math.max(1, Math.round(Number(values.at) * steps.length)))) {
  const given = messages.slice(0, at);
  // A message of the user begins a run of its own.
  taken = given.at(-1).role === 'user' ? [] : [...taken, { usage: {} }];
  sent = (await prepareStep(/** @type {any} */ ({ messages: given, steps: taken, stepNumber: taken.length, model })))?.messages ?? given;
}
for (const message of values.checkpoint ? sent.slice(0, 1) : sent) {
  console.log(`<<<${message.role}>>>`);
  for (const part of partsOf(message)) console.log(textOfPart(part));
}
