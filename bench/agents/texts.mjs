// What stands in a part for a model to read, as one text, and where in a session a fact was said. No opinion on what counts as found (ask.mjs).

import { holds } from './near.mjs';

const written = new WeakMap();

/** The text of a part as a model would read it; quotes and line breaks inside JSON strings are unescaped, once or twice. */
export function textOfPart(part) {
  let text = written.get(part);
  if (text === undefined) written.set(part, (text = describe(part)));
  return text;
}

function describe(part) {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'tool-call':
      return `${part.toolName} ${plain(part.input)}`;
    case 'tool-result':
      return textOfOutput(part.output ?? {});
    case 'tool-approval-response':
      return part.reason ?? '';
    default:
      return '';
  }
}

function textOfOutput({ type, value, reason = '' }) {
  if (type === 'execution-denied') return reason;
  if (type === 'content') return value.map(({ text = '' }) => text).join('\n');
  return plain(value);
}

/** Results of MCP are JSON in JSON, hence twice. */
function plain(value) {
  if (typeof value === 'string') return value;
  return unescaped(unescaped(JSON.stringify(value) ?? ''));
}

const unescaped = (text) => text.replaceAll('\\n', '\n').replaceAll('\\"', '"').replaceAll('\\\\', '\\');

export const partsOf = ({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);

const holdsFact = (text, { words, beside }) => [...words, ...beside].every((word) => holds(text, word));

/**
 * The parts in which a fact was said: of what the user wrote, of the results it is about, or of what the model said and asked for in that step.
 * None when its words stand in no single one of them.
 */
export function sourcesOf(fact, messages) {
  const { at, by, parts } = fact;
  if (by === 'model') return modelTurn(messages, at).filter((part) => holdsFact(textOfPart(part), fact));
  const said = partsOf(messages[at]);
  const isSource = by === 'user' ? (part) => part.type === 'text' || part.type === 'tool-approval-response' || part.output?.type === 'execution-denied' : ({ type, toolCallId }) => type === 'tool-result' && parts.includes(toolCallId);
  const role = messages[at].role === 'assistant' ? 'model' : messages[at].role === 'user' ? 'user' : 'result';
  if (role === 'model' || (role === 'user' && by === 'result')) return [];
  return said.filter((part) => isSource(part) && holdsFact(textOfPart(part), fact));
}

/** What the model said and called in the step that message `at` belongs to, and all of it as one part. */
function modelTurn(messages, at) {
  const message = messages[at].role === 'tool' ? messages[at - 1] : messages[at];
  return message.role === 'assistant' ? partsOf(message).filter(({ type }) => type === 'text' || type === 'tool-call') : [];
}
