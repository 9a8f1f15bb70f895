// The counterpart of ../pack.ts, in the page.

import type { PackedSession } from '../pack.js';

/** The session that was packed. */
export async function unpacked(text: string): Promise<PackedSession> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return (await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json()) as PackedSession;
}

/** Rows of a session by their places. */
export function rowsAt({ rows }: PackedSession, places: string): string[] {
  return places.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-');
    return range === '' ? [] : rows.slice(Number(first), Number(last) + 1);
  });
}
