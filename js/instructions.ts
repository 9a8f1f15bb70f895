// What `prepareStep` of ai 7 is told of the system prompt, counted before any usage is known. ai 5 and 6 tell nothing.
// Not the overhead of a run: that is learnt from usage, and holds the schemas of tools too.

import type { ModelMessage } from 'ai';
import { callEngine } from './core.js';
import { countingOf } from './entries.js';
import { Scan } from './scan.js';
import type { Tokenizer } from './tokenizer.js';

/** Settings that know the instructions' tokens, unless `overheadTokens` was given. */
export function withInstructions(settings: Float64Array, instructions: unknown, tokenizer: Tokenizer | undefined): Float64Array {
  if (instructions === undefined) return settings;
  const told = settings.slice();
  const scan = new Scan(asMessages(instructions), { counting: countingOf(settings, tokenizer) });
  callEngine((engine) => engine.addInstructions(told, scan as never));
  return told;
}

function asMessages(instructions: unknown): ModelMessage[] {
  if (typeof instructions === 'string') return [{ role: 'system', content: instructions }];
  return (Array.isArray(instructions) ? instructions : [instructions]) as ModelMessage[];
}
