// What stands in for a summarizer, since no model is called: it copies, from the prompt it is given and nothing else, the sentences and records whose terms
// are rare and come up again, as many as it may write. So a figure with it says what the prompt held, and whether the answer is used well; how well a model summarizes it does not say.
// Deterministic, and without knowledge of tools, languages or what will be asked.

import { countText } from '../replay/tokens.mjs';

/** A copied piece is at most about this long; a longer record is taken in pieces. */
const PIECE_CHARACTERS = 240;
/** A term that stands in one piece only is as likely a hash as a finding: it counts as half. */
const ONCE = 0.5;
/** The prompt's instructions end at the first line that looks like a fence; what stands before is not copied. */
const FENCE = /^(?:-{3,}|={3,}|```|<\/?[\w-]+>)/;
const TERM = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2}|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]{3,}/gv;
const SENTENCE = /[^.!?。！？؟।]+(?:[.!?。！？؟।]+|$)(?:\s|$)*/gu;
/** Of what it may write, what it takes: estimates differ. */
const SHARE = 0.9;

/** A summary of a prompt, at most about `maxOutputTokens` long. */
export function extract({ prompt, maxOutputTokens }) {
  const pieces = piecesOf(prompt);
  const counts = new Map();
  for (const { terms } of pieces) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const worth = (term) => Math.log2(pieces.length / counts.get(term)) * (counts.get(term) === 1 ? ONCE : 1);
  const ranked = pieces
    .map((piece, at) => ({ ...piece, at, value: [...piece.terms].reduce((sum, term) => sum + worth(term), 0) / (piece.text.length + 20) }))
    .sort((left, right) => right.value - left.value || left.at - right.at);
  const taken = [];
  const labels = new Set();
  let room = Math.floor(maxOutputTokens * SHARE);
  for (const piece of ranked) {
    const cost = countText(piece.text) + 2 + (labels.has(piece.label) ? 0 : countText(piece.label) + 1);
    if (cost > room) {
      if (room < 20) break;
      continue;
    }
    room -= cost;
    labels.add(piece.label);
    taken.push(piece);
  }
  taken.sort((left, right) => left.at - right.at);
  let label;
  const lines = [];
  for (const piece of taken) {
    if (piece.label !== label && piece.label !== '') lines.push(piece.label);
    ({ label } = piece);
    lines.push(label === '' ? piece.text : `  ${piece.text}`);
  }
  return lines.join('\n');
}

/** Sentences and records of a prompt, each with its terms and the line above that says what it belongs to. Equal ones are taken once, where they stand last. */
function piecesOf(prompt) {
  const lines = prompt.split('\n');
  const begin = Math.max(0, lines.findIndex((line) => FENCE.test(line)));
  const found = new Map();
  const labels = [];
  let open;
  const close = () => {
    if (open !== undefined) add(open.text, open.label);
    open = undefined;
  };
  const add = (text, label) => {
    // What somebody said stands in a prompt twice, with and without who said it.
    const key = text.replace(/^[^\s:：]{1,12}[:：] /u, '');
    const terms = new Set(text.toLowerCase().match(TERM) ?? []);
    if (terms.size === 0) return;
    found.delete(key);
    found.set(key, { text, label, terms });
  };
  for (const raw of lines.slice(begin)) {
    const indent = raw.search(/\S/);
    const line = plain(raw);
    if (indent < 0 || line === '' || FENCE.test(line)) {
      close();
      if (indent <= 0) labels.length = 0;
      continue;
    }
    while (labels.length > 0 && labels.at(-1).indent >= indent) labels.pop();
    if (/[:：]$/.test(line)) {
      close();
      labels.push({ indent, text: line });
      continue;
    }
    const label = labels[0]?.text ?? '';
    const inner = labels.length > 1 ? `${labels.at(-1).text} ` : '';
    const isMember = line.length < PIECE_CHARACTERS / 2 && (indent > 0 || labels.length > 0);
    if (!isMember) {
      close();
      for (const text of sentencesOf(line)) add(text, label);
    } else if (open !== undefined && open.label === label && open.indent === indent && !/^\s*-/.test(raw) && open.text.length + line.length < PIECE_CHARACTERS) {
      open.text += `; ${line}`;
    } else {
      close();
      open = { text: inner + line, label, indent };
    }
  }
  close();
  return [...found.values()];
}

/** A line without what only marks structure. */
const plain = (line) =>
  line
    .trim()
    .replace(/^- /, '')
    .replace(/^[[\]{},\s-]+$/, '')
    .replace(/^"([^"]+)":\s*/, '$1: ')
    .replace(/[{[]$/, '')
    .replace(/,$/, '')
    .replace(/: "(.*)"$/, ': $1')
    .trim();

/** Sentences, short ones together. */
function sentencesOf(line) {
  const sentences = [];
  for (const text of line.match(SENTENCE) ?? [line]) {
    if (sentences.length > 0 && sentences.at(-1).length + text.length < PIECE_CHARACTERS / 2) sentences[sentences.length - 1] += text;
    else sentences.push(text);
  }
  return sentences.map((text) => text.trim()).filter((text) => text !== '');
}
