// What parts cost and what can be found in them: `o200k_base` counts, and one id for equal parts whatever object holds them.
// Shares no code with stepfold, so that it can judge it. Knows no policy and no price.

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Flat price of an image or a file. */
export const MEDIA_TOKENS = 1_200;
/** What a message costs beside its parts. */
export const MESSAGE_TOKENS = 4;
/** Tool schemas, which transcripts do not record. */
export const TOOLS_TOKENS = 3_000;

/** Boundaries of messages are ids like parts, one for each role. */
const BOUNDARIES = ['system', 'user', 'assistant', 'tool'];
const NO_SPECIAL = { disallowedSpecial: new Set() };
/** Runs without a break beyond this make the tokenizer quadratic; such texts are counted in pieces, which errs by less than 1 %. */
const LONGEST_RUN = /\S{1500}|\s{1500}/;
const PIECE = 400;

export function countText(text) {
  if (!text) return 0;
  if (!LONGEST_RUN.test(text)) return countTokens(text, NO_SPECIAL);
  let tokens = 0;
  for (let at = 0; at < text.length; at += PIECE) tokens += countTokens(text.slice(at, at + PIECE), NO_SPECIAL);
  return tokens;
}

/** All strings and numbers of a JSON value, as texts. */
export function leaves(value, found = []) {
  if (typeof value === 'string') found.push(value);
  else if (typeof value === 'number') found.push(String(value));
  else if (Array.isArray(value)) for (const item of value) leaves(item, found);
  else if (value && typeof value === 'object') for (const key in value) leaves(value[key], found);
  return found;
}

const asJson = (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Distinguishes media without keeping them. */
function mediaKey(data) {
  const text = typeof data === 'string' ? data : asJson(data?.data ?? data?.url ?? data ?? '');
  return `${text.length}:${text.slice(0, 80)}:${text.slice(-80)}`;
}

/** What a part costs (`text`, `flat`) and what can be found in it (`search`). Reasoning is billed but never searched. */
function describe(part) {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: part.text, search: part.text, flat: 0 };
    case 'reasoning':
      return { kind: 'reasoning', text: part.text, search: '', flat: 0 };
    case 'tool-call':
      return { kind: 'call', text: `${part.toolName} ${asJson(part.input)}`, search: leaves(part.input).join('\n'), flat: 0 };
    case 'tool-result':
      return describeOutput(part.output ?? {});
    case 'image':
    case 'file':
    case 'reasoning-file':
      return { kind: 'media', text: '', search: '', flat: MEDIA_TOKENS, media: mediaKey(part.image ?? part.data) };
    default: {
      const { providerOptions, ...rest } = part;
      return { kind: 'other', text: asJson(rest), search: '', flat: 0 };
    }
  }
}

function describeOutput(output) {
  if (output.type === 'content') {
    const text = output.value.filter(({ type }) => type === 'text').map((item) => item.text).join('\n');
    const media = output.value.filter(({ type }) => type !== 'text');
    return { kind: 'result', text, search: text, flat: media.length * MEDIA_TOKENS, media: media.map((item) => mediaKey(item.data ?? item)).join() };
  }
  const value = output.value ?? output.reason ?? '';
  return { kind: 'result', text: asJson(value), search: typeof value === 'string' ? value : leaves(value).join('\n'), flat: 0 };
}

/** Gives equal parts one id, with their tokens and their searchable text. Ids 0 to 3 are the boundaries. */
export class Ledger {
  #ids = new Map();
  #parts = new WeakMap();
  #messages = new WeakMap();
  #texts = new Map();
  infos = BOUNDARIES.map((role, id) => ({ id, role, kind: 'boundary', tokens: MESSAGE_TOKENS, search: '' }));

  /** `known` are token counts of the first parts, in the order of their ids. */
  constructor(known = []) {
    this.known = known;
  }

  text(text) {
    let tokens = this.#texts.get(text);
    if (tokens === undefined) this.#texts.set(text, (tokens = countText(text)));
    return tokens;
  }

  part(role, part) {
    const found = this.#parts.get(part);
    if (found !== undefined) return found;
    const { kind, text, search, flat, media } = describe(part);
    const key = `${role}|${kind}|${part.toolCallId ?? ''}|${flat}|${media ?? ''}|${text}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.infos.length;
      this.#ids.set(key, id);
      this.infos.push({ id, role, kind, search, tokens: this.known[id] ?? countText(text) + flat });
    }
    this.#parts.set(part, this.infos[id]);
    return this.infos[id];
  }

  /** `{ list, tokens, ids }` of a message; `ids` begins with its boundary. */
  message(message) {
    const found = this.#messages.get(message);
    if (found !== undefined) return found;
    const parts = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    const list = parts.map((part) => this.part(message.role, part));
    const boundary = Math.max(0, BOUNDARIES.indexOf(message.role));
    const measured = {
      list,
      tokens: list.reduce((sum, { tokens }) => sum + tokens, MESSAGE_TOKENS),
      ids: [boundary, ...list.map(({ id }) => id)],
    };
    this.#messages.set(message, measured);
    return measured;
  }

  /** Tokens of a text, a message, a part of a tool message, or a list of messages. */
  count = (counted) => {
    if (typeof counted === 'string') return this.text(counted);
    if (Array.isArray(counted)) return counted.reduce((sum, message) => sum + this.message(message).tokens, 0);
    return counted.role ? this.message(counted).tokens : this.part('tool', counted).tokens;
  };

  /** Ids of a list, one after the other. */
  sequence(messages) {
    const ids = [];
    for (const message of messages) for (const id of this.message(message).ids) ids.push(id);
    return ids;
  }

  sum(ids, end = ids.length) {
    let tokens = 0;
    for (let index = 0; index < end; index += 1) tokens += this.infos[ids[index]].tokens;
    return tokens;
  }
}

/** How many ids two sequences have in common from the start. */
export function commonPrefix(left, right) {
  const most = Math.min(left.length, right.length);
  let index = 0;
  while (index < most && left[index] === right[index]) index += 1;
  return index;
}
