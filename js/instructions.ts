// What `prepareStep` of ai 7 is told of the system prompt, counted before any usage is known. ai 5 and 6 tell nothing.
// Not the overhead of a run: that is learnt from usage, and holds the schemas of tools too.

import type { ModelMessage } from 'ai';
import { callEngine } from './core.js';
import { Scan } from './scan.js';

/** Settings that know the instructions' tokens, unless `fixedTokens` was given. */
export function withInstructions(settings: Float64Array, instructions: unknown): Float64Array {
  if (instructions === undefined) return settings;
  const told = settings.slice();
  callEngine((engine) => engine.addInstructions(told, new Scan(asMessages(instructions)) as never));
  return told;
}

function asMessages(instructions: unknown): ModelMessage[] {
  if (typeof instructions === 'string') return [{ role: 'system', content: instructions }];
  return (Array.isArray(instructions) ? instructions : [instructions]) as ModelMessage[];
}
