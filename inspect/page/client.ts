// Runs in the page: shows the reports that stand in it. Reads nothing else, asks for nothing, keeps its place in the address.

import type { PageData } from '../page.js';
import type { SessionReport } from '../report.js';
import { chartOf } from './chart.js';
import { count, dollars, element, short } from './dom.js';

type Edit = SessionReport['edits'][number];

const data = JSON.parse(document.getElementById('data')!.textContent ?? '') as PageData;
const app = document.getElementById('app')!;
const { reports, failures } = data;

/** What is shown: a session (none: the overview) and an edit of it. */
const place = { session: reports.length === 1 ? 0 : -1, edit: 0 };

const NAMES: Readonly<Record<Edit['type'], string>> = { capped: 'cut', cleared: 'cleared', checkpoint: 'checkpoint', squeezed: 'squeezed', 'images-cleared': 'images cleared', 'reasoning-dropped': 'thoughts left out' };
/** Edits of a step that are listed before the rest is asked for. */
const LISTED = 6;
const opened = new Set<number>();

function show(): void {
  const report = reports[place.session];
  document.title = `${report === undefined ? `${reports.length} sessions` : report.title} · stepfold inspect`;
  app.replaceChildren(...(report === undefined ? overview() : session(report)));
  history.replaceState(null, '', report === undefined ? '#' : `#${place.session + 1}.${place.edit + 1}`);
}

function go(next: Partial<typeof place>): void {
  const isOther = next.session !== undefined && next.session !== place.session;
  if (isOther) opened.clear();
  Object.assign(place, next);
  const hadFocus = document.activeElement?.matches('.edit') === true;
  const scrolled = isOther ? 0 : (document.querySelector('.edits')?.scrollTop ?? 0);
  show();
  keepInView(scrolled, hadFocus);
}

/** The list is built anew with each move: it stays where it was scrolled to, as far as the edit is in view. */
function keepInView(scrolled: number, hasFocus: boolean): void {
  const list = document.querySelector('.edits');
  const row = list?.querySelector<HTMLElement>('[aria-selected=true]');
  if (list === null || row === undefined || row === null) return;
  list.scrollTop = scrolled;
  const [above, height] = [row.getBoundingClientRect().top - list.getBoundingClientRect().top, list.clientHeight];
  if (above < 40 || above > height - 60) list.scrollTop += above - height / 3;
  if (hasFocus) row.focus({ preventScroll: true });
}

function overview(): Node[] {
  const head = ['session', 'log', 'steps', 'largest sent', 'unedited', 'less sent', 'edits', 'breaks', 'saved'];
  const rows = reports.map((report, index) => {
    const { totals, steps, edits } = report;
    const open = element('button', { class: 'link' }, report.title);
    open.addEventListener('click', () => go({ session: index, edit: 0 }));
    const saved = totals.cost === null || totals.uneditedCost === null ? '' : dollars(totals.uneditedCost - totals.cost);
    const cells = [count(steps.length), short(totals.largestSentTokens), short(totals.largestUneditedTokens), less(report), count(edits.length), count(totals.cacheBreaks), saved];
    return element('tr', {}, element('td', {}, open, element('small', {}, report.source)), element('td', {}, report.format), ...cells.map((cell) => element('td', { class: 'number' }, cell)));
  });
  return [
    element('header', {}, element('h1', {}, `${reports.length} sessions`), element('p', { class: 'sub' }, `${sumOf(({ edits }) => edits.length)} edits; ${short(sumOf(({ totals }) => totals.sentTokens))} tokens sent of ${short(sumOf(({ totals }) => totals.uneditedTokens))} unedited`)),
    element('div', { class: 'scroll card' }, element('table', {}, element('thead', {}, element('tr', {}, ...head.map((name, index) => element('th', { class: index > 1 ? 'number' : undefined }, name)))), element('tbody', {}, ...rows))),
    ...notesOf('Not shown', failures),
    help(),
  ];
}

const sumOf = (number: (report: SessionReport) => number): number => reports.reduce((sum, report) => sum + number(report), 0);

function less({ totals }: SessionReport): string {
  return totals.uneditedTokens === 0 ? '' : `${Math.round((1 - totals.sentTokens / totals.uneditedTokens) * 100)} %`;
}

function session(report: SessionReport): Node[] {
  const back = element('button', { class: 'link back' }, '← all sessions');
  back.addEventListener('click', () => go({ session: -1 }));
  const edit = report.edits[place.edit];
  return [
    element(
      'header',
      {},
      reports.length > 1 ? back : undefined,
      element('h1', {}, report.title),
      element('p', { class: 'sub' }, `${report.isRecorded ? 'recorded' : 'played'} · ${report.format} · ${report.modelId} · window ${count(report.windowTokens)} tokens · ${report.source}`),
    ),
    cards(report),
    element('section', { class: 'card' }, legend(), chartHolder(report, edit?.step ?? -1)),
    edit === undefined ? element('p', { class: 'card none' }, 'Nothing was edited: everything fits.') : element('section', { class: 'columns' }, listOf(report), detailOf(report, edit)),
    tools(report),
    ...notesOf('Told beside', report.told.map(({ step, event: { type, stepNumber: _stepNumber, ...fields } }) => `step ${step + 1}: ${type} ${JSON.stringify(fields)}`)),
    ...notesOf('Notes', report.notes),
    ...(reports.length === 1 ? notesOf('Not shown', failures) : []),
    help(),
  ];
}

