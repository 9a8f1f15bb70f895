// What can be said of a line of a tool result without knowing the tool, the harness or the language: the input of `model.json`.
// The order and the meaning of the numbers are those the model was trained on. Decides nothing.

import { leaves } from '../tokens.mjs';
import { outputText, partsOf } from '../policies/messages.mjs';

const NAME = /[\p{L}\p{N}_][\p{L}\p{N}_.\/:@-]{4,}/gu;
const WORD = /[\p{L}\p{N}]{3,}/gu;
const HAN = /[\u3400-\u9fff]{2}/g;
const SHORTEST_NAME = 5;
/** A word of this length counts as a name whatever it is made of. */
const LONG_WORD = 9;
/** Lines beyond the first length come in pieces of about the second. */
const LONG_LINE = 360;
const PIECE = 320;
const ARGUMENT = { shortest: 3, longest: 200 };
/** Texts that count as recent. */
const RECENT = 6;
/** Lines to each side whose use says something of a line. */
const NEAR = 3;
/** Where the model expects what the neighbours are worth. */
const NEAR_FEATURE = 16;

function namesOf(text) {
  const words = (text.match(NAME) ?? []).map((word) => word.replace(/[.:\/-]+$/, ''));
  return [...new Set(words.filter((word) => word.length >= SHORTEST_NAME && (/[\/._:@\-0-9]/.test(word) || word.length >= LONG_WORD)))];
}

const wordsOf = (text) => new Set([...(text.toLowerCase().match(WORD) ?? []), ...(text.match(HAN) ?? [])]);

const chunks = new WeakMap();

/** Lines of a result, with their names, words and about how many tokens; JSON is printed with one member a line. */
function chunksOf(part) {
  if (!chunks.has(part)) {
    const found = linesOfText(printed(part)).flatMap(piecesOf);
    chunks.set(part, found.map((text) => ({ text, names: namesOf(text), words: wordsOf(text), tokens: Math.ceil(text.length / 3.4) + 1 })));
  }
  return chunks.get(part);
}

