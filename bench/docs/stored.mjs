// What the benches have stored, and which documents show it.

import { readdirSync, readFileSync } from 'node:fs';
import { pictureOf } from '../agents/picture.mjs';
import { overviewOf } from '../replay/plot.mjs';
import { figuresOf } from './figures.mjs';
import { withFigures } from './marks.mjs';

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');

/** By name, with the command that writes it. */
export const RESULTS = {
  agents: { path: 'bench/agents/baseline.json', command: 'bench:agents -- --write-baseline' },
  tau: { path: 'bench/tau/result.json', command: 'bench:tau -- --write-result' },
  rules: { path: 'bench/rules/result.json', command: 'bench:rules -- --write-result' },
  replay: { path: 'bench/replay/result.json', command: 'bench:replay -- <folder> --write-result' },
  usage: { path: 'bench/usage/result.json', command: 'bench:usage -- <folder> --write-result' },
  cache: { path: 'bench/cache/result.json', command: 'bench:cache -- --write-result' },
  runtimes: { path: 'bench/runtimes.json', command: 'bench:runtimes -- --write-result' },
};
export const readStored = () => Object.fromEntries(Object.entries(RESULTS).map(([name, { path }]) => [name, JSON.parse(read(path))]));

/** Each document and picture as it is, and as it should be; and the sentences that are no longer true. */
export function documents(stored = readStored()) {
  const figures = figuresOf(stored);
  const pages = ['README.md', ...readdirSync(new URL('docs', root)).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
  const pictures = { 'docs/agents.svg': pictureOf(stored.agents), 'docs/overview.svg': overviewOf(stored.replay.windows) };
  return [
    ...pages.map((path) => ({ path, is: read(path), ...shouldBe(path, figures) })),
    ...Object.entries(pictures).map(([path, text]) => ({ path, is: read(path), text, untrue: [] })),
  ];
}

function shouldBe(path, figures) {
  try {
    return withFigures(read(path), figures);
  } catch (error) {
    throw new Error(`${path}: ${error.message}`);
  }
}
