// The tools of the demo's agent: list, read and search over the documentation that ships inside the package `ai`.
// Real tools on real files. They know nothing of windows or tokens: a large page comes back large.

import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { tool } from 'ai';
import { z } from 'zod';

const root = dirname(createRequire(import.meta.url).resolve('ai/package.json'));

/** Every page: its path below the package and its text. */
export const pages = readdirSync(join(root, 'docs'), { recursive: true })
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.mdx'))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** The text of a page, or undefined. */
export const pageText = (path) => pages.find((page) => page.path === path)?.text;

/** Pages one search returns, and lines of each. */
const PAGES_PER_SEARCH = 10;
const LINES_PER_PAGE = 3;
const LINE_CHARACTERS = 240;

export const tools = {
  list: tool({
    description: 'Lists the pages below a folder of the documentation.',
    inputSchema: z.object({ path: z.string().describe('A folder, e.g. docs/03-agents') }),
    execute: ({ path }) => {
      const found = pages.filter((page) => page.path.startsWith(`${path}/`)).map((page) => page.path.slice(path.length + 1));
      return found.length === 0 ? `no pages below ${path}` : `${path}: ${found.length} pages\n${found.join('\n')}`;
    },
  }),
  search: tool({
    description: 'Searches all pages, or one, for words. Returns pages with the lines that hold most of them, as `line: text`.',
    inputSchema: z.object({ query: z.string(), path: z.string().optional().describe('Only this page') }),
    execute: ({ query, path }) => search(query, path),
  }),
  read: tool({
    description: 'Reads a page, or the lines of it from `offset` on.',
    inputSchema: z.object({
      path: z.string(),
      offset: z.number().int().optional().describe('First line, from 1'),
      limit: z.number().int().optional().describe('Number of lines'),
    }),
    execute: ({ path, offset = 1, limit }) => {
      const text = pageText(path);
      if (text === undefined) throw new Error(`no such page: ${path}`);
      const lines = text.split('\n');
      const last = limit === undefined ? lines.length : Math.min(lines.length, offset + limit - 1);
      return `${path}, lines ${offset} to ${last} of ${lines.length}\n${lines.slice(offset - 1, last).join('\n')}`;
    },
  }),
};

function search(query, path) {
  const words = query.toLowerCase().split(/\s+/);
  const hits = pages
    .filter((page) => path === undefined || page.path === path)
    .map(({ path, text }) => ({ path, title: /^title: (.*)$/m.exec(text)?.[1].toLowerCase() ?? '', lines: bestLines(text, words) }))
    .filter(({ lines }) => lines.length > 0)
    // Pages about the thing come before pages that mention it often.
    .sort((a, b) => Number(isAbout(b, words)) - Number(isAbout(a, words)) || b.lines.length - a.lines.length || (a.path < b.path ? -1 : 1));
  if (hits.length === 0) return `no page holds "${query}"`;
  const shown = hits.slice(0, PAGES_PER_SEARCH).map(({ path, lines }) => [`${path} (${lines.length} lines)`, ...lines.slice(0, LINES_PER_PAGE)].join('\n'));
  return `${hits.length} pages hold "${query}"\n${shown.join('\n')}`;
}

/** The lines that hold most of the words, in order. */
function bestLines(text, words) {
  const lines = text.split('\n').map((line, index) => {
    const lower = line.toLowerCase();
    return { line, number: index + 1, held: words.filter((word) => lower.includes(word)).length };
  });
  const most = Math.max(1, ...lines.map(({ held }) => held));
  return lines.filter(({ held }) => held === most).map(({ line, number }) => `  ${number}: ${line.trim().slice(0, LINE_CHARACTERS)}`);
}

const isAbout = ({ title }, words) => words.every((word) => title.includes(word));
