// Every figure that README and guides show, by a name that marks in them use (marks.mjs), from what the benches have stored. A string is a figure or a table; a boolean says
// whether a sentence of a guide still holds.

import { tableOf } from './marks.mjs';

/** @param {Record<string, any>} stored what each bench has stored (stored.mjs) */
export function figuresOf({ agents, tau, rules, replay, usage, cache, runtimes }) {
  return { agents: agentsOf(agents), tau: tauOf(tau), rules: rulesOf(rules), replay: replayOf(replay), usage: usageOf(usage), cache: cacheOf(cache), runtimes: runtimesOf(runtimes) };
}

const mapValues = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
const nameOf = (window) => `${window / 1_000}k`;
const whole = (value) => String(Math.round(value));
const distinct = (rows, name) => [...new Set(rows.map((row) => row[name]))];

/** The smallest and the largest, as `28 to 49`. */
function rangeOf(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(whole);
  return least === most ? least : `${least} to ${most}`;
}

/** The judge: titles of policies in tables, and their names in marks. */
const JUDGED = {
  stepfold: { title: 'stepfold', mark: 'stepfold' },
  hysteresis: { title: 'a plain policy', mark: 'plain' },
  'tool clearing': { title: 'old results cleared', mark: 'cleared' },
  pruneMessages: { title: '`pruneMessages`', mark: 'pruneMessages' },
  'context-chef': { title: 'context-chef', mark: 'contextChef' },
  LangChain: { title: 'LangChain', mark: 'langChain' },
  oracle: { title: 'knows the future', mark: 'oracle' },
  'with summary': { title: 'with a summarizer', mark: 'summary' },
  'optimize recall': { title: "`'recall'`", mark: 'recall' },
  'optimize cost': { title: "`'cost'`", mark: 'cost' },
};
const SHOWN = ['stepfold', 'hysteresis', 'tool clearing', 'pruneMessages', 'context-chef', 'LangChain', 'oracle'];

function agentsOf({ points, inputs, all, windows, styles, halves, kindsInWindows }) {
  const ranked = (of) => Object.keys(of).sort((left, right) => of[right].stepfold - of[left].stepfold || (left < right ? -1 : 1));
  const tableFor = (of, title, policies = SHOWN) => tableOf([title, ...policies.map((policy) => JUDGED[policy].title)], ranked(of).map((name) => [name, ...policies.map((policy) => whole(of[name][policy]))]));
  const marked = (of) => Object.fromEntries(Object.entries(of).map(([policy, value]) => [JUDGED[policy].mark, whole(value)]));
  const inWindows = (kind) => Object.entries(kindsInWindows.points).filter(([name]) => name.startsWith(`${kind} `)).map(([name, { stepfold }]) => [nameOf(Number(name.split(' ')[1])), whole(stepfold)]);
  return {
    kinds: mapValues(points, (row, kind) => ({ ...marked(row), ...Object.fromEntries(inWindows(kind)) })),
    kindsTable: tableFor(points, 'agent'),
    readmeTable: tableFor(points, 'agent', SHOWN.filter((policy) => !['hysteresis', 'oracle'].includes(policy))),
    inputsTable: tableFor(inputs.points, 'input'),
    policies: Object.fromEntries(Object.entries(all).map(([policy, shares]) => [JUDGED[policy].mark, mapValues(shares, whole)])),
    untrue: all.stepfold.stale.toFixed(1),
    windows: Object.fromEntries(Object.entries(windows.points).map(([window, row]) => [nameOf(window), marked(row)])),
    largeSessions: String(windows.sessions[64_000]),
    styles: mapValues(styles.points, marked),
    halves: mapValues(halves.points, marked),
    isResearchWeakest: ranked(points).at(-1) === 'research',
    isNothingRefused: all.stepfold.overflows === 0,
    isNothingMisplaced: all.stepfold.wrong === 0,
    doesTellingHelp: styles.points.tells.stepfold > styles.points.silent.stepfold,
    isStandInNoBetter: all['with summary'].score <= all.stepfold.score,
    isCostBadForResearch: points.research['optimize cost'] < points.research.stepfold - 10,
    areHardInputsHard: ['giants', 'tables', 'xml', 'html', 'frame'].every((input) => inputs.points[input].stepfold < all.stepfold.score - 3),
  };
}

