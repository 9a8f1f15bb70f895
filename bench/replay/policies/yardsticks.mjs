// Yardsticks, no products: a plain policy with two marks, and an oracle that knows what later steps refer to.

import { leaves } from '../tokens.mjs';
import { createClearing, originalRequest, outputText, partsOf, resultsOf, textOf, unitsOf, user } from './messages.mjs';

/** The calls of dropped messages, the newest where not all fit. */
function digestOf({ messages, tokens, count }) {
  const lines = [];
  for (const message of messages) {
    if (message.role === 'user') lines.push(`user: ${textOf(message).replace(/\s+/g, ' ').slice(0, 300)}`);
    if (message.role !== 'assistant') continue;
    for (const { type, toolName, input } of partsOf(message)) {
      if (type === 'tool-call') lines.push(`${toolName}: ${leaves(input).join(' ').replace(/\s+/g, ' ').slice(0, 120)}`);
    }
  }
  let used = 0;
  let from = lines.length;
  while (from > 0 && (used += count(lines[from - 1]) + 1) <= tokens) from -= 1;
  return lines.slice(from).join('\n');
}

/** The first identifiers of a result. */
function gistOf({ text, tokens, count }) {
  const found = new Set();
  let used = 0;
  for (const word of text.match(/[A-Za-z0-9_][A-Za-z0-9_.\/:@-]{4,}/g) ?? []) {
    if (found.has(word) || !/[\/._:@0-9-]/.test(word)) continue;
    if ((used += count(word) + 1) > tokens) break;
    found.add(word);
  }
  return [...found].join(' ');
}

/** Head and tail of a text, halved until they fit. */
function shorten({ text, tokens, count }) {
  let half = tokens * 2;
  const cut = () => `${text.slice(0, half)}\n[... cut ...]\n${text.slice(-half)}`;
  while (half > 50 && count(cut()) > tokens) half >>= 1;
  return cut();
}

/**
 * Above `high` of the usable window the oldest results are cleared down to `low`, then the oldest units dropped behind a digest;
 * single giants are cut to fit. `small`: results up to that many tokens stay; `gist`: tokens of identifiers in a placeholder.
 */
const hysteresis = {
  name: 'hysteresis',
  semantics: ['rebuild'],
  create({ window, reserve, overhead, count, options: { high = 0.8, low = 0.5, small = 0, gist = 0 } }) {
    const usable = window - reserve;
    const mention = (part) => (gist > 0 ? ` mentions: ${gistOf({ text: outputText(part), tokens: gist, count })}` : '');
    const clearing = createClearing((part) => `[old tool result cleared]${mention(part)}`);
    const cleared = new Set();
    const caps = new Map();
    const capping = createClearing((part) => shorten({ text: outputText(part), tokens: caps.get(part), count }));
    const shortened = new Map();
    let from = 0;
    let head = [];
    const view = (messages) => {
      const live = clearing.apply(capping.apply(messages.slice(from), caps), cleared);
      return [...head, ...live.map((message) => shortened.get(message) ?? message)];
    };
    const size = (list) => overhead + count(list);

    const clear = (live, units) => {
      let tokens = size([...head, ...clearing.apply(capping.apply(live, caps), cleared).map((message) => shortened.get(message) ?? message)]);
      for (const part of resultsOf(live.slice(0, units.at(-1)[0]))) {
        if (tokens <= low * usable) break;
        if (cleared.has(part) || count(part) <= small + gist) continue;
        cleared.add(part);
        tokens -= count(part) - 8 - gist;
      }
    };
    /** Also results of one step that are a giant together. */
    const capGiants = (live, units) => {
      for (const [start, end] of units) {
        const results = resultsOf(live.slice(start, end));
        const most = Math.max(200, Math.floor(Math.min(0.2, 0.4 / results.length) * usable));
        for (const part of results) if (!cleared.has(part) && !caps.has(part) && count(part) > most) caps.set(part, most);
      }
    };
    const drop = (messages, live, units) => {
      const room = 0.1 * usable;
      let tokens = size(view(messages)) - count(head) + room;
      let cut = from;
      for (const [start, end] of units.slice(0, -1)) {
        if (tokens <= low * usable) break;
        tokens -= count(clearing.apply(capping.apply(live.slice(start, end), caps), cleared));
        cut = from + end;
      }
      if (cut === from) return;
      from = cut;
      const request = originalRequest(messages);
      const kept = count(request) < room ? request : request.slice(0, room * 3);
      const done = digestOf({ messages: messages.slice(0, cut), tokens: room, count });
      head = [user(`[Earlier conversation condensed]\nOriginal request:\n${kept}\n\nDone so far (oldest first):\n${done}`)];
    };
    const shortenInputs = (messages) => {
      for (const message of messages.slice(from)) {
        if (message.role !== 'assistant' || !Array.isArray(message.content) || count(message) <= 0.1 * usable) continue;
        const cut = (value) => (typeof value === 'string' && value.length > 1_000 ? shorten({ text: value, tokens: 200, count }) : value);
        const content = message.content.map((part) =>
          part.type === 'tool-call' && typeof part.input === 'object'
            ? { ...part, input: Object.fromEntries(Object.entries(part.input).map(([key, value]) => [key, cut(value)])) }
            : part,
        );
        shortened.set(message, { ...message, content });
      }
    };
    return {
      step({ messages }) {
        const list = view(messages);
        if (size(list) <= high * usable) return list;
        const live = messages.slice(from);
        const units = unitsOf(live);
        clear(live, units);
        capGiants(live, units);
        if (size(view(messages)) > (low + 0.15) * usable) drop(messages, live, units);
        if (size(view(messages)) > usable) shortenInputs(messages);
        return view(messages);
      },
    };
  },
};

