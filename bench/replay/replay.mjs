// Replays one transcript through one policy, step by step, and measures what would have been sent. Reading again, drift and success are not measured.

import { performance } from 'node:perf_hooks';
import { play } from '../harness/play.mjs';
import { SUMMARY_TOKENS } from '../harness/summaries.mjs';
import { facts, neutral } from './policies/summaries.mjs';
import { isLookedUpAgain, recallOf } from './references.mjs';
import { commonPrefix } from './tokens.mjs';
import { reserveOf } from './transcript.mjs';
import { brokenRules, newlyBroken } from './validity.mjs';

/** Input tokens that are not in the cache, in units of plain input. */
export const PRICES = { anthropic: 1.25, openai: 1.0 };
/** Input tokens that are. */
export const CACHED = 0.1;
export const OUTPUT = 5;
/** Instruction of a summarizer. */
const SUMMARY_PROMPT_TOKENS = 300;
/** Looking something up again: the call, and at most once in so many steps. */
const FETCH = { outputTokens: 80, steps: 10 };
/** What is kept of request, user messages and plan is looked at every so many steps. */
const KEPT_EVERY = 8;

/** What the untouched conversation costs in an endless window. */
export function untouchedCost({ steps, overhead, prefixTokens }) {
  const cost = zero();
  let before = 0;
  for (const { at } of steps) {
    const tokens = overhead + prefixTokens[at];
    charge(cost, { tokens, cached: before });
    before = tokens;
  }
  return cost;
}

const zero = () => ({ ...Object.fromEntries(Object.keys(PRICES).map((name) => [name, 0])), asked: 0 });

/**
 * Adds to what Anthropic really bills: it caches only where the request asks, and then up to the mark at its end; so a prompt that does
 * not extend the one before is written anew from its beginning.
 */
function chargeAsAsked(cost, { asks, tokens = 0, extended = 0, output = 0 }) {
  cost.asked += (asks ? CACHED * extended + PRICES.anthropic * (tokens - extended) : tokens) + OUTPUT * output;
}

/** `plain` are tokens of a request that uses no cache at all. */
function charge(cost, { tokens = 0, cached = 0, plain = 0, output = 0 }) {
  for (const name in PRICES) cost[name] += CACHED * cached + PRICES[name] * (tokens - cached) + plain + OUTPUT * output;
}

/** One row of results. `semantics`, `factor` and `usage` are those of the harness; `timing` also measures `JSON.stringify` of the same lists. */
export async function replay(transcript, policy, { window, semantics = 'rebuild', stub = 'neutral', factor = 1, usage = true, timing = false, options = {} }) {
  const { ledger, messages, steps } = transcript;
  const reserve = reserveOf(window);
  const counted = (tokens) => Math.round(tokens * factor);
  const cost = zero();
  const refetch = zero();
  const row = { steps: steps.length, overflow: 0, summaries: 0, summaryOverflow: 0, edits: 0, editedSteps: 0, invalidSteps: 0, softSteps: 0, violations: {}, errors: 0, beyondWindow: 0 };
  const recall = createRecall(transcript);
  const asks = typeof policy.asksCache === 'function' ? await policy.asksCache(options) : policy.asksCache === true;
  const times = { policy: [], stringify: [] };
  let sent = { ids: [], tokens: 0 };
  let waited = 0;

  const summarize = ({ messages: covered, previous = '', inputTokens, ridesPrefix = false, outputTokens = SUMMARY_TOKENS }) => {
    const start = performance.now();
    row.summaries += 1;
    const tokens = (inputTokens ?? ledger.count(covered)) + ledger.text(previous) + SUMMARY_PROMPT_TOKENS;
    if (counted(tokens) + outputTokens > window) row.summaryOverflow += 1;
    const { plain, ...riding } = summaryInput({ tokens, covered, ridesPrefix });
    charge(cost, { plain, ...riding, output: outputTokens });
    if (plain === undefined) chargeAsAsked(cost, { asks, tokens: riding.tokens, extended: riding.cached, output: outputTokens });
    else chargeAsAsked(cost, { asks: false, tokens: plain, output: outputTokens });
    const text = stub === 'facts' ? facts({ messages: covered, previous, tokens: outputTokens, count: ledger.count }) : neutral(row.summaries, outputTokens);
    waited += performance.now() - start;
    return text;
  };
  /** A summary asked for behind the conversation finds its prefix in the cache; a separate call finds nothing and leaves nothing. */
  const summaryInput = ({ tokens, covered, ridesPrefix }) => {
    if (!ridesPrefix) return { plain: tokens };
    const ids = ledger.sequence(covered);
    const cached = transcript.overhead + ledger.sum(ids, commonPrefix(ids, sent.ids));
    return { tokens: Math.max(cached, tokens + transcript.overhead), cached };
  };
  const look = ({ number, at, input, messages: list, ids, tokens, cached, breaks, overflows, ms }) => {
    times.policy.push(Math.max(0, ms - waited));
    waited = 0;
    if (timing) times.stringify.push(timeOf(() => JSON.stringify(input)));
    charge(cost, { tokens, cached });
    chargeAsAsked(cost, { asks, tokens, extended: breaks ? 0 : sent.tokens });
    if (breaks) row.edits += 1;
    // The same steps for every policy: those whose raw history does not fit.
    const beyond = counted(transcript.overhead + transcript.prefixTokens[at]) + reserve > window;
    row.overflow += Number(overflows);
    row.beyondWindow += Number(beyond);
    const touched = list.length !== at || list.some((message, index) => message !== messages[index]);
    if (touched) {
      row.editedSteps += 1;
      const { hard, soft } = newlyBroken(brokenRules(list, transcript.thinking), transcript.rulesBrokenBy(at));
      row.invalidSteps += Number(hard.length > 0);
      row.softSteps += Number(soft.length > 0);
      for (const rule of [...hard, ...soft]) row.violations[rule] = (row.violations[rule] ?? 0) + 1;
    }
    const lost = recall.step({ number, at, ids, touched, overflows, beyond });
    for (const id of lost) charge(refetch, { tokens: ledger.infos[id].tokens, output: FETCH.outputTokens });
    if (lost.length > 0) charge(refetch, { tokens, cached: tokens });
    sent = { ids, tokens };
  };
  const failed = (error) => {
    row.errors += 1;
    row.error ??= String(error?.stack ?? error).slice(0, 300);
  };
  await play(transcript, policy, { window, reserve, semantics, factor, usage, options, summarize, look, failed });
  return { id: transcript.id, kind: transcript.kind, ...row, survived: row.overflow === 0, ...costs({ transcript, cost, refetch }), ...recall.result(), ...timesOf(times) };
}

