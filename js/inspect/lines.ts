// Reads a file as JSON values, one after another and never the whole of it: lines of JSON, or one JSON value that fits into memory.
// What cannot be read is skipped and counted.

import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { Skipped } from './log.js';
import { isRecord } from './log.js';

/** A longer line is skipped: no message is as long. */
const LINE_BYTES = 64 * 1024 * 1024;
/** A larger file that is one JSON value is not read. */
const VALUE_BYTES = 256 * 1024 * 1024;
/** So much is looked at to tell lines from one value. */
const SNIFF_BYTES = 1024 * 1024;

/** Where reading goes on: bytes read, and of how many. */
export type OnBytes = (bytes: number) => void;

/** The values of a file: its lines, or what its one value is. */
export async function* valuesOf(path: string, skipped: Skipped, onBytes: OnBytes = () => undefined): AsyncGenerator<unknown> {
  if (!isOneValue(path)) {
    for await (const line of linesOf(path, skipped, onBytes)) {
      const value = parsed(line);
      if (value === undefined) skipped.add('line that is not JSON, or was cut');
      else yield value;
    }
    return;
  }
  const { size } = statSync(path);
  if (size > VALUE_BYTES) {
    skipped.add(`file of one JSON value of ${Math.round(size / 1024 / 1024)} MB; up to ${VALUE_BYTES / 1024 / 1024} MB are read, and lines of JSON (JSONL) of any size`);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of bytesOf(path, onBytes)) chunks.push(chunk);
  const value = parsed(Buffer.concat(chunks).toString('utf8'));
  if (value === undefined) skipped.add('file that is not JSON, or was cut');
  else yield value;
}

/** A file is one value when its first line is not a value that others follow. */
function isOneValue(path: string): boolean {
  if (/\.(?:jsonl|ndjson)(?:\.gz)?$/.test(path)) return false;
  if (path.endsWith('.gz')) return true;
  const [line = '', ...others] = beginningOf(path).trimStart().split('\n');
  const hasMore = others.some((other) => other.trim() !== '');
  return !(hasMore && isRecord(parsed(line)));
}

function beginningOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(SNIFF_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, SNIFF_BYTES, 0)).replace(/^\uFEFF/, '');
  } finally {
    closeSync(file);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}

async function* bytesOf(path: string, onBytes: OnBytes): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  file.on('data', (chunk) => onBytes(chunk.length));
  const stream = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  for await (const chunk of stream) yield chunk as Buffer;
}

async function* linesOf(path: string, skipped: Skipped, onBytes: OnBytes): AsyncGenerator<string> {
  let pending: Buffer[] = [];
  let bytes = 0;
  let isTooLong = false;
  const add = (part: Buffer): void => {
    bytes += part.length;
    isTooLong ||= bytes > LINE_BYTES;
    if (isTooLong) pending = [];
    else pending.push(part);
  };
  const end = (): string => {
    const line = isTooLong ? '' : Buffer.concat(pending).toString('utf8');
    if (isTooLong) skipped.add(`line of more than ${LINE_BYTES / 1024 / 1024} MB`);
    [pending, bytes, isTooLong] = [[], 0, false];
    return line;
  };
  for await (const chunk of bytesOf(path, onBytes)) {
    let start = 0;
    for (let newline = chunk.indexOf(10); newline !== -1; newline = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, newline));
      const line = end();
      if (line.trim() !== '') yield line;
      start = newline + 1;
    }
    add(chunk.subarray(start));
  }
  const last = end();
  if (last.trim() !== '') yield last;
}