function printed(part) {
  if (part.output.type === 'json') return JSON.stringify(part.output.value, null, 1);
  const text = outputText(part);
  if (text.includes('\n') || text.length <= 400 || !/^[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

const linesOfText = (text) => text.split('\n').flatMap((line) => (line.length > LONG_LINE && line.includes('\\n') ? line.split('\\n') : [line]));

function piecesOf(line) {
  if (line.length <= LONG_LINE) return [line];
  const pieces = [];
  let at = 0;
  while (at < line.length) {
    let end = Math.min(line.length, at + PIECE);
    const space = line.lastIndexOf(' ', end);
    if (end < line.length && space > at + PIECE / 2) end = space;
    pieces.push(line.slice(at, end));
    at = end;
  }
  return pieces;
}

/** Every line of every result in `messages` with its features (`x`). `units` are `[start, end)` of messages that belong together. */
export function describeLines(messages, units) {
  const known = readUnits(messages, units);
  const results = known.results.map((result) => ({ ...result, chunks: chunksOf(result.part) }));
  const counted = countWords(results);
  const lines = results.flatMap((result) => linesOfResult({ result, known, counted, units: units.length }));
  return { lines, results };
}

/** What calls and texts say, and in which unit. */
function readUnits(messages, units) {
  const known = { calls: new Map(), uses: new Map(), names: new Map(), users: new Set(), recent: new Set(), results: [] };
  const said = [];
  units.forEach(([start, end], unit) => {
    for (const message of messages.slice(start, end)) {
      if (message.role === 'tool') {
        for (const part of message.content) if (part.type === 'tool-result') known.results.push({ part, unit });
        continue;
      }
      const text = readMessage({ message, unit, known });
      if (message.role === 'user') for (const word of wordsOf(text)) known.users.add(word);
      for (const name of namesOf(text)) {
        const before = known.names.get(name);
        known.names.set(name, { first: before?.first ?? unit, last: unit, count: (before?.count ?? 0) + 1 });
      }
      said.push(text);
    }
  });
  for (const text of said.slice(-RECENT)) for (const word of wordsOf(text)) known.recent.add(word);
  return known;
}

function readMessage({ message, unit, known }) {
  let text = '';
  for (const part of partsOf(message)) {
    if (part.type === 'text' || part.type === 'reasoning') text += `\n${part.text}`;
    if (part.type !== 'tool-call') continue;
    const values = leaves(part.input);
    const given = values.filter(({ length }) => length >= ARGUMENT.shortest && length <= ARGUMENT.longest);
    known.calls.set(part.toolCallId, given);
    for (const value of given) known.uses.set(value, [...(known.uses.get(value) ?? []), unit]);
    text += `\n${values.join('\n')}`;
  }
  return text;
}

/** How many results hold a name or a word, who held a name first, and who says a line last. */
function countWords(results) {
  const counted = { names: new Map(), words: new Map(), holder: new Map(), newest: new Map(), results: results.length };
  const add = (counts, keys) => keys.forEach((key) => counts.set(key, (counts.get(key) ?? 0) + 1));
  for (const result of results) {
    for (const { text, names } of result.chunks) {
      counted.newest.set(text.trim(), result);
      for (const name of names) if (!counted.holder.has(name)) counted.holder.set(name, result);
    }
    add(counted.names, new Set(result.chunks.flatMap(({ names }) => names)));
    add(counted.words, new Set(result.chunks.flatMap(({ words }) => [...words])));
  }
  return counted;
}

function linesOfResult({ result, known, counted, units }) {
  const rarity = (counts, key) => Math.log((counted.results + 1) / (counts.get(key) ?? 0.5));
  const given = known.calls.get(result.part.toolCallId) ?? [];
  const later = Math.max(0, ...given.map((value) => known.uses.get(value).filter((unit) => unit > result.unit).length));
  const size = result.chunks.reduce((sum, { tokens }) => sum + tokens, 0);
  const lines = result.chunks.map((chunk, index) => {
    let [used, usedOften, sum, fresh, request, now] = [0, 0, 0, 0, 0, 0];
    for (const name of chunk.names) {
      const weight = rarity(counted.names, name);
      const said = known.names.get(name);
      sum += weight;
      if ((said?.last ?? -1) > result.unit) {
        used = Math.max(used, weight);
        usedOften += Math.min(5, said.count);
      }
      if (counted.holder.get(name) === result && (said?.first ?? units) >= result.unit) fresh += 1;
    }
    for (const word of chunk.words) {
      if (known.users.has(word)) request += rarity(counted.words, word);
      if (known.recent.has(word)) now += rarity(counted.words, word);
    }
    const length = Math.sqrt(chunk.words.size + 1);
    const names = chunk.names.length;
    const text = chunk.text.trim();
    const x = [
      Math.log1p(units - result.unit),
      used,
      Math.log1p(usedOften),
      request / length,
      now / length,
      Math.log1p(names),
      Math.log1p(chunk.tokens),
      names > 0 ? sum / names : 0,
      Number(counted.newest.get(text) !== result),
      index / result.chunks.length,
      Math.log1p(size),
      Number(given.some((value) => value.length > ARGUMENT.shortest && chunk.text.includes(value))),
      names > 0 ? fresh / names : 0,
      Number(/\w\/\w/.test(chunk.text)),
      Number(/\d{2}/.test(chunk.text)),
      Math.log1p(later),
      0,
      Number(text.length < 4),
      Math.log1p(index),
    ];
    return { result, index, chunk, x };
  });
  lines.forEach((line, at) => {
    const beside = [...lines.slice(Math.max(0, at - NEAR), at), ...lines.slice(at + 1, at + NEAR + 1)];
    line.x[NEAR_FEATURE] = Math.max(0, ...beside.map(({ x }) => x[1]));
  });
  return lines;
}