function costs({ transcript, cost, refetch }) {
  const untouched = untouchedCost(transcript);
  return {
    costAnthropic: cost.anthropic / untouched.anthropic,
    costAsAsked: cost.asked / untouched.anthropic,
    costOpenai: cost.openai / untouched.openai,
    costWithRefetch: (cost.anthropic + refetch.anthropic) / untouched.anthropic,
  };
}

/** Collects what is found again of references, request, user messages and plan. */
function createRecall({ ledger, references, rawParts, users, plans }) {
  const values = { recall: [], results: [], lines: [], said: [], recallEdited: [], resultsEdited: [], request: [], userMessages: [], plan: [] };
  const fetched = new Map();
  let edited = false;
  return {
    /** Returns the results that would have to be fetched again. */
    step({ number, at, ids, touched, overflows, beyond }) {
      edited ||= touched;
      const looksAtKept = edited && number % KEPT_EVERY === 0;
      if (references[number].length === 0 && !looksAtKept) return [];
      const present = new Set(ids);
      const has = touched ? (id) => present.has(id) : () => true;
      const written = [...present].filter((id) => id >= rawParts).map((id) => ledger.infos[id].search).filter((text) => text !== '');
      const wrote = (text) => written.some((made) => made.includes(text));
      const { all, results, lines, said, missing } = recallOf(references[number], { has, wrote });
      if (edited) {
        values.recallEdited.push(all);
        values.resultsEdited.push(results);
      }
      if (beyond) {
        const effective = (share) => (share === null ? null : overflows ? 0 : share);
        values.recall.push(effective(all));
        values.results.push(effective(results));
        values.lines.push(effective(lines));
        values.said.push(effective(said));
      }
      if (looksAtKept) {
        const kept = (texts) => texts.every(({ id, search }) => present.has(id) || wrote(search));
        const known = users.filter((user) => user.at < at);
        const plan = plans.findLast((call) => call.at < at);
        values.request.push(Number(kept(known[0]?.texts ?? [])));
        values.userMessages.push(mean(known.map(({ texts }) => Number(kept(texts)))));
        if (plan !== undefined) values.plan.push(Number(present.has(ledger.part('assistant', plan.part).id)));
      }
      return refetches({ missing, number, fetched, ledger });
    },
    result: () => Object.fromEntries(Object.entries(values).map(([name, list]) => [name, mean(list)])),
  };
}

/** For each missing identifier that only results hold the cheapest of these, unless it was fetched a few steps ago. */
function refetches({ missing, number, fetched, ledger }) {
  const cheapest = (ids) => ids.reduce((best, id) => (ledger.infos[id].tokens < ledger.infos[best].tokens ? id : best));
  const wanted = new Set(missing.filter(isLookedUpAgain).map(([, ids]) => cheapest(ids)));
  const due = [...wanted].filter((id) => number - (fetched.get(id) ?? -Infinity) > FETCH.steps);
  for (const id of due) fetched.set(id, number);
  return due;
}

function timesOf({ policy, stringify }) {
  const row = { medianMs: quantile(policy, 0.5), p99Ms: quantile(policy, 0.99) };
  if (stringify.length === 0) return row;
  const ratios = policy.map((ms, index) => ms / stringify[index]);
  return {
    ...row,
    stringifyMedianMs: quantile(stringify, 0.5),
    stringifyP99Ms: quantile(stringify, 0.99),
    medianOfStringify: quantile(ratios, 0.5),
    p99OfStringify: quantile(ratios, 0.99),
  };
}

function timeOf(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Mean of what is a number; `null` of nothing. */
export function mean(values) {
  const numbers = values.filter((value) => value !== null && value !== undefined && !Number.isNaN(value));
  return numbers.length > 0 ? numbers.reduce((sum, value) => sum + value, 0) / numbers.length : null;
}

export function quantile(values, share) {
  if (values.length === 0) return null;
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
