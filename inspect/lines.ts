// Reads a file as JSON values, one after another and never the whole of it: lines of JSON, or one JSON value that fits into memory.
// What cannot be read is skipped and counted.

import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
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

/** The values of a file: its lines, or what its one value is. Reads it once from its beginning, so a pipe will do. */
export async function* valuesOf(path: string, skipped: Skipped, onBytes: OnBytes = () => undefined): AsyncGenerator<unknown> {
  const rest = bytesOf(path, onBytes);
  const begun = await beginningOf(rest);
  const chunks = joined(begun, rest);
  if (!isOneValue(path, begun)) {
    for await (const line of linesOf(chunks, skipped)) {
      const value = parsed(line);
      if (value === undefined) skipped.add('line that is not JSON, or was cut');
      else yield value;
    }
    return;
  }
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > VALUE_BYTES) {
      skipped.add(`file of one JSON value of more than ${VALUE_BYTES / 1024 / 1024} MB; only lines of JSON (JSONL) are read at any size`);
      return;
    }
    kept.push(chunk);
  }
  const value = parsed(Buffer.concat(kept).toString('utf8'));
  if (value === undefined) skipped.add('file that is not JSON, or was cut');
  else yield value;
}

/** A file is one value when its first line is not a value that others follow. */
function isOneValue(path: string, begun: readonly Buffer[]): boolean {
  if (/\.(?:jsonl|ndjson)(?:\.gz)?$/.test(path)) return false;
  const [line = '', ...others] = Buffer.concat(begun).toString('utf8').replace(/^\uFEFF/, '').trimStart().split('\n');
  const hasMore = others.some((other) => other.trim() !== '');
  return !(hasMore && isRecord(parsed(line)));
}

async function beginningOf(chunks: AsyncGenerator<Buffer>): Promise<Buffer[]> {
  const begun: Buffer[] = [];
  for (let bytes = 0; bytes < SNIFF_BYTES; bytes += begun.at(-1)!.length) {
    const next = await chunks.next();
    if (next.done === true) break;
    begun.push(next.value);
  }
  return begun;
}

async function* joined(begun: readonly Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* begun;
  yield* rest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}

/** The bytes of a file, decompressed. An error names the file. */
async function* bytesOf(path: string, onBytes: OnBytes): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  file.on('data', (chunk) => onBytes(chunk.length));
  // The loop below is told of an error; `pipeline` carries that of the file into the stream that is read.
  const stream = path.endsWith('.gz') ? pipeline(file, createGunzip(), () => undefined) : file;
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw new Error(`${basename(path)} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function* linesOf(chunks: AsyncIterable<Buffer>, skipped: Skipped): AsyncGenerator<string> {
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
  for await (const chunk of chunks) {
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
