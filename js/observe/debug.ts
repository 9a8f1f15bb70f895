// The option `debug`: a step as lines for the console. Says what happened, in words; decides nothing.

import type { EventSource, StepfoldEvent } from './events.js';
import { nameOf } from './source.js';
import type { RecordedEdit } from './history.js';

/** Edits of one kind that are named one by one. */
const NAMED = 5;

const DONE: Readonly<Record<RecordedEdit['type'], string>> = { capped: 'cut', cleared: 'cleared', squeezed: 'squeezed', 'images-cleared': 'cleared images of', checkpoint: 'folded', 'reasoning-dropped': 'left out' };

/** The lines about a step: its size, each edit and why, and whatever else happened. */
export function debugLines(source: EventSource, events: readonly StepfoldEvent[], edits: readonly RecordedEdit[]): string[] {
  const lines = [...events.flatMap(eventLine), ...Object.keys(DONE).flatMap((type) => editLines(edits.filter((edit) => edit.type === type)))];
  return lines.map((line) => `stepfold: ${nameOf(source)}, step ${source.stepNumber}: ${line}`);
}

function eventLine(event: StepfoldEvent): string[] {
  if (event.type === 'measured') return [`${count(event.tokens)} of ${count(event.contextWindow)} tokens (${event.source}), ${count(event.uneditedTokens)} without edits`];
  // The edits have lines of their own.
  if (event.type in DONE) return [];
  const { stepNumber: _step, runId: _run, sessionId: _session, ...what } = event;
  return [JSON.stringify(what)];
}

function editLines(edits: readonly RecordedEdit[]): string[] {
  const lines = edits.slice(0, NAMED).map(({ type, toolName, messageIndex, messages, tokensBefore, tokensAfter, reason }) => {
    const place = messages > 1 ? `messages ${messageIndex} to ${messageIndex + messages - 1}` : `message ${messageIndex}`;
    const what = toolName === '' ? place : `${toolName} in ${place}`;
    return `${DONE[type]} ${what}, ${count(tokensBefore)} → ${count(tokensAfter)} tokens: ${reason}`;
  });
  const left = edits.length - lines.length;
  return left > 0 ? [...lines, `${DONE[edits[0]!.type]} ${left} more`] : lines;
}

const count = (tokens: number): string => tokens.toLocaleString('en-US');
