// The judge's tables, as Markdown that reads as plain text too. Of the judging half nothing is printed but totals by kind and language.

import { tableOf } from '../docs/marks.mjs';
import { HALVES } from './load.mjs';
import { isByInput, isByKind, mean, summarize } from './score.mjs';

const points = (share) => (share === undefined ? '–' : (100 * share).toFixed(1));
const tokens = (count) => (count === undefined ? '–' : String(Math.round(count)));
const nameOf = (window) => `${window / 1_000}k`;
const TITLES = { tuning: 'Sessions for tuning', judging: 'Sessions for judging only' };

/** @param {any[]} rows */
export function tables(rows) {
  const policies = [...new Set(rows.map(({ policy }) => policy))];
  const [byKind, byInput] = [rows.filter(isByKind), rows.filter(isByInput)];
  const kinds = byKind.length === 0 ? [] : [...HALVES.flatMap((half) => halfTables(byKind.filter((row) => row.half === half), { half, policies })), totals(byKind, policies, 'kind'), totals(byKind, policies, 'style'), columnsTable(byKind, policies)];
  return [...kinds, ...(byInput.length === 0 ? [] : inputTables(byInput, policies))].join('\n\n');
}

/** Forms of input: apart from the kinds, whose figures do not move when a form is added. */
function inputTables(rows, policies) {
  const windows = [...new Set(rows.map(({ window }) => window))].sort((left, right) => left - right);
  const halves = HALVES.filter((half) => rows.some((row) => row.half === half));
  const cells = (list) => policies.map((policy) => points(mean(list.filter((row) => row.policy === policy).map(({ score }) => score))));
  const inputs = [...new Set(rows.map(({ input }) => input))].sort();
  const body = inputs.flatMap((input) => [...halves, ...windows].map((part) => {
    const list = rows.filter((row) => row.input === input && (row.half === part || row.window === part));
    return list.length === 0 ? undefined : [input, typeof part === 'number' ? nameOf(part) : part, ...cells(list)];
  })).filter((line) => line !== undefined);
  const byPart = `### New inputs, by half and by window: score\n\n${tableOf(['input', 'of', ...policies], body, 2)}`;
  return [byPart, `${totals(rows, policies, 'input')}\n\nnew inputs, mean: ${policies.map((policy) => `${policy} ${points(mean(rows.filter((row) => row.policy === policy).map(({ score }) => score)))}`).join(', ')}`, columnsTable(rows, policies, 'New inputs: what the scores are made of, %')];
}

function halfTables(rows, { half, policies }) {
  if (rows.length === 0) return [];
  const windows = [...new Set(rows.map(({ window }) => window))].sort((left, right) => left - right);
  return windows.map((window) => {
    const here = rows.filter((row) => row.window === window);
    const found = summarize(here, ({ kind, language, policy }) => `${kind}|${language}|${policy}`);
    const names = [...new Set([...found.keys()].map((key) => key.split('|').slice(0, 2).join('|')))];
    const cells = (list) => policies.map((policy) => points(list(policy)));
    const body = names.map((name) => [...name.split('|'), ...cells((policy) => found.get(`${name}|${policy}`)?.score)]);
    const all = ['all', '', ...cells((policy) => mean(here.filter((row) => row.policy === policy).map(({ score }) => score)))];
    return `### ${TITLES[half]}, window of ${nameOf(window)}: score\n\n${tableOf(['kind', 'language', ...policies], [...body, all], 2)}`;
  });
}

/** Both halves and all windows, by what tells sessions apart. */
function totals(rows, policies, name) {
  const found = summarize(rows, (row) => `${row[name]}|${row.policy}`);
  const values = [...new Set(rows.map((row) => row[name]))].sort();
  const body = values.map((value) => [value, String(found.get(`${value}|${policies[0]}`).sessions), ...policies.map((policy) => points(found.get(`${value}|${policy}`)?.score))]);
  return `### By ${name}, both halves, all windows: score\n\n${tableOf([name, 'sessions', ...policies], body, 1)}`;
}

/** What a policy's score is made of. */
function columnsTable(rows, policies, title = 'What the scores are made of, %') {
  const head = ['policy', 'score', 'found', 'if sent', 'user', 'result', 'model', 'of folded', 'wrong', 'stale', 'elsewhere', 'refused', 'sent tokens', 'tokens a fact', 'unasked', 'rows', 'with columns'];
  const found = summarize(rows, ({ policy }) => policy);
  const body = policies.map((policy) => {
    const { score, right, rightWhenSent, user, result, model, folded, wrong, stale, elsewhere, overflows, sentTokens, tokensAFact, unasked, rowsWithKey, rowsWithColumns } = found.get(policy);
    return [policy, ...[score, right, rightWhenSent, user, result, model, folded, wrong, stale, elsewhere, overflows].map(points), tokens(sentTokens), tokens(tokensAFact), ...[unasked, rowsWithKey, rowsWithColumns].map(points)];
  });
  return `### ${title}\n\n${tableOf(head, body, 1)}`;
}

/** Which facts of a session were lost, and what they cost: for whoever tunes. */
export function lossesOf(told) {
  const lines = [];
  for (const { window, policy, at, answers, stale, intruders } of told) {
    const bad = answers.filter(({ answer }) => answer !== 'right');
    lines.push(`\n${policy}, ${nameOf(window)}, behind message ${at}: ${answers.length - bad.length} of ${answers.length}`);
    for (const { fact, answer } of bad) lines.push(`  ${answer.padEnd(9)} ${fact.id} (${fact.by}, message ${fact.at}): ${JSON.stringify(fact.words)}${fact.beside.length > 0 ? ` beside ${JSON.stringify(fact.beside)}` : ''}`);
    for (const line of intruders) lines.push(`  wrong     a result among the words of the user: ${JSON.stringify(line.slice(0, 160))}`);
    for (const fact of stale) lines.push(`  stale     ${fact.id}: ${JSON.stringify(fact.words)} is told, and not that it is ${JSON.stringify(fact.successors[0].words)} now`);
  }
  return lines.join('\n');
}
