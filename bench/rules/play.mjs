// Plays a conversation with rules through a policy of the judge and says which rules stand at its end. Calls no model. What counts stands in find.mjs.

import { stepsOf } from '../agents/cuts.mjs';
import { RESERVE_TOKENS } from '../agents/prepare.mjs';
import { play } from '../harness/play.mjs';
import { standIn } from '../harness/summaries.mjs';
import { Ledger } from '../replay/tokens.mjs';
import { standing, verdictOf } from './find.mjs';

/** What the system prompt and the tools cost, which are no messages. */
const OVERHEAD_TOKENS = 1_500;

/** `{ tokens, overflows, rules: [{ ...rule, verdict, speakers }] }` of what is sent at the last step. `usage: false`: the provider reports none. */
export async function playRules({ messages, rules }, policy, window, { usage = true } = {}) {
  const ats = [...stepsOf(messages), messages.length];
  const steps = ats.map((at, index) => ({ at, end: ats[index + 1] ?? at }));
  let sent;
  await play({ messages, steps, ledger: new Ledger(), overhead: OVERHEAD_TOKENS, system: '' }, policy, {
    window,
    reserve: RESERVE_TOKENS,
    semantics: policy.called,
    options: policy.options ?? {},
    usage,
    ...standIn(),
    look: (prompt) => {
      sent = prompt;
    },
  });
  const found = standing(rules, sent.messages, messages);
  return { tokens: sent.tokens, overflows: sent.overflows, rules: found.map((each) => ({ ...each.rule, speakers: each.speakers, verdict: verdictOf(each) })) };
}
