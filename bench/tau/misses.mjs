// Writes that lack something: what, where it was looked up, and what the prompt has of that look-up instead. For whoever tunes, on retail.

import { stands, textOfPart, valuesOf } from './ask.mjs';

const MOST_LINES = 6;
const CONTEXT = { before: 160, behind: 500 };

/** `most` of the misses of a row, spread over its sessions. */
export function missesOf({ policy, window, order, agent }, misses, most) {
  const spread = Array.from(
    { length: Math.min(most, misses.length) },
    (_, at) => misses[Math.floor((at * misses.length) / Math.min(most, misses.length))],
  );
  return [`\n${policy}, ${window}, ${order}, ${agent}: ${misses.length} writes lack something`, ...spread.flatMap(linesOf)].join('\n');
}

function linesOf({ tool, input, lost, prompt, raw, step, asked, recovered }) {
  const searched = asked === undefined ? [] : [`  recall ${JSON.stringify(asked)}: ${recovered ? 'all found' : 'not all found'}`];
  return [
    `\n=== behind message ${step}: ${tool} ${JSON.stringify(input)}`,
    ...lost.flatMap((value) => [`  lost ${value}: ${sourceOf(value, raw, prompt)}`]),
    ...searched,
  ];
}

/** The newest raw part that holds a value, and lines of the prompt that name what was looked up there. */
function sourceOf(value, raw, prompt) {
  const at = raw.findLastIndex(({ content }) => content.some((part) => stands(value, textOfPart(part))));
  if (at < 0) return 'said by nobody';
  const back = `${raw.length - at} messages back`;
  if (raw[at].role !== 'tool') return `${raw[at].role}, ${back}`;
  const { toolName, input } = raw[at - 1].content.at(-1);
  const about = [...valuesOf(input)];
  const lines = prompt.split('\n').flatMap((line) => about.filter((key) => line.includes(key)).map((key) => aroundOf(line, key)));
  return [`${toolName} ${JSON.stringify(input)}, ${back}`, ...lines.slice(0, MOST_LINES).map((line) => `    ${line}`)].join('\n');
}

function aroundOf(line, key) {
  const at = line.indexOf(key);
  return line.slice(Math.max(0, at - CONTEXT.before), at + CONTEXT.behind);
}
