// Replays recorded conversations through the published `prepareStep` and checks what would have been sent: that it fits, by an
// independent count; that nothing is broken that was whole; that the prefix changes only at declared edits.
// Not a comparison of policies, and no model is called. Usage: node bench/transcripts.mjs <folder> [window …]

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { validateMessages, createPrepareStep } from 'stepfold';

const WINDOWS = [16_000, 32_000, 64_000, 128_000];
const TOOLS_TOKENS = 3_000;
const IMAGE_TOKENS = 1_200;
const EDITS = ['cleared', 'checkpoint', 'squeezed'];

/** Transcripts of a folder: gzipped JSON `{ id, system?, messages }`. */
export function loadTranscripts(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json.gz')).sort();
  return files.map((file) => JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString()));
}

const counted = new WeakMap();

/** `o200k_base` over each part's text, 4 a message, 1,200 an image. Runs without a break are counted in pieces: the tokenizer is quadratic there. */
function count(message) {
  let tokens = counted.get(message);
  if (tokens === undefined) {
    const parts = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    counted.set(message, (tokens = parts.reduce((sum, part) => sum + countPart(part), 4)));
  }
  return tokens;
}

function countPart(part) {
  if (part.type === 'image' || part.type === 'file') return IMAGE_TOKENS;
  if (part.type === 'tool-call') return countText(`${part.toolName} ${asText(part.input)}`);
  if (part.type !== 'tool-result') return countText(part.text ?? '');
  const { output } = part;
  if (output.type !== 'content') return countText(asText(output.value ?? output.reason ?? ''));
  return output.value.reduce((sum, item) => sum + (item.type === 'text' ? countText(item.text) : IMAGE_TOKENS), 0);
}

const asText = (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function countText(text) {
  if (!/\S{1500}|\s{1500}/.test(text)) return countTokens(text, { disallowedSpecial: new Set() });
  let tokens = 0;
  for (let at = 0; at < text.length; at += 400) tokens += countTokens(text.slice(at, at + 400), { disallowedSpecial: new Set() });
  return tokens;
}

/** The steps of a conversation: what stands before each run of assistant messages. */
const stepsOf = (messages) => messages.flatMap((message, at) => (at > 0 && message.role === 'assistant' && messages[at - 1].role !== 'assistant' ? [at] : []));

/** Broken rules, each with how often. */
function rulesOf(messages) {
  const rules = {};
  for (const { rule } of validateMessages(messages)) rules[rule] = (rules[rule] ?? 0) + 1;
  return rules;
}

/** Replays one conversation. `carry`: what was sent is handed back with the additions, as ai 7 does; else the raw history each time. */
export async function replay({ messages, system }, { contextWindow, carry }) {
  const reserveTokens = contextWindow <= 32_000 ? 4_096 : 8_192;
  const events = [];
  const prepareStep = createPrepareStep({ contextWindow, reserveTokens, onEvent: (event) => events.push(event) });
  const overhead = TOOLS_TOKENS + (system ? countText(system) + 4 : 0);
  const model = { provider: 'mock', modelId: 'mock', specificationVersion: carry ? 'v4' : 'v3' };
  const found = { steps: 0, edits: 0, over: 0, excused: 0, violations: 0, unstable: 0, errors: 0 };
  const finished = [];
  let sent = [];
  let seen = 0;
  let carried = [];
  for (const at of stepsOf(messages)) {
    const input = carry ? [...carried, ...messages.slice(seen, at)] : messages.slice(0, at);
    events.length = 0;
    const next = (await prepareStep({ messages: input, steps: finished, stepNumber: finished.length, model }))?.messages ?? input;
    const tokens = next.reduce((sum, message) => sum + count(message), overhead);
    found.steps += 1;
    found.errors += events.some(({ type }) => type === 'error') ? 1 : 0;
    const edited = events.some(({ type }) => EDITS.includes(type));
    found.edits += edited ? 1 : 0;
    if (tokens + reserveTokens > contextWindow) events.some(({ type }) => type === 'over-budget') ? (found.excused += 1) : (found.over += 1);
    const extendsLast = sent.every((message, index) => message === next[index] || JSON.stringify(message) === JSON.stringify(next[index]));
    if (!edited && !extendsLast) found.unstable += 1;
    const raw = rulesOf(messages.slice(0, at));
    found.violations += Object.entries(rulesOf(next)).filter(([rule, times]) => times > (raw[rule] ?? 0)).length;
    finished.push({ usage: { inputTokens: tokens } });
    [sent, carried, seen] = [next, next, at];
  }
  return found;
}

/** Replays transcripts at windows, in both ways of being called. Those that fit anyway, or leave no room beside the system prompt, are left out. */
export async function replayAll(transcripts, windows = WINDOWS) {
  const rows = [];
  for (const contextWindow of windows) {
    const total = { window: contextWindow, conversations: 0, steps: 0, edits: 0, over: 0, excused: 0, violations: 0, unstable: 0, errors: 0 };
    for (const transcript of transcripts) {
      const overhead = TOOLS_TOKENS + (transcript.system ? countText(transcript.system) : 0);
      const size = transcript.messages.reduce((sum, message) => sum + count(message), overhead);
      if (size <= 1.1 * contextWindow || overhead + 8_192 > 0.7 * contextWindow) continue;
      for (const carry of [false, true]) {
        const found = await replay(transcript, { contextWindow, carry });
        total.conversations += 1;
        for (const key of Object.keys(found)) total[key] += found[key];
      }
    }
    rows.push(total);
  }
  return rows;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, ...windows] = process.argv.slice(2);
  if (folder === undefined) throw new Error('usage: node bench/transcripts.mjs <folder> [window …]');
  console.table(await replayAll(loadTranscripts(folder), windows.length > 0 ? windows.map(Number) : WINDOWS));
}
