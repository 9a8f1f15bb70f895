// Finds a fact in a text: all its words, with what makes them usable near enough, and not as names in a bag. Looks at letters and layout only:
// a line, an object of JSON, the headings above. Knows no tool and no heading of any policy.

/** What a reader takes together: so many characters around, a line up to so long, a JSON object up to so long. */
const AROUND = 300;
const LINE = 1_000;
const OBJECT = 2_000;
/** Headings and labels are looked for so many lines up. */
const LINES_UP = 60;
/** A phrase is its own surroundings from so many terms on. */
const PHRASE_TERMS = 3;
/** Terms beside a word that are compared with the source, there and here. */
const BESIDE = { source: 3, here: 5 };
/** Characters on one side that show that a text was copied. */
const COPIED = 12;

const TERM = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]+/gv;
const termsOf = (text) => text.toLowerCase().match(TERM) ?? [];

/** Whether a text holds a word, or one of several that mean the same. Case does not matter; a number is not found inside a longer one. */
export const holds = (text, word) => holdsLower(text.toLowerCase(), Array.isArray(word) ? word.map((same) => same.toLowerCase()) : word.toLowerCase());
const holdsLower = (text, word) => (Array.isArray(word) ? word.some((same) => find(text, same) >= 0) : find(text, word) >= 0);

/** Places of a fact in a text, as indices of its longest word. `lead` is what a reader sees right before the text, such as the call of a result. */
export function placesOf(fact, written, leading = '') {
  const { words, beside, columns } = lower(fact);
  const [text, lead] = [written.toLowerCase(), leading.toLowerCase()];
  if (!words.every((word) => holdsLower(text, word)) || !beside.every((word) => holdsLower(text, word) || holdsLower(lead, word))) return [];
  const anchor = anchorOf(words);
  const others = words.filter((word) => word !== anchor);
  const places = [];
  for (let at = find(text, anchor); at >= 0; at = find(text, anchor, at + anchor.length)) {
    const [start, end] = lineAt(text, at);
    const near = [text.slice(Math.max(0, at - AROUND), at + anchor.length + AROUND)];
    if (end - start <= LINE) near.push(text.slice(start, end));
    const within = (word) => near.some((part) => holdsLower(part, word));
    if (!(others.every(within) && beside.every(within))) {
      near.push(objectAt(text, at));
      if (!others.every(within)) continue;
      near.push(lead, ...labelsAbove(text, start));
      if (!beside.every(within)) continue;
    }
    if (columns.length > 0) near.push(objectAt(text, at), lead, ...linesOfBlockAbove(text, start));
    if (columns.every(within)) places.push(at);
  }
  return places;
}

const lowered = new WeakMap();

/** Words of a fact in lower case. */
function lower(fact) {
  const all = (list) => list.map((word) => (Array.isArray(word) ? word.map((same) => same.toLowerCase()) : word.toLowerCase()));
  if (!lowered.has(fact)) lowered.set(fact, { words: all(fact.words), beside: all(fact.beside), columns: all(fact.columns ?? []) });
  return lowered.get(fact);
}

/** The longest word that has no other form. */
function anchorOf(words) {
  const plain = words.filter((word) => typeof word === 'string');
  return plain.length > 0 ? plain.reduce((longest, word) => (word.length > longest.length ? word : longest)) : words[0][0];
}

const DIGIT = /\p{N}/u;
/** One number with thousands or decimals behind a comma, and nothing of a list around it: `1,650`, `1,650.50`, `17,5`, `1.250,10`. */
const WITH_COMMA = /^(?:\p{N}{1,3}(?:,\p{N}{3})+(?:\.\p{N}+)?|(?:\p{N}+|\p{N}{1,3}(?:\.\p{N}{3})+),\p{N}+)$/u;
/** What digits that end an id, a date or a time stand behind. */
const NO_NUMBER = /(?:\p{L}|[\p{L}\p{N}][-_\/:][\p{L}\p{N}]+)[-_\/:]$/u;

function find(text, word, from = 0) {
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1)) {
    const goesOnBefore = DIGIT.test(word[0]) && at > 0 && (DIGIT.test(text[at - 1]) || (DIGIT.test(text[at - 2] ?? '') && (text[at - 1] === '.' || (text[at - 1] === ',' && joins(text, at - 1)))));
    if (!goesOnBefore && !(DIGIT.test(word.at(-1)) && DIGIT.test(text[at + word.length] ?? ''))) return at;
  }
  return -1;
}

/** Whether a comma between digits belongs to one number, and does not part the items of a list. */
function joins(text, comma) {
  const ahead = text.slice(Math.max(0, comma - 40), comma);
  const [before] = /,?(?:\p{N}+[.,])*\p{N}+$/u.exec(ahead);
  const [behind] = /^\p{N}+(?:[.,]\p{N}+)*(?:,(?=\S))?/u.exec(text.slice(comma + 1, comma + 41));
  return WITH_COMMA.test(`${before},${behind}`) && !NO_NUMBER.test(ahead.slice(0, -before.length));
}

