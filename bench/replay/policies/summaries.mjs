// What stands for a summarizer's answer, since no model is called: a text without facts, so that recall is what the policy itself
// keeps, or a text of facts alone, more than a real summary is likely to hold. Both are deterministic.

import { leaves } from '../tokens.mjs';
import { partsOf, textOf } from './messages.mjs';

const SENTENCE = 'The work continued in the usual way and several things were done one after another as was asked before that point. ';
const SENTENCE_TOKENS = 23;
const CHARACTERS_A_TOKEN = 5.2;
const PATH = /(?:[A-Za-z0-9_.@-]+\/)+[A-Za-z0-9_.@-]+|[A-Za-z0-9_-]+\.[a-z]{1,5}\b/g;
const callFacts = new WeakMap();

/** A summary without facts; `serial` tells it from the one before. */
export const neutral = (serial, tokens) =>
  `Summary ${serial}. ${SENTENCE.repeat(Math.ceil(tokens / SENTENCE_TOKENS)).slice(0, Math.round(tokens * CHARACTERS_A_TOKEN))}`;

/** A summary of facts: request, user messages, then paths and commands, newest first, as many as fit. */
export function facts({ messages, previous, tokens, count }) {
  const lines = new Set();
  const add = (line) => line.trim() !== '' && lines.add(line.trim());
  const asked = messages.filter(({ role }) => role === 'user').map((message) => textOf(message).replace(/\s+/g, ' '));
  const before = previous.split('\n');
  if (previous === '' && asked.length > 0) add(`request: ${asked[0].slice(0, 1200)}`);
  before.filter((line) => line.startsWith('request: ')).forEach(add);
  for (const text of asked.slice(-6).reverse()) add(`user: ${text.slice(0, 200)}`);
  const newest = [];
  for (let index = messages.length - 1; index >= 0 && newest.length < 400; index -= 1) newest.push(...factsOf(messages[index]));
  newest.forEach(add);
  before.filter((line) => !/^(request|user): /.test(line)).forEach(add);
  let text = '';
  let used = 0;
  for (const line of lines) {
    const cost = count(line) + 1;
    if (used + cost > tokens) continue;
    text += `${line}\n`;
    used += cost;
  }
  return text;
}

function factsOf(message) {
  if (message.role !== 'assistant') return [];
  if (!callFacts.has(message)) {
    const values = partsOf(message).filter(({ type }) => type === 'tool-call').flatMap(({ input }) => leaves(input));
    const found = values.flatMap((value) => (value.length <= 100 ? [value] : (value.slice(0, 20_000).match(PATH) ?? []).slice(0, 12)));
    callFacts.set(message, found.map((value) => value.replace(/\s+/g, ' ')));
  }
  return callFacts.get(message);
}
