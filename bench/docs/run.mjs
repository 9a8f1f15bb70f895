// Writes what the benches have stored into README, guides and pictures: `npm run bench:docs`. Runs no bench. Says which sentences are to be written anew, because the
// figures contradict them; exits with 1 while there are any.

import { writeFileSync } from 'node:fs';
import { documents } from './stored.mjs';

for (const { path, is, text, untrue } of documents()) {
  if (text !== is) {
    writeFileSync(new URL(`../../${path}`, import.meta.url), text);
    console.log(`written: ${path}`);
  }
  for (const sentence of untrue) {
    console.error(`no longer true, ${path}: ${sentence}`);
    process.exitCode = 1;
  }
}
