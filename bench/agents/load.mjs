// Which sessions there are. The halves are kept apart: whoever changes what is kept may read `tuning`, of `judging` only the totals.

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const HALVES = ['tuning', 'judging'];
/** By kind of agent, the figures that are compared from one version to the next; and by form of what stands in messages. */
export const FOLDERS = ['sessions', 'inputs'];

/** `{ half, url, id }` of all sessions of these folders, in a fixed order. */
export function findSessions(halves = HALVES, folders = ['sessions']) {
  return folders.flatMap((parent) => halves.map((half) => [parent, half])).flatMap(([parent, half]) => {
    const folder = new URL(`${parent}/${half}/`, import.meta.url);
    if (!existsSync(fileURLToPath(folder))) return [];
    const files = readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith('.mjs')).sort();
    return files.map((name) => ({ half, id: name.slice(0, -'.mjs'.length), url: new URL(name, folder).href }));
  });
}
