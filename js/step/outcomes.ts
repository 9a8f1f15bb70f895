// What the steps of a run say of how their calls ended. Messages hold less: not what a tool's `toModelOutput` leaves out, nor whether a call ran at all.
// Gathers facts; what they mean is for the engine to say. Of what a tool returned only an outline is handed over, and nothing of that is kept.

import type { CallOutcome } from '../bridge/boundary.js';
import { askEngine } from '../bridge/engine.js';
import { writeJson } from '../bridge/json-text.js';

/** What is read of a step: its parts, as in ai 5, 6 and 7. */
interface Part {
  readonly type?: unknown;
  readonly toolCallId?: unknown;
  readonly invalid?: unknown;
  readonly error?: unknown;
  readonly output?: unknown;
  readonly preliminary?: unknown;
}

/** How deep an outline goes, the members and items that it shows, and the characters of a text in it. */
const LEVELS = 5;
const MEMBERS = 40;
const ITEMS = 4;
const CHARACTERS = 200;

/** How the calls of these steps ended. Never throws. */
export function outcomesOf(steps: readonly unknown[]): readonly CallOutcome[] {
  try {
    const parts = steps.flatMap((step) => {
      const content = (step as { readonly content?: unknown } | undefined)?.content;
      return Array.isArray(content) ? (content as readonly Part[]).flatMap(factOf) : [];
    });
    return parts.length === 0 ? [] : askEngine('readOutcomes', { parts: writeJson(parts).text });
  } catch {
    // A getter threw.
    return [];
  }
}

function factOf({ type, toolCallId: id, invalid, error, output, preliminary }: Part): object[] {
  if (type === 'tool-call') return invalid === true ? [{ id, invalid }] : [];
  if (type === 'tool-error') return [{ id, error: namesOf(error) }];
  return type === 'tool-result' && preliminary !== true ? [{ id, output: outlineOf(output, LEVELS) }] : [];
}

/** Names and codes of an error and of what caused it. */
function namesOf(error: unknown, levels = 3): readonly unknown[] {
  if (typeof error !== 'object' || error === null || levels === 0) return [];
  const { name, code, cause } = error as { readonly name?: unknown; readonly code?: unknown; readonly cause?: unknown };
  return [...[name, code].filter((value) => typeof value === 'string'), ...namesOf(cause, levels - 1)];
}

/** A value without what is long or deep in it. */
function outlineOf(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return value.slice(0, CHARACTERS);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? `${value}` : value;
  if (levels === 0 || ArrayBuffer.isView(value)) return null;
  if (Array.isArray(value)) return value.slice(0, ITEMS).map((item) => outlineOf(item, levels - 1));
  return Object.fromEntries(Object.entries(value).slice(0, MEMBERS).map(([name, inner]) => [name, outlineOf(inner, levels - 1)]));
}
