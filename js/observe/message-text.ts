// Messages as text, for people who look at what was done. Not for models: what those read is made by the engine.

import type { ModelMessage } from 'ai';
import type { AnyRecord } from '../bridge/record.js';

/** Characters that are shown of a text: so many of its beginning, and of its end. */
const HEAD = 12_000;
const TAIL = 4_000;

/** A message: its role, and its parts below each other. */
export function messageText({ role, content }: ModelMessage): string {
  return `[${role}]\n${typeof content === 'string' ? content : content.map(partText).join('\n')}\n`;
}

/** A part of a message. */
export function partText(part: unknown): string {
  const { type, text, toolName, input, output, mediaType } = (part ?? {}) as AnyRecord;
  switch (type) {
    case 'text':
      return String(text ?? '');
    case 'reasoning':
      return `(reasoning) ${String(text ?? '')}`;
    case 'tool-call':
      return `${String(toolName)} ${asText(input)}`;
    case 'tool-result':
      return outputText(output);
    default:
      return `(${String(mediaType ?? type)})`;
  }
}

function outputText(output: unknown): string {
  const { type, value, reason } = (output ?? {}) as AnyRecord;
  return type === 'content' && Array.isArray(value) ? value.map(partText).join('\n') : asText(value ?? reason);
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, undefined, 1) ?? ''));

/** A text, or texts below each other, whose middle is left out where it is long. */
export function shortened(given: string | readonly string[]): string {
  const text = typeof given === 'string' ? given : given.join('\n');
  if (text.length <= HEAD + TAIL) return text;
  const left = text.length - HEAD - TAIL;
  // As JSON and back: a slice would keep the whole text in memory.
  return JSON.parse(JSON.stringify(`${text.slice(0, HEAD)}\n\n… ${left.toLocaleString('en-US')} characters are not shown …\n\n${text.slice(-TAIL)}`)) as string;
}
