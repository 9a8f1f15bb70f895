// The timeline: tokens of every step, sent and unedited, and a mark where something was edited.

import { count, counted, short } from '../counts.js';
import type { PackedSession } from '../pack.js';
import { drawn } from './dom.js';

const HEIGHT = 250;
const LEFT = 46;
const RIGHT = 12;
const TOP = 16;
const BOTTOM = 26;
/** What is far above the window would press all else to the ground: it leaves the picture at so many windows. */
const MOST_WINDOWS = 2;

/** The chart, as wide as it is asked to be; steps are counted from 1. */
export function chartOf({ steps, edits, windowTokens }: PackedSession, { width, selected, onStep }: { width: number; selected: number; onStep: (step: number) => void }): SVGSVGElement {
  const largest = Math.max(1, ...steps.map(({ sentTokens, uneditedTokens }) => Math.max(sentTokens, uneditedTokens)));
  const sent = Math.max(1, ...steps.map(({ sentTokens }) => sentTokens));
  const nearWindow = largest > windowTokens * 0.3 ? windowTokens * 1.12 : 0;
  const top = Math.min(Math.max(largest * 1.06, nearWindow), Math.max(windowTokens * MOST_WINDOWS, sent * 1.1));
  const x = (step: number): number => LEFT + (steps.length < 2 ? 0 : (step / (steps.length - 1)) * (width - LEFT - RIGHT));
  const y = (tokens: number): number => TOP + (1 - Math.min(tokens, top) / top) * (HEIGHT - TOP - BOTTOM);
  const line = (tokens: (index: number) => number): string => steps.map((_, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)},${y(tokens(index)).toFixed(1)}`).join('');
  const area = (tokens: (index: number) => number): string => `${line(tokens)}L${x(steps.length - 1).toFixed(1)},${y(0)}L${x(0).toFixed(1)},${y(0)}Z`;
  const svg = drawn('svg', { class: 'chart', width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': `Tokens of ${counted(steps.length, 'step')}. The largest prompt sent has ${count(sent)} tokens, unedited ${count(largest)}.` });
  for (const tokens of ticks(top)) {
    svg.append(drawn('line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y(tokens), y2: y(tokens) }), drawn('text', { class: 'tick', x: LEFT - 6, y: y(tokens) + 4, 'text-anchor': 'end' }, short(tokens)));
  }
  for (const step of stepTicks(steps.length, width)) svg.append(drawn('text', { class: 'tick', x: x(step), y: HEIGHT - 8, 'text-anchor': 'middle' }, String(step + 1)));
  svg.append(
    drawn('path', { class: 'unedited-area', d: area((index) => steps[index]!.uneditedTokens) }),
    drawn('path', { class: 'sent-area', d: area((index) => steps[index]!.sentTokens) }),
    drawn('path', { class: 'unedited-line', d: line((index) => steps[index]!.uneditedTokens) }),
    drawn('path', { class: 'sent-line', d: line((index) => steps[index]!.sentTokens) }),
  );
  if (windowTokens <= top) {
    svg.append(drawn('line', { class: 'window', x1: LEFT, x2: width - RIGHT, y1: y(windowTokens), y2: y(windowTokens) }), drawn('text', { class: 'window-label', x: LEFT + 6, y: y(windowTokens) - 5 }, `window ${short(windowTokens)}`));
  }
  if (largest > top) svg.append(drawn('text', { class: 'tick', x: width - RIGHT, y: TOP - 4, 'text-anchor': 'end' }, `unedited goes on to ${short(largest)} ↑`));
  if (selected > 0) svg.append(drawn('line', { class: 'selected', x1: x(selected - 1), x2: x(selected - 1), y1: TOP, y2: HEIGHT - BOTTOM }));
  for (const [index, step] of steps.entries()) {
    const kinds = new Set(edits.filter((edit) => edit.step === index + 1).map(({ type }) => type));
    const kind = ['checkpoint', 'squeezed', 'cleared', 'images-cleared', 'reasoning-dropped', 'capped'].find((each) => kinds.has(each as never));
    if (kind !== undefined) svg.append(drawn('circle', { class: `mark ${kind}`, cx: x(index), cy: y(step.sentTokens), r: index + 1 === selected ? 6.5 : kind === 'capped' ? 2.5 : 4.5 }));
    const hit = drawn('rect', { class: 'hit', 'data-step': index + 1, x: x(index) - width / steps.length / 2, y: TOP, width: Math.max(2, width / steps.length), height: HEIGHT - TOP - BOTTOM });
    const cached = step.cachedTokens === null ? '' : `\n${count(step.cachedTokens)} from the cache`;
    hit.append(drawn('title', {}, `step ${index + 1}\n${count(step.sentTokens)} tokens sent, ${count(step.uneditedTokens)} unedited${cached}${step.breaksCache ? '\ncache break' : ''}`));
    hit.addEventListener('click', () => onStep(index + 1));
    svg.append(hit);
  }
  return svg;
}

/** Round numbers up to `top`, about four. */
function ticks(top: number): number[] {
  const rough = top / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}

function stepTicks(steps: number, width: number): number[] {
  const most = Math.max(2, Math.floor(width / 90));
  const every = Math.max(1, Math.ceil(steps / most));
  return Array.from({ length: Math.ceil(steps / every) }, (_, index) => index * every);
}
