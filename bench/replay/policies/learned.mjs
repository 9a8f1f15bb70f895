// A yardstick, no product: at the trigger it chooses anew from the whole history. The user's words, calls and newest steps stay, and of results the
// lines that `learned/model.json` holds most likely to be used later, for their tokens. Knows no tool, harness or language, and no care for small windows.

import { readFileSync } from 'node:fs';
import { describeLines } from '../learned/features.mjs';
import { leaves } from '../tokens.mjs';
import { outputText, partsOf, resultsOf, textOf, unitsOf, user } from './messages.mjs';

const MODEL = JSON.parse(readFileSync(new URL('../learned/model.json', import.meta.url), 'utf8'));
const CLEARED = '[cleared]';
/** What a cleared result costs still. */
const CLEARED_TOKENS = 6;
/** Share of the room for the user's words and the calls of folded steps. */
const LOG_SHARE = 0.3;
/** The newest step takes at most this share of the usable window. */
const NEWEST_SHARE = 0.4;
/** What the first line of a result costs beyond its own tokens, and each further one. */
const FIRST_LINE = 14;
const NEXT_LINE = 1;
/** A line is passed over when what was taken since has made it worth this much less. */
const STALE = 0.6;

/** How likely a tree ensemble holds a line to be used later. A node is `[feature, threshold, left, right, value of a leaf]`. */
function likelihood({ base, trees }, x) {
  let sum = base;
  for (const tree of trees) {
    let node = tree[0];
    while (node[4] === null) node = tree[x[node[0]] <= node[1] ? node[2] : node[3]];
    sum += node[4];
  }
  return 1 / (1 + Math.exp(-sum));
}

/**
 * From `high` of the usable window down to `low`. `base`: share of the room for the newest steps; `cover`: what a line is worth still whose names
 * are all kept elsewhere; `answer`: what the words of an answer count beside calls.
 */
export const learned = {
  name: 'learned',
  semantics: ['rebuild'],
  create({ window, reserve, overhead, count, options: { high = 0.92, low = 0.42, base = 0.3, cover = 0.25, answer = 0.5 } }) {
    const usable = window - reserve;
    let head = [];
    let from = 0;
    /** Texts of results. */
    let texts = new Map();
    let made = new Map();

    const rewritten = (message) => {
      if (message.role !== 'tool' || !message.content.some((part) => texts.has(part))) return message;
      if (!made.has(message)) {
        const content = message.content.map((part) => (texts.has(part) ? { ...part, output: { type: 'text', value: texts.get(part) } } : part));
        made.set(message, { ...message, content });
      }
      return made.get(message);
    };
    const view = (messages) => [...head, ...messages.slice(from).map(rewritten)];

    const choose = (messages) => {
      [head, from, texts, made] = [[], 0, new Map(), new Map()];
      const units = unitsOf(messages);
      const last = units.length - 1;
      const { lines, results } = describeLines(messages, units);
      const of = (unit) => messages.slice(...units[unit]);
      const bare = (unit) => count(of(unit)) - resultsOf(of(unit)).reduce((sum, part) => sum + count(part) - CLEARED_TOKENS, 0);
      const room = low * usable - overhead - Math.min(count(of(last)), NEWEST_SHARE * usable);

      let keep = last;
      let spent = 0;
      while (keep > 0 && spent + bare(keep - 1) <= base * room) {
        keep -= 1;
        spent += bare(keep);
      }
      const log = logOf({ messages: messages.slice(0, units[keep][0]), tokens: LOG_SHARE * room, count });
      const open = lines.filter(({ result, chunk }) => result.unit < last && chunk.text.trim() !== '');
      const chosen = chooseLines({ lines: open, room: room - spent - log.tokens, cover, answer });

      for (const result of results) {
        if (result.unit < keep || result.unit >= last) continue;
        const text = excerptOf(result, chosen.get(result));
        if (text.length < outputText(result.part).length) texts.set(result.part, text);
      }
      const newest = results.filter(({ unit }) => unit === last);
      const most = Math.max(200, (NEWEST_SHARE * usable) / Math.max(1, newest.length));
      for (const { part } of newest) if (count(part) > most) texts.set(part, cut(outputText(part), Math.floor(most * 1.6)));
      if (keep === 0) return;
      from = units[keep][0];
      const excerpts = results.filter((result) => result.unit < keep && chosen.has(result)).map((result) => excerptOf(result, chosen.get(result)));
      head = [user(`[Earlier conversation condensed]\n${log.lines.join('\n')}\n\nFrom results:\n${excerpts.join('\n---\n')}`)];
    };
    return {
      step({ messages }) {
        if (overhead + count(view(messages)) > high * usable) choose(messages);
        return view(messages);
      },
    };
  },
};

/** The user's words, and of the calls the newest that fit; in their order. */
function logOf({ messages, tokens, count }) {
  const entries = messages.flatMap((message) => {
    if (message.role === 'user') return [{ text: `user: ${textOf(message).slice(0, 6_000)}`, isKept: true }];
    if (message.role !== 'assistant') return [];
    const calls = partsOf(message).filter(({ type }) => type === 'tool-call');
    return calls.map(({ toolName, input }) => ({ text: `${toolName}: ${leaves(input).join(' ').replace(/\s+/g, ' ').slice(0, 120)}`, isKept: false }));
  });
  let used = entries.reduce((sum, { text, isKept }) => sum + (isKept ? count(text) : 0), 0);
  for (const entry of entries.toReversed()) {
    if (entry.isKept) continue;
    const cost = count(entry.text);
    if (used + cost > tokens) break;
    entry.isKept = true;
    used += cost;
  }
  return { lines: entries.filter(({ isKept }) => isKept).map(({ text }) => text), tokens: used };
}

/** Chosen lines of each result, by their indices: greedily by what a line is likely to be worth for its tokens, given the names taken before. */
function chooseLines({ lines, room, cover, answer }) {
  const covered = new Set();
  const chosen = new Map();
  const worth = ({ likely, chunk: { names, tokens } }) => {
    const known = names.filter((name) => covered.has(name)).length;
    const fresh = names.length > 0 ? cover + ((1 - cover) * (names.length - known)) / names.length : 1;
    return (likely * fresh) / (tokens + 2);
  };
  for (const line of lines) {
    line.likely = likelihood(MODEL.name, line.x) + likelihood(MODEL.line, line.x) + answer * likelihood(MODEL.answer, line.x);
    line.score = worth(line);
  }
  let left = room;
  for (const line of lines.toSorted((one, other) => other.score - one.score)) {
    if (left <= 0) break;
    if (line.chunk.tokens + 2 > left || worth(line) < STALE * line.score) continue;
    left -= line.chunk.tokens + (chosen.has(line.result) ? NEXT_LINE : FIRST_LINE);
    if (!chosen.has(line.result)) chosen.set(line.result, new Set());
    chosen.get(line.result).add(line.index);
    for (const name of line.chunk.names) covered.add(name);
  }
  return chosen;
}

/** The chosen lines of a result, with how many were left out between them. */
function excerptOf(result, chosen) {
  if (chosen === undefined) return CLEARED;
  let text = '';
  let gap = 0;
  result.chunks.forEach((chunk, index) => {
    if (!chosen.has(index)) {
      gap += 1;
      return;
    }
    text += `${gap > 0 ? `[${gap}]\n` : ''}${chunk.text}\n`;
    gap = 0;
  });
  return gap > 0 ? `${text}[${gap}]` : text;
}

const cut = (text, half) => `${text.slice(0, half)}\n[cut]\n${text.slice(-half)}`;
