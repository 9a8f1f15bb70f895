// Asks for facts in what a policy sends at one step: is each there so that it can be used, is it said to come from whom it came from, is anything told as
// current that is over. Decides what counts; near.mjs finds, score.mjs adds up.

import { isNeeded } from './cuts.mjs';
import { holds, isTold, linesWithSections, placesOf, sectionAt } from './near.mjs';
import { partsOf, textOfPart } from './texts.mjs';

/** Sections that say of themselves that they hold the words of the user, and those that may hold them too. A test sees that the checkpoint's own are among them. */
const OF_THE_USER = /\b(user|request|asked)\b/i;
const OF_OTHERS = /\b(told|model|assistant|agreed)\b/i;
const MAY_QUOTE_THE_USER = /summary|rules|agreed|wishes|constraints|denied/i;

export const isUserSection = (title) => OF_THE_USER.test(title) && !OF_OTHERS.test(title);

/** What a wrong attribution and a fact that is over cost, in facts. */
export const COSTS = { wrong: 1, stale: 0.5 };

/**
 * What is sent, as parts: raw ones by their ids, the policy's own with their text. The call of a result is what is read right before it.
 */
export function readSent(messages, { ledger, rawParts }) {
  const raw = new Map();
  const own = [];
  const calls = new Map();
  let place = 0;
  for (const message of messages) {
    for (const part of partsOf(message)) {
      const { id, tokens } = ledger.part(message.role, part);
      if (part.type === 'tool-call') calls.set(part.toolCallId, textOfPart(part));
      place += 1;
      const lead = calls.get(part.type === 'tool-result' ? part.toolCallId : undefined) ?? '';
      if (id < rawParts) raw.set(id, { id, place, role: message.role, text: textOfPart(part), lead });
      else own.push({ place, role: message.role, text: textOfPart(part), lead, tokens });
    }
  }
  return { raw, own };
}

/**
 * Answers for every fact that is needed behind the first `cut` messages: `right`, `wrong` (said to come from somebody else), `elsewhere` (there, but not as the
 * user's), `lost`; with `by`: `raw` where the original was sent, else `own` for the policy's texts; `withKey` for a row whose columns must be named, whether it stands with its key at least; which superseded facts are told as current, and which lines among
 * the user's words are those of a result.
 */
export function ask(prepared, sent, cut) {
  const originals = originalsBefore(prepared, cut);
  const answerTo = (fact) => answerOf(fact, { prepared, sent, originals, cut });
  const answers = prepared.facts.filter((fact) => isNeeded(fact, cut)).map((fact) => {
    const found = answerTo(fact);
    // Of a row of a table also whether it is there without the names of its columns.
    return { fact, ...found, ...(fact.columns.length > 0 ? { withKey: found.answer === 'right' || answerTo(fact.withoutColumns).answer === 'right' } : {}) };
  });
  const over = prepared.facts.filter(({ successors, at }) => at < cut && successors.length > 0 && successors[0].at < cut);
  const stale = over.filter((fact) => isToldAsCurrent(fact, { sent, originals }));
  return { answers, stale, intruders: intrudersIn(prepared, sent, cut) };
}

/** So many characters that only a result holds are taken for its words. */
const PROBE = 20;

/** Lines among the words of the user that are those of a result, whether a fact or not: neither the user nor the model ever wrote them. */
function intrudersIn(prepared, sent, cut) {
  const before = (role) => prepared.texts[role].filter(({ at }) => at < cut).map(({ text }) => text);
  const lines = sent.own.flatMap(({ text }) => linesWithSections(text)).filter(({ title }) => isUserSection(title)).map(({ line }) => line);
  // The reason of a denied call is the user's word.
  const denials = prepared.messages.slice(0, cut).flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ output }) => output?.type === 'execution-denied').map(({ output }) => output.reason ?? '');
  const [results, others] = [before('tool'), [...before('user'), ...before('assistant'), ...denials]];
  const isOfResult = (probe) => results.some((text) => text.includes(probe)) && !others.some((text) => text.includes(probe));
  return lines.filter((line) => Array.from({ length: Math.floor(line.length / PROBE) }, (_, index) => line.slice(index * PROBE, (index + 1) * PROBE)).some(isOfResult));
}

function answerOf(fact, { prepared, sent, originals, cut }) {
  if (fact.sources.some((id) => sent.raw.has(id))) return { answer: 'right', by: 'raw' };
  const own = sent.own.flatMap(({ text, lead, role }) => placesOf(fact, text, lead).filter((at) => isTold(fact, text, at, originals)).map((at) => ({ role, title: sectionAt(text, at) })));
  // What users and models said may be quoted among the user's words; what only results hold must not stand there.
  const onlyInResults = () => ![...prepared.texts.user, ...prepared.texts.assistant].some(({ at, text }) => at < cut && fact.words.every((word) => holds(text, word)));
  if (fact.by === 'result' && own.some(({ title }) => isUserSection(title)) && onlyInResults()) return { answer: 'wrong', by: 'own' };
  const holders = [...sent.raw.values()].filter(({ id, text, lead }) => isInRaw(fact, id, text, lead));
  // The reason of a denied call is the user's word, and is told with the call.
  const mustBeOfUser = fact.by === 'user' && prepared.messages[fact.at].role === 'user';
  const fits = mustBeOfUser ? ({ role }) => role === 'user' : () => true;
  if (holders.some(fits)) return { answer: 'right', by: 'raw' };
  const isRightSection = ({ title }) => title === '' || isUserSection(title) || MAY_QUOTE_THE_USER.test(title);
  if (own.some((place) => !mustBeOfUser || isRightSection(place))) return { answer: 'right', by: 'own' };
  return { answer: own.length > 0 || holders.length > 0 ? 'elsewhere' : 'lost', by: 'own' };
}

const inRaw = new WeakMap();

/** The same for every policy, so looked for once. */
function isInRaw(fact, id, text, lead) {
  if (!inRaw.has(fact)) inRaw.set(fact, new Map());
  const known = inRaw.get(fact);
  const key = lead === '' ? id : -id;
  if (!known.has(key)) known.set(key, placesOf(fact, text, lead).length > 0);
  return known.get(key);
}

/** Told in a text of the policy, and nothing behind it says what holds now. */
function isToldAsCurrent(fact, { sent, originals }) {
  const corrects = (text) => fact.successors.some(({ words }) => words.every((word) => holds(text, word)));
  return sent.own.some(({ text, lead, place }) => {
    const last = placesOf(fact, text, lead).findLast((at) => isTold(fact, text, at, originals));
    if (last === undefined || corrects(text.slice(last))) return false;
    return ![...sent.raw.values(), ...sent.own].some((later) => later.place > place && corrects(later.text));
  });
}

const collected = new WeakMap();

/** What stood in the history before a step, as texts to have been copied from. */
function originalsBefore(prepared, cut) {
  if (!collected.has(prepared)) collected.set(prepared, new Map());
  const known = collected.get(prepared);
  if (!known.has(cut)) known.set(cut, Object.values(prepared.texts).flat().filter(({ at }) => at < cut).map(({ text }) => text.toLowerCase()));
  return known.get(cut);
}
