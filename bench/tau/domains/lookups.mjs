// What the adapters share: reading a domain's files, and collecting look-ups.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const readJson = (folder, name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/** Without what is missing or stands before. */
export const definedOf = (list) => [...new Set(list.filter(Boolean))];

/** Look-ups, each once: `add(tool, input)` makes one with what `read` has for it. */
export function collector(read) {
  const reads = [];
  const isSame = (known, tool, input) => known.tool === tool && JSON.stringify(known.input) === JSON.stringify(input);
  const add = (tool, input) => {
    if (!reads.some((known) => isSame(known, tool, input))) reads.push({ tool, input, output: read[tool](input) });
  };
  return { reads, add };
}
