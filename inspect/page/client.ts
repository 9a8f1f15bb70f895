// Runs in the page: shows the reports that stand in it. Reads nothing else, asks for nothing, keeps its place in the address.

import { count, counted, dollars, short } from '../counts.js';
import type { PackedEdit, PackedSession } from '../pack.js';
import type { PageData } from '../page.js';
import { chartOf } from './chart.js';
import { element } from './dom.js';
import { detailOf, listOf } from './edits.js';
import { less, overview } from './overview.js';
import { unpacked } from './unpack.js';

const { sessions, failures } = JSON.parse(document.getElementById('data')!.textContent ?? '') as PageData;
const app = document.getElementById('app')!;
const loaded = new Map<number, PackedSession>();

/** What is shown: a session (-1: the overview) and an edit of it (-1: the one that a person asks about first). */
const place = { session: sessions.length === 1 ? 0 : -1, edit: -1, onlyLost: false };

function show(): void {
  const report = loaded.get(place.session);
  const title = sessions[place.session]?.title ?? counted(sessions.length, 'session');
  document.title = `${title} · stepfold inspect`;
  if (place.session === -1) app.replaceChildren(...overview(sessions, (next) => go({ session: next, edit: -1 })), ...notesOf('Not shown', failures), help());
  else app.replaceChildren(...(report === undefined ? [element('p', { class: 'card none' }, `Opening ${title} …`)] : session(report)));
  history.replaceState(null, '', place.session === -1 ? '#' : `#${place.session + 1}.${place.edit + 1}`);
}

function go(next: Partial<typeof place>): void {
  const isOther = next.session !== undefined && next.session !== place.session;
  Object.assign(place, next);
  const hadFocus = document.activeElement?.matches('.edit, .toggle') === true ? `.${document.activeElement.classList[0]}` : '';
  const scrolled = isOther ? 0 : (document.querySelector('.edits')?.scrollTop ?? 0);
  const edits = loaded.get(place.session)?.edits;
  if (edits !== undefined && edits[place.edit] === undefined) place.edit = Math.max(0, edits.findIndex(({ type }) => type === 'checkpoint'));
  show();
  keepInView(scrolled, hadFocus);
  if (place.session !== -1 && !loaded.has(place.session)) void load(place.session);
}

/** Sessions are unpacked when they are first looked at. */
async function load(index: number): Promise<void> {
  try {
    loaded.set(index, await unpacked(document.getElementById(`session-${index}`)!.textContent ?? ''));
    if (place.session === index) go({});
  } catch (error) {
    app.replaceChildren(element('p', { class: 'card none' }, `This session cannot be opened here (${String(error)}). A browser of 2023 or newer is needed.`));
  }
}

/** The list is built anew with each move: it stays where it was scrolled to, as far as the edit is in view. */
function keepInView(scrolled: number, focused: string): void {
  const list = document.querySelector('.edits');
  const row = list?.querySelector<HTMLElement>('[aria-selected=true]');
  if (list === null || row === undefined || row === null) return;
  list.scrollTop = scrolled;
  const [above, height] = [row.getBoundingClientRect().top - list.getBoundingClientRect().top, list.clientHeight];
  if (above < 40 || above > height - 60) list.scrollTop += above - height / 3;
  if (focused === '.edit') row.focus({ preventScroll: true });
  else if (focused !== '') document.querySelector<HTMLElement>(focused)?.focus({ preventScroll: true });
}

function session(report: PackedSession): Node[] {
  const back = element('button', { class: 'link back' }, '← all sessions');
  back.addEventListener('click', () => go({ session: -1 }));
  const edit = report.edits[place.edit];
  return [
    element(
      'header',
      {},
      sessions.length > 1 ? back : undefined,
      element('h1', {}, report.title),
      element('p', { class: 'sub' }, `${report.isRecorded ? 'recorded' : 'played'} · ${report.format} · ${report.modelId} · window ${count(report.windowTokens)} tokens · ${report.source}`),
      report.notes.length === 0 ? undefined : element('p', { class: 'hint' }, element('b', {}, report.notes.length === 1 ? 'Note: ' : 'Notes: '), report.notes.join(' · ')),
    ),
    cards(report),
    element('section', { class: 'card' }, legend(), chartHolder(report, edit?.step ?? 0)),
    edit === undefined ? element('p', { class: 'card none' }, 'Nothing was edited: everything fits.') : element('section', { class: 'columns' }, listOf(report, { ...place, go }), detailOf(report, { ...place, go })),
    tools(report),
    ...notesOf('Other events', report.events.map(({ step, event }) => `step ${step}: ${eventText(event)}`)),
    ...(sessions.length === 1 ? notesOf('Not shown', failures) : []),
    help(),
  ];
}

