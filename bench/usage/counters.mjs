// The ways of counting that are compared: stepfold's, and what users take instead. Each counts one message, once.
// Not a tokenizer of its own. Others are given the text of every part, names of tools and JSON included; nobody is given media.

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokenCount } from 'tokenx';
import { estimateTokens } from 'stepfold';

/** Named counters: message and model id to tokens. */
export const COUNTERS = {
  stepfold: (message, model) => estimateTokens([message], { model }),
  'chars/4': (message) => textOf(message).length / 4,
  'SDK guide': (message) => JSON.stringify(message).length / 4,
  'Gemini CLI': (message) => geminiCli(textOf(message)),
  tokenx: (message) => estimateTokenCount(textOf(message)),
  o200k: (message) => o200k(textOf(message)),
};

const known = new WeakMap();

/** Tokens of a list by a counter; every message is counted once. */
export function count(name, messages, model) {
  let tokens = 0;
  for (const message of messages) {
    const counts = known.get(message) ?? {};
    known.set(message, counts);
    const key = name === 'stepfold' ? `${name} ${model}` : name;
    tokens += counts[key] ??= COUNTERS[name](message, model);
  }
  return tokens;
}

/** The text of a message as a provider is sent it: no signatures, no media. */
function textOf({ content }) {
  return typeof content === 'string' ? content : content.map(partText).join('\n');
}

function partText(part) {
  if (part.type === 'tool-call') return `${part.toolName} ${asText(part.input)}`;
  if (part.type !== 'tool-result') return part.text ?? '';
  const { output } = part;
  if (output.type !== 'content') return asText(output.value ?? output.reason ?? '');
  return output.value.map((item) => item.text ?? '').join('\n');
}

const asText = (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Gemini CLI's heuristic: a quarter of a token for an ASCII character, 1.3 for any other. */
export function geminiCli(text) {
  let tokens = 0;
  for (const character of text) tokens += character.charCodeAt(0) < 128 ? 0.25 : 1.3;
  return tokens;
}

/** Runs without a break are counted in pieces: the tokenizer is quadratic there. */
function o200k(text) {
  const options = { disallowedSpecial: new Set() };
  if (!/\S{1500}|\s{1500}/.test(text)) return countTokens(text, options);
  let tokens = 0;
  for (let at = 0; at < text.length; at += 400) tokens += countTokens(text.slice(at, at + 400), options);
  return tokens;
}
