// Finds recorded conversations in folders and makes transcripts of them, with the readers of `stepfold inspect` (inspect/logs/). Knows no
// format and no policy. What cannot be read is left out and noted, so that one odd line does not lose a session.

import { basename } from 'node:path';
import { findSources, readSource } from '../../build/inspect/readers.mjs';

const FILE = /\.(?:jsonl?|ndjson)(\.gz)?$/;

/** Where recorded conversations stand, in files and, at any depth, in folders; largest first, so that work can be shared out well. */
export function findRecordings(paths) {
  const sources = paths.flatMap((path) => {
    try {
      return findSources(path, (unreadable) => console.error(`${unreadable} cannot be read`));
    } catch {
      throw new Error(`${path}: expected a folder or a file of recorded conversations, and there is none`);
    }
  });
  return sources.sort((left, right) => right.bytes - left.bytes || (left.path < right.path ? -1 : 1));
}

/** `{ transcript, notes }`: `{ id, kind?, system?, messages }`, or `undefined` where there is nothing to replay, and what was left out. */
export async function importRecording(source) {
  try {
    const log = (await readSource(source)).find(({ recorded }) => recorded.length === 0);
    if (log === undefined) return { transcript: undefined, notes: ['it holds recorded steps, and no messages'] };
    const { id = basename(source.path).replace(FILE, ''), kind, system } = log;
    const { messages, left } = readable(log.messages);
    const notes = left > 0 ? [...log.notes, `${left} × part that is none of the AI SDK`] : log.notes;
    return { transcript: { id, ...(kind === undefined ? {} : { kind }), ...(system === '' ? {} : { system }), messages }, notes };
  } catch (error) {
    return { transcript: undefined, notes: [error.message] };
  }
}

/** Messages of the AI SDK without what no part of the bench could read. */
function readable(all) {
  let left = 0;
  const messages = all.flatMap((message) => {
    const { role, content } = message;
    if (typeof content === 'string' && role !== 'tool') return [message];
    const given = typeof content === 'string' ? [content] : content;
    const parts = given.filter(isReadable);
    left += given.length - parts.length;
    if (parts.length === given.length) return [message];
    return parts.length > 0 ? [{ ...message, content: parts }] : [];
  });
  return { messages, left };
}

function isReadable(part) {
  switch (part?.type) {
    case undefined:
      return false;
    case 'text':
    case 'reasoning':
      return typeof part.text === 'string';
    case 'tool-call':
      return typeof part.toolCallId === 'string' && typeof part.toolName === 'string';
    case 'tool-result':
      return typeof part.toolCallId === 'string' && typeof part.output?.type === 'string' && (part.output.type !== 'content' || Array.isArray(part.output.value));
    default:
      return true;
  }
}
