// The edits of a session: a list, and one of them with its texts and what it lost.

import { EDIT_NAMES, count, counted, short } from '../counts.js';
import { WRITERS } from '../losses.js';
import type { PackedEdit, PackedSession } from '../pack.js';
import { KINDS } from '../terms.js';
import { element } from './dom.js';
import { rowsAt } from './unpack.js';

/** What is selected, and what selects another. */
export interface Selection {
  readonly edit: number;
  /** Of the text before, only rows that lost something are shown. */
  readonly onlyLost: boolean;
  readonly go: (next: { edit?: number; onlyLost?: boolean }) => void;
}

/** The edits by steps; those of one kind and tool in one row, until one of them is selected. */
export function listOf({ edits, steps }: PackedSession, { edit: selected, go }: Selection): HTMLElement {
  const list = element('div', { class: 'card edits', role: 'listbox', 'aria-label': 'Edits' });
  const row = (index: number, attributes: Readonly<Record<string, string>>, what: readonly (Node | string)[], group: readonly PackedEdit[]): HTMLElement => {
    const { type } = edits[index]!;
    const sum = (tokens: (edit: PackedEdit) => number): number => group.reduce((total, each) => total + tokens(each), 0);
    const button = element(
      'button',
      { class: 'edit', ...attributes },
      element('i', { class: `dot ${type}` }),
      element('span', { class: 'kind' }, EDIT_NAMES[type]),
      element('span', { class: 'what' }, ...what),
      element('span', { class: 'tokens' }, `${short(sum(({ tokensBefore }) => tokensBefore))} → ${short(sum(({ tokensAfter }) => tokensAfter))}`),
    );
    button.addEventListener('click', () => go({ edit: index }));
    return button;
  };
  const option = (index: number, what: string, name = ''): HTMLElement => {
    const made = row(index, { role: 'option', 'aria-selected': String(index === selected), 'data-edit': String(index) }, [what], [edits[index]!]);
    if (name !== '') made.classList.add(name);
    return made;
  };
  for (let start = 0; start < edits.length; ) {
    const { step } = edits[start]!;
    if (edits[start - 1]?.step !== step) {
      const { sentTokens, breaksCache } = steps[step - 1]!;
      list.append(element('h3', {}, `Step ${step}`, element('small', {}, `${short(sentTokens)} sent${breaksCache ? ' · cache break' : ''}`)));
    }
    const end = endOfGroup(edits, start);
    const members = edits.slice(start, end);
    if (members.length === 1) list.append(option(start, whatOf(edits[start]!)));
    else {
      const isOpen = selected >= start && selected < end;
      const { toolName } = edits[start]!;
      const places = members.map(({ messageIndex }) => messageIndex);
      const what = [element('span', { class: 'many' }, element('span', { class: 'name' }, toolName), ` × ${members.length}`), element('small', {}, placesOf(Math.min(...places), Math.max(...places)))];
      list.append(row(start, { 'aria-expanded': String(isOpen) }, what, members));
      if (isOpen) list.append(...members.map(({ messageIndex }, index) => option(start + index, `message ${messageIndex}`, 'member')));
    }
    start = end;
  }
  return list;
}

/** Where another kind, tool or step begins. */
function endOfGroup(edits: readonly PackedEdit[], start: number): number {
  const key = ({ step, type, toolName, reason }: PackedEdit): string => JSON.stringify([step, type, toolName, reason]);
  const end = edits.findIndex((edit, index) => index > start && key(edit) !== key(edits[start]!));
  return end === -1 ? edits.length : end;
}

const placesOf = (first: number, last: number): string => (first >= last ? `message ${first}` : `messages ${first} to ${last}`);

const whatOf = ({ toolName, messages }: PackedEdit): string => (toolName === '' ? counted(messages, 'message') : toolName);

/** One edit: why, what it lost, and the texts beside each other. */
export function detailOf(session: PackedSession, selection: Selection): HTMLElement {
  const { edits, steps } = session;
  const edit = edits[selection.edit]!;
  const { type, toolName, step, reason, messages, messageIndex, tokensBefore, tokensAfter } = edit;
  const isWhole = toolName === '' && type !== 'capped';
  const at = placesOf(messageIndex, messageIndex + messages - 1);
  const after = rowsAt(session, edit.after).join('');
  const none = type === 'reasoning-dropped' || edit.before === '' ? 'Nothing is sent in its place.' : 'The checkpoint of the same step stands for it.';
  return element(
    'article',
    { class: 'card detail', 'aria-live': 'polite' },
    element('h2', {}, element('i', { class: `dot ${type}` }), ` ${EDIT_NAMES[type]}${toolName === '' ? '' : `: ${toolName}`}`),
    element('p', { class: 'why' }, `Why: ${reason}.`),
    element('p', { class: 'sub' }, `Step ${step} · ${at} · ${isWhole ? 'the prompt went from ' : ''}${count(tokensBefore)} → ${count(tokensAfter)} tokens · edit ${selection.edit + 1} of ${edits.length}`),
    steps[step - 1]!.breaksCache ? cacheBreak(steps[step - 1]!) : undefined,
    lossBox(session, edit, selection),
    element(
      'div',
      { class: 'panes' },
      element('div', { class: 'pane' }, element('h4', {}, type === 'checkpoint' ? 'Before: what it now replaces' : 'Before'), edit.before === '' ? element('p', { class: 'none' }, 'Its text was left out.') : element('pre', { tabindex: 0, class: 'before' }, ...markedRows(rowsAt(session, edit.before), edit.marks.split(' '), selection.onlyLost))),
      element('div', { class: 'pane' }, element('h4', {}, type === 'checkpoint' ? 'After: the checkpoint as it was sent' : 'After: as it was sent'), after === '' ? element('p', { class: 'none' }, none) : element('pre', { tabindex: 0 }, after)),
    ),
  );
}