const PLAYED = {
  stepfold: { title: 'stepfold', mark: 'stepfold' },
  'with recall': { title: '… and its recall tool', mark: 'withRecall' },
  cleared: { title: 'old results cleared', mark: 'cleared' },
  pruneMessages: { title: '`pruneMessages`', mark: 'pruneMessages' },
  'context-chef': { title: 'context-chef', mark: 'contextChef' },
  LangChain: { title: 'LangChain', mark: 'langChain' },
  oracle: { title: 'knows the future', mark: 'oracle' },
};

function tauOf({ rows }) {
  const shareOf = ({ wholeInWindow, recovered = 0, writes }) => (100 * (wholeInWindow + recovered)) / writes;
  const pick = (wanted) => rows.filter((row) => Object.keys(wanted).every((name) => row[name] === wanted[name]));
  const beside = ({ domain, order, agent, window }, policy) => pick({ domain, order, agent, window, policy })[0];
  const line = (row) => [`${row.order}${row.domain === 'retail' ? '' : `, ${row.domain}`}`, nameOf(row.window), ...Object.keys(PLAYED).map((policy) => whole(shareOf(beside(row, policy))))];
  const rangesOf = (wanted, measure) => Object.fromEntries(Object.entries(PLAYED).map(([policy, { mark }]) => [mark, rangeOf(pick({ ...wanted, policy }).map(measure))]));
  const leadsAtDesk = (policy) => pick({ policy: 'stepfold', domain: 'retail', agent: 'silent', order: 'desk' }).map((row) => shareOf(row) - shareOf(beside(row, policy)));
  return {
    table: tableOf(['customers', 'window', ...Object.values(PLAYED).map(({ title }) => title)], pick({ policy: 'full', agent: 'silent' }).sort((one, other) => (one.domain === other.domain ? 0 : one.domain === 'retail' ? -1 : 1) || (one.order < other.order ? -1 : one.order > other.order ? 1 : 0)).map(line), 2),
    desk: rangesOf({ domain: 'retail', order: 'desk', agent: 'silent' }, shareOf),
    queue: rangesOf({ domain: 'retail', order: 'queue', agent: 'silent' }, shareOf),
    cost: rangesOf({ domain: 'retail', agent: 'silent' }, (row) => (100 * row.cost) / beside(row, 'full').cost),
    isDeskHalf: pick({ policy: 'stepfold', domain: 'retail', agent: 'silent', order: 'desk' }).every((row) => shareOf(row) < 60),
    isRecallNeeded: leadsAtDesk('with recall').every((lead) => lead <= -30),
    isRoomEnough: leadsAtDesk('oracle').every((lead) => lead <= -10),
    isNothingTooLarge: pick({ policy: 'stepfold' }).every(({ over }) => over === 0),
  };
}

const RULE_TITLES = { 'user, alone': 'user, short', 'user, hidden': 'user, in a long message', 'system, alone': 'system, short', 'system, hidden': 'system, in a long message', 'result, alone': 'tool result', 'result, hidden': 'tool result, in a long one' };

function rulesOf(rows) {
  const [ours, cleared] = ['stepfold', 'tool clearing'].map((policy) => rows.filter((row) => row.policy === policy));
  const shareOf = (list, group) => {
    const sum = (name) => list.reduce((total, { groups }) => total + groups[group][name], 0);
    return (100 * sum('kept')) / sum('said');
  };
  const body = distinct(ours, 'window').map((window) => [nameOf(window), ...Object.keys(RULE_TITLES).map((group) => whole(shareOf(ours.filter((row) => row.window === window), group)))]);
  const ranges = (list) => Object.fromEntries(Object.keys(RULE_TITLES).map((group) => [group.replace(/, (.)/, (_all, letter) => letter.toUpperCase()), rangeOf(list.map((row) => shareOf([row], group)))]));
  return {
    table: tableOf(['window', ...Object.values(RULE_TITLES)], body),
    stepfold: ranges(ours),
    cleared: ranges(cleared),
    doShortOnesStay: ours.every(({ groups }) => ['user, alone', 'system, alone'].every((group) => groups[group].kept === groups[group].said)),
    isNoneMisattributed: ours.every(({ misattributed }) => misattributed === 0),
    areHiddenOnesLostAt16k: shareOf(ours.filter(({ window }) => window === 16_000), 'user, hidden') < 50,
    areThoseOfResultsLost: shareOf(ours, 'result, alone') < 70,
  };
}

