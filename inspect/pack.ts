// A session in few bytes: a row of text that stands in many places is stored once, and all is compressed.

import { gzipSync } from 'node:zlib';
import type { MarkedText } from './losses.js';
import { shortened } from './losses.js';
import type { ReportEdit, SessionReport } from './report.js';
import { rowsOf } from './terms.js';
import { visible } from './visible.js';

/** An edit whose texts are places among the rows of its session: `0-17,4,18`. */
export interface PackedEdit extends Omit<ReportEdit, 'before' | 'after'> {
  readonly before: string;
  /** A mark for each row of `before`, divided by spaces. */
  readonly marks: string;
  readonly after: string;
}

export interface PackedSession extends Omit<SessionReport, 'edits'> {
  readonly rows: readonly string[];
  readonly edits: readonly PackedEdit[];
}

/** The session as base64 of gzip, each text with at most so many characters. */
export function packed({ edits, ...report }: SessionReport, characters: number): string {
  const rows = new Map<string, number>();
  const places = (text: readonly string[]): string =>
    rangesOf(
      text.map((row) => {
        const place = rows.get(row) ?? rows.size;
        rows.set(row, place);
        return place;
      }),
    );
  const packedEdits = edits.map(({ before, after, ...edit }): PackedEdit => {
    const texts = shortened(before, characters);
    const sent = rowsOf(visible(after));
    return { ...edit, before: places(texts.flatMap((text) => text.rows)), marks: texts.flatMap(({ marks }) => marks).join(' '), after: places(rowsWithin(sent, characters)) };
  });
  const session: PackedSession = { ...report, rows: [...rows.keys()], edits: packedEdits };
  return gzipSync(JSON.stringify(session, (_key, value: unknown) => (typeof value === 'string' ? visible(value) : value))).toString('base64');
}

const rowsWithin = (rows: readonly string[], characters: number): readonly string[] => shortened([{ rows, marks: rows.map(() => '') }], characters).flatMap((text: MarkedText) => text.rows);

function rangesOf(places: readonly number[]): string {
  const ranges: string[] = [];
  for (let start = 0, end = 0; start < places.length; start = end) {
    end = start + 1;
    while (places[end] === places[end - 1]! + 1) end += 1;
    ranges.push(end - start === 1 ? `${places[start]}` : `${places[start]}-${places[end - 1]}`);
  }
  return ranges.join();
}
