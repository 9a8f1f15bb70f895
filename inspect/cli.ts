// `npx stepfold inspect <file or folder>`: reads logs, plays them, and writes a page. The command alone; what it does stands beside it.

import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { modelLimits } from '../js/index.js';
import { counted } from './counts.js';
import type { Source } from './files.js';
import { findSources } from './files.js';
import { pageOf } from './page.js';
import { play } from './play.js';
import { readSource } from './read.js';
import type { SessionReport } from './report.js';
import { reportOf } from './report.js';
import { Progress, summaryLines } from './terminal.js';
import { visible } from './visible.js';

const USAGE = `npx stepfold inspect <file or folder> [options]

Shows what stepfold would have done to a session of an agent, or did: reads messages of the AI SDK (model and UI), logs of
Claude Code, Codex, OpenCode, Gemini CLI and Copilot CLI, and recordings of the option onRecord. Sends nothing anywhere.

  --out <file>      where the page is written (stepfold-inspect.html)
  --window <tokens> the context window to play at (that of the model)
  --model <id>      the model to play as (that of the log, else gpt-5)
  --json            numbers for machines on the standard output, without texts and without a page
  --version
  --help
`;

const MODEL = 'gpt-5';
/** Sessions that are summed up one by one on the terminal. */
const SHOWN = 5;

/** Runs the command; the number is the exit code. */
export async function main(parameters: readonly string[]): Promise<number> {
  const given = argumentsOf(parameters);
  if (typeof given === 'string') {
    process.stderr.write(`stepfold: ${given} (\`stepfold --help\`)\n`);
    return 2;
  }
  const { path, values } = given;
  if (values.version === true) {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  if (values.help === true || path === undefined) {
    process.stdout.write(USAGE);
    return values.help === true ? 0 : 2;
  }
  const windowTokens = values.window === undefined ? undefined : Number(values.window);
  const unreadable: string[] = [];
  let sources: Source[];
  try {
    sources = findSources(path, (each) => unreadable.push(`${each} cannot be read`));
  } catch {
    process.stderr.write(`stepfold: ${path} cannot be read\n`);
    return 1;
  }
  const out = values.out ?? 'stepfold-inspect.html';
  const overwritten = sources.find((source) => isPartOf(source, out));
  if (overwritten !== undefined) {
    process.stderr.write(`stepfold: \`--out\` is ${visible(out)}, which belongs to the log ${visible(overwritten.path)}; it must be another file\n`);
    return 2;
  }
  const progress = new Progress(process.stderr);
  const { reports, failures: failed } = await inspectAll(sources, { windowTokens, model: values.model, progress });
  progress.clear();
  const failures = [...unreadable, ...failed];
  for (const failure of failures) process.stderr.write(`stepfold: ${visible(failure)}\n`);
  if (reports.length === 0) {
    process.stderr.write(`stepfold: there is no session in ${path}\n`);
    return 1;
  }
  if (values.json === true) {
    process.stdout.write(`${JSON.stringify(reports.map(withoutTexts), undefined, 1)}\n`);
    return 0;
  }
  for (const report of reports.slice(0, SHOWN)) process.stdout.write(`${summaryLines(report).join('\n')}\n\n`);
  if (reports.length > SHOWN) process.stdout.write(`and ${counted(reports.length - SHOWN, 'more session')}, on the page\n\n`);
  try {
    writeFileSync(out, pageOf(reports, failures));
  } catch (error) {
    process.stderr.write(`stepfold: ${out} cannot be written: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  process.stdout.write(`page: ${out}\n`);
  return 0;
}

function argumentsOf(parameters: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: { out: { type: 'string' }, window: { type: 'string' }, model: { type: 'string' }, json: { type: 'boolean' }, version: { type: 'boolean' }, help: { type: 'boolean' } },
    });
    const [command, path, ...more] = positionals;
    if (command !== undefined && command !== 'inspect') return `there is no command \`${command}\`; there is \`inspect\``;
    if (command !== undefined && path === undefined && values.help !== true && values.version !== true) return '`inspect` takes a file or folder, and is given none';
    if (more.length > 0) return `\`inspect\` takes one file or folder, and is given ${more.length + 1}`;
    if (values.window !== undefined && !(Number(values.window) >= 1_000 && Number(values.window) <= 1e8)) return `\`--window\` is ${values.window}; it must be a number of tokens from 1,000 to 100,000,000`;
    for (const name of ['model', 'out'] as const) if (values[name]?.trim() === '') return `\`--${name}\` is empty; it must be ${name === 'model' ? 'the id of a model' : 'a file'}`;
    return { path, values };
  } catch (error) {
    // Node goes on about arguments that begin with a dash.
    return (error instanceof Error ? error.message : String(error)).replace(/\. [\s\S]*$/, '');
  }
}

/** Whether writing a file would write over a log. */
function isPartOf({ path, storage }: Source, file: string): boolean {
  try {
    const [real, log] = [realpathSync(file), realpathSync(storage ?? path)];
    return real === log || (storage !== undefined && real.startsWith(log + sep));
  } catch {
    // A file that is not there yet, or a pipe, is nothing to write over.
    return false;
  }
}

interface Inspecting {
  readonly windowTokens: number | undefined;
  readonly model: string | undefined;
  readonly progress: Progress;
}

/** Reads and plays one source after another; one that fails does not stop the others. */
async function inspectAll(sources: readonly Source[], { windowTokens, model, progress }: Inspecting): Promise<{ reports: SessionReport[]; failures: string[] }> {
  const reports: SessionReport[] = [];
  const failures: string[] = [];
  for (const [done, source] of sources.entries()) {
    const show = (share: number, what: string): void => progress.show((done + share) / sources.length, `${what} ${basename(source.path)}`);
    let bytes = 0;
    const onBytes = (count: number): void => show((bytes += count) / (2 * source.bytes || 1), 'reading');
    try {
      for (const log of await readSource(source, onBytes)) {
        const modelId = model ?? log.modelId ?? MODEL;
        const notes = [...log.notes, ...assumed(modelId, { isNamed: (model ?? log.modelId) !== undefined, hasWindow: windowTokens !== undefined || log.recorded.length > 0 })];
        const onStep = (step: number, all: number): void => show(0.5 + step / all / 2, 'playing');
        const played = log.recorded.length > 0 ? { steps: log.recorded, notes: [] } : await play(log, { modelId, windowTokens, onStep });
        reports.push(reportOf({ ...log, notes: [...notes, ...played.notes] }, played.steps, modelId));
      }
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { reports, failures };
}

function assumed(modelId: string, { isNamed, hasWindow }: { readonly isNamed: boolean; readonly hasWindow: boolean }): string[] {
  if (!isNamed) return [`the log does not name its model; played as ${modelId} (\`--model\`)`];
  const { known, contextWindow } = modelLimits(modelId);
  return known || hasWindow ? [] : [`${modelId} is not known; a window of ${contextWindow.toLocaleString('en-US')} tokens is assumed (\`--window\`)`];
}

function withoutTexts({ edits, ...report }: SessionReport): object {
  return { ...report, edits: edits.map(({ before: _before, after: _after, loss: { rows, kinds }, ...edit }) => ({ ...edit, loss: { rows, kinds } })) };
}

/** That of the package, whose files stand beside the program's folder. */
const version = (): string => String((JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: unknown }).version);