function cards(report: SessionReport): HTMLElement {
  const { totals, edits, steps } = report;
  const card = (value: string, name: string, detail: string): HTMLElement => element('div', { class: 'card fact' }, element('b', {}, value), element('span', {}, name), element('small', {}, detail));
  const money =
    totals.cost === null || totals.uneditedCost === null
      ? card('–', 'money', 'no list prices are known of this model')
      : card(dollars(totals.uneditedCost - totals.cost), 'saved on input', `${dollars(totals.cost)} instead of ${dollars(totals.uneditedCost)}, were the window unlimited; list prices`);
  return element(
    'section',
    { class: 'facts' },
    card(count(steps.length), 'steps', totals.firstTooLarge === null ? 'unedited, all would fit' : `unedited, step ${totals.firstTooLarge + 1} would not fit`),
    card(short(totals.largestSentTokens), 'largest prompt sent', `${short(totals.largestUneditedTokens)} unedited`),
    card(less(report), 'fewer tokens sent', `${short(totals.sentTokens)} in all, of ${short(totals.uneditedTokens)}`),
    card(count(edits.length), 'edits', `in ${new Set(edits.map(({ step }) => step)).size} steps; ${totals.cacheBreaks} cache breaks`),
    money,
  );
}

function legend(): HTMLElement {
  const item = (kind: string, name: string): HTMLElement => element('span', {}, element('i', { class: `dot ${kind}` }), name);
  return element('p', { class: 'legend' }, item('sent', 'sent'), item('unedited', 'unedited'), item('checkpoint', 'checkpoint'), item('cleared', 'cleared'), item('capped', 'cut'), item('squeezed', 'squeezed'), element('span', { class: 'unit' }, 'tokens by step'));
}

function chartHolder(report: SessionReport, selected: number): HTMLElement {
  const holder = element('div', { class: 'chart-holder' });
  const onStep = (step: number): void => {
    const edit = report.edits.findIndex((each) => each.step >= step);
    if (edit !== -1) go({ edit });
  };
  const draw = (): void => holder.replaceChildren(chartOf(report, { width: Math.max(280, holder.clientWidth || app.clientWidth - 40), selected, onStep }));
  requestAnimationFrame(draw);
  return holder;
}

function listOf({ edits, steps }: SessionReport): HTMLElement {
  const list = element('div', { class: 'card edits', role: 'listbox', 'aria-label': 'Edits' });
  for (let start = 0; start < edits.length; ) {
    const { step } = edits[start]!;
    let end = start;
    while (edits[end]?.step === step) end += 1;
    list.append(element('h3', {}, `Step ${step + 1}`, element('small', {}, `${short(steps[step]!.sentTokens)} sent${steps[step]!.breaksCache ? ' · cache break' : ''}`)));
    const isOpen = opened.has(step) || end - start <= LISTED + 1 || place.edit >= start + LISTED && place.edit < end;
    for (let index = start; index < (isOpen ? end : start + LISTED); index += 1) list.append(rowOf(edits[index]!, index));
    if (!isOpen) {
      const more = element('button', { class: 'more' }, `${end - start - LISTED} more`);
      more.addEventListener('click', () => {
        opened.add(step);
        go({});
      });
      list.append(more);
    }
    start = end;
  }
  return list;
}

function rowOf(edit: Edit, index: number): HTMLElement {
  const what = edit.toolName === '' ? `${count(edit.messages)} messages` : edit.toolName;
  const row = element(
    'button',
    { class: 'edit', role: 'option', 'aria-selected': String(index === place.edit), 'data-edit': index },
    element('i', { class: `dot ${edit.type}` }),
    element('span', { class: 'kind' }, NAMES[edit.type]),
    element('span', { class: 'what' }, what),
    element('span', { class: 'tokens' }, `${short(edit.tokensBefore)} → ${short(edit.tokensAfter)}`),
  );
  row.addEventListener('click', () => go({ edit: index }));
  return row;
}

