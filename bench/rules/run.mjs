// Rules under pressure: which rules of the user, of a policy text and of system messages still stand word for word at the end of a long run, and as whose words. Reads options, prints a table.

import { parseArgs } from 'node:util';
import { loadPolicies } from '../agents/policies.mjs';
import { conversation, LANGUAGE_NAMES, PLACES, SOURCES } from './conversation.mjs';
import { playRules } from './play.mjs';

const WINDOWS = [16_000, 32_000, 64_000, 128_000, 200_000];
const USAGE = `usage: npm run bench:rules -- [options]

  --windows 16000,32000         context windows (default: ${WINDOWS.join()})
  --steps 200,400               steps of a run
  --policies stepfold,LangChain columns of the judge (default: stepfold,tool clearing)
  --lost                        name each rule that is lost`;
const { values } = parseArgs({
  options: { windows: { type: 'string', default: WINDOWS.join() }, steps: { type: 'string', default: '200,400' }, policies: { type: 'string', default: 'stepfold,tool clearing' }, lost: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}
const names = values.policies.split(',');
const policies = (await loadPolicies({ options: { warnings: false } })).filter(({ name }) => names.includes(name));
if (policies.length !== names.length) throw new Error(`bench:rules: unknown policy among \`${values.policies}\``);

/** How much one shelf says, so that a run of so many steps fills its window about one and a half times, and the smallest is not read in one step. */
const sentencesFor = (window, steps) => Math.max(8, Math.round((1.6 * window) / steps / 18));

console.log(`| policy | window | steps | ${SOURCES.flatMap((by) => PLACES.map((place) => `${by}, ${place}`)).join(' | ')} | as others' words | too large |`);
console.log(`|---|--:|--:|${'--:|'.repeat(SOURCES.length * PLACES.length + 2)}`);
for (const policy of policies) {
  for (const window of values.windows.split(',').map(Number)) {
    for (const steps of values.steps.split(',').map(Number)) {
      const plays = [];
      for (const language of LANGUAGE_NAMES) plays.push({ language, ...(await playRules(conversation(language, { steps, sentences: sentencesFor(window, steps) }), policy, window)) });
      const rules = plays.flatMap((play) => play.rules);
      const cells = SOURCES.flatMap((by) => PLACES.map((place) => {
        const list = rules.filter((rule) => rule.by === by && rule.place === place);
        return `${list.filter(({ verdict }) => verdict === 'kept').length}/${list.length}`;
      }));
      const others = rules.filter(({ verdict }) => verdict === 'misattributed');
      console.log(`| ${policy.name} | ${window / 1_000}k | ${steps} | ${cells.join(' | ')} | ${others.length} | ${plays.filter(({ overflows }) => overflows).length} |`);
      if (values.lost) for (const play of plays) for (const { text, by, place, at, verdict, speakers } of play.rules) if (verdict !== 'kept') console.log(`    ${play.language} ${by} ${place} ${verdict} (message ${at}; ${speakers.join() || '-'}): ${text}`);
    }
  }
}
