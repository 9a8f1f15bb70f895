// Coding agents: OpenCode, Gemini CLI, Codex, qwen-code's low-water mark, pi. Re-implemented from their sources, not run; numbers are
// theirs, absolute ones scaled down with windows below 128k.

import { assistant, charactersOf, createClearing, outputText, quarterCharacters, resultsOf, suffixStart, unitsOf, user } from './messages.mjs';

const quarterOf = (message) => charactersOf(message) / 4;

/** Version 1: prunes results at the end of a turn; summarizes when the last step's usage reaches the usable window. */
const openCodeV1 = {
  name: 'opencode-v1',
  semantics: ['carry'],
  summarizes: true,
  create({ window, reserve, scaled, summarize }) {
    const clearing = createClearing('[Old tool result content cleared]');
    const summaries = new WeakSet();
    const usable = window - reserve;
    const oldResults = (messages) => {
      const chosen = new Set();
      let turns = 0;
      let seen = 0;
      let freed = 0;
      scan: for (const message of messages.toReversed()) {
        if (message.role === 'user') turns += 1;
        if (turns < 2) continue;
        if (summaries.has(message)) break;
        if (message.role !== 'tool') continue;
        for (const part of message.content.toReversed()) {
          if (clearing.isMade(part)) break scan;
          const tokens = Math.round(outputText(part).length / 4);
          seen += tokens;
          if (seen <= scaled(40_000) || part.toolName === 'skill') continue;
          chosen.add(part);
          freed += tokens;
        }
      }
      return freed > scaled(20_000) ? chosen : new Set();
    };
    return {
      step({ messages, stepNumber, lastInputTokens = 0, lastOutputTokens = 0 }) {
        const begins = messages.at(-1).role === 'user';
        let list = messages;
        if (begins && stepNumber > 0) {
          const before = messages.slice(0, -1);
          list = [...clearing.apply(before, oldResults(before)), messages.at(-1)];
        }
        if (lastInputTokens + lastOutputTokens < usable) return list;
        const room = Math.min(8_000, Math.max(2_000, 0.25 * usable));
        const turns = list.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-2);
        const start = Math.max(suffixStart({ messages: list, room, measure: quarterOf, keepsLast: begins }), turns[0] ?? 0);
        const summary = assistant(summarize({ messages: list }));
        summaries.add(summary);
        const goOn = user('Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.');
        return [user('What did we do so far?'), summary, ...list.slice(start), ...(begins ? [] : [goOn])];
      },
    };
  },
};

/** Version 2: the window less 20k; an updated summary and the newest 15k. The summary is asked for behind the conversation. */
const openCodeV2 = {
  name: 'opencode-v2',
  semantics: ['carry'],
  summarizes: true,
  create({ window, reserve, scaled, overhead, summarize }) {
    let previous = '';
    return {
      step({ messages }) {
        if (overhead + quarterCharacters(messages) <= window - Math.max(scaled(20_000), reserve)) return messages;
        const start = suffixStart({ messages, room: scaled(15_000), measure: quarterOf });
        if (start <= 1) return messages;
        previous = summarize({ messages: messages.slice(0, start), previous, ridesPrefix: true });
        return [user(`Summary of the conversation so far:\n${previous}`), ...messages.slice(start)];
      },
    };
  },
};

/** At half the window all but the newest 30 % is summarized, cut at a user message only, by two calls; older outputs are masked. */
const geminiCli = {
  name: 'gemini-cli',
  semantics: ['carry'],
  summarizes: true,
  create({ window, scaled, summarize, count }) {
    const masking = createClearing((part) => {
      const text = outputText(part);
      return `<tool_output_masked>\n${text.slice(0, 250)}\n...\n${text.slice(-250)}\n</tool_output_masked>`;
    });
    const truncating = createClearing((part) => `[truncated]\n${outputText(part).split('\n').slice(-30).join('\n').slice(-4000)}`);
    let failed = false;
    /** Results older than the newest 50k, and their size. */
    const oldResults = (history, skip) => {
      const chosen = new Set();
      let seen = 0;
      let tokens = 0;
      for (const part of resultsOf(history).reverse()) {
        if (skip(part)) continue;
        const size = outputText(part).length / 4;
        seen += size;
        if (seen <= scaled(50_000)) continue;
        chosen.add(part);
        tokens += size;
      }
      return { chosen, tokens };
    };
    const compress = (messages) => {
      const history = truncating.apply(messages, oldResults(messages, truncating.isMade).chosen);
      const sizes = history.map(charactersOf);
      const wanted = 0.7 * sizes.reduce((sum, size) => sum + size, 0);
      let cut = 0;
      let seen = 0;
      for (const [index, { role }] of history.entries()) {
        if (role === 'user') {
          cut = index;
          if (seen >= wanted) break;
        }
        seen += sizes[index];
      }
      if (cut === 0 || failed) return history;
      const old = history.slice(0, cut);
      const text = summarize({ messages: old });
      // The second call checks the first on the cached prefix.
      summarize({ messages: old, inputTokens: Math.round(0.1 * count(old)) + 1_500 });
      const next = [user(`<state_snapshot>\n${text}\n</state_snapshot>`), assistant('Got it. Thanks for the additional context!'), ...history.slice(cut)];
      if (count(next) <= count(history)) return next;
      failed = true;
      return history;
    };
    return {
      step({ messages, lastInputTokens = 0 }) {
        let at = messages.length - 1;
        while (at > 0 && messages[at].role === 'tool') at -= 1;
        let history = messages.slice(0, at);
        if (lastInputTokens > 0.5 * window && history.length > 0) history = compress(history);
        const { chosen, tokens } = oldResults(history, (part) => masking.isMade(part) || truncating.isMade(part));
        if (tokens >= scaled(30_000)) history = masking.apply(history, chosen);
        return [...history, ...messages.slice(at)];
      },
    };
  },
};

