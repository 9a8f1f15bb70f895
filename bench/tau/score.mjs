// From prompts to figures: all sessions of a domain through one policy give one row. Prints nothing.

import { play } from '../harness/play.mjs';
import { standIn } from '../harness/summaries.mjs';
import { CACHED, OUTPUT, PRICES } from '../replay/replay.mjs';
import { neededBy, stands, textOf } from './ask.mjs';
import { search } from './search.mjs';

/** One session: its writes, each with what it lacks, and what all prompts cost. `tell` is given each write that lacks something. */
async function playSession(list, policy, { window, tell }) {
  const { ledger } = list;
  const row = { steps: 0, sent: 0, cost: 0, edits: 0, over: 0, largest: 0, ids: 0, found: 0, writes: [] };
  const model = standIn(({ prompt, text }) => {
    row.cost += ledger.text(prompt) + OUTPUT * ledger.text(text);
  });
  const look = async ({ at, messages, tokens, cached, breaks, overflows, run }) => {
    row.steps += 1;
    row.sent += tokens;
    row.cost += CACHED * cached + PRICES.anthropic * (tokens - cached);
    row.edits += Number(breaks);
    row.over += Number(overflows);
    row.largest = Math.max(row.largest, tokens);
    const write = list.writes.get(at);
    if (write === undefined) return;
    const prompt = textOf(messages);
    const needed = neededBy(write);
    const lost = needed.filter((value) => !stands(value, prompt));
    row.ids += needed.length;
    row.found += needed.length - lost.length;
    const tool = lost.length > 0 && policy.recalls ? run.recallTool() : undefined;
    const searched = tool === undefined ? {} : await search({ tool, messages, prompt, write, lost, window, count: ledger.count });
    row.writes.push({ kind: write.kind, isWhole: lost.length === 0, fits: !overflows, ...searched });
    if (lost.length > 0) tell({ write, lost, prompt, raw: list.messages.slice(0, at), ...searched });
  };
  // A prompt may fill the window: what a reply needs is the policy's care.
  await play(list, policy, { window, reserve: 0, semantics: policy.called, ...model, look });
  return row;
}

/** The sums of all sessions. */
export async function rowOf(sessions, policy, { window, tell = () => undefined }) {
  const done = [];
  for (const list of sessions) done.push(await playSession(list, policy, { window, tell }));
  const total = (name) => done.reduce((sum, row) => sum + row[name], 0);
  const writes = done.flatMap((row) => row.writes);
  const count = (isCounted) => writes.filter(isCounted).length;
  const kinds = {};
  for (const { kind, isWhole } of writes) {
    kinds[kind] ??= [0, 0];
    kinds[kind][0] += Number(isWhole);
    kinds[kind][1] += 1;
  }
  const answers = writes.filter(({ asked }) => asked?.length > 0).map(({ tokens }) => tokens);
  return {
    policy: policy.name,
    sessions: sessions.length,
    customers: sessions.reduce((sum, { customers }) => sum + customers, 0),
    writes: writes.length,
    whole: count(({ isWhole }) => isWhole),
    wholeInWindow: count(({ isWhole, fits }) => isWhole && fits),
    ...Object.fromEntries(['ids', 'found', 'steps', 'sent', 'edits', 'over'].map((name) => [name, total(name)])),
    cost: Math.round(total('cost')),
    largest: Math.max(...done.map(({ largest }) => largest)),
    ...(policy.recalls
      ? {
          recovered: count(({ recovered }) => recovered),
          answerTokens: answers.sort((left, right) => left - right)[answers.length >> 1] ?? 0,
        }
      : {}),
    kinds,
  };
}
