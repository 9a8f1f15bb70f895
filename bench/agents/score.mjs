// From answers to figures: one row for a session, a window and a policy, and means of rows. Prints nothing.

import { ask, COSTS, readSent } from './ask.mjs';
import { play } from './play.mjs';
import { askedCuts, prepare, takesPart } from './prepare.mjs';
import { unaskedIn } from './unasked.mjs';

export const WINDOWS = [16_000, 32_000, 64_000];

/** All rows of a session: one for each window it takes part in and each policy. `tell` is given every answer. */
export async function judge(session, { half, policies, windows = WINDOWS, tell = () => undefined }) {
  const prepared = prepare(session, half);
  const rows = [];
  for (const window of windows) {
    const cuts = askedCuts(prepared, window);
    if (!takesPart(prepared, window) || cuts.length === 0) continue;
    for (const policy of policies) rows.push(await rowOf(prepared, policy, { window, cuts, tell }));
  }
  return rows;
}

async function rowOf(prepared, policy, { window, cuts, tell }) {
  const { id, kind, language, style, input, half } = prepared;
  const row = { id, kind, language, style, input, half, window, policy: policy.name, cuts: cuts.length, asked: 0, right: 0, wrong: 0, elsewhere: 0, lost: 0, stale: 0, overflows: 0, foldedAsked: 0, foldedRight: 0, sentAsked: 0, sources: { user: [0, 0], result: [0, 0], model: [0, 0] }, sentTokens: 0, ownTokens: 0, rowsAsked: 0, rowsRight: 0, rowsWithKey: 0, ownLineTokens: 0, unaskedTokens: 0, summaries: 0 };
  const scores = [];
  row.summaries = await play(prepared, policy, {
    window,
    cuts,
    asked({ at, messages, tokens, overflows }) {
      const sent = readSent(messages, prepared);
      const { answers, stale, intruders } = ask(prepared, sent, at);
      row.asked += answers.length;
      row.sentTokens += tokens / cuts.length;
      row.ownTokens += sent.own.reduce((sum, part) => sum + part.tokens, 0);
      const unasked = unaskedIn(sent.own, { facts: prepared.facts, cut: at });
      row.ownLineTokens += unasked.of;
      row.unaskedTokens += unasked.tokens;
      row.overflows += Number(overflows);
      const rowsOfTables = answers.filter(({ withKey }) => withKey !== undefined);
      row.rowsAsked += rowsOfTables.length;
      // A request that is refused answers nothing.
      if (overflows) {
        row.lost += answers.length;
        for (const { fact } of answers) row.sources[fact.by][1] += 1;
        if (answers.length > 0) scores.push(0);
        return;
      }
      const count = { right: 0, wrong: 0, elsewhere: 0, lost: 0 };
      row.sentAsked += answers.length;
      row.rowsRight += rowsOfTables.filter(({ answer }) => answer === 'right').length;
      row.rowsWithKey += rowsOfTables.filter(({ withKey }) => withKey).length;
      for (const { fact, answer, by } of answers) {
        count[answer] += 1;
        row.sources[fact.by][0] += Number(answer === 'right');
        row.sources[fact.by][1] += 1;
        if (by === 'raw') continue;
        row.foldedAsked += 1;
        row.foldedRight += Number(answer === 'right');
      }
      count.wrong += Number(intruders.length > 0);
      for (const answer in count) row[answer] += count[answer];
      row.stale += stale.length;
      tell({ window, policy: policy.name, at, answers, stale, intruders });
      if (answers.length > 0) scores.push((count.right - COSTS.wrong * count.wrong - COSTS.stale * stale.length) / answers.length);
    },
  });
  return { ...row, score: mean(scores) ?? 0 };
}

const ratio = (part, whole) => (whole === 0 ? undefined : part / whole);
export const mean = (values) => (values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length);

/** Rows put together by what `keyOf` gives, in the order of the keys: each with the mean score and what was counted. */
export function summarize(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  const sum = (list, name) => list.reduce((total, row) => total + row[name], 0);
  return new Map(
    [...groups].sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, list]) => {
      const asked = sum(list, 'asked');
      return [
        key,
        {
          score: mean(list.map(({ score }) => score)),
          sessions: new Set(list.map(({ id }) => id)).size,
          right: sum(list, 'right') / asked,
          /** At the steps that are not refused. */
          rightWhenSent: ratio(sum(list, 'right'), sum(list, 'sentAsked')),
          ...Object.fromEntries(['user', 'result', 'model'].map((by) => [by, ratio(...[0, 1].map((at) => list.reduce((total, { sources }) => total + sources[by][at], 0)))])),
          wrong: sum(list, 'wrong') / asked,
          elsewhere: sum(list, 'elsewhere') / asked,
          stale: sum(list, 'stale') / asked,
          /** Of what no longer stood in the prompt as it was said. */
          folded: ratio(sum(list, 'foldedRight'), sum(list, 'foldedAsked')),
          overflows: sum(list, 'overflows') / sum(list, 'cuts'),
          sentTokens: mean(list.map(({ sentTokens }) => sentTokens)),
          tokensAFact: ratio(sum(list, 'ownTokens'), sum(list, 'foldedRight')),
          /** Of the policy's own texts, by tokens. */
          unasked: ratio(sum(list, 'unaskedTokens'), sum(list, 'ownLineTokens')),
          /** Rows of tables with their key, and with their key and the names of their columns. */
          rowsWithKey: ratio(sum(list, 'rowsWithKey'), sum(list, 'rowsAsked')),
          rowsWithColumns: ratio(sum(list, 'rowsRight'), sum(list, 'rowsAsked')),
        },
      ];
    }),
  );
}

/** The sessions by kind of agent, and those by form of input: no figure mixes them, so that those by kind stay comparable. */
export const isByKind = ({ input }) => input === '';
export const isByInput = ({ input }) => input !== '';

/**
 * What is committed, in points of a hundred. The test compares the score of each kind of agent, all languages, windows and both halves together, and of each form of
 * input; the rest is what documents tell.
 */
export function pointsOf(rows) {
  const byKind = rows.filter(isByKind);
  const ours = byKind.filter(({ policy }) => policy === OWN);
  return {
    ...pointsBy(({ kind }) => kind, byKind),
    inputs: pointsBy(({ input }) => input, rows.filter(isByInput)),
    all: sharesOf(byKind),
    windows: pointsBy(({ window }) => window, byKind),
    styles: pointsBy(({ style }) => style, byKind),
    halves: pointsBy(({ half }) => half, byKind),
    kindsInWindows: pointsBy(({ kind, window }) => `${kind} ${window}`, ours),
  };
}

const OWN = 'stepfold';
const inPoints = (share) => Math.round(share * 1000) / 10;

function pointsBy(nameOf, rows) {
  const figures = { sessions: {}, points: {} };
  for (const [key, { score, sessions }] of summarize(rows, (row) => `${nameOf(row)}|${row.policy}`)) {
    const [value, policy] = key.split('|');
    figures.sessions[value] = sessions;
    figures.points[value] = { ...figures.points[value], [policy]: inPoints(score) };
  }
  return figures;
}

/** What the score of each policy is made of. */
function sharesOf(rows) {
  const names = ['score', 'user', 'result', 'model', 'wrong', 'stale', 'overflows', 'rightWhenSent'];
  return Object.fromEntries([...summarize(rows, ({ policy }) => policy)].map(([policy, shares]) => [policy, Object.fromEntries(names.map((name) => [name, inPoints(shares[name] ?? 0)]))]));
}
