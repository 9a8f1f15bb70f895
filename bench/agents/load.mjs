// Which sessions there are. The halves are kept apart: whoever changes what is kept may read `tuning`, of `judging` only the totals.

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const HALVES = ['tuning', 'judging'];

/** `{ half, url, id }` of all sessions, in a fixed order. */
export function findSessions(halves = HALVES) {
  return halves.flatMap((half) => {
    const folder = new URL(`sessions/${half}/`, import.meta.url);
    if (!existsSync(fileURLToPath(folder))) return [];
    const files = readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith('.mjs')).sort();
    return files.map((name) => ({ half, id: name.slice(0, -'.mjs'.length), url: new URL(name, folder).href }));
  });
}
