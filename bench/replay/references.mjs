// Which identifiers and lines of a step's tool inputs, and which words of its texts, stood in its history, and which of them stand in what was sent.
// Sees only what can be found by its letters: paraphrased use is invisible.

import { leaves } from './tokens.mjs';

const TOKEN = /[A-Za-z0-9_][A-Za-z0-9_.\/:@-]{4,}/g;
const STRUCTURE = /[\/._:@\-0-9]/;
const SHORTEST = 5;
const LONGEST_LEAF = 80;
const LINE = { shortest: 30, longest: 300, most: 200 };
/** What a reference is: its fourth field. */
const IDENTIFIER = 0;
const WHOLE_LINE = 1;
const SAID = 2;
const MEASURE = { [IDENTIFIER]: 'all', [WHOLE_LINE]: 'lines', [SAID]: 'said' };
const SAID_WORD = /[\p{L}\p{N}][\p{L}\p{N}.,:\/@_%-]*[\p{L}\p{N}%]/gu;
/** Scripts without spaces: runs of their characters are taken in threes. */
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff]{3,}/gu;
const UNSPACED_PIECE = 3;
const SHORTEST_SAID = { number: 3, word: 4 };
/** A word that more results hold than these says nothing of where it was taken from. */
const SAID_RESULTS = 3;

/** Steps of a conversation: each run of assistant messages, `at` its first and `end` behind its last. Its prompt is what stands before. */
export function stepsOf(messages) {
  const steps = [];
  for (let at = 1; at < messages.length; at += 1) {
    if (messages[at].role !== 'assistant' || messages[at - 1].role === 'assistant') continue;
    let end = at + 1;
    while (end < messages.length && messages[end].role === 'assistant') end += 1;
    steps.push({ at, end });
  }
  return steps;
}

const inputsOf = (messages) =>
  messages
    .filter(({ role, content }) => role === 'assistant' && typeof content !== 'string')
    .flatMap(({ content }) => content.filter(({ type }) => type === 'tool-call').flatMap(({ input }) => leaves(input)));

/** Identifiers in tool inputs: short values as a whole, and words with the structure of a path, url, id or number. */
export function identifiersOf(messages) {
  const found = new Set();
  for (const leaf of inputsOf(messages)) {
    if (leaf.length >= SHORTEST && leaf.length <= LONGEST_LEAF) found.add(leaf);
    for (const token of leaf.match(TOKEN) ?? []) {
      const word = token.replace(/[.:\/-]+$/, '');
      if (word.length >= SHORTEST && STRUCTURE.test(word)) found.add(word);
    }
  }
  return [...found];
}

/** Whole lines in tool inputs, such as the old text of an edit. */
export function linesOf(messages) {
  const found = new Set();
  for (const leaf of inputsOf(messages)) {
    for (const line of leaf.split('\n')) {
      const text = line.trim();
      if (text.length >= LINE.shortest && text.length <= LINE.longest && found.size < LINE.most) found.add(text);
    }
  }
  return [...found];
}

/** What a step's texts say: words, numbers and names. Which of them stem from a result is for the index to find. */
export function saidOf(messages) {
  const found = new Set();
  for (const { role, content } of messages) {
    if (role !== 'assistant') continue;
    const texts = typeof content === 'string' ? [content] : content.filter(({ type }) => type === 'text').map(({ text }) => text);
    for (const text of texts) {
      for (const run of text.match(UNSPACED) ?? []) {
        for (let at = 0; at + UNSPACED_PIECE <= run.length; at += UNSPACED_PIECE) found.add(run.slice(at, at + UNSPACED_PIECE));
      }
      for (const word of text.match(SAID_WORD) ?? []) if (isSaid(word)) found.add(word);
    }
  }
  return [...found];
}

function isSaid(word) {
  if (word.length > LONGEST_LEAF) return false;
  if (/\d/.test(word)) return word.length >= SHORTEST_SAID.number;
  return word.length >= SHORTEST_SAID.word && !/^[\u3040-\u9fff]/.test(word);
}