/** At 90 % of the window a summary and the newest user messages up to 20k; everything else goes. */
const codex = {
  name: 'codex',
  semantics: ['carry'],
  summarizes: true,
  create({ window, scaled, summarize }) {
    const own = new WeakSet();
    let sentLength = 0;
    return {
      step({ messages, lastInputTokens = 0, lastOutputTokens = 0 }) {
        const arrived = messages.slice(sentLength).filter(({ role }) => role !== 'assistant');
        let list = messages;
        if (lastInputTokens + lastOutputTokens + quarterCharacters(arrived) >= 0.9 * window) {
          const kept = [];
          let tokens = 0;
          for (const message of messages.toReversed()) {
            if (message.role !== 'user' || own.has(message)) continue;
            tokens += quarterOf(message);
            if (tokens > scaled(20_000)) break;
            kept.unshift(message);
          }
          const opening = 'Another language model started to solve this problem and produced a summary of its thinking process:';
          const summary = user(`${opening}\n${summarize({ messages })}`);
          own.add(summary);
          list = [...kept, summary];
        }
        sentLength = list.length;
        return list;
      },
    };
  },
};

/** Low-water mark: at 80 % of the usable window the oldest results are cleared down to half of that. */
const qwenLowWater = {
  name: 'qwen-lowwater',
  semantics: ['rebuild'],
  create({ window, reserve, overhead, count }) {
    const clearing = createClearing('[Old tool result content cleared]');
    const chosen = new Set();
    const trigger = 0.8 * (window - reserve);
    return {
      step({ messages }) {
        const list = clearing.apply(messages, chosen);
        let tokens = overhead + count(list);
        if (tokens <= trigger) return list;
        for (const part of resultsOf(messages.slice(0, unitsOf(messages).at(-1)[0]))) {
          if (tokens <= trigger / 2) break;
          if (chosen.has(part)) continue;
          chosen.add(part);
          tokens -= count(part);
        }
        return clearing.apply(messages, chosen);
      },
    };
  },
};

/** Usage and an estimate of what arrived above the window less 16,384: a summary (two when a turn is split) and the newest 20k. */
const pi = {
  name: 'pi',
  semantics: ['carry'],
  summarizes: true,
  create({ window, scaled, summarize }) {
    let sentLength = 0;
    let previous = '';
    const serialized = (messages) =>
      Math.floor(messages.reduce((sum, message) => sum + Math.min(message.role === 'tool' ? 2_000 : Infinity, charactersOf(message)) / 4, 0));
    const compact = (messages) => {
      let cut = messages.length;
      let tokens = 0;
      while (cut > 0 && tokens < scaled(20_000)) tokens += quarterCharacters([messages[(cut -= 1)]]);
      while (cut < messages.length && messages[cut].role === 'tool') cut += 1;
      if (cut === messages.length) [cut] = unitsOf(messages).at(-1);
      if (cut <= 1) return messages;
      const old = messages.slice(0, cut);
      const text = summarize({ messages: old, previous, inputTokens: serialized(old) });
      if (messages[cut]?.role !== 'user') summarize({ messages: old, inputTokens: 500, outputTokens: 750 });
      previous = text;
      const opening = 'The conversation history before this point was compacted into the following summary:';
      return [user(`${opening}\n<summary>\n${text}\n</summary>`), ...messages.slice(cut)];
    };
    return {
      step({ messages, lastInputTokens = 0, lastOutputTokens = 0 }) {
        const arrived = messages.slice(sentLength).filter(({ role }) => role !== 'assistant');
        const tokens = lastInputTokens > 0 ? lastInputTokens + lastOutputTokens + quarterCharacters(arrived) : quarterCharacters(messages);
        const list = tokens > window - scaled(16_384) ? compact(messages) : messages;
        sentLength = list.length;
        return list;
      },
    };
  },
};

/** Agents make their requests themselves, and ask for the cache where it has to be asked for. */
export const agents = [openCodeV1, openCodeV2, geminiCli, codex, qwenLowWater, pi].map((agent) => ({ ...agent, asksCache: true }));