/**
 * Whether a place reads as more than a name in a list: it is a phrase, or it was copied with what stood around it, or terms that stood
 * beside the word in its source stand beside it here.
 *
 * @param {string[]} originals texts that places may have been copied from, in lower case
 */
export function isTold(fact, written, at, originals) {
  const { words, beside } = lower(fact);
  const text = written.toLowerCase();
  const anchor = anchorOf(words);
  if (words.flat().some((word) => termsOf(word).length >= PHRASE_TERMS && /[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word))) return true;
  const [start, end] = lineAt(text, at);
  const sides = [text.slice(Math.max(start, at - COPIED), at + anchor.length), text.slice(at, Math.min(end, at + anchor.length + COPIED))].map((side) => side.trim());
  if (sides.some((side) => side.length >= anchor.length + COPIED / 2 && originals.some((original) => original.includes(side)))) return true;
  const own = new Set([...words, ...beside].flat().flatMap(termsOf));
  const here = new Set(neighbours(text, at, anchor.length, BESIDE.here));
  return fact.sourceTexts.some((source) => placesOf({ words, beside }, source, beside.flat().join(' ')).some((place) => neighbours(source.toLowerCase(), place, anchor.length, BESIDE.source).some((term) => !own.has(term) && here.has(term))));
}

function neighbours(text, at, length, count) {
  const before = termsOf(text.slice(Math.max(0, at - 120), at)).slice(-count);
  const behind = termsOf(text.slice(at + length, at + length + 120)).slice(0, count);
  return [...before, ...behind].filter((term) => term.length > 1 || !/[\p{Script=Latin}\p{N}]/u.test(term));
}

function lineAt(text, at) {
  const end = text.indexOf('\n', at);
  return [text.lastIndexOf('\n', at - 1) + 1, end < 0 ? text.length : end];
}

/** The innermost JSON object around a place, if there is one of readable size. */
function objectAt(text, at) {
  let depth = 0;
  let start = at;
  for (; start >= 0 && at - start < OBJECT; start -= 1) {
    if (text[start] === '}' && start !== at) depth += 1;
    else if (text[start] === '{' && (depth -= 1) < 0) break;
  }
  if (depth >= 0) return '';
  depth = 0;
  for (let end = start; end < text.length && end - start < OBJECT; end += 1) {
    if (text[end] === '{') depth += 1;
    else if (text[end] === '}' && (depth -= 1) === 0) return text.slice(start, end + 1);
  }
  return '';
}

/** Headings, labels and parents of the line that begins at `start`, the nearest first: what a reader knows a line to belong to. */
function labelsAbove(text, start) {
  const labels = [];
  let rank = rankOf(text.slice(...lineAt(text, start)));
  let at = start;
  for (let up = 0; up < LINES_UP && at > 0 && rank > 0; up += 1) {
    const [begin, end] = lineAt(text, at - 1);
    const line = text.slice(begin, end);
    at = begin;
    if (line.trim() === '') continue;
    const own = rankOf(line);
    if (own >= rank) continue;
    rank = own;
    labels.push(line.slice(0, AROUND));
  }
  return labels;
}

/** The lines above a row of a table that may name its columns: of its block, up to the first one that the block stands under. */
function linesOfBlockAbove(text, start) {
  const rank = rankOf(text.slice(...lineAt(text, start)));
  const lines = [];
  for (let at = start; at > 0; ) {
    const [begin, end] = lineAt(text, at - 1);
    const line = text.slice(begin, end);
    at = begin;
    if (line.trim() !== '') lines.push(line.slice(0, LINE));
    if (line.trim() !== '' && rankOf(line) < rank) break;
  }
  return lines;
}

const HEADING = /^(?:(#{1,6})\s+(\S.*?)|-{3,}\s*(\S.*?)\s*-{3,})\s*$/;

/** The less, the further up in an outline: headings, then by indentation labels that end in a colon, then lines. */
function rankOf(line) {
  const heading = HEADING.exec(line);
  if (heading !== null) return heading[1]?.length ?? 0;
  const indent = Math.max(0, line.search(/\S/));
  if (/[:：]\**$/.test(line.trimEnd())) return 10 + 4 * indent;
  return 11 + 4 * indent + (/^\s*(?:[-*•]|\d+[.)])\s/.test(line) ? 1 : 0);
}

/** All lines of a text with the title of the section that they stand in. */
export function linesWithSections(text) {
  let title = '';
  const lines = [];
  for (const line of text.split('\n')) {
    const heading = HEADING.exec(line);
    if (heading !== null) title = titleOf(heading);
    else lines.push({ title, line });
  }
  return lines;
}

const titleOf = (heading) => (heading[2] ?? heading[3]).replace(/\s*\([0-9a-f]{6,}\)$/, '');

/** Title of the section of a text that a place stands in, without what fences it; empty where there is none. */
export function sectionAt(text, at) {
  let title = '';
  for (let [start, end] = lineAt(text, at); ; [start, end] = lineAt(text, start - 1)) {
    const heading = HEADING.exec(text.slice(start, end));
    if (heading !== null) {
      title = titleOf(heading);
      break;
    }
    if (start === 0) break;
  }
  return title;
}
