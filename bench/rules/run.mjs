// Rules under pressure: which rules of the user, of a policy text and of system messages still stand word for word at the end of a long run, and as whose words. Reads options, prints a table.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadPolicies } from '../agents/policies.mjs';
import { conversation, LANGUAGE_NAMES } from './conversation.mjs';
import { playRules } from './play.mjs';
import { rowOf, table, written } from './report.mjs';

const RESULT = new URL('result.json', import.meta.url);
const DEFAULTS = { windows: '16000,32000,64000,128000,200000', steps: '200,400', policies: 'stepfold,tool clearing' };
const USAGE = `usage: npm run bench:rules -- [options]

  --windows 16000,32000         context windows (default: ${DEFAULTS.windows})
  --steps 200,400               steps of a run
  --policies stepfold,LangChain columns of the judge (default: ${DEFAULTS.policies})
  --lost                        name each rule that is lost
  --write-result                write what the documents show (then: npm run bench:docs): the defaults`;

const { values } = parseArgs({
  options: {
    ...Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, { type: 'string', default: value }])),
    lost: { type: 'boolean', default: false },
    'write-result': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}
const names = values.policies.split(',');
const policies = (await loadPolicies({ options: { warnings: false } })).filter(({ name }) => names.includes(name));
if (policies.length !== names.length) throw new Error(`bench:rules: unknown policy among \`${values.policies}\``);
if (values['write-result'] && Object.keys(DEFAULTS).some((name) => values[name] !== DEFAULTS[name])) throw new Error('bench:rules: a result has the default options');

/** How much one shelf says, so that a run of so many steps fills its window about one and a half times, and the smallest is not read in one step. */
const sentencesFor = (window, steps) => Math.max(8, Math.round((1.6 * window) / steps / 18));

const rows = [];
for (const policy of policies) {
  for (const window of values.windows.split(',').map(Number)) {
    for (const steps of values.steps.split(',').map(Number)) {
      const plays = [];
      for (const language of LANGUAGE_NAMES) plays.push({ language, ...(await playRules(conversation(language, { steps, sentences: sentencesFor(window, steps) }), policy, window)) });
      rows.push(rowOf({ policy: policy.name, window, steps }, plays));
      if (values.lost) for (const play of plays) for (const { text, by, place, at, verdict, speakers } of play.rules) if (verdict !== 'kept') console.log(`${policy.name}, ${window}, ${steps}: ${play.language} ${by} ${place} ${verdict} (message ${at}; ${speakers.join() || '-'}): ${text}`);
    }
  }
}
console.log(table(rows));
if (values['write-result']) writeFileSync(RESULT, written(rows));
