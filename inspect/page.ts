// The page: one file that asks for nothing else. What is shown stands in it as data; the script that shows it (page/client.ts) builds
// text nodes only, so nothing of a log is ever read as HTML.

import { createHash } from 'node:crypto';
import { script, style } from '../build/inspect/page-parts.js';
import type { SessionReport } from './report.js';
import { visible } from './visible.js';

/** Characters of texts in a page; beyond these, edits are shown without. */
const PAGE_CHARACTERS = 24_000_000;

/** What the page is made from. */
export interface PageData {
  readonly reports: readonly SessionReport[];
  /** Files that could not be shown, and why. */
  readonly failures: readonly string[];
}

/** The page as HTML. */
export function pageOf(reports: readonly SessionReport[], failures: readonly string[]): string {
  const data: PageData = { reports: withinLimit(reports), failures };
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

function withinLimit(reports: readonly SessionReport[]): SessionReport[] {
  let left = PAGE_CHARACTERS;
  return reports.map((report) => {
    let isCut = false;
    const edits = report.edits.map((edit) => {
      const size = edit.before.length + edit.after.length;
      if (size <= left) {
        left -= size;
        return edit;
      }
      isCut = true;
      return { ...edit, before: '', after: '' };
    });
    return isCut ? { ...report, edits, notes: [...report.notes, 'the page would be too large with all texts: some edits are shown without (inspect this session alone)'] } : report;
  });
}
