// All sessions of the page, one a row.

import { count, counted, dollars, short } from '../counts.js';
import type { PageSession } from '../page.js';
import { element } from './dom.js';

/** The overview; `open` shows a session. */
export function overview(sessions: readonly PageSession[], open: (session: number) => void): Node[] {
  const sumOf = (number: (session: PageSession) => number): number => sessions.reduce((sum, session) => sum + number(session), 0);
  const head = ['session', 'log', 'steps', 'largest sent', 'unedited', 'less sent', 'edits', 'cache breaks', 'saved'];
  const rows = sessions.map(({ title, source, format, modelId, totals, steps, edits }, index) => {
    const link = element('button', { class: 'link' }, title);
    link.addEventListener('click', () => open(index));
    const saved = totals.cost === null || totals.uneditedCost === null ? '' : dollars(totals.uneditedCost - totals.cost);
    const cells = [count(steps), short(totals.largestSentTokens), short(totals.largestUneditedTokens), less(totals), count(edits), count(totals.cacheBreaks), saved];
    return element('tr', {}, element('td', { class: 'session' }, link, element('small', {}, source)), element('td', {}, format, element('small', {}, modelId)), ...cells.map((cell) => element('td', { class: 'number' }, cell)));
  });
  return [
    element('header', {}, element('h1', {}, counted(sessions.length, 'session')), element('p', { class: 'sub' }, `${counted(sumOf(({ edits }) => edits), 'edit')}; ${short(sumOf(({ totals }) => totals.sentTokens))} tokens sent of ${short(sumOf(({ totals }) => totals.uneditedTokens))} unedited`)),
    element('div', { class: 'scroll card' }, element('table', {}, element('thead', {}, element('tr', {}, ...head.map((name, index) => element('th', { class: index > 1 ? 'number' : undefined }, name)))), element('tbody', {}, ...rows))),
  ];
}

/** By how much less was sent. */
export function less({ sentTokens, uneditedTokens }: PageSession['totals']): string {
  return uneditedTokens === 0 ? '' : `${Math.round((1 - sentTokens / uneditedTokens) * 100)} %`;
}
