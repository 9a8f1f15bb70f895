// Tells whose log a file is, and reads it. What the formats are stands in logs/; what a file holds beside them is skipped and counted.

import { basename } from 'node:path';
import type { RecordedStep } from '../js/index.js';
import { counted } from './counts.js';
import type { Source } from './files.js';
import { readStorage } from './files.js';
import type { OnBytes } from './lines.js';
import { valuesOf } from './lines.js';
import type { AnyRecord, Log, LogReader } from './log.js';
import { Skipped, isRecord, listOf, recordOf, textOf } from './log.js';
import type { Given } from './logs/ai-sdk.js';
import { aiSdkReader, isAiSdk } from './logs/ai-sdk.js';
import { claudeCodeReader, isClaudeCode } from './logs/claude-code.js';
import { codexReader, isCodex } from './logs/codex.js';
import { copilotCliReader, isCopilotCli } from './logs/copilot-cli.js';
import { geminiCliReader, isGeminiCli } from './logs/gemini-cli.js';
import { isOpencode, opencodeReader } from './logs/opencode.js';

/** Characters of messages that are kept of one log, about; what comes behind is not played. */
const LOG_SIZE = 64_000_000;

const FORMATS: readonly { readonly is: (value: AnyRecord) => boolean; readonly create: () => LogReader }[] = [
  { is: isOpencode, create: opencodeReader },
  { is: isCodex, create: codexReader },
  { is: isCopilotCli, create: copilotCliReader },
  { is: isGeminiCli, create: geminiCliReader },
  { is: isClaudeCode, create: claudeCodeReader },
  { is: isAiSdk, create: aiSdkReader },
];

/** Whether a value is a recorded step, with all that the page reads of it. */
function isStep(value: AnyRecord): boolean {
  // JSON has numbers that are read as infinite.
  const isOf = (type: string, given: unknown): boolean => typeof given === type && (type !== 'number' || Number.isFinite(given));
  const has = (type: string, given: unknown, ...names: readonly string[]): boolean => names.every((name) => isOf(type, recordOf(given)[name]));
  const isCount = (given: unknown): boolean => isOf('number', given ?? 0);
  const isEdit = (edit: unknown): boolean => has('string', edit, 'type', 'reason', 'toolName', 'before', 'after') && has('number', edit, 'messageIndex', 'messages', 'tokensBefore', 'tokensAfter');
  const isEvent = (event: unknown): boolean => has('string', event, 'type') && (recordOf(event)['type'] !== 'measured' || (has('number', event, 'tokens', 'uneditedTokens', 'contextWindow') && isCount(recordOf(event)['cachedTokens'])));
  const { stepfold, events, edits, tools } = value;
  return stepfold === 1 && isRecord(tools) && Object.values(tools).every((tokens) => isOf('number', tokens)) && has('string', value, 'modelId') && has('number', value, 'stepNumber', 'messages') && [Array.isArray(events), Array.isArray(edits)].every(Boolean) && listOf(events).every(isEvent) && listOf(edits).every(isEdit);
}

/** Reads a source: one session, or the sessions that were recorded in it. Throws where there is none. */
export async function readSource(source: Source, onBytes?: OnBytes): Promise<Log[]> {
  if (source.storage === undefined) return readFile(source.path, onBytes);
  return [readStorage(source)].filter(isPlayable(source.path, []));
}

async function readFile(path: string, onBytes?: OnBytes): Promise<Log[]> {
  const skipped = new Skipped();
  const recorded = new Map<unknown, RecordedStep[]>();
  const state = { reader: undefined as LogReader | undefined };
  for await (const value of valuesOf(path, skipped, onBytes)) {
    for (const each of unwrapped(value, state)) {
      if (isStep(each)) {
        const steps = recorded.get(each['run']) ?? [];
        steps.push(each as unknown as RecordedStep);
        recorded.set(each['run'], steps);
      } else if ((state.reader?.size() ?? 0) > LOG_SIZE) skipped.add(`line behind the first ${LOG_SIZE / 1e6} MB of messages`);
      else {
        state.reader ??= FORMATS.find(({ is }) => is(each))?.create();
        if (state.reader?.take(each) !== true) skipped.add('line of no known format');
      }
    }
  }
  if (recorded.size === 0 && state.reader === undefined) throw new Error(`${basename(path)} is no log of a known format${inBrackets(skipped.notes)}`);
  return [...recordings(path, recorded, skipped.notes), ...(state.reader === undefined ? [] : [finished(path, state.reader, skipped.notes)])].filter(isPlayable(path, skipped.notes));
}

/** A log that begins with a value that holds its messages: an export, a chat, a transcript. */
function unwrapped(value: unknown, state: { reader: LogReader | undefined }): readonly AnyRecord[] {
  if (Array.isArray(value)) return value.map(recordOf);
  const record = recordOf(value);
  const list = [record['messages'], record['history'], record['clientHistory'], record['uiMessages']].find((each) => Array.isArray(each) && each.length > 0);
  if (list === undefined || state.reader !== undefined) return isRecord(value) ? [record] : [];
  const messages = listOf(list).map(recordOf);
  if (messages.some(isOpencode)) state.reader = opencodeReader(textOf(recordOf(record['info'])['title']));
  else if (messages.some(isAiSdk)) state.reader = aiSdkReader(givenBy(record));
  return isGeminiCli(record) ? [record, ...messages] : messages;
}

const givenBy = (record: AnyRecord): Given => ({
  id: textOf(record['id']) || undefined,
  kind: textOf(record['kind']) || undefined,
  modelId: textOf(record['model']) || textOf(recordOf(listOf(record['usage'])[0])['model']) || undefined,
  system: textOf(record['system']),
});

const finished = (path: string, reader: LogReader, notes: readonly string[]): Log => {
  const log = reader.finish();
  return { ...log, source: path, recorded: [], notes: [...log.notes, ...notes], title: log.title === '' ? basename(path) : log.title };
};

function recordings(path: string, recorded: ReadonlyMap<unknown, readonly RecordedStep[]>, notes: readonly string[]): Log[] {
  return [...recorded].map(([run, steps]) => ({
    source: recorded.size > 1 ? `${path} (run ${String(run)})` : path,
    id: undefined,
    kind: undefined,
    system: '',
    title: `${basename(path)}${recorded.size > 1 ? `, run ${String(run)}` : ''}`,
    format: 'recording',
    modelId: steps.at(-1)!.modelId,
    messages: [],
    recorded: steps,
    firstPrompt: undefined,
    notes,
  }));
}

const inBrackets = (notes: readonly string[]): string => (notes.length === 0 ? '' : ` (${notes.join(', ')})`);

/** Whether there is a step to be shown. Throws for a file without any. */
function isPlayable(path: string, notes: readonly string[]) {
  return ({ messages, recorded }: Log): boolean => {
    if (recorded.length > 0 || messages.some(({ role }, index) => role === 'assistant' && index > 0)) return true;
    throw new Error(`${basename(path)} has no step of an agent in it: ${counted(messages.length, 'message')}${inBrackets(notes)}`);
  };
}
