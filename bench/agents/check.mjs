// Checks sessions while they are written: `node bench/agents/check.mjs <file>…`. Builds each, says how large it is and what is wrong with it.
// Says nothing about what a policy keeps of it (run.mjs).

import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { validateMessages } from 'stepfold';
import { ask, readSent } from './ask.mjs';
import { CUTS, cutsOf, isNeeded } from './cuts.mjs';
import { holds, placesOf } from './near.mjs';
import { askedCuts, prepare, takesPart } from './prepare.mjs';
import { WINDOWS } from './score.mjs';
import { partsOf, sourcesOf, textOfPart } from './texts.mjs';

/** What a session should weigh; more is too slow to judge, less never fills a window. */
const TOKENS = { least: 31_200, most: 140_000, giants: 180_000 };
const LEAST_FACTS = 10;
/** A fact that stands in so many messages before it was said tells nothing. */
const OFTEN = 2;

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node bench/agents/check.mjs <session file>…');
  process.exitCode = 2;
}
for (const file of files) {
  const { lines, problems } = await check(file);
  console.log([...lines, ...problems.map((problem) => `  WRONG: ${problem}`)].join('\n'));
  if (problems.length > 0) process.exitCode = 1;
}

/** What is to say about a session, and what is wrong with it. */
export async function check(file) {
  const url = pathToFileURL(resolve(file)).href;
  const [first, second] = await Promise.all([import(url), import(`${url}?again`)]);
  const { id, kind, language, style, input } = first.default;
  const problems = [];
  const { system, messages, facts } = first.default.build();
  const again = second.default.build();
  if (JSON.stringify({ messages, facts, system }) !== JSON.stringify({ messages: again.messages, facts: again.facts, system: again.system })) problems.push('built twice it is not the same: use `random(seed)` for all chance, and no clock');
  if (id !== basename(file, '.mjs')) problems.push(`its id \`${id}\` is not the name of its file`);
  // The answer at the very end is never part of a request.
  const asked = messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : messages;
  for (const { rule, message, path } of validateMessages(asked)) problems.push(`validateMessages: ${rule}: ${message} (${path ?? ''})`);
  const prepared = prepare(first.default, 'tuning');
  for (const cut of prepared.cuts) {
    const bad = ask(prepared, readSent(messages.slice(0, cut), prepared), cut);
    for (const { fact } of bad.answers.filter(({ answer }) => answer !== 'right')) problems.push(`fact \`${fact.id}\` is not found behind message ${cut}, though all of the history is sent`);
  }
  const { tokens } = prepared;
  const windows = WINDOWS.filter((window) => takesPart(prepared, window) && askedCuts(prepared, window).length > 0);
  const most = input === 'giants' ? TOKENS.giants : TOKENS.most;
  if (tokens < TOKENS.least || tokens > most) problems.push(`${tokens} tokens: expected ${TOKENS.least} to ${most}`);
  if (facts.length < LEAST_FACTS) problems.push(`${facts.length} facts: expected at least ${LEAST_FACTS}`);

  for (const fact of facts) {
    const around = textOfAll(messages.slice(Math.max(0, fact.at - 1), fact.at + 1));
    for (const name of fact.columns) if (!holds(around, name)) problems.push(`fact \`${fact.id}\`: the name of a column ${JSON.stringify(name)} does not stand in its message`);
    if (sourcesOf(fact, messages).length === 0) problems.push(`fact \`${fact.id}\`: ${JSON.stringify([...fact.words, ...fact.beside])} do not stand together in what was just added as \`${fact.by}\` (message ${fact.at}, ${messages[fact.at]?.role})${hint(fact, messages)}`);
    const cuts = cutsOf(messages).filter((cut) => isNeeded(fact, cut));
    if (cuts.length === 0 && fact.supersededBy === undefined) problems.push(`fact \`${fact.id}\`: needed at none of the places that are asked (messages ${cutsOf(messages).join(', ')}); it is said at ${fact.at}${fact.until === Infinity ? '' : ` and over at ${fact.until}`}`);
  }
  const notes = facts.flatMap((fact) => {
    const before = messages.slice(0, Math.max(0, fact.at - 1)).filter((message) => partsOf(message).some((part) => placesOf(fact, textOfPart(part)).length > 0)).length;
    return before >= OFTEN ? [`  note: fact \`${fact.id}\`: its words stand in ${before} messages before it was said; are they enough to tell it?`] : [];
  });
  const calls = messages.flatMap(({ role, content }) => (role === 'assistant' ? content.filter(({ type }) => type === 'tool-call') : []));
  const of = (by) => facts.filter((fact) => fact.by === by).length;
  const asking = CUTS.map((share, index) => `${facts.filter((fact) => isNeeded(fact, cutsOf(messages)[index])).length} at ${Math.round(100 * share)} %`);
  const lines = [
    `${id}: ${kind}, ${language}, ${style}${input === '' ? '' : `, ${input}`}; ${messages.length} messages, ${messages.filter(({ role }) => role === 'user').length} of the user, ${calls.length} calls, ${tokens} tokens of o200k with system and tools: takes part at ${windows.map((window) => `${window / 1000}k`).join(', ')}`,
    `  ${facts.length} facts: ${of('user')} by the user, ${of('result')} by results, ${of('model')} by the model; ${facts.filter(({ supersededBy }) => supersededBy !== undefined).length} superseded; asked: ${asking.join(', ')}`,
    ...notes,
  ];
  return { lines, problems };
}

function textOfAll(messages) {
  return messages.flatMap(partsOf).map(textOfPart).join('\n');
}

/** Which of a fact's texts is missing, and where it was looked for. */
function hint({ words, beside, at }, messages) {
  const around = JSON.stringify(messages.slice(Math.max(0, at - 1), at + 1)).replaceAll('\\"', '"').replaceAll('\\"', '"');
  const missing = [...words, ...beside].filter((text) => !holds(around, text));
  return missing.length > 0 ? `; nowhere there: ${missing.map((text) => JSON.stringify(text)).join(', ')}` : '; they stand there, but not in one part';
}
