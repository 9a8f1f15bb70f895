// Plays a list of messages through a policy, step by step, as an app on the AI SDK would: replay, judge and tau all do it here. Usage is
// reported as providers do, requests are made as apps make them. Calls no model: recorded steps do not react to what was left out. No
// opinion on what is looked at in a prompt.

import { performance } from 'node:perf_hooks';
import { commonPrefix } from '../replay/tokens.mjs';

/** Absolute numbers of published policies hold from here on and are scaled down below. */
const FULL_WINDOW = 128_000;

/**
 * The list a step is given: `rebuild` the raw history (ai 5 and 6), `carry` what was sent last and the additions (7), `turns` as carry, but
 * a user message begins a request with the raw history.
 */
export const SEMANTICS = ['rebuild', 'carry', 'turns'];

/**
 * `list` is what was recorded: `{ messages, steps: [{ at, end }], ledger, overhead, system }`; the prompt of a step is what stands before
 * `at`, its answer ends before `end`.
 *
 * `look` is called with each prompt: `{ number, at, end, input, messages, ids, tokens, cached, breaks, overflows, ms }`, the tokens as
 * `ledger` counts them; when it returns `false`, the play ends there. `cached` is what a prompt cache holds of it, with the overhead;
 * `breaks` says that it does not extend the prompt before.
 * `factor`: the provider counts so many tokens for each of ours. `usage: false`: it reports none. `failed` is told what a policy throws,
 * and the step goes out as it came.
 */
export async function play(
  list,
  policy,
  { window, reserve, semantics = 'rebuild', factor = 1, usage = true, options = {}, summarize, extract, look, failed },
) {
  const { ledger, messages, overhead, steps } = list;
  const counted = (tokens) => Math.round(tokens * factor);
  const scaled = (tokens) => Math.round(tokens * Math.min(1, window / FULL_WINDOW));
  let before = { ids: [], messages: [], upTo: 0 };
  const run = policy.create({
    window,
    reserve,
    overhead,
    count: ledger.count,
    scaled,
    summarize,
    extract,
    options,
    semantics,
    transcript: list,
  });
  for (const [number, { at, end }] of steps.entries()) {
    const begins = semantics === 'rebuild' || (semantics === 'turns' && messages[at - 1].role === 'user');
    const input = begins ? messages.slice(0, at) : [...before.messages, ...messages.slice(before.upTo, at)];
    const start = performance.now();
    let sent = input;
    try {
      sent = (await run.step({ messages: input.slice(), stepNumber: number, ...before.reported })) ?? input;
    } catch (error) {
      if (failed === undefined) throw error;
      failed(error);
    }
    const ms = performance.now() - start;
    const ids = ledger.sequence(sent);
    const tokens = overhead + ledger.sum(ids);
    const same = commonPrefix(ids, before.ids);
    const cached = number > 0 ? overhead + ledger.sum(ids, same) : 0;
    const goesOn = await look({
      number,
      at,
      end,
      input,
      messages: sent,
      ids,
      tokens,
      cached,
      breaks: number > 0 && same < before.ids.length,
      overflows: counted(tokens) + reserve > window,
      ms,
      run,
    });
    if (goesOn === false) break;
    const output = ledger.count(messages.slice(at, end));
    const reported = usage
      ? { lastInputTokens: counted(tokens), lastCachedTokens: counted(cached), lastOutputTokens: counted(output) }
      : {};
    run.finish?.(reported);
    before = { ids, messages: sent, upTo: at, reported };
  }
  await run.end?.();
}
