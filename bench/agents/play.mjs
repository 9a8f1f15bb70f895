// Replays a session through a policy, and hands over what is sent at the steps that are asked.

import { play as playList } from '../harness/play.mjs';
import { standIn } from '../harness/summaries.mjs';
import { RESERVE_TOKENS } from './prepare.mjs';

/** Calls `asked` with what is sent at each of `cuts`: `{ at, messages, tokens, overflows }`. Returns how many summaries were asked for. */
export async function play(prepared, policy, { window, cuts, asked }) {
  let summaries = 0;
  const model = standIn(() => {
    summaries += 1;
  });
  await playList(prepared, policy, {
    window,
    reserve: RESERVE_TOKENS,
    semantics: policy.called,
    options: policy.options,
    ...model,
    look({ at, messages, tokens, overflows }) {
      if (cuts.includes(at)) asked({ at, messages, tokens, overflows });
      return at < cuts.at(-1);
    },
  });
  return summaries;
}
