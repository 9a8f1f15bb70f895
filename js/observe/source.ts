// Where events come from: the names of runs and sessions.

import type { EventSource } from './events.js';

/** Names of runs, by what identifies them. */
const runIds = new WeakMap<object, string>();

/** Says where the events of a step come from. */
export function sourceOf(owner: object, stepNumber: number, sessionId: string | undefined): EventSource {
  let runId = runIds.get(owner);
  if (runId === undefined) runIds.set(owner, (runId = newId()));
  return { stepNumber, runId, ...(sessionId === undefined ? {} : { sessionId }) };
}

/** An id that no other process makes. */
export const newId = (): string => Math.random().toString(36).slice(2, 12);

/** A run and its session, for a line. */
export function nameOf({ runId, sessionId }: EventSource): string {
  const names = [...(sessionId === undefined ? [] : [`session ${JSON.stringify(sessionId)}`]), ...(runId === '' ? [] : [`run ${runId}`])];
  return names.length === 0 ? 'no run' : names.join(', ');
}
