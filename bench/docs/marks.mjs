// Marks in documents, which say of a figure where it comes from. They are comments: nobody sees them on a page.
//
//   stepfold has 28 to 49<!--tau.desk.stepfold--> %                        a figure or a word is written before its mark; a number and `to` before it are its beginning
//   <!--table rules.table-->                                               a table is written below its mark
//   Research is the weakest kind.<!--true agents.isResearchWeakest-->      a sentence is written by people; the command says when it is no longer true

const FIGURE = /((?:[\d.]+ to )?[^\s(*|"“]+)<!--([\w.]+)-->/g;
const TABLE = /(<!--table ([\w.]+)-->\n)(?:\|.*\n)*/g;
const SENTENCE = /([^.\n|]*\.?)<!--true ([\w.]+)-->/g;

/** What stands at a path such as `tau.desk.stepfold`. */
function valueAt(figures, path, type) {
  const value = path.split('.').reduce((found, name) => (Object.hasOwn(Object(found), name) ? found[name] : undefined), figures);
  if (typeof value !== type) throw new Error(`\`${path}\`: expected the name of a ${type} in bench/docs/figures.mjs`);
  return value;
}

/** The text with today's figures at its marks, and the sentences in it that they contradict. */
export function withFigures(text, figures) {
  const untrue = [...text.matchAll(SENTENCE)].filter(([, , path]) => !valueAt(figures, path, 'boolean')).map(([, sentence, path]) => `${sentence.trim()} (${path})`);
  const written = text
    .replace(TABLE, (_all, before, path) => `${before}${valueAt(figures, path, 'string')}\n`)
    .replace(FIGURE, (_all, _before, path) => `${valueAt(figures, path, 'string')}<!--${path}-->`);
  return { text: written, untrue };
}

/** The text without what marks hold: figures that stand in it yet have been typed. */
export const withoutFigures = (text) => text.replace(TABLE, '').replace(FIGURE, '');

/** Markdown that reads as plain text, too; the first columns hold words. */
export function tableOf(head, body, words = 1) {
  const widths = head.map((title, index) => Math.max(3, title.length, ...body.map((line) => line[index].length)));
  const line = (cells) => `| ${cells.map((cell, index) => (index < words ? cell.padEnd(widths[index]) : cell.padStart(widths[index]))).join(' | ')} |`;
  const rule = widths.map((width, index) => (index < words ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), line(rule), ...body.map(line)].join('\n');
}
