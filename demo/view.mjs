// Prints the runs of the demo: one line a step, one line an edit, the report, the comparison. Computes nothing.

import { bar, bold, cyan, dim, fit, green, red, thousands, wrap, yellow } from './terminal.mjs';

const WIDTH = 96;
const INDENT = ' '.repeat(14);

const print = (line = '') => process.stdout.write(`${line}\n`);

export function printIntro({ topics, pages, windowTokens, title }) {
  print();
  print(`  ${bold('stepfold')}  ${dim('keeps an agent inside its context window')}`);
  print();
  printFact('task', `look up ${topics} defaults in the ${pages} pages of the AI SDK's documentation and write a report`);
  printFact('model', title);
  printFact('window', `${windowTokens.toLocaleString('en')} tokens, counted with o200k; a larger request is rejected as OpenAI rejects it`);
}

function printFact(name, text) {
  wrap(text, WIDTH - 11).forEach((line, index) => print(`  ${dim((index === 0 ? name : '').padEnd(8))} ${line}`));
}

export function printHeading(title, note) {
  print();
  print(`  ${bold(title)}  ${dim(note)}`);
  print(`  ${dim('─'.repeat(WIDTH - 2))}`);
}

export const printNote = (text) => print(`  ${dim(text)}`);

/** A step: what the model did, and the prompt it did it on. */
export function printStep(step, { windowTokens, triggerTokens }) {
  const { number, calls, before, tokens, rejected, noted } = step;
  const [{ toolName, input } = { toolName: 'report', input: {} }, ...more] = calls;
  const action = rejected ? `${red('rejected')}${' '.repeat(27)}` : `${bold(toolName.padEnd(7))}${fit(subjectOf(input, more.length), 27)} `;
  const marks = rejected || noted.length === 0 ? '    ' : green(`✓${noted.at(-1)}`.padEnd(4));
  const change = before > tokens ? `${thousands(before)} → ${bold(thousands(tokens))}` : rejected ? red(bold(thousands(tokens))) : thousands(tokens);
  print(`  ${dim(String(number).padStart(3))}  ${action}${marks}${bar({ before, after: tokens, windowTokens, triggerTokens })} ${change}`);
  for (const event of step.events) printEvent(event);
}

function subjectOf({ path, query, offset }, more) {
  const page = path === undefined ? '' : nameOf(path);
  const subject = query !== undefined ? `"${query}"` : offset !== undefined ? `${page}:${offset}` : page;
  return more > 0 ? `${subject} +${more}` : subject;
}

const nameOf = (path) => path.replace(/^.*\//, '').replace(/\.mdx$/, '');

/** An edit: what and why. */
function printEvent(event) {
  const line = describe(event);
  if (line !== undefined) print(`${INDENT}${yellow('└')} ${yellow(line.what.padEnd(10))} ${dim(line.why)}`);
}

function describe(event) {
  const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  switch (event.type) {
    case 'measured':
      return undefined;
    case 'capped':
      return { what: 'capped', why: event.results.map(({ toolName, tokensBefore, tokensAfter }) => `new result of ${toolName} ${thousands(tokensBefore)} → ${thousands(tokensAfter)}`).join(', ') + ', before it was ever sent' };
    case 'cleared':
      return { what: 'cleared', why: `${count(event.results.length, 'old result')}, at the trigger: ${toolsOf(event.results)}` };
    case 'checkpoint':
      return { what: 'checkpoint', why: `${count(event.messages, 'message')} → one of ${thousands(event.checkpointTokens)} (${event.content}), as clearing alone was not enough` };
    case 'squeezed':
      return { what: 'squeezed', why: `${count(event.results.length, 'recent part')}, as the newest messages alone are too large: ${toolsOf(event.results)}` };
    case 'over-budget':
      return { what: 'too large', why: `${thousands(event.tokens)} of ${thousands(event.limitTokens)}: ${event.reason}` };
    case 'error':
      return { what: 'error', why: event.message };
    default:
      return { what: event.type, why: event.reason ?? event.message ?? '' };
  }
}

/** `3 read, 2 search`. */
function toolsOf(results) {
  const names = results.map(({ toolName }) => toolName || 'text');
  return [...new Set(names)].map((name) => `${names.filter((other) => other === name).length} ${name}`).join(', ');
}

/** Why a run ended early. */
export function printError(error, isOverflow) {
  const text = `${error.name}${error.statusCode === undefined ? '' : ` ${error.statusCode}`}: ${error.message}`;
  wrap(text, WIDTH - 16).forEach((line, index) => print(`${INDENT}${index === 0 ? red('✗') : ' '} ${red(line)}`));
  print(`${INDENT}  ${dim('isContextOverflow(error)')} ${dim('→')} ${bold(String(isOverflow))}`);
}

export function printReport({ lines, faults }) {
  const rows = lines.map((line) => ({ ...line, value: line.value.replaceAll('`', '') }));
  const width = (name) => Math.max(...rows.map((row) => row[name].length)) + 2;
  const [subjects, options, values] = [width('subject'), width('option'), width('value')];
  for (const { number, subject, option, value, page } of rows) {
    const isWrong = faults.some((fault) => fault.startsWith(`#${number} `) || fault.startsWith(`#${number}:`));
    const source = fit(nameOf(page), Math.max(WIDTH - 7 - subjects - options - values, 12)).trimEnd();
    print(`  ${isWrong ? red('✗') : green('✓')} ${dim(String(number).padStart(2))}  ${subject.padEnd(subjects)}${cyan(option.padEnd(options))}${bold(value.padEnd(values))}${dim(source)}`);
  }
  for (const fault of faults) print(`  ${red('✗')} ${red(fault)}`);
  if (faults.length === 0) print(`         ${green('Every line is true')} ${dim('when checked against the pages; the order is what the user asked for.')}`);
}

/** Rows of cells; the first row and column are headings. */
export function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)) + 3);
  rows.forEach((row, index) => {
    const cells = row.map((cell, column) => {
      const text = cell.padEnd(widths[column]);
      return index === 0 || column === 0 ? dim(text) : column === 2 ? bold(text) : text;
    });
    print(`  ${cells.join('').trimEnd()}`);
  });
}

export function printEnd(passed, seconds) {
  print();
  print(`  ${passed ? green('Finished: no request was over the window.') : red('The demo failed.')} ${dim(`${seconds.toFixed(1)} s`)}`);
  print();
}
