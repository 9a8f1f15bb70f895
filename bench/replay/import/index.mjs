// Finds recorded conversations in folders and reads each in its own form, told by its content. Writes nothing and knows no policy.
// What cannot be read is left out and noted, so that one odd line does not lose a session.

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readClaudeCode } from './claude-code.mjs';
import { readCodex } from './codex.mjs';
import { createNotes } from './conversation.mjs';
import { readModelMessages } from './model-messages.mjs';
import { readUiMessages } from './ui-messages.mjs';

const FILE = /\.jsonl?(\.gz)?$/;

/** Recorded conversations in files and, at any depth, in folders; largest first, so that work can be shared out well. */
export function findFiles(paths) {
  const sized = paths.flatMap((path) => listFiles(path)).map((path) => ({ path, bytes: statSync(path).size }));
  return sized.sort((left, right) => right.bytes - left.bytes || (left.path < right.path ? -1 : 1)).map(({ path }) => path);
}

function listFiles(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`${path}: expected a folder or a file of recorded conversations, and there is none`);
  if (found.isFile()) return [path];
  const names = readdirSync(path, { recursive: true }).filter((name) => FILE.test(name));
  return names.map((name) => join(path, name)).filter((file) => statSync(file).isFile());
}

/** `{ transcript, notes }`: `{ id, kind?, system?, messages }`, or `undefined` where there is nothing to replay, and what was left out. */
export async function importFile(path) {
  const notes = createNotes();
  const id = basename(path).replace(FILE, '');
  try {
    const bytes = readFileSync(path);
    const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    const read = await readText({ text, isLines: /\.jsonl(\.gz)?$/.test(path), notes });
    return { transcript: finished({ ...read, id: read?.id ?? id }, notes), notes: notes.list() };
  } catch (error) {
    notes.add(`it cannot be read: ${error.message}`);
    return { transcript: undefined, notes: notes.list() };
  }
}

async function readText({ text, isLines, notes }) {
  if (!isLines) return readJson(JSON.parse(text), notes);
  const records = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    try {
      const record = JSON.parse(line);
      if (record !== null && typeof record === 'object') records.push(record);
      else notes.add('a line is no JSON object');
    } catch {
      notes.add('a line is no JSON');
    }
  }
  if (records.some(({ type, payload }) => payload !== undefined || type === 'function_call' || type === 'message')) return readCodex(records, notes);
  if (records.some(({ message }) => message !== undefined)) return readClaudeCode(records, notes);
  if (records.every(({ role }) => role !== undefined)) return readJson(records, notes);
  notes.add('its lines are neither Claude Code nor Codex nor messages');
  return undefined;
}

async function readJson(value, notes) {
  const { id, kind, system, messages } = Array.isArray(value) ? { messages: value } : (value ?? {});
  if (!Array.isArray(messages)) {
    notes.add('expected a list of messages, or `{ id, system?, messages }`');
    return undefined;
  }
  const read = messages.some((message) => Array.isArray(message?.parts)) ? readUiMessages : readModelMessages;
  return { ...(await read({ id, system, messages }, notes)), kind };
}

/** A conversation in which no model answers has no step. */
function finished({ id, kind, system, messages = [] }, notes) {
  const hasStep = messages.some(({ role }, index) => index > 0 && role === 'assistant');
  if (!hasStep) notes.add('it has no step to replay');
  return hasStep ? { id: String(id), ...(typeof kind === 'string' ? { kind } : {}), ...(typeof system === 'string' ? { system } : {}), messages } : undefined;
}
