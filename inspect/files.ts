// Finds the logs in a folder: every file that may be one, and sessions in the storage of OpenCode, whose messages are files each.

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Log } from './log.js';
import { isRecord, recordOf, textOf } from './log.js';
import { opencodeReader } from './logs/opencode.js';

/** Folders are looked into so deep. */
const DEPTH = 8;

/** A file, or a session of OpenCode's storage. */
export interface Source {
  readonly path: string;
  readonly bytes: number;
  /** The storage that the session belongs to. */
  readonly storage?: string;
}

/** The logs at a path, in the order of their names. Throws where it cannot be read; what cannot be read below it is skipped and told. */
export function findSources(path: string, onUnreadable: (path: string) => void, depth = 0): Source[] {
  const entry = statSync(path);
  if (!entry.isDirectory()) return [{ path, bytes: entry.size }];
  const names = readdirSync(path, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules' && name !== '.git');
  const isStorage = ['message', 'part'].every((name) => names.some((each) => each.name === name && each.isDirectory()));
  if (isStorage) return readdirSync(join(path, 'message')).sort().map((name) => ({ path: join(path, 'message', name), bytes: 0, storage: path }));
  const found = names.flatMap((each) => {
    const isWanted = each.isDirectory() ? depth < DEPTH : each.isFile() && /\.(?:jsonl?|ndjson)(?:\.gz)?$/.test(each.name);
    if (!isWanted) return [];
    const below = join(path, each.name);
    try {
      return findSources(below, onUnreadable, depth + 1);
    } catch {
      onUnreadable(below);
      return [];
    }
  });
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** A session of OpenCode's storage. */
export function readStorage({ path, storage }: Source): Log {
  const reader = opencodeReader();
  const infos = jsonFiles(path).sort((one, other) => createdAt(one) - createdAt(other));
  for (const info of infos) reader.take({ info, parts: jsonFiles(join(storage!, 'part', textOf(info['id']))) });
  const log = reader.finish();
  return { ...log, source: path, title: log.title === '' ? basename(path) : log.title, recorded: [] };
}

const createdAt = (info: Readonly<Record<string, unknown>>): number => Number(recordOf(info['time'])['created'] ?? 0);

function jsonFiles(folder: string): Readonly<Record<string, unknown>>[] {
  const read = (name: string): unknown => {
    try {
      return JSON.parse(readFileSync(join(folder, name), 'utf8'));
    } catch {
      return undefined;
    }
  };
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json')).sort().map(read).filter(isRecord);
  } catch {
    return [];
  }
}
