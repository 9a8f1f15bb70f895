// Libraries and a provider's feature: Anthropic's context editing, LangChain's middlewares, context-chef. Re-implemented from their
// documentation and sources, not run; numbers are theirs.

import { charactersOf, createClearing, quarterCharacters, resultsOf, unitsOf, user } from './messages.mjs';

/** Results kept by `clear_tool_uses`, also in LangChain's copy of it. */
const KEPT_RESULTS = 3;

/** `clear_tool_uses_20250919`: looked at by the server on every request, over the client's whole history. */
const anthropicClear = {
  name: 'anthropic-clear',
  semantics: ['rebuild'],
  create({ scaled, overhead, count }) {
    const clearing = createClearing('[Old tool result content cleared]');
    return {
      step: ({ messages }) =>
        overhead + count(messages) > scaled(100_000) ? clearing.apply(messages, new Set(resultsOf(messages).slice(0, -KEPT_RESULTS))) : messages,
    };
  },
};

/** `clear_at_least` read as: what was cleared stays cleared, and the next batch waits until it frees 20k. */
const anthropicBatch = {
  name: 'anthropic-clear-batch20k',
  semantics: ['rebuild'],
  create({ scaled, overhead, count }) {
    const clearing = createClearing('[Old tool result content cleared]');
    const chosen = new Set();
    return {
      step({ messages }) {
        if (overhead + count(clearing.apply(messages, chosen)) > scaled(100_000)) {
          const old = resultsOf(messages).slice(0, -KEPT_RESULTS).filter((part) => !chosen.has(part));
          if (old.reduce((sum, part) => sum + count(part), 0) >= scaled(20_000)) for (const part of old) chosen.add(part);
        }
        return clearing.apply(messages, chosen);
      },
    };
  },
};

/** `summarizationMiddleware` on the state (80 % of the window, 20 messages kept, the summarizer sees 4,000 tokens), `ClearToolUsesEdit` on the request. */
const langchain = {
  name: 'langchain',
  semantics: ['rebuild'],
  summarizes: true,
  create({ window, scaled, summarize }) {
    const clearing = createClearing('[cleared]');
    let state = [];
    let seen = 0;
    return {
      step({ messages }) {
        state = [...state, ...messages.slice(seen)];
        seen = messages.length;
        if (quarterCharacters(state) > 0.8 * window) {
          let cut = state.length - 20;
          while (cut > 0 && state[cut].role === 'tool') cut -= 1;
          if (cut > 0) {
            const old = state.slice(0, cut);
            const summary = summarize({ messages: old, inputTokens: Math.min(4_000, quarterCharacters(old)) });
            state = [user(`Here is a summary of the conversation to date:\n\n${summary}`), ...state.slice(cut)];
          }
        }
        return quarterCharacters(state) > scaled(100_000) ? clearing.apply(state, new Set(resultsOf(state).slice(0, -KEPT_RESULTS))) : state;
      },
    };
  },
};

/**
 * 70 % of the window by the larger of reported and estimated; whole units within 80 % of that stay; a summary that shrinks too
 * little is refused. rebuild: compression in flight, as its README describes; carry: as if the application stored the outcome.
 */
const contextChef = {
  name: 'context-chef',
  semantics: ['rebuild', 'carry'],
  summarizes: true,
  create({ window, summarize }) {
    const trigger = 0.7 * window;
    const estimate = (messages) => messages.reduce((sum, message) => sum + charactersOf(message) * 0.3, 0);
    return {
      step({ messages, lastInputTokens = 0 }) {
        if (Math.max(estimate(messages), lastInputTokens) <= trigger) return messages;
        const units = unitsOf(messages);
        let split = units.length;
        let kept = 0;
        for (let index = units.length - 1; index >= 0; index -= 1) {
          kept += estimate(messages.slice(...units[index]));
          if (kept > 0.8 * trigger) break;
          split = index;
        }
        if (split === units.length) split -= 1;
        if (split <= 0) return messages;
        const [cut] = units[split];
        const old = messages.slice(0, cut);
        const text = summarize({ messages: old });
        const length = old.reduce((sum, message) => sum + charactersOf(message), 0);
        if (length >= 2_000 && text.length > 0.5 * length) return messages;
        return [user(`<summary>\n${text}\n</summary>`), ...messages.slice(cut)];
      },
    };
  },
};

export const libraries = [anthropicClear, anthropicBatch, langchain, contextChef];