function cacheBreak({ sentTokens, cachedTokens }: PackedSession['steps'][number]): HTMLElement {
  const known = cachedTokens === null ? '' : ` Here ${short(cachedTokens)} of ${short(sentTokens)} tokens came from the cache.`;
  return element('p', { class: 'hint' }, element('b', {}, 'Cache break: '), `this prompt does not begin with the one before, so the provider reads it anew from the first edit on.${known}`);
}

const WRITER_NAMES = { user: 'the user', assistant: 'the model', tool: 'results' } as const;
const KIND_NAMES = { number: 'numbers', id: 'ids', url: 'urls and paths', name: 'names' } as const;

/** What stands nowhere in the prompt any more, at a glance. */
function lossBox({ isRecorded }: PackedSession, { loss: { rows, kinds, examples } }: PackedEdit, { onlyLost, go }: Selection): HTMLElement | undefined {
  if (rows.all === 0) return undefined;
  const place = isRecorded ? 'in what is sent in its place (a recording does not hold the rest of the prompt)' : 'in the prompt of this step';
  if (rows.lost === 0 && KINDS.every((kind) => kinds[kind].lost === 0)) return element('p', { class: 'loss kept' }, `Nothing lost: what ${counted(rows.all, 'row')} ${rows.all === 1 ? 'tells' : 'tell'} stands ${place}.`);
  const toggle = element('button', { class: 'toggle', 'aria-pressed': String(onlyLost) }, 'Show only what was lost');
  toggle.addEventListener('click', () => go({ onlyLost: !onlyLost }));
  const shares = KINDS.filter((kind) => kinds[kind].all > 0).map((kind) =>
    element('span', { class: 'share' }, element('meter', { min: 0, max: kinds[kind].all, value: kinds[kind].lost, low: 0.1, high: 0.2, optimum: 0 }), ` ${count(kinds[kind].lost)} of ${count(kinds[kind].all)} ${KIND_NAMES[kind]}`),
  );
  const writers = WRITERS.flatMap((writer) => (rows[writer] === undefined ? [] : [`${count(rows[writer].lost)} of ${count(rows[writer].all)} of ${WRITER_NAMES[writer]}`]));
  return element(
    'section',
    { class: 'loss', 'aria-label': 'What was lost' },
    element('p', {}, element('b', {}, `Lost: ${count(rows.lost)} of ${counted(rows.all, 'row')}`), writers.length === 0 ? undefined : element('span', {}, writers.join(', ')), toggle),
    shares.length === 0 ? undefined : element('p', { class: 'shares' }, ...shares),
    examples.length === 0 ? undefined : element('p', { class: 'examples' }, ...examples.flatMap((example) => [element('mark', {}, example), ' '])),
    element('small', {}, `A value is `, element('mark', {}, 'marked'), ` where it stands nowhere ${place}, a `, element('mark', { class: 'row' }, 'row'), ` where most of what it tells is gone. What is said in other words counts as lost.`),
  );
}

/** Rows with what is lost of them marked. */
function markedRows(rows: readonly string[], marks: readonly string[], onlyLost: boolean): (Node | string)[] {
  const shown: (Node | string)[] = [];
  let heading = '';
  let isCut = false;
  for (const [index, row] of rows.entries()) {
    const mark = marks[index] ?? '';
    const isHeading = /^\[[a-z ]+\]\n$/.test(row);
    if (isHeading) heading = row;
    if (isHeading || (onlyLost && mark === '')) {
      // A row may be a sentence of a line, the rest of which is left out.
      if (isCut) shown.push(' …\n');
      isCut = false;
      continue;
    }
    isCut = onlyLost && !row.endsWith('\n');
    if (heading !== '') shown.push(element('b', {}, heading));
    heading = '';
    if (mark === '*') shown.push(element('mark', { class: 'row' }, row));
    else if (mark === '') shown.push(row);
    else {
      const spans = markedSpans(row, mark.replace('!', ''));
      shown.push(...(mark.startsWith('!') ? [element('mark', { class: 'row' }, ...spans)] : spans));
    }
  }
  return shown;
}

function markedSpans(row: string, spans: string): (Node | string)[] {
  const shown: (Node | string)[] = [];
  let end = 0;
  for (const span of spans === '' ? [] : spans.split(',')) {
    const [start = 0, length = 0] = span.split('+').map(Number);
    shown.push(row.slice(end, start), element('mark', {}, row.slice(start, start + length)));
    end = start + length;
  }
  return [...shown, row.slice(end)];
}
