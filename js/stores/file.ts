// A store of files, atomic: a directory for each session, and in it a file for each save, of which the one with the highest number counts.
// A save takes the next number by `link`, which fails where another has taken it: nothing is locked, so no process that dies leaves a lock.

import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { StepfoldError } from '../errors.js';
import type { SessionStore } from '../session/store.js';

/** A conversation is nobody's business but its user's. */
const MODE = { directory: 0o700, file: 0o600 };
/** Names that Windows keeps for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/;
/** Characters of a name; file systems allow 255 bytes. */
const LONGEST_NAME = 200;
/** How often a file may be gone that was just listed; each time another process has saved. */
const LISTINGS = 100;

/** What the newest file of a session holds; number 0 where there is none. */
interface Newest {
  readonly number: number;
  readonly text: string | undefined;
}

/**
 * Keeps sessions as files below a directory, for programs on one machine. Processes may share it: nothing is lost when two save at once.
 * The file system must know hard links, as all but FAT and some network drives do. A session is kept until its directory is deleted.
 *
 * @example
 * createSession({ id, store: fileStore('.sessions') });
 *
 * @throws StepfoldError when `directory` is no path.
 */
export function fileStore(directory: string): SessionStore {
  if (typeof directory !== 'string' || directory === '') {
    const shown = directory === '' ? 'empty' : directory === null ? 'null' : `of type ${typeof directory}`;
    throw new StepfoldError({ code: 'invalid-option', message: `\`fileStore\`: \`directory\` is ${shown}; it must be a path, such as '.sessions'` });
  }
  const root = resolve(directory);
  return {
    get: async (key) => (await newestOf(join(root, nameOf(key)))).text,
    set: async (key, value, previous) => {
      const folder = join(root, nameOf(key));
      await mkdir(folder, { recursive: true, mode: MODE.directory });
      const { number, text } = await newestOf(folder);
      return text === previous && keep(folder, number + 1, value);
    },
  };
}

/**
 * Writes a file under a number, unless another process has taken it.
 *
 * A number that was taken and cleared away since must not be taken again. Who clears removes all drafts for it before the number itself,
 * so a draft that it has seen cannot be linked any more; and a draft that it has not seen was written later, when a higher number was there.
 */
async function keep(folder: string, number: number, text: string): Promise<boolean> {
  const draft = join(folder, `${number}.${randomUUID()}.tmp`);
  try {
    await write(draft, text);
    if ((await namesIn(folder)).some((name) => numberOf(name) >= number)) return false;
    await link(draft, join(folder, fileOf(number)));
  } catch (error) {
    if (hasCode(error, 'EEXIST') || hasCode(error, 'ENOENT')) return false;
    throw error;
  } finally {
    await removed(draft);
  }
  const names = await namesIn(folder);
  const drafts = names.filter((name) => name.endsWith('.tmp') && Number.parseInt(name, 10) <= number);
  const old = names.filter((name) => numberOf(name) > 0 && numberOf(name) < number);
  if (await allRemoved(folder, drafts)) await allRemoved(folder, old);
  return true;
}

/** On disk before it has its name, so that a machine that loses power has the old text or the new one. */
async function write(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', MODE.file);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function newestOf(folder: string): Promise<Newest> {
  for (let listings = 1; ; listings += 1) {
    const number = Math.max(0, ...(await namesIn(folder)).map(numberOf));
    if (number === 0) return { number, text: undefined };
    try {
      return { number, text: await readFile(join(folder, fileOf(number)), 'utf8') };
    } catch (error) {
      // By now a newer file stands in its place.
      if (!hasCode(error, 'ENOENT') || listings === LISTINGS) throw error;
    }
  }
}

/** The names in a directory; none where it is not there. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Whether a file is gone. What cannot be deleted now, such as a file that is being read on Windows, is left to the next save. */
const removed = (path: string): Promise<boolean> => rm(path, { force: true }).then(() => true, () => false);

const allRemoved = async (folder: string, names: readonly string[]): Promise<boolean> => (await Promise.all(names.map((name) => removed(join(folder, name))))).every(Boolean);

const fileOf = (number: number): string => `${number}.json`;

/** The number of a saved file; 0 for anything else. */
const numberOf = (name: string): number => Number(/^(\d+)\.json$/.exec(name)?.[1] ?? 0);

const hasCode = (error: unknown, code: string): boolean => (error as { readonly code?: unknown } | undefined)?.code === code;

/**
 * A key as the name of a directory, each its own: also where the file system takes upper and lower case for the same, or keeps a name for
 * itself. All but small letters, digits, `-` and `_` is written as `%` and the four digits of its code unit.
 */
function nameOf(key: string): string {
  const escaped = (text: string): string => `%${text.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const name = key.replace(/[^a-z0-9_-]/g, escaped);
  if (name.length > LONGEST_NAME) return `%sha256-${createHash('sha256').update(name).digest('hex')}`;
  if (DEVICE.test(name)) return escaped(name) + name.slice(1);
  return name === '' ? '%' : name;
}
