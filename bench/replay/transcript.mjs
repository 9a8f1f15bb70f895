// A transcript ready for replay: frozen messages, their token counts, their references; what is slow to find is kept in build/replay.
// Also the split into transcripts to tune on and transcripts to report. Knows no file format (import.mjs) and no policy.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { indexReferences, stepsOf } from './references.mjs';
import { Ledger, MESSAGE_TOKENS, TOOLS_TOKENS } from './tokens.mjs';
import { brokenRules, thinkingCalls } from './validity.mjs';

const CACHE = fileURLToPath(new URL('../../build/replay', import.meta.url));
/** Raise it when counts or references are found in another way. */
const CACHE_VERSION = 2;
/** A transcript takes part in a window that it exceeds by this factor … */
const EXCEEDS = 1.1;
/** … and whose system prompt, tools and reserve leave at least the rest of it. */
const OVERHEAD_SHARE = 0.7;
const PLAN_TOOL = /todo|plan|^task(create|update)/i;

/** Tokens kept free for the reply. */
export const reserveOf = (window) => (window <= 32_000 ? 4_096 : 8_192);

export const SPLITS = ['tune', 'held-out', 'all'];

/** Byte of the hash that decides. Any would do; with this one the sessions the policy was first tuned on divide evenly at every window. */
const SPLIT_BYTE = 13;

/** Kinds of agents, by what recordings say of themselves (`kind`). */
const KINDS = [
  ['browser', /browser/],
  ['research', /research/],
  ['support', /support|customer/],
  ['coding', /coding|building|ctf/],
];
export const KIND_NAMES = [...KINDS.map(([name]) => name), 'other'];
const kindOf = (told = '') => KINDS.find(([, words]) => words.test(told.toLowerCase()))?.[0] ?? 'other';

/** The half a transcript belongs to; the same on every machine and whatever other transcripts there are. */
export const splitOf = (id) => (createHash('sha256').update(id).digest()[SPLIT_BYTE] % 2 === 0 ? 'tune' : 'held-out');

/** `{ id, kind?, system?, messages }` with everything the replay asks for again and again. `cache: false` reads and writes no files. */
export function prepareTranscript({ id, kind, system = '', messages }, { cache = true } = {}) {
  freeze(messages);
  const found = cache ? readCache({ system, messages }) : undefined;
  const ledger = new Ledger(found?.tokens);
  for (const message of messages) ledger.message(message);
  const references = found?.references ?? indexReferences({ messages, system }, ledger);
  const rawParts = ledger.infos.length;
  ledger.known = [];
  if (cache && found === undefined) writeCache({ system, messages }, { tokens: ledger.infos.map(({ tokens }) => tokens), references });

  const overhead = TOOLS_TOKENS + (system ? ledger.text(system) + MESSAGE_TOKENS : 0);
  const prefixTokens = [0];
  for (const message of messages) prefixTokens.push(prefixTokens.at(-1) + ledger.message(message).tokens);
  const thinking = thinkingCalls(messages);
  const rules = new Map();
  return {
    id,
    /** Kind of agent. */
    kind: kindOf(kind),
    system,
    messages,
    ledger,
    references,
    /** Ids below this are parts of the history, the others were written by policies. */
    rawParts,
    /** System prompt and tools. */
    overhead,
    /** Tokens of the first messages, by how many. */
    prefixTokens,
    tokens: overhead + prefixTokens.at(-1),
    steps: stepsOf(messages),
    thinking,
    plans: messages.flatMap((message, at) => planCalls(message).map((part) => ({ at, part }))),
    users: messages.flatMap((message, at) => (message.role === 'user' ? [{ at, texts: ledger.message(message).list.filter(({ kind }) => kind === 'text') }] : [])),
    /** Rules that the first messages break already, by how many. */
    rulesBrokenBy(count) {
      if (!rules.has(count)) rules.set(count, brokenRules(messages.slice(0, count), thinking));
      return rules.get(count);
    },
  };
}

/** Whether a transcript has anything to tell about a window: it does not fit, and the window is not full without it. */
export function takesPart({ tokens, overhead }, { window, factor = 1 }) {
  return tokens * factor > EXCEEDS * window && (overhead + reserveOf(window)) * factor <= OVERHEAD_SHARE * window;
}

const planCalls = ({ role, content }) =>
  role === 'assistant' && Array.isArray(content) ? content.filter(({ type, toolName }) => type === 'tool-call' && PLAN_TOOL.test(toolName)) : [];

/** A policy that changes what it is given must fail, not falsify. */
function freeze(value) {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const key in value) freeze(value[key]);
}

function cachePath(content) {
  const key = createHash('sha256').update(`${CACHE_VERSION}`).update(JSON.stringify(content)).digest('hex').slice(0, 32);
  return join(CACHE, `${key}.json.gz`);
}

function readCache(content) {
  const path = cachePath(content);
  return existsSync(path) ? JSON.parse(gunzipSync(readFileSync(path)).toString()) : undefined;
}

/** Written beside and renamed, because another worker or process may do the same. */
function writeCache(content, found) {
  const path = cachePath(content);
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, gzipSync(JSON.stringify(found), { level: 1 }));
  renameSync(beside, path);
}
