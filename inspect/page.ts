// The page: one file that asks for nothing else. What is shown stands in it as data; the script that shows it (page/client.ts) builds
// text nodes only, so nothing of a log is ever read as HTML.

import { createHash } from 'node:crypto';
import { script, style } from '../build/inspect/page-parts.js';
import { counted } from './counts.js';
import { packed } from './pack.js';
import type { SessionReport } from './report.js';
import { EDIT_CHARACTERS } from './report.js';
import { visible } from './visible.js';

/** Characters of all sessions in a page, compressed. */
const PAGE_CHARACTERS = 4_800_000;

/** What the page shows at once; each session stands beside it, compressed. */
export interface PageData {
  readonly sessions: readonly PageSession[];
  /** Files that could not be shown, and why. */
  readonly failures: readonly string[];
}

/** A session in the overview. */
export interface PageSession extends Pick<SessionReport, 'title' | 'source' | 'format' | 'modelId' | 'totals'> {
  readonly steps: number;
  readonly edits: number;
}

/** The page as HTML. */
export function pageOf(reports: readonly SessionReport[], failures: readonly string[]): string {
  const sessions = reports.map(({ title, source, format, modelId, totals, steps, edits }): PageSession => ({ title, source, format, modelId, totals, steps: steps.length, edits: edits.length }));
  const data: PageData = { sessions, failures };
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<title>stepfold inspect</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<noscript>This page draws itself with a script of its own, which is turned off.</noscript>',
    '<div id="app"></div>',
    `<script type="application/json" id="data">${asData(data)}</script>`,
    ...packedWithinLimit(reports).map((session, index) => `<script type="text/plain" id="session-${index}">${session}</script>`),
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** JSON that cannot end its own element, with every hidden character named. */
function asData(data: PageData): string {
  const json = JSON.stringify(data, (_key, value: unknown) => (typeof value === 'string' ? visible(value) : value));
  return json.replaceAll('<', '\\u003c');
}

/** All sessions, with as much of their texts as the page has room for. */
function packedWithinLimit(reports: readonly SessionReport[]): string[] {
  let characters = EDIT_CHARACTERS;
  let sessions = reports.map((report) => packed(report, characters));
  while (characters > 0 && sessions.reduce((sum, session) => sum + session.length, 0) > PAGE_CHARACTERS) {
    characters = characters > 500 ? Math.floor(characters / 2) : 0;
    const note = `the page has no room for more than ${counted(characters, 'character')} of each text; inspect this session alone to see more`;
    sessions = reports.map((report) => packed({ ...report, notes: [...report.notes, note] }, characters));
  }
  return sessions;
}
