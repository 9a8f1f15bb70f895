// How much of what a policy wrote itself no step is asked for: tokens of its lines that hold no word of any fact that is not over. A measure, no part of the score:
// headings and ways back are needed and hold no fact, and a session names only some of what an agent may need.

import { countText } from '../replay/tokens.mjs';

const counted = new Map();

function tokensOf(line) {
  let tokens = counted.get(line);
  if (tokens === undefined) counted.set(line, (tokens = countText(line)));
  return tokens;
}

/** `{ of, tokens }`: what the lines of these parts cost, and what those cost that hold nothing of a fact. */
export function unaskedIn(parts, { facts, cut }) {
  const words = [...new Set(facts.filter(({ until }) => cut <= until).flatMap(({ words, beside }) => [...words, ...beside].flat()).map((word) => word.toLowerCase()))];
  let [of, tokens] = [0, 0];
  for (const { text } of parts) {
    for (const line of text.split('\n')) {
      const cost = tokensOf(line);
      const lower = line.toLowerCase();
      of += cost;
      if (!words.some((word) => lower.includes(word))) tokens += cost;
    }
  }
  return { of, tokens };
}
