// Turns rows into tables: one for each window, one by kind of agent, stepfold beside the goals, stepfold beside the yardsticks. Computes nothing that a row does not hold.

import { mean } from './replay.mjs';
import { KIND_NAMES } from './transcript.mjs';

const percent = (value) => (value === null ? '-' : (100 * value).toFixed(1));
const decimals = (places) => (value) => (value === null || value === undefined ? '-' : value.toFixed(places));

const COLUMNS = [
  ['survival %', 'survival', percent],
  ['overflow steps', 'overflow', String],
  ['cost A', 'costAnthropic', decimals(2)],
  ['A as asked', 'costAsAsked', decimals(2)],
  ['cost O', 'costOpenai', decimals(2)],
  ['+ refetch', 'costWithRefetch', decimals(2)],
  ['recall', 'recall', percent],
  ['results', 'results', percent],
  ['lines', 'lines', percent],
  ['said', 'said', percent],
  ['invalid %', 'invalid', percent],
  ['soft %', 'soft', percent],
  ['cache breaks', 'edits', decimals(1)],
  ['summaries', 'summaries', decimals(1)],
  ['request %', 'request', percent],
  ['user %', 'userMessages', percent],
  ['plan %', 'plan', percent],
  ['median ms', 'medianMs', decimals(2)],
  ['p99 ms', 'p99Ms', decimals(1)],
];
const TIMING_COLUMNS = [
  ['JSON median ms', 'stringifyMedianMs', decimals(2)],
  ['JSON p99 ms', 'stringifyP99Ms', decimals(1)],
  ['median / JSON', 'medianOfStringify', decimals(3)],
  ['p99 / JSON', 'p99OfStringify', decimals(2)],
];

const MEANS = ['costAnthropic', 'costAsAsked', 'costOpenai', 'costWithRefetch', 'recall', 'results', 'lines', 'said', 'edits', 'summaries', 'request', 'userMessages', 'plan', 'medianMs', 'p99Ms', 'stringifyMedianMs', 'stringifyP99Ms', 'medianOfStringify', 'p99OfStringify'];

/** What a policy, called in one way, did at a window: means over transcripts; steps are added up. */
export function summarize(rows) {
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  const edited = sum('editedSteps');
  return {
    transcripts: rows.length,
    steps: sum('steps'),
    survival: mean(rows.map(({ survived }) => Number(survived))),
    overflow: sum('overflow'),
    invalid: edited > 0 ? sum('invalidSteps') / edited : 0,
    soft: edited > 0 ? sum('softSteps') / edited : 0,
    ...Object.fromEntries(MEANS.map((name) => [name, mean(rows.map((row) => row[name]))])),
  };
}

/** Rows by key, in the order in which keys first come. */
function groupBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (groups.has(key)) groups.get(key).push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** For each window, smallest first, a summary of each policy in each way of being called. */
export function summaries(rows) {
  const windows = [...groupBy(rows, ({ window }) => window)].sort(([left], [right]) => left - right);
  return windows.map(([window, found]) => {
    const groups = [...groupBy(found, ({ policy, semantics, stub }) => JSON.stringify([policy, semantics, stub])).values()];
    return { window, policies: groups.map((group) => ({ ...pick(group[0]), ...summarize(group) })) };
  });
}

const pick = ({ policy, semantics, stub, isBound = false }) => ({ policy, semantics, stub, isBound });

const nameOf = (window) => `${window / 1_000}k`;

/** A table for each window. */
export function tables(rows) {
  const timed = rows.some(({ medianOfStringify }) => medianOfStringify !== undefined);
  const columns = timed ? [...COLUMNS, ...TIMING_COLUMNS] : COLUMNS;
  return summaries(rows)
    .map(({ window, policies }) => {
      const head = ['policy', 'called', 'stub', ...columns.map(([title]) => title)];
      const body = policies.map((policy) => [policy.policy, policy.semantics, policy.stub, ...columns.map(([, name, format]) => format(policy[name]))]);
      return `### Window of ${nameOf(window)}: ${policies[0].transcripts} transcripts, ${policies[0].steps} steps\n\n${table(head, body)}`;
    })
    .join('\n\n');
}

/** For each window and policy what each kind of agent pays and finds: cost A, then `results · said`. Kinds without a session are left out. */
export function kindsTable(rows) {
  const windows = [...groupBy(rows, ({ window }) => window)].sort(([left], [right]) => left - right);
  const kinds = KIND_NAMES.filter((kind) => rows.some((row) => row.kind === kind));
  const cell = ({ transcripts, costAnthropic, results, said }) => (transcripts === 0 ? '-' : `${decimals(2)(costAnthropic)}: ${percent(results)} · ${percent(said)}`);
  const body = windows.flatMap(([window, found]) => {
    const groups = [...groupBy(found, ({ policy, semantics, stub }) => JSON.stringify([policy, semantics, stub])).values()];
    const sessions = kinds.map((kind) => String(groups[0].filter((row) => row.kind === kind).length));
    const line = (group) => [nameOf(window), group[0].policy, group[0].semantics, ...kinds.map((kind) => cell(summarize(group.filter((row) => row.kind === kind))))];
    return [[nameOf(window), 'sessions', '', ...sessions], ...groups.map(line)];
  });
  return `### By kind of agent: cost A: results · said\n\n${table(['window', 'policy', 'called', ...kinds], body)}`;
}

