// What stands for the model of a summarizer, where none is called: `summarize` for policies that hand over messages, `extract` for those
// that hand over a prompt.

import { extract } from '../agents/extract.mjs';
import { partsOf, textOfPart } from '../agents/texts.mjs';

export const SUMMARY_TOKENS = 1_500;
const CHARACTERS_A_TOKEN = 4;

/** `{ summarize, extract }`, as policies are given them; `asked` is called with each answer. */
export function standIn(asked = () => undefined) {
  const answer = (request) => {
    const text = extract(request);
    asked({ ...request, text });
    return text;
  };
  return {
    extract: answer,
    summarize: ({ messages: covered, previous = '', inputTokens, outputTokens = SUMMARY_TOKENS }) =>
      answer({ prompt: promptOf({ covered, previous, inputTokens }), maxOutputTokens: outputTokens }),
  };
}

const rendered = new WeakMap();

/** What a policy that only hands over messages would give its summarizer to read; the newest part of it where it says how much that is. */
function promptOf({ covered, previous, inputTokens }) {
  const text = covered.map(renderMessage).join('\n\n');
  const part = inputTokens === undefined ? text : text.slice(-inputTokens * CHARACTERS_A_TOKEN);
  return previous === '' ? part : `${previous}\n\n${part}`;
}

function renderMessage(message) {
  const { role } = message;
  const write = () => partsOf(message).map((part) => renderPart(role, part)).filter((text) => text !== '').join('\n');
  if (!rendered.has(message)) rendered.set(message, write());
  return rendered.get(message);
}

function renderPart(role, part) {
  if (part.type === 'tool-call') return `assistant calls ${part.toolName}:\n${JSON.stringify(part.input, null, 1)}`;
  if (part.type === 'tool-result') return renderResult(part);
  const text = textOfPart(part);
  return text === '' ? '' : `${role}: ${text}`;
}

function renderResult(part) {
  const { type, value } = part.output ?? {};
  const isData = value !== null && typeof value === 'object' && type !== 'content';
  return `${part.toolName} gives:\n${isData ? JSON.stringify(value, null, 1) : textOfPart(part)}`;
}
