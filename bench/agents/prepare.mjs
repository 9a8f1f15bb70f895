// A session ready to be replayed and asked: frozen messages, what they cost, at which steps it is asked, what it must be asked there, and
// the parts that each fact was said in. Knows no policy, and not what counts as found.

import { Ledger, MESSAGE_TOKENS } from '../replay/tokens.mjs';
import { cutsOf, isNeeded, stepsOf } from './cuts.mjs';
import { partsOf, sourcesOf, textOfPart } from './texts.mjs';

/** Schemas of about ten tools, which sessions do not hold. */
const TOOLS_TOKENS = 1_000;
/** A session takes part in a window that it, with the reply, exceeds by this factor. */
const EXCEEDS = 1.1;
/** Tokens kept free for the reply. */
export const RESERVE_TOKENS = 4_096;

/** @param {{ id: string, kind: string, language: string, style: string, build: () => any }} session */
export function prepare(session, half) {
  const { system, messages, facts: written } = session.build();
  freeze(messages);
  const ledger = new Ledger();
  for (const message of messages) ledger.message(message);
  const rawParts = ledger.infos.length;
  const overhead = TOOLS_TOKENS + (system === '' ? 0 : ledger.text(system) + MESSAGE_TOKENS);
  const prefixTokens = [0];
  for (const message of messages) prefixTokens.push(prefixTokens.at(-1) + ledger.message(message).tokens);
  const steps = stepsOf(messages).map((at) => ({ at, end: at + 1 }));
  const facts = written.map((fact) => withSources(fact, { messages, ledger }));
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  for (const fact of facts) fact.successors = successorsOf(fact, byId);
  const cuts = [...new Set(cutsOf(messages))];
  const texts = textsByRole(messages);
  return {
    id: session.id,
    kind: session.kind,
    language: session.language,
    style: session.style,
    input: session.input,
    half,
    system,
    messages,
    ledger,
    rawParts,
    overhead,
    prefixTokens,
    tokens: overhead + prefixTokens.at(-1),
    steps,
    facts,
    texts,
    /** How many messages stand before the steps that are asked. */
    cuts,
    /** What the oracle is told: for each step the facts it is asked for, with the parts that hold them. */
    references: steps.map(({ at }) => (cuts.includes(at) ? facts.filter((fact) => isNeeded(fact, at)).map(({ id, sources }) => [id, sources, 1, 0]) : [])),
  };
}

/** Whether a session has anything to say about a window. */
export const takesPart = ({ tokens }, window) => tokens + RESERVE_TOKENS >= EXCEEDS * window;

/** The steps that are asked of a window: those whose raw history does not fit. */
export const askedCuts = ({ cuts, overhead, prefixTokens }, window) => cuts.filter((at) => overhead + prefixTokens[at] + RESERVE_TOKENS > window);

function withSources(fact, { messages, ledger }) {
  const parts = sourcesOf(fact, messages);
  const role = messages[fact.at].role;
  const sourceRole = fact.by === 'model' ? 'assistant' : role;
  const found = { ...fact, sources: parts.map((part) => ledger.part(sourceRole, part).id), sourceTexts: parts.map(textOfPart) };
  return { ...found, withoutColumns: { ...found, columns: [] } };
}

/** All facts that came after a fact and make it untrue, the next one first. */
function successorsOf({ supersededBy }, byId) {
  const next = byId.get(supersededBy);
  return next === undefined ? [] : [next, ...successorsOf(next, byId)];
}

/** What users, models and results say, each as one text, with where each message's own begins. */
function textsByRole(messages) {
  const texts = { user: [], assistant: [], tool: [] };
  messages.forEach((message, at) => {
    for (const part of partsOf(message)) if (message.role in texts) texts[message.role].push({ at, text: textOfPart(part) });
  });
  return texts;
}

/** A policy that changes what it is given must fail, not falsify. */
function freeze(value) {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const key in value) freeze(value[key]);
}
