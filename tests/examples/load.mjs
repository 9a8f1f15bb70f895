// Loads the TypeScript of examples/, as a build would. Holds no tests.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The text of an example behind the comment that opens its file: what its guide shows. */
export const shownOf = (path) => readFileSync(`${root}examples/${path}`, 'utf8').replace(/^(\/\/.*\n)+\n/, '');

/** What an example exports. `ai` is version 7 in it. */
export async function loadExample(path) {
  const folder = `${root}build/examples`;
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/${path.replace(/\W/g, '-')}.mjs`;
  writeFileSync(file, transformSync(readFileSync(`${root}examples/${path}`, 'utf8'), { loader: 'ts' }).code);
  return import(pathToFileURL(file).href);
}
