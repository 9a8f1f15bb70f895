// Figures of rules under pressure: how many of each source and place still stand, as a table, and as what is stored for docs/benchmarks.md.

import { tableOf } from '../docs/marks.mjs';
import { PLACES, SOURCES } from './conversation.mjs';

export const GROUPS = SOURCES.flatMap((by) => PLACES.map((place) => ({ by, place, name: `${by}, ${place}` })));

/** A row of what one policy kept in the plays of all languages: `kept` of `said` for each group. */
export function rowOf({ policy, window, steps }, plays) {
  const rules = plays.flatMap((play) => play.rules);
  const groups = GROUPS.map(({ by, place, name }) => [name, rules.filter((rule) => rule.by === by && rule.place === place)]);
  return {
    policy,
    window,
    steps,
    groups: Object.fromEntries(groups.map(([name, list]) => [name, { kept: list.filter(({ verdict }) => verdict === 'kept').length, said: list.length }])),
    misattributed: rules.filter(({ verdict }) => verdict === 'misattributed').length,
    overflows: plays.filter(({ overflows }) => overflows).length,
  };
}

export function table(rows) {
  const head = ['policy', 'window', 'steps', ...GROUPS.map(({ name }) => name), 'as others’ words', 'too large'];
  const body = rows.map(({ policy, window, steps, groups, misattributed, overflows }) => {
    const cells = GROUPS.map(({ name }) => `${groups[name].kept}/${groups[name].said}`);
    return [policy, `${window / 1_000}k`, String(steps), ...cells, String(misattributed), String(overflows)];
  });
  return tableOf(head, body);
}

/** As a file: a row a line. */
export const written = (rows) => `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`;
