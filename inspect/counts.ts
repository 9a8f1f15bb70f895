// Numbers and names as people read them, alike on the terminal and on the page.

import type { RecordedEdit } from '../js/index.js';

/** What was done to messages. */
export const EDIT_NAMES: Readonly<Record<RecordedEdit['type'], string>> = { capped: 'cut', cleared: 'cleared', checkpoint: 'checkpoint', squeezed: 'squeezed', 'images-cleared': 'images cleared', 'reasoning-dropped': 'thoughts left out' };

export const count = (value: number): string => Math.round(value).toLocaleString('en-US');

/** `1 step`, `2 steps`. */
export const counted = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** Short, for axes and rows: 950, 12.3k, 1.2M. */
export function short(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  const [unit, name] = value >= 999_500 ? ([1e6, 'M'] as const) : ([1_000, 'k'] as const);
  return `${Number((value / unit).toFixed(value >= unit * 100 ? 0 : 1))}${name}`;
}

export const dollars = (cost: number): string => (cost === 0 ? '$0' : `${cost < 0 ? '−' : ''}$${Math.abs(cost).toFixed(Math.abs(cost) < 1 ? 3 : 2)}`);