/** Markdown, padded so that it reads as plain text too. */
function table(head, body) {
  const widths = head.map((title, index) => Math.max(3, title.length, ...body.map((line) => line[index].length)));
  const line = (cells) => `| ${cells.map((cell, index) => (index < 3 ? cell.padEnd(widths[index]) : cell.padStart(widths[index]))).join(' | ')} |`;
  return [line(head), line(widths.map((width, index) => (index < 3 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))), ...body.map(line)].join('\n');
}

/** What stepfold is to reach, by window; shares of one. */
const GOALS = {
  16_000: { costAnthropic: 0.42, recall: 0.91, results: 0.68, lines: 0.67, edits: 11, userMessages: 0.6 },
  32_000: { costAnthropic: 0.46, recall: 0.945, results: 0.75, lines: 0.74, edits: 9.5, userMessages: 0.75 },
  64_000: { costAnthropic: 0.49, recall: 0.97, results: 0.85, lines: 0.79, edits: 5, userMessages: 0.85 },
  128_000: { costAnthropic: 0.57, recall: 0.993, results: 0.94, lines: 0.9, edits: 3.2, userMessages: 0.95 },
  200_000: { costAnthropic: 0.6, recall: 0.995, results: 0.96, lines: 0.95, edits: 2.3, userMessages: 0.98 },
};
const AT_MOST = new Set(['costAnthropic', 'edits']);
const SHOWN = [
  ['cost A', 'costAnthropic', decimals(3)],
  ['recall', 'recall', percent],
  ['results', 'results', percent],
  ['lines', 'lines', percent],
  ['cache breaks', 'edits', decimals(1)],
  ['user %', 'userMessages', percent],
];
const isOurs = ({ policy }) => policy.startsWith('stepfold');

/** Each variant of stepfold beside the goals; `!` marks what is missed. */
export function goalsTable(rows) {
  const head = ['window', 'policy', 'called', 'survival %', ...SHOWN.map(([title]) => title), 'request %', 'invalid %'];
  const body = summaries(rows).flatMap(({ window, policies }) => {
    const goals = GOALS[window] ?? {};
    const mark = (missed, text) => (missed ? `! ${text}` : text);
    const cell = (policy, [, name, format]) => {
      const [value, goal] = [policy[name], goals[name]];
      return mark(goal !== undefined && value !== null && (AT_MOST.has(name) ? value > goal : value < goal), format(value));
    };
    const ours = policies.filter(isOurs).map((policy) => [
      nameOf(window),
      policy.policy,
      policy.semantics,
      mark(policy.survival < 1, percent(policy.survival)),
      ...SHOWN.map((column) => cell(policy, column)),
      mark(policy.request < 1, percent(policy.request)),
      mark(policy.invalid + policy.soft > 0, percent(policy.invalid + policy.soft)),
    ]);
    const asked = ['goal', '', '100.0', ...SHOWN.map(([, name, format]) => format(goals[name] ?? null)), '100.0', '0.0'];
    return ours.length > 0 && goals.recall !== undefined ? [[nameOf(window), ...asked], ...ours] : ours;
  });
  return `### Goals\n\n${table(head, body)}`;
}

/** The gate: at most 0.01 more cost than a yardstick, results and lines no worse, and together this much better. */
const GATE = { cost: 0.01, together: 0.06 };

/** Stepfold less each yardstick on the same transcripts. */
export function yardstickTable(rows) {
  const head = ['window', 'policy', 'called', 'yardstick', 'cost A', 'results', 'lines', 'together', 'gate'];
  const points = (value) => `${value < 0 ? '' : '+'}${(100 * value).toFixed(1)}`;
  const body = summaries(rows).flatMap(({ window, policies }) =>
    policies.filter(isOurs).flatMap((ours) =>
      policies
        .filter(({ policy }) => policy.startsWith('hysteresis'))
        .map((yardstick) => {
          const [cost, results, lines] = ['costAnthropic', 'results', 'lines'].map((name) => ours[name] - yardstick[name]);
          const passes = cost <= GATE.cost && results >= 0 && lines >= 0 && results + lines >= GATE.together;
          return [nameOf(window), ours.policy, ours.semantics, yardstick.policy, cost.toFixed(3), points(results), points(lines), points(results + lines), passes ? 'passes' : 'no'];
        }),
    ),
  );
  return `### Less the yardsticks\n\n${table(head, body)}`;
}
