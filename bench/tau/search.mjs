// What three searches with the recall tool bring back. Whoever searches knows only words of the prompt and of what was found so far.

import { stands } from './ask.mjs';

const MOST_SEARCHES = 3;
/** Answers that take more of the window recover nothing. */
const ROOM = 0.25;
/** A hit as the tool lists it: the id of a result, then its call. */
const HIT = /\[(\d{9}) ([^\n]*)/g;

/**
 * By what the write is about, by the names of things, then a whole result that was found; it ends as soon as all that was `lost` is there.
 * `search` of a write: `handles` are words for what it is about, `names` of its things, `opens` which look-ups it would open.
 */
export async function search({ tool, messages, prompt, write, lost, window, count }) {
  const { handles = [], names = [], opens } = write.search ?? {};
  const asked = [];
  const opened = new Set();
  const [rest, things] = [handles.slice(), names.slice()];
  let got = '';
  const knows = (words) =>
    words
      .toLowerCase()
      .split('*')
      .every((word) => `${prompt}\n${got}`.toLowerCase().includes(word));
  const byHandle = () => {
    const at = rest.findIndex(knows);
    return at < 0 ? undefined : { pattern: rest.splice(at, 1)[0] };
  };
  const byName = () => {
    const some = things.splice(0).filter(knows);
    return some.length === 0 ? undefined : { pattern: some.join('|') };
  };
  const whole = () => {
    const isWanted = (id, call) =>
      !opened.has(id) && call.startsWith(opens.tool) && opens.about.some((about) => call.includes(about) && knows(about));
    const found = opens === undefined ? undefined : [...got.matchAll(HIT)].find(([, id, call]) => isWanted(id, call));
    if (found === undefined) return undefined;
    opened.add(found[1]);
    return { id: found[1] };
  };
  const plan = [() => byHandle() ?? byName(), () => byName() ?? whole() ?? byHandle(), () => whole() ?? byHandle()];
  const isThere = () => lost.every((value) => stands(value, got));
  for (let number = 0; number < MOST_SEARCHES && !isThere(); number += 1) {
    const input = plan[number]();
    if (input === undefined) continue;
    asked.push(input);
    const answer = await tool.execute(input, { toolCallId: `recall_${number}`, messages, context: undefined });
    got += `\n${typeof answer === 'string' ? answer : JSON.stringify(answer)}`;
  }
  const tokens = count(got);
  return { recovered: tokens <= ROOM * window && isThere(), asked, tokens };
}
