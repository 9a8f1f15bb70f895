// What a write needs, and whether it stands in a prompt. Decides what counts.

const SHORTEST = 3;

/** Texts and numbers with a digit, of three characters and more. */
export function valuesOf(value, found = new Set()) {
  if (value !== null && typeof value === 'object') for (const key in value) valuesOf(value[key], found);
  else if (/\d/.test(String(value)) && String(value).length >= SHORTEST) found.add(String(value));
  return found;
}

/** What a write needs: what its adapter names, or all values of its arguments. */
export const neededBy = ({ needs, input }) => needs ?? [...valuesOf(input)];

const isOfWord = (character) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Whether a value stands in a text as itself, and not as a part of a longer word or number. */
export function stands(value, text) {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const goesOnBefore = isOfWord(value[0]) && isOfWord(text[at - 1]);
    const goesOnBehind = isOfWord(value.at(-1)) && isOfWord(text[at + value.length]);
    if (!goesOnBefore && !goesOnBehind) return true;
  }
  return false;
}

const asJson = (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** A part as the model reads it: texts as they are, inputs and outputs as JSON. */
export function textOfPart(part) {
  if (part.type === 'tool-call') return `${part.toolName} ${asJson(part.input)}`;
  if (part.type !== 'tool-result') return part.text ?? asJson(part);
  const { type, value, reason = '' } = part.output;
  return type === 'content' ? value.map(({ text = '' }) => text).join('\n') : asJson(value ?? reason);
}

const partsOf = ({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);

/** A prompt as one text. */
export const textOf = (messages) => messages.flatMap((message) => partsOf(message).map(textOfPart)).join('\n');