function detailOf({ edits }: SessionReport, edit: Edit): HTMLElement {
  const isWhole = edit.toolName === '' && edit.type !== 'capped';
  const pane = (name: string, text: string, none: string): HTMLElement => element('div', { class: 'pane' }, element('h4', {}, name), text === '' ? element('p', { class: 'none' }, none) : element('pre', { tabindex: 0 }, text));
  const at = edit.messages > 1 ? `messages ${edit.messageIndex} to ${edit.messageIndex + edit.messages - 1}` : `message ${edit.messageIndex}`;
  return element(
    'article',
    { class: 'card detail', 'aria-live': 'polite' },
    element('h2', {}, element('i', { class: `dot ${edit.type}` }), ` ${NAMES[edit.type]}${edit.toolName === '' ? '' : `: ${edit.toolName}`}`),
    element('p', { class: 'why' }, `Why: ${edit.reason}.`),
    element('p', { class: 'sub' }, `Step ${edit.step + 1} · ${at} · ${isWhole ? 'the prompt went from' : ''} ${count(edit.tokensBefore)} → ${count(edit.tokensAfter)} tokens · edit ${place.edit + 1} of ${edits.length}`),
    element('div', { class: 'panes' }, pane(edit.type === 'checkpoint' ? 'Before: what it now replaces' : 'Before', edit.before, 'Its text was left out.'), pane(edit.type === 'checkpoint' ? 'After: the checkpoint as it was sent' : 'After: as it was sent', edit.after, edit.type === 'reasoning-dropped' || edit.before === '' ? 'Nothing is sent in its place.' : 'The checkpoint of the same step stands for it.')),
  );
}

function tools({ tools: list }: SessionReport): HTMLElement {
  const most = Math.max(1, ...list.map(({ tokens }) => tokens));
  const rows = list.map(({ name, tokens, removedTokens, edits }) => {
    const bar = element('meter', { min: 0, max: most, value: tokens, title: `${count(tokens)} tokens` });
    return element('tr', {}, element('td', {}, name), element('td', { class: 'bar' }, bar), element('td', { class: 'number' }, count(tokens)), element('td', { class: 'number' }, count(edits)), element('td', { class: 'number' }, count(removedTokens)));
  });
  const head = element('tr', {}, ...['tool', '', 'tokens as they came', 'edits', 'tokens taken out'].map((name, index) => element('th', { class: ['', 'bar', 'number'][Math.min(index, 2)] }, name)));
  return element('section', { class: 'card scroll' }, element('h2', {}, 'What each tool costs'), element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows)));
}

function notesOf(title: string, notes: readonly string[]): Node[] {
  return notes.length === 0 ? [] : [element('section', { class: 'card notes' }, element('h2', {}, title), element('ul', {}, ...notes.map((note) => element('li', {}, note))))];
}

function help(): HTMLElement {
  const keys: readonly [string, string][] = [['↓ ↑', 'edit'], ['→ ←', 'step with edits'], ['Home End', 'first, last'], ...(reports.length > 1 ? [['n p', 'session'], ['Esc', 'all sessions']] as [string, string][] : [])];
  return element('footer', {}, ...keys.flatMap(([key, what]) => [element('kbd', {}, key), ` ${what}  `]));
}

/** The first edit of another step, in a direction. */
function otherStep(edits: readonly Edit[], direction: 1 | -1): number {
  const current = edits[place.edit]?.step ?? 0;
  if (direction === 1) return edits.findIndex(({ step }) => step > current);
  const before = edits.findLast(({ step }) => step < current)?.step;
  return edits.findIndex(({ step }) => step === before);
}

document.addEventListener('keydown', (event) => {
  const edits = reports[place.session]?.edits ?? [];
  if (event.ctrlKey || event.metaKey || event.altKey || (event.target instanceof HTMLPreElement && /^(?:Arrow|Home|End)/.test(event.key))) return;
  const moves: Readonly<Record<string, () => Partial<typeof place>>> = {
    ArrowDown: () => ({ edit: place.edit + 1 }),
    j: () => ({ edit: place.edit + 1 }),
    ArrowUp: () => ({ edit: place.edit - 1 }),
    k: () => ({ edit: place.edit - 1 }),
    ArrowRight: () => ({ edit: otherStep(edits, 1) }),
    ArrowLeft: () => ({ edit: otherStep(edits, -1) }),
    Home: () => ({ edit: 0 }),
    End: () => ({ edit: edits.length - 1 }),
    n: () => ({ session: place.session + 1, edit: 0 }),
    p: () => ({ session: place.session - 1, edit: 0 }),
    Escape: () => ({ session: reports.length > 1 ? -1 : 0 }),
  };
  const next = moves[event.key]?.();
  if (next === undefined) return;
  const isThere = next.session === undefined ? next.edit! >= 0 && next.edit! < edits.length : next.session >= -1 && next.session < reports.length;
  if (!isThere) return;
  event.preventDefault();
  go(next);
});

let width = 0;
addEventListener('resize', () => {
  if (width !== innerWidth) show();
  width = innerWidth;
});

const [, sessionText, editText] = /^#(\d+)\.(\d+)$/.exec(location.hash) ?? [];
if (reports[Number(sessionText) - 1] !== undefined) Object.assign(place, { session: Number(sessionText) - 1, edit: Math.max(0, Number(editText) - 1) });
// What a person asks about first.
else if (place.session === 0) place.edit = Math.max(0, reports[0]!.edits.findIndex(({ type }) => type === 'checkpoint'));
go({});
