// Prints what the model of a session is sent at one of its steps, whole, for people who read it as the model would. Tuning sessions only.
//   node bench/agents/show.mjs <session> [--window 32000] [--at 0.85] [--checkpoint]

import { parseArgs } from 'node:util';
import { findSessions, FOLDERS } from './load.mjs';
import { play } from './play.mjs';
import { loadPolicies } from './policies.mjs';
import { prepare } from './prepare.mjs';
import { partsOf, textOfPart } from './texts.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { window: { type: 'string', default: '32000' }, at: { type: 'string', default: '0.85' }, checkpoint: { type: 'boolean', default: false } },
});
const sessions = findSessions(['tuning'], FOLDERS);
const found = sessions.find(({ id }) => id === positionals[0]);
if (found === undefined) {
  console.error(`expected the id of a tuning session: ${sessions.map(({ id }) => id).join(', ')}`);
  process.exit(1);
}
const prepared = prepare((await import(found.url)).default, 'tuning');
const { at } = prepared.steps[Math.max(1, Math.round(Number(values.at) * prepared.steps.length)) - 1];
const [policy] = await loadPolicies();
let sent = [];
await play(prepared, policy, {
  window: Number(values.window),
  cuts: [at],
  asked: ({ messages }) => {
    sent = messages;
  },
});
for (const message of values.checkpoint ? sent.slice(0, 1) : sent) {
  console.log(`<<<${message.role}>>>`);
  for (const part of partsOf(message)) console.log(textOfPart(part));
}