const REPLAYED = { stepfold: 'stepfold', 'stepfold optimize="cost"': "`optimize: 'cost'`", 'stepfold optimize="recall"': "`optimize: 'recall'`", 'anthropic-clear': 'old results cleared', 'docs-prune': '`pruneMessages`' };

function replayOf({ steps, windows }) {
  const cellOf = ({ costAnthropic, results, survival }) => `${whole(100 * costAnthropic)}: ${whole(100 * results)}${survival < 1 ? ' †' : ''}`;
  const find = ({ policies }, name) => policies.find(({ policy }) => policy === name);
  const body = windows.map((window) => [nameOf(window.window), String(find(window, 'stepfold').transcripts), ...Object.keys(REPLAYED).map((name) => cellOf(find(window, name)))]);
  const of = (window, name) => mapValues({ cost: find(window, name).costAnthropic, names: find(window, name).results }, (share) => whole(100 * share));
  return {
    table: tableOf(['window', 'sessions', ...Object.values(REPLAYED)], body),
    sessions: String(find(windows[0], 'stepfold').transcripts),
    steps: steps.toLocaleString('en'),
    tooLarge: String(windows.reduce((sum, window) => sum + find(window, 'stepfold').overflow, 0)),
    ...Object.fromEntries(windows.map((window) => [nameOf(window.window), { stepfold: of(window, 'stepfold'), cost: of(window, 'stepfold optimize="cost"'), recall: of(window, 'stepfold optimize="recall"'), cleared: of(window, 'anthropic-clear') }])),
  };
}

/** Models that providers count alike. Those of other agents, and with fewer additions than this, say little. */
const FAMILIES = { 'GPT-5.3 to 5.6': /^(codex|opencode) gpt-5/, 'Claude to 4.6': /^(claude-code|pi) claude-\w+-4-[4-6]/, 'Claude from 4.7 on': /^claude-code claude-\w+-(4-[7-9]|5)\b/ };
const FEWEST_ADDITIONS = 20;

function usageOf(measures) {
  const [additions, prompts] = ['differences, uncalibrated', 'whole prompt, anchored'].map((name) => measures[name]);
  const models = (family) => additions.filter(({ group, n }) => FAMILIES[family].test(group) && n >= FEWEST_ADDITIONS).map(({ group }) => group);
  const shares = (rows, family, at) => rangeOf(rows.filter(({ group }) => models(family).includes(group)).map(({ stepfold }) => 100 * stepfold[at]));
  const body = Object.keys(FAMILIES).map((family) => [family, String(models(family).length), shares(additions, family, 0), shares(additions, family, 1), shares(prompts, family, 1)]);
  const worst = (family) => Math.max(...additions.filter(({ group }) => models(family).includes(group)).map(({ stepfold }) => stepfold[1]));
  return {
    table: tableOf(['models', 'how many', 'addition, median', 'addition too low by more than 15 %', 'whole prompt, 95th percentile'], body),
    areNewClaudesTooLow: worst('Claude from 4.7 on') > 0.5,
  };
}

const BILLED = { unedited: 'no stepfold, caching not asked for', uneditedCached: 'no stepfold, caching asked for', uncached: 'stepfold, promptCache: false', stepfold: 'stepfold' };

/** In millions of tokens. */
const cacheOf = (result) => mapValues(BILLED, (name) => Object.fromEntries(Object.entries(result[name]).map(([major, tokens]) => [`ai${major}`, (tokens / 1e6).toFixed(2)])));

export const runtimesTable = ({ head, rows }) => tableOf(head, rows.map((row) => head.map((_, column) => row[column] ?? '')), head.length);

function runtimesOf({ head, rows }) {
  const ofNode = (title) => rows.filter((row) => row[0].startsWith('Node') && row[head.indexOf(title)] !== undefined).map((row) => Number.parseInt(row[head.indexOf(title)].replace('−', '-'), 10));
  return { table: runtimesTable({ head, rows }), gzip: rangeOf(ofNode('gzip')), firstStep: rangeOf(ofNode('with stepfold')) };
}
