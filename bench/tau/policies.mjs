// Who is compared: the package as a server uses it, its peers from the replay bench, and two policies that clear whole results.

import { callsOf, loadPackage } from '../harness/package.mjs';
import { docs } from '../replay/policies/docs.mjs';
import { libraries } from '../replay/policies/libraries.mjs';
import { createClearing, resultsOf } from '../replay/policies/messages.mjs';
import { neededBy, stands, textOfPart } from './ask.mjs';

const MODEL = { provider: 'openai.chat', modelId: 'gpt-4.1' };
/** Shares of the window at which clearing begins and ends. */
const HIGH = 0.8;
const LOW = 0.5;
/** Results that clearing spares. */
const NEWEST = 3;

/** A session object for each request of a conversation, over one store; with the recall tool, whose placeholders name ids. */
const ours = (stepfold, { name, recalls = false, options }) => ({
  name,
  called: 'turns',
  recalls,
  create({ window, semantics, transcript }) {
    const settings = { contextWindow: window, onEvent: () => undefined, ...options };
    return callsOf(stepfold, { keeps: 'store', settings, semantics, system: transcript.system, model: MODEL, recalls });
  },
});

/**
 * Above HIGH results go in the order that `queue` gives, each while more than its share of the window is taken. What is cleared stays so.
 */
const clearing = (name, queueOf) => ({
  name,
  called: 'rebuild',
  create({ window, overhead, count, transcript }) {
    const placeholder = createClearing('[Old tool result content cleared]');
    const gone = new Set();
    const queue = queueOf(transcript);
    const view = (messages) => placeholder.apply(messages, gone);
    return {
      step({ messages }) {
        if (overhead + count(view(messages)) <= HIGH * window) return view(messages);
        const left = resultsOf(messages)
          .filter((part) => !gone.has(part))
          .slice(0, -NEWEST);
        for (const [part, low] of queue(left, messages.length)) {
          if (overhead + count(view(messages)) > low * window) gone.add(part);
        }
        return view(messages);
      },
    };
  },
});

/** The oldest first. */
const cleared = clearing('cleared', () => (left) => left.map((part) => [part, LOW]));

/**
 * Knows the writes to come. Results that none needs go first, oldest first; of the others, only while they do not fit, the one that is
 * needed last.
 */
const oracle = clearing('oracle', (list) => {
  const needed = needsOf(list);
  return (left, now) => {
    const next = new Map(left.map((part) => [part, Math.min(...(needed.get(part.toolCallId) ?? []).filter((at) => at >= now), Infinity)]));
    const isNeeded = (part) => next.get(part) < Infinity;
    const others = left.filter(isNeeded).sort((one, other) => next.get(other) - next.get(one));
    return [...left.filter((part) => !isNeeded(part)).map((part) => [part, LOW]), ...others.map((part) => [part, HIGH])];
  };
});

/**
 * The steps that need a result, by the id of its call, as far as nothing that is never cleared has the value: for each value one result,
 * one that is needed anyway or the smallest.
 */
function needsOf({ messages, steps, writes, ledger }) {
  const said = [];
  const results = [];
  const needed = new Map();
  let seen = 0;
  for (const { at } of steps) {
    for (const { content } of messages.slice(seen, at)) {
      for (const part of content) {
        if (part.type === 'tool-result') results.push({ id: part.toolCallId, text: textOfPart(part), tokens: ledger.count(part) });
        else said.push(textOfPart(part));
      }
    }
    seen = at;
    const write = writes.get(at);
    for (const value of write === undefined ? [] : neededBy(write)) {
      const holders = said.some((text) => stands(value, text)) ? [] : results.filter(({ text }) => stands(value, text));
      if (holders.length === 0) continue;
      const { id } =
        holders.find((result) => needed.has(result.id)) ?? holders.reduce((best, result) => (result.tokens < best.tokens ? result : best));
      needed.set(id, [...(needed.get(id) ?? []), at]);
    }
  }
  return needed;
}

/** No edit, and no window. */
const full = { name: 'full', called: 'rebuild', create: () => ({ step: ({ messages }) => messages }) };

/** `{ name, called, create }`, the package first. `packagePath` is another build of it, `options` are those of `createSession`. */
export async function loadPolicies({ packagePath, options = {} } = {}) {
  const stepfold = await loadPackage(packagePath);
  const peer = (list, name, as, called) => ({ ...list.find((policy) => policy.name === name), name: as, called });
  return [
    ours(stepfold, { name: 'stepfold', options }),
    ours(stepfold, { name: 'with recall', recalls: true, options }),
    cleared,
    peer(docs, 'docs-prune', 'pruneMessages', 'turns'),
    peer(libraries, 'context-chef', 'context-chef', 'carry'),
    peer(libraries, 'langchain', 'LangChain', 'rebuild'),
    oracle,
    full,
  ];
}

export const NAMES = ['stepfold', 'with recall', 'cleared', 'pruneMessages', 'context-chef', 'LangChain', 'oracle', 'full'];
