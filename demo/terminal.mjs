// Colors, and the bar that shows a prompt inside its window. Plain text where the output is no terminal; NO_COLOR and FORCE_COLOR
// are respected. Knows nothing of agents.

const { NO_COLOR, FORCE_COLOR } = process.env;
const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
const colored = forced || (!NO_COLOR && FORCE_COLOR === undefined && process.stdout.isTTY === true);

const paint = (code) => (text) => (colored && text !== '' ? `\x1b[${code}m${text}\x1b[0m` : text);

export const bold = paint('1');
export const dim = paint('2');
export const red = paint('31');
export const green = paint('32');
export const yellow = paint('33');
export const cyan = paint('36');

/** Cells of a bar. */
const CELLS = 32;

/**
 * A prompt in its window: what is sent, what was folded away just now, what is free, and the mark where work starts.
 *
 * @param before Tokens before this step's edits.
 * @param after Tokens sent.
 */
export function bar({ before, after, windowTokens, triggerTokens }) {
  const cell = (tokens) => Math.min(CELLS, Math.round((tokens / windowTokens) * CELLS));
  const sent = Math.max(1, cell(after));
  const folded = Math.max(sent, cell(before));
  const mark = triggerTokens === undefined ? -1 : cell(triggerTokens);
  const free = Array.from({ length: CELLS - folded }, (_, index) => (folded + index === mark ? '┆' : '·')).join('');
  const edge = Math.max(before, after) > windowTokens ? red('▶') : dim('▏');
  return (after > windowTokens ? red : cyan)('█'.repeat(sent)) + yellow('░'.repeat(folded - sent)) + dim(free) + edge;
}

/** `12345` as `12.3k`. */
export const thousands = (tokens) => (tokens >= 999_500 ? `${(tokens / 1e6).toFixed(2)}M` : `${(tokens / 1000).toFixed(1)}k`);

/** A text of exactly that width. */
export function fit(text, width) {
  return (text.length <= width ? text : `${text.slice(0, width - 1)}…`).padEnd(width);
}

/** Breaks a text into lines of at most a width. */
export function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
