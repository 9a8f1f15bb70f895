// Plays a conversation with rules through a policy of the judge and says which rules stand at its end. Calls no model. What counts stands in find.mjs.

import { extract } from '../agents/extract.mjs';
import { RESERVE_TOKENS } from '../agents/prepare.mjs';
import { stepsOf } from '../agents/cuts.mjs';
import { Ledger } from '../replay/tokens.mjs';
import { standing, verdictOf } from './find.mjs';

/** What the system prompt and the tools cost, which are no messages. */
const OVERHEAD_TOKENS = 1_500;
const FULL_WINDOW = 128_000;

/** `{ tokens, rules: [{ by, place, verdict, speakers }] }` of what is sent at the last step. */
export async function playRules({ messages, rules }, policy, window) {
  const ledger = new Ledger();
  const run = policy.create({
    window,
    reserve: RESERVE_TOKENS,
    overhead: OVERHEAD_TOKENS,
    count: ledger.count,
    scaled: (tokens) => Math.round(tokens * Math.min(1, window / FULL_WINDOW)),
    summarize: ({ messages: covered, outputTokens = 1_500 }) => extract({ prompt: covered.flatMap(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n\n'), maxOutputTokens: outputTokens }),
    extract,
    options: policy.options ?? {},
    semantics: policy.called,
    transcript: { messages, system: '' },
  });
  const steps = [...stepsOf(messages), messages.length];
  let sent = { messages: [], upTo: 0, tokens: 0 };
  for (const [number, at] of steps.entries()) {
    const begins = policy.called === 'rebuild' || messages[at - 1].role !== 'tool';
    const input = begins ? messages.slice(0, at) : [...sent.messages, ...messages.slice(sent.upTo, at)];
    const reported = number > 0 ? { lastInputTokens: sent.tokens, lastOutputTokens: ledger.count(messages.slice(steps[number - 1], steps[number - 1] + 1)) } : {};
    const list = (await run.step({ messages: input, stepNumber: number, end: at + 1, ...reported })) ?? input;
    sent = { messages: list, upTo: at, tokens: OVERHEAD_TOKENS + ledger.count(list) };
  }
  return { tokens: sent.tokens, overflows: sent.tokens + RESERVE_TOKENS > window, rules: standing(rules, sent.messages, messages).map((found) => ({ ...found.rule, speakers: found.speakers, verdict: verdictOf(found) })) };
}
