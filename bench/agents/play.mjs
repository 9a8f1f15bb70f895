// Replays a session through a policy, step by step as the SDK calls it, and hands over what is sent at the steps that are asked. Calls no model: the recorded
// steps do not react to what was left out.

import { extract } from './extract.mjs';
import { RESERVE_TOKENS } from './prepare.mjs';
import { partsOf, textOfPart } from './texts.mjs';

/** Absolute numbers of published policies hold from here on and are scaled down below. */
const FULL_WINDOW = 128_000;
const SUMMARY_TOKENS = 1_500;
const CHARACTERS_A_TOKEN = 4;

/** Calls `asked` with what is sent at each of `cuts`: `{ at, messages, tokens, overflows }`. Returns how many summaries were asked for. */
export async function play(prepared, policy, { window, cuts, asked }) {
  const { ledger, messages, overhead, steps } = prepared;
  let summaries = 0;
  const run = policy.create({
    window,
    reserve: RESERVE_TOKENS,
    overhead,
    count: ledger.count,
    scaled: (tokens) => Math.round(tokens * Math.min(1, window / FULL_WINDOW)),
    summarize: ({ messages: covered, previous = '', inputTokens, outputTokens = SUMMARY_TOKENS }) => {
      summaries += 1;
      return extract({ prompt: promptOf({ covered, previous, inputTokens }), maxOutputTokens: outputTokens });
    },
    extract: (request) => {
      summaries += 1;
      return extract(request);
    },
    options: policy.options ?? {},
    semantics: policy.called,
    transcript: prepared,
  });
  let sent = { messages: [], upTo: 0, tokens: 0 };
  for (const [number, { at, end }] of steps.entries()) {
    const begins = policy.called === 'rebuild' || (policy.called === 'turns' && messages[at - 1].role === 'user');
    const input = begins ? messages.slice(0, at) : [...sent.messages, ...messages.slice(sent.upTo, at)];
    const reported = number > 0 ? { lastInputTokens: sent.tokens, lastOutputTokens: ledger.count(messages.slice(steps[number - 1].at, steps[number - 1].end)) } : {};
    const list = (await run.step({ messages: input, stepNumber: number, end, ...reported })) ?? input;
    const tokens = overhead + ledger.count(list);
    if (cuts.includes(at)) asked({ at, messages: list, tokens, overflows: tokens + RESERVE_TOKENS > window });
    sent = { messages: list, upTo: at, tokens };
    if (at >= cuts.at(-1)) break;
  }
  return summaries;
}

const rendered = new WeakMap();

/** What a policy that only hands over messages would give its summarizer to read; the newest part of it where it says how much that is. */
function promptOf({ covered, previous, inputTokens }) {
  const text = covered.map(renderMessage).join('\n\n');
  const part = inputTokens === undefined ? text : text.slice(-inputTokens * CHARACTERS_A_TOKEN);
  return previous === '' ? part : `${previous}\n\n${part}`;
}

function renderMessage(message) {
  if (!rendered.has(message)) rendered.set(message, partsOf(message).map((part) => renderPart(message.role, part)).filter((text) => text !== '').join('\n'));
  return rendered.get(message);
}

function renderPart(role, part) {
  const { value } = part.output ?? {};
  if (part.type === 'tool-call') return `assistant calls ${part.toolName}:\n${JSON.stringify(part.input, null, 1)}`;
  if (part.type === 'tool-result') return `${part.toolName} gives:\n${value !== null && typeof value === 'object' && part.output.type !== 'content' ? JSON.stringify(value, null, 1) : textOfPart(part)}`;
  const text = textOfPart(part);
  return text === '' ? '' : `${role}: ${text}`;
}
