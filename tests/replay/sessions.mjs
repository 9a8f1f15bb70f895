// Makes small sessions with known sizes for the tests of the replay bench. Nothing here is recorded.

import { prepareTranscript } from '../../bench/replay/transcript.mjs';

/** Text of exactly so many tokens of `o200k_base`. */
export const words = (tokens) => Array.from({ length: tokens }, () => 'word').join(' ');

export const asked = (text) => ({ role: 'user', content: [{ type: 'text', text }] });
export const called = (toolCallId, input, toolName = 'read') => ({ role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] });
export const answered = (toolCallId, value, toolName = 'read') => ({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }] });
export const said = (text) => ({ role: 'assistant', content: [{ type: 'text', text }] });

/** Ready for replay, without the cache on disk. */
export const prepared = (messages, { id = 'session', system } = {}) => prepareTranscript({ id, system, messages }, { cache: false });

/** Reads of results of `resultTokens`; later reads take up an id that stood in the earlier result that `looksBack` names. */
export function longSession({ steps = 60, resultTokens = 600, asksEvery = 15, looksBack = (step) => Math.max(0, step - 1 - (step % 7)) } = {}) {
  const messages = [asked('Find out why the orders of order_0 fail, and repair it.')];
  for (let step = 1; step <= steps; step += 1) {
    if (step % asksEvery === 0) messages.push(said(`Looked at ${step} files.`), asked(`Go on with part ${step}.`));
    messages.push(called(`call_${step}`, { path: `src/part_${step}.ts`, see: `order_${looksBack(step)}` }), answered(`call_${step}`, `order_${step} ${words(resultTokens)} end_${step}`));
  }
  return [...messages, said('Done.')];
}
