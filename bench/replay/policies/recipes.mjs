// Designs that teams wrote down for their own agents. Where a description leaves something open the mildest reading is taken.

import { assistant, behindResults, createClearing, originalRequest, outputText, partsOf, quarterJson, suffixStart, textOf, user } from './messages.mjs';

/** Characters / 4 of texts and results above 50k: a constant checkpoint with the request, and the last six messages. */
const checkpoint50k = {
  name: 'checkpoint-50k',
  semantics: ['rebuild', 'carry'],
  create: ({ scaled }) => ({
    step({ messages }) {
      const lengthOf = (part) => part.text?.length ?? (part.type === 'tool-result' ? outputText(part).length : 0);
      const length = messages.reduce((sum, message) => sum + partsOf(message).reduce((inner, part) => inner + lengthOf(part), 0), 0);
      if (length / 4 <= scaled(50_000)) return messages;
      const text = [
        '[CONTEXT CHECKPOINT]\nYou are continuing a long-running task. Here is your context:\n',
        `ORIGINAL REQUEST:\n${originalRequest(messages)}\n`,
        'INSTRUCTIONS:\n1. Use readPlan to check the current plan state',
        '2. Use listDocuments to see what documents have been created',
        '3. Continue executing the plan from where you left off',
        '4. Always update the plan after completing each step\n\nRecent context follows.',
      ];
      return [user(text.join('\n')), ...messages.slice(-6)];
    },
  }),
};

const scans = new WeakMap();

/** Tools, files and commands of a message, found by patterns. */
function scan(message) {
  if (!scans.has(message)) {
    const calls = partsOf(message).filter(({ type }) => type === 'tool-call');
    const raw = `${calls.map(({ input }) => JSON.stringify(input)).join('\n')}\n${textOf(message)}`;
    scans.set(message, {
      tools: calls.map(({ toolName }) => toolName),
      files: [...new Set(raw.slice(0, 50_000).match(/[\w.\/-]+\.[a-z]{1,5}\b/g) ?? [])],
      commands: calls.map(({ input }) => input?.command).filter(Boolean).map((command) => String(command).slice(0, 100)),
    });
  }
  return scans.get(message);
}

/** Above 80k a summary found by patterns, above 120k one of a model (kept for the same content), and the last eight messages. */
const twoTier = {
  name: 'two-tier-80k-120k',
  semantics: ['carry', 'rebuild'],
  summarizes: true,
  create({ scaled, summarize }) {
    const summaries = new Map();
    return {
      step({ messages }) {
        const tokens = quarterJson(messages);
        if (tokens <= scaled(80_000) || messages.length <= 8) return messages;
        const old = messages.slice(0, -8);
        const recent = messages.slice(-8);
        if (tokens > scaled(120_000)) {
          const key = `${quarterJson(old)}:${old.length}`;
          if (!summaries.has(key)) summaries.set(key, summarize({ messages: old }));
          return [user(`Summary of earlier conversation:\n${summaries.get(key)}`), ...recent];
        }
        const found = old.map(scan);
        const newest = (kind, most) => [...new Set(found.flatMap((scanned) => scanned[kind]))].slice(-most);
        const lines = [
          `Tools used: ${newest('tools', 50).join(', ')}`,
          `Files explored: ${newest('files', 30).join(', ')}`,
          `Commands run: ${newest('commands', 15).join('; ')}`,
        ];
        return [user(`Summary of earlier conversation:\n${lines.join('\n')}`), ...recent];
      },
    };
  },
};

/** When the messages do not fit: clear results behind the newest 40k if that frees 20k, sparing two turns; else summarize and keep two turns. */
const pruneThenSummarize = {
  name: 'prune-then-summarize',
  semantics: ['carry'],
  summarizes: true,
  create({ scaled, window, count, summarize }) {
    const clearing = createClearing('[Tool output cleared - see conversation summary]');
    const summaries = new WeakSet();
    const usable = window - 4_096;
    const chooseResults = (messages) => {
      const chosen = new Set();
      let turns = 0;
      let seen = 0;
      let saved = 0;
      for (const message of messages.toReversed()) {
        if (message.role === 'user') turns += 1;
        if (turns < 2) continue;
        if (summaries.has(message)) break;
        if (message.role !== 'tool') continue;
        for (const part of message.content.toReversed()) {
          if (clearing.isMade(part)) continue;
          seen += count(part);
          if (seen <= scaled(40_000)) continue;
          chosen.add(part);
          saved += count(part);
        }
      }
      return saved >= scaled(20_000) ? chosen : new Set();
    };
    return {
      step({ messages }) {
        if (count(messages) <= usable) return messages;
        const chosen = chooseResults(messages);
        const pruned = chosen.size > 0 ? clearing.apply(messages, chosen) : messages;
        if (count(pruned) <= usable) return pruned;
        let start = pruned.length;
        for (let turns = 0; start > 0 && turns < 2; ) if (pruned[(start -= 1)].role === 'user') turns += 1;
        const summary = assistant(`[Previous conversation summary]\n${summarize({ messages: pruned })}`);
        summaries.add(summary);
        return [summary, ...pruned.slice(start)];
      },
    };
  },
};

/** At 80 % of the window the running summary is extended; the newest messages that fit into half of that stay. */
const incremental80 = {
  name: 'incremental-80',
  semantics: ['rebuild'],
  summarizes: true,
  create({ window, overhead, count, summarize }) {
    let through = 0;
    let text = '';
    let head = [];
    return {
      step({ messages }) {
        if (overhead + count(head) + count(messages.slice(through)) > 0.8 * window) {
          const start = suffixStart({ messages, room: 0.4 * window - overhead, measure: count });
          const cut = behindResults(messages, start);
          if (cut > through) {
            text = summarize({ messages: messages.slice(through, cut), previous: text });
            head = [user(`Summary of earlier conversation: ${text}`)];
            through = cut;
          }
        }
        return [...head, ...messages.slice(through)];
      },
    };
  },
};

export const recipes = [checkpoint50k, twoTier, pruneThenSummarize, incremental80];