function cards(report: PackedSession): HTMLElement {
  const { totals, edits, steps } = report;
  const card = (value: string, name: string, detail: string): HTMLElement => element('div', { class: 'card fact' }, element('b', {}, value), element('span', {}, name), element('small', {}, detail));
  const money =
    totals.cost === null || totals.uneditedCost === null
      ? card('–', 'money', 'no list prices are known of this model')
      : card(dollars(totals.uneditedCost - totals.cost), 'saved on input', `${dollars(totals.cost)} instead of ${dollars(totals.uneditedCost)}, were the window unlimited; list prices`);
  return element(
    'section',
    { class: 'facts' },
    card(count(steps.length), steps.length === 1 ? 'step' : 'steps', totals.firstTooLarge === null ? 'unedited, all would fit' : `unedited, step ${totals.firstTooLarge} would not fit`),
    card(short(totals.largestSentTokens), 'largest prompt sent', `${short(totals.largestUneditedTokens)} unedited`),
    card(less(totals), 'fewer tokens sent', `${short(totals.sentTokens)} in all, of ${short(totals.uneditedTokens)}`),
    card(count(edits.length), edits.length === 1 ? 'edit' : 'edits', `in ${counted(new Set(edits.map(({ step }) => step)).size, 'step')}`),
    card(count(totals.cacheBreaks), totals.cacheBreaks === 1 ? 'cache break' : 'cache breaks', 'prompts that the cache holds only up to their first edit'),
    money,
  );
}

function legend(): HTMLElement {
  const item = (kind: string, name: string): HTMLElement => element('span', {}, element('i', { class: `dot ${kind}` }), name);
  return element('p', { class: 'legend' }, item('sent', 'sent'), item('unedited', 'unedited'), item('checkpoint', 'checkpoint'), item('cleared', 'cleared'), item('capped', 'cut'), item('squeezed', 'squeezed'), element('span', { class: 'unit' }, 'tokens by step'));
}

function chartHolder(report: PackedSession, selected: number): HTMLElement {
  const holder = element('div', { class: 'chart-holder' });
  const onStep = (step: number): void => {
    const edit = report.edits.findIndex((each) => each.step >= step);
    if (edit !== -1) go({ edit });
  };
  const draw = (): void => holder.replaceChildren(chartOf(report, { width: Math.max(280, holder.clientWidth || app.clientWidth - 40), selected, onStep }));
  requestAnimationFrame(draw);
  return holder;
}

/** `fallback: reason "timeout"`. */
function eventText(event: object): string {
  const { type, ...fields } = event as { type: string };
  return `${type}${Object.entries(fields).map(([name, value], index) => `${index === 0 ? ':' : ','} ${name} ${JSON.stringify(value)}`).join('')}`;
}

function tools({ tools: list }: PackedSession): HTMLElement {
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
  const keys: readonly [string, string][] = [['↓ ↑', 'edit'], ['→ ←', 'step with edits'], ['Home End', 'first, last'], ...(sessions.length > 1 ? [['n p', 'session'], ['Esc', 'all sessions']] as [string, string][] : [])];
  return element('footer', {}, ...keys.flatMap(([key, what]) => [element('kbd', {}, key), ` ${what}  `]));
}

/** The first edit of another step, in a direction. */
function otherStep(edits: readonly PackedEdit[], direction: 1 | -1): number {
  const current = edits[place.edit]?.step ?? 0;
  if (direction === 1) return edits.findIndex(({ step }) => step > current);
  const before = edits.findLast(({ step }) => step < current)?.step;
  return edits.findIndex(({ step }) => step === before);
}

document.addEventListener('keydown', (event) => {
  const edits = loaded.get(place.session)?.edits ?? [];
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
    n: () => ({ session: place.session + 1, edit: -1 }),
    p: () => ({ session: place.session - 1, edit: -1 }),
    Escape: () => ({ session: sessions.length > 1 ? -1 : 0 }),
  };
  const next = moves[event.key]?.();
  if (next === undefined) return;
  const isThere = next.session === undefined ? next.edit! >= 0 && next.edit! < edits.length : next.session >= -1 && next.session < sessions.length;
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
if (sessions[Number(sessionText) - 1] !== undefined) Object.assign(place, { session: Number(sessionText) - 1, edit: Number(editText) - 1 });
go({});
