// Messages of another form than the SDK's, such as those of other frameworks. Which form that is, is for the engine to say: it is given their shapes.

import type { ModelMessage } from 'ai';
import type { EngineEvent } from '../observe/events.js';
import { askEngine } from './engine.js';
import { isObject } from './record.js';

/** As much of a list as is looked at. */
const MESSAGES = 40;
const ITEMS = 12;
const NAMES = 24;
const LETTERS = 24;
/** A list, a message, its content, a part, a value. */
const LEVELS = 5;

/** The event about messages of another form; undefined where they are the SDK's, or of no form that is known. */
export function formOf(messages: readonly ModelMessage[]): Extract<EngineEvent, { type: 'foreign-messages' }> | undefined {
  const found = askEngine('formOf', { shapes: JSON.stringify(shape(messages.slice(-MESSAGES), LEVELS)) });
  return found === undefined ? undefined : { type: 'foreign-messages', ...found };
}

/** A value without long texts and what stands deep in it; what throws is left out. */
function shape(value: unknown, levels: number): unknown {
  try {
    if (typeof value === 'string') return value.slice(0, LETTERS);
    if (levels === 0 || !isObject(value)) return null;
    if (Array.isArray(value)) return value.slice(0, levels === LEVELS ? MESSAGES : ITEMS).map((item) => shape(item, levels - 1));
    const names = Object.keys(value).slice(0, NAMES);
    return Object.fromEntries(names.map((name) => [name, shape(value[name], levels - 1)]));
  } catch {
    return null;
  }
}
