// What an edit lost: of what the text before told, what stands nowhere in the prompt any more. Looked up word by word, so what is said in
// other words counts as lost, and what stands elsewhere by chance as kept.

import type { Kind } from './terms.js';
import { KINDS, rowsOf, termsOf, wordsOf } from './terms.js';
import { visible } from './visible.js';

/** A text in rows. */
export interface MarkedText {
  readonly rows: readonly string[];
  /** For each row what of it is lost: `''` nothing, `*` all of it, `3+5,20+8` those characters; `!` before them where that is most of the row. */
  readonly marks: readonly string[];
}

/** How much of something is lost. */
export interface Share {
  readonly lost: number;
  readonly all: number;
}

export interface Loss {
  /** Rows that tell something, and those of which most is lost; by who wrote them, where whole messages were edited. */
  readonly rows: Share & Readonly<Partial<Record<Writer, Share>>>;
  readonly kinds: Readonly<Record<Kind, Share>>;
  /** What is lost: first what the user and the model wrote. */
  readonly examples: readonly string[];
}

export const WRITERS = ['user', 'assistant', 'tool'] as const;
export type Writer = (typeof WRITERS)[number];

/** Whether something still stands in what is sent. */
export type Stands = (key: string) => boolean;

/** Of each kind. */
const EXAMPLES = 5;
const EXAMPLE_CHARACTERS = 60;
const NAMED_FIRST: readonly Kind[] = ['name', 'url', 'id', 'number'];
/** With fewer words a row is not judged. */
const LEAST_WORDS = 3;

/** Whether something stands in any of the texts. */
export function standsIn(texts: readonly ReadonlySet<string>[]): Stands {
  return (key) => texts.some((keys) => keys.has(key));
}

/** What was edited, and what of it was lost. */
export interface Lost {
  /** A text for each message. */
  readonly before: readonly MarkedText[];
  readonly loss: Loss;
}

interface KnownTerm {
  readonly kind: Kind;
  readonly text: string;
  readonly isLost: boolean;
  /** What it is named before others by: who wrote it, then its kind. */
  readonly rank: number;
}

/** Marks what is lost of texts. */
export function lossOf(texts: readonly string[], stands: Stands): Lost {
  const terms = new Map<string, KnownTerm>();
  const rows = new Map<Writer | undefined, { lost: number; all: number }>();
  const marked = (row: string, writer: Writer | undefined): string => {
    if (CUT.test(row)) return '';
    const found = termsOf(row);
    const missing = found.filter(({ kind, start, end, keys }) => {
      const key = keys.join(' ');
      const rank = WRITERS.indexOf(writer ?? 'tool') * NAMED_FIRST.length + NAMED_FIRST.indexOf(kind);
      const term = terms.get(key) ?? { kind, text: row.slice(start, end), isLost: !keys.every(stands), rank };
      terms.set(key, term.rank <= rank ? term : { ...term, rank });
      return term.isLost;
    });
    const words = found.length === 0 ? [...new Set(wordsOf(row))] : [];
    const [all, lost] = words.length >= LEAST_WORDS ? [words.length, words.filter((word) => !stands(word)).length] : [found.length, missing.length];
    if (all === 0) return '';
    const isLost = lost * 2 > all;
    const count = rows.get(writer) ?? { lost: 0, all: 0 };
    rows.set(writer, { lost: count.lost + (isLost ? 1 : 0), all: count.all + 1 });
    if (isLost && lost === all) return '*';
    return `${isLost ? '!' : ''}${missing.map(({ start, end }) => `${start}+${end - start}`).join()}`;
  };
  const before = texts.map((text): MarkedText => {
    const writer = WRITERS.find((each) => text.startsWith(`[${each}]\n`));
    const list = rowsOf(visible(text));
    return { rows: list, marks: list.map((row) => marked(row, writer)) };
  });
  const known = [...terms.values()];
  const kinds = Object.fromEntries(KINDS.map((kind) => [kind, shareOf(known.filter((term) => term.kind === kind))])) as Record<Kind, Share>;
  const examplesOf = (kind: Kind): KnownTerm[] => known.filter((term) => term.kind === kind && term.isLost && term.text.length <= EXAMPLE_CHARACTERS).sort((one, other) => one.rank - other.rank).slice(0, EXAMPLES);
  const examples = NAMED_FIRST.flatMap(examplesOf).sort((one, other) => one.rank - other.rank);
  const sum = (number: keyof Share): number => [...rows.values()].reduce((total, share) => total + share[number], 0);
  const byWriter = WRITERS.flatMap((writer) => (rows.has(writer) ? [[writer, rows.get(writer)]] : []));
  return { before, loss: { rows: { lost: sum('lost'), all: sum('all'), ...(Object.fromEntries(byWriter) as object) }, kinds, examples: examples.map(({ text }) => text) } };
}

const shareOf = (terms: readonly KnownTerm[]): Share => ({ lost: terms.filter(({ isLost }) => isLost).length, all: terms.length });

const CUT = /^\n?… ([\d,]+) characters are not shown …\n$/;
const cutCharacters = (row: string): number => Number(CUT.exec(row)?.[1]?.replaceAll(',', '') ?? row.length);
const charactersOf = ({ rows }: MarkedText): number => rows.reduce((sum, row) => sum + row.length, 0);

/** Texts below each other, with the middle of long ones left out so that all together have about so many characters. */
export function shortened(sections: readonly MarkedText[], characters: number): MarkedText[] {
  const sizes = sections.map(charactersOf);
  const total = (most: number): number => sizes.reduce((sum, size) => sum + Math.min(size, most), 0);
  let most = Math.max(0, ...sizes);
  while (most > 1 && total(most) > characters) most = Math.floor(most * 0.8);
  return sections.map((section, index) => (sizes[index]! <= most ? section : cut(section, most)));
}

/** Three quarters of what may stay are of its beginning. */
function cut({ rows, marks }: MarkedText, characters: number): MarkedText {
  const fitting = (list: readonly string[], most: number): number => {
    let left = most;
    const end = list.findIndex((row) => (left -= row.length) < 0);
    return end === -1 ? list.length : end;
  };
  const head = fitting(rows, characters * 0.75);
  const tail = Math.max(head, rows.length - fitting(rows.toReversed(), characters * 0.25));
  const left = rows.slice(head, tail).reduce((sum, row) => sum + cutCharacters(row), 0);
  const mark = `${rows[head - 1]?.endsWith('\n') === false ? '\n' : ''}… ${left.toLocaleString('en-US')} characters are not shown …\n`;
  return { rows: [...rows.slice(0, head), mark, ...rows.slice(tail)], marks: [...marks.slice(0, head), '', ...marks.slice(tail)] };
}
