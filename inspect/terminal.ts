// What the terminal shows: a bar while sessions are read and played, and a summary of each behind it. Control characters of logs never
// reach the terminal.

import { EDIT_NAMES, count, counted, dollars } from './counts.js';
import type { SessionReport } from './report.js';
import { visible } from './visible.js';

const BAR = 24;

/** A bar on the error stream, where that is a terminal; else nothing. */
export class Progress {
  readonly #stream: NodeJS.WriteStream;
  #last = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  show(share: number, text: string): void {
    const now = Date.now();
    if (this.#stream.isTTY !== true || (now - this.#last < 80 && share < 1)) return;
    this.#last = now;
    const full = Math.round(Math.min(1, share) * BAR);
    const line = `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${String(Math.floor(share * 100)).padStart(3)} % ${visible(text)}`;
    this.#stream.write(`\r\u001B[2K${line.slice(0, (this.#stream.columns ?? 80) - 1)}`);
  }

  clear(): void {
    if (this.#stream.isTTY === true) this.#stream.write('\r\u001B[2K');
  }
}

/** A session in a few lines. */
export function summaryLines(report: SessionReport): string[] {
  const { title, format, modelId, windowTokens, steps, edits, totals, tools, notes } = report;
  const share = totals.uneditedTokens === 0 ? 0 : 1 - totals.sentTokens / totals.uneditedTokens;
  const kinds = [...new Set(edits.map(({ type }) => type))].map((type) => {
    const many = edits.filter((edit) => edit.type === type).length;
    return type === 'checkpoint' ? counted(many, 'checkpoint') : `${count(many)} ${EDIT_NAMES[type]}`;
  });
  const money = totals.cost === null || totals.uneditedCost === null ? [] : [`  money      ${dollars(totals.cost)} for input, ${dollars(totals.uneditedCost)} unedited in an unlimited window`];
  const fit = totals.firstTooLarge === null ? 'all steps would fit unedited' : `unedited, step ${totals.firstTooLarge} would not fit`;
  return [
    title,
    `  log        ${format}, ${modelId}, window ${count(windowTokens)}, ${counted(steps.length, 'step')}`,
    `  largest    ${count(totals.largestSentTokens)} tokens sent, ${count(totals.largestUneditedTokens)} unedited; ${fit}`,
    `  tokens     ${count(totals.sentTokens)} sent in all, ${count(totals.uneditedTokens)} unedited: ${Math.round(share * 100)} % less`,
    `  edits      ${kinds.length === 0 ? 'none' : kinds.join(', ')}; ${counted(totals.cacheBreaks, 'cache break')}`,
    ...money,
    ...(tools.length === 0 ? [] : [`  tools      ${tools.slice(0, 4).map(({ name, tokens }) => `${name} ${count(tokens)}`).join(', ')}`]),
    ...notes.map((note) => `  note       ${note}`),
  ].map(visible);
}
