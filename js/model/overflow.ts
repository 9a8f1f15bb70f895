// Reads errors: why a provider refused a request that another would not be, such as one with a smaller prompt. Gathers facts; the engine decides.

import type { Refusal } from '../bridge/boundary.js';
import { askEngine } from '../bridge/engine.js';

/** Errors looked at in a chain of causes. */
const ERRORS = 50;

/**
 * Whether an error of the AI SDK or a provider says that the prompt was too large for the model.
 *
 * With `streamText` classify what `onError` or the stream's error part gives you: the `AI_NoOutputGeneratedError` that
 * `result.text` rejects with has no cause.
 *
 * @example
 * catch (error) { if (isContextOverflow(error)) retryWithSmallerWindow(); }
 */
export function isContextOverflow(error: unknown): boolean {
  const refusal = refusalIn(error);
  return typeof refusal === 'object' && 'overflow' in refusal;
}

/** Why an error says that a request was refused; undefined for one that no other request cures. */
export function refusalIn(error: unknown): Refusal | undefined {
  const names: string[] = [];
  const statusCodes: number[] = [];
  const codes: string[] = [];
  const texts: string[] = [];
  const seen = new Set<unknown>();
  const queue: unknown[] = [error];
  while (queue.length > 0 && seen.size < ERRORS) {
    const value = queue.shift();
    if (typeof value === 'string') {
      texts.push(value);
      continue;
    }
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const field = (name: string): unknown => {
      try {
        return (value as Record<string, unknown>)[name];
      } catch {
        return undefined;
      }
    };
    push(names, field('name'));
    // Gemini has its status in `code`.
    for (const name of ['statusCode', 'status', 'code']) if (Number.isInteger(field(name))) statusCodes.push(field(name) as number);
    for (const name of ['code', 'type', 'status']) push(codes, field(name));
    // Never the request: a conversation may quote what providers say.
    for (const name of ['message', 'responseBody']) push(texts, field(name));
    // RetryError has `errors` and `lastError`, APICallError `data`, gateways `cause` and `response`, stream parts `error`.
    for (const name of ['cause', 'lastError', 'error', 'data', 'response']) queue.push(field(name));
    const errors = field('errors');
    if (Array.isArray(errors)) queue.push(...errors.slice(0, ERRORS));
  }
  return askEngine('readRefusal', { names, statusCodes, codes, texts });
}

function push(list: string[], value: unknown): void {
  if (typeof value === 'string' && value !== '') list.push(value.slice(0, 20_000));
  if (typeof value === 'number') list.push(String(value));
}