/**
 * Upper bound. At `high` it chooses again from the whole history, knowing all later references: greedy cover by the weight of
 * references not yet covered per token, within `low`. It may bring back what it cleared, and it cuts nothing.
 */
const oracle = {
  name: 'oracle',
  semantics: ['rebuild'],
  isBound: true,
  create({ window, reserve, overhead, count, transcript: { ledger, references, steps }, options: { high = 0.95, low = 0.5 } }) {
    const usable = window - reserve;
    const clearing = createClearing('[cleared]');
    let upTo = 0;
    let kept = [];
    let cleared = new Set();
    const view = (messages) => [...clearing.apply(kept, cleared), ...messages.slice(upTo)];

    const choose = (messages, stepNumber) => {
      const needs = futureNeeds({ references, from: stepNumber, to: steps.length });
      let room = low * usable - overhead;
      const units = unitsOf(messages).map(([start, end]) => unitOf({ messages: messages.slice(start, end), ledger, count }));
      const take = (ids) => ids.forEach((id) => needs.get(id)?.forEach((need) => (need.met = true)));
      const gain = (ids) => ids.reduce((sum, id) => sum + (needs.get(id) ?? []).reduce((inner, { met, weight }) => inner + (met ? 0 : weight), 0), 0);
      const keepUnit = (unit) => {
        if (unit.kept) return;
        unit.kept = true;
        room -= unit.tokens;
        take(unit.ids);
      };
      const keepResult = (result) => {
        result.kept = true;
        room -= result.tokens;
        take(result.ids);
      };
      const newest = units.at(-1);
      keepUnit(newest);
      for (const result of newest.results) if (result.tokens <= Math.max(room, 0.4 * usable)) keepResult(result);
      if (units[0].tokens < 0.25 * usable) keepUnit(units[0]);

      const isKept = ({ unit, result }) => (result ?? unit).kept;
      const price = ({ unit, result }) => Math.max(1, (result?.tokens ?? 0) + (unit.kept ? 0 : unit.tokens));
      const worth = ({ unit, result }) => gain((result ?? unit).ids) + (result && !unit.kept ? gain(unit.ids) : 0);
      const items = units.flatMap((unit) => [{ unit }, ...unit.results.map((result) => ({ unit, result }))]).filter((item) => !isKept(item));
      for (const item of items) item.score = worth(item) / price(item);
      items.sort((left, right) => left.score - right.score);
      // Lazy greedy: the best is scored again, and sinks when others were taken that covered the same.
      while (items.length > 0) {
        const item = items.pop();
        if (isKept(item)) continue;
        item.score = worth(item) / price(item);
        if (item.score <= 0) continue;
        if (items.length > 0 && item.score < items.at(-1).score) {
          let index = items.length;
          while (index > 0 && items[index - 1].score > item.score) index -= 1;
          items.splice(index, 0, item);
          continue;
        }
        if (price(item) > room) continue;
        keepUnit(item.unit);
        if (item.result) keepResult(item.result);
      }
      kept = units.filter((unit) => unit.kept).flatMap((unit) => unit.messages);
      cleared = new Set(units.flatMap(({ results }) => results.filter((result) => !result.kept).map(({ part }) => part)));
      upTo = messages.length;
    };
    return {
      step({ messages, stepNumber }) {
        if (overhead + count(view(messages)) > high * usable) choose(messages, stepNumber);
        return view(messages);
      },
    };
  },
};

/** For each part the references of the steps `from` to `to` that it satisfies. */
function futureNeeds({ references, from, to }) {
  const needs = new Map();
  for (const step of references.slice(from, to)) {
    for (const [, ids] of step) {
      const need = { weight: 1 / step.length, met: false };
      for (const id of ids) {
        if (needs.has(id)) needs.get(id).push(need);
        else needs.set(id, [need]);
      }
    }
  }
  return needs;
}

const PLACEHOLDER_TOKENS = 3;

function unitOf({ messages, ledger, count }) {
  const results = resultsOf(messages).map((part) => ({ part, tokens: count(part) - PLACEHOLDER_TOKENS, ids: [ledger.part('tool', part).id], kept: false }));
  const ids = messages.flatMap((message) => ledger.message(message).list).filter(({ kind }) => kind !== 'result').map(({ id }) => id);
  return { messages, results, ids, tokens: count(messages) - results.reduce((sum, { tokens }) => sum + tokens, 0), kept: false };
}

export const yardsticks = [hysteresis, oracle];