/**
 * For every step its references: `[text, ids of the parts that hold it, 1 if all of these are results, what it is]`.
 *
 * Identifiers count when they stand in the history before the step and not in the system prompt; lines only when nothing but
 * results holds them; what a text says only when a few results hold it and nothing else does, so that it was taken from there.
 */
export function indexReferences({ messages, system = '' }, ledger) {
  const first = [];
  messages.forEach((message, at) => {
    for (const { id } of ledger.message(message).list) first[id] ??= at;
  });
  const lookup = createLookup(ledger.infos);
  const find = (text, at) => (system.includes(text) ? [] : lookup(text).filter((id) => first[id] < at));
  const inResultsOnly = (ids) => ids.length > 0 && ids.every((id) => ledger.infos[id].kind === 'result');
  return stepsOf(messages).map(({ at, end }) => {
    const step = messages.slice(at, end);
    const identifiers = identifiersOf(step).map((text) => [text, find(text, at)]);
    const lines = linesOf(step).map((text) => [text, find(text, at)]);
    const said = saidOf(step).map((text) => [text, find(text, at)]);
    return [
      ...said.filter(([, ids]) => inResultsOnly(ids) && ids.length <= SAID_RESULTS).map(([text, ids]) => [text, ids, 1, SAID]),
      ...identifiers.filter(([, ids]) => ids.length > 0).map(([text, ids]) => [text, ids, Number(inResultsOnly(ids)), IDENTIFIER]),
      ...lines.filter(([, ids]) => inResultsOnly(ids)).map(([text, ids]) => [text, ids, 1, WHOLE_LINE]),
    ];
  });
}

/** Finds the parts that hold a text: 5-grams propose, `includes` decides; texts shorter than that are looked for in all parts. */
function createLookup(infos) {
  const grams = new Map();
  const gram = (text, at) => {
    let hash = 0;
    for (let index = at; index < at + SHORTEST; index += 1) hash = hash * 31 + text.charCodeAt(index);
    return hash & 0x3fffff;
  };
  for (const { id, search } of infos) {
    for (let at = 0; at + SHORTEST <= search.length; at += 1) {
      const key = gram(search, at);
      const ids = grams.get(key);
      if (ids === undefined) grams.set(key, [id]);
      else if (ids.at(-1) !== id) ids.push(id);
    }
  }
  const everywhere = infos.map(({ id }) => id);
  const known = new Map();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    let rarest = text.length < SHORTEST ? everywhere : undefined;
    for (let at = 0; at + SHORTEST <= text.length; at += 1) {
      const ids = grams.get(gram(text, at)) ?? [];
      if (rarest === undefined || ids.length < rarest.length) rarest = ids;
      if (ids.length === 0) break;
    }
    const ids = rarest.filter((id) => infos[id].search.includes(text));
    known.set(text, ids);
    return ids;
  };
}

/**
 * Shares of a step's references that stand in what was sent; `null` where there are none.
 *
 * `has` tells whether a part of the history was sent, `wrote` whether a text stands in what the policy wrote.
 */
export function recallOf(references, { has, wrote }) {
  const count = { all: 0, results: 0, lines: 0, said: 0 };
  const found = { ...count };
  const missing = [];
  for (const reference of references) {
    const [text, ids, onlyResults, what] = reference;
    const there = ids.some(has) || wrote(text);
    for (const kind of what === IDENTIFIER && onlyResults ? ['all', 'results'] : [MEASURE[what]]) {
      count[kind] += 1;
      found[kind] += Number(there);
    }
    if (!there) missing.push(reference);
  }
  const share = (kind) => (count[kind] > 0 ? found[kind] / count[kind] : null);
  return { all: share('all'), results: share('results'), lines: share('lines'), said: share('said'), missing };
}

/** Whether a reference is an identifier that only results hold: what an agent would look up again. */
export const isLookedUpAgain = ([, , onlyResults, what]) => onlyResults === 1 && what === IDENTIFIER;
