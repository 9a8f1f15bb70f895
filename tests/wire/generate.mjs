// A deterministic generator of conversations which a provider accepts as they are: turns, steps, tool loops, approvals.
// Which parts exist is decided in `generate-parts.mjs`; what a provider accepts is decided by the oracle, not here.

import { approvalRequest, approvalResponse, assistant, system, text, tool, user } from './build.mjs';
import { createParts } from './generate-parts.mjs';
import { createRandom, makeText } from './random.mjs';
import { ENDPOINTS } from './send.mjs';

/** @typedef {'anthropic' | 'openai' | 'google' | 'none'} Provider Whose metadata the assistant's parts carry. */
/**
 * @typedef {{
 *   seed: number, major: 5 | 6 | 7, provider: Provider,
 *   messages: any[],
 *   steps: { end: number, isNewRun: boolean }[],
 *   endpoints: import('./send.mjs').Endpoint[],
 *   thinking: boolean,
 * }} Conversation `steps` are the model calls: each was given `messages.slice(0, end)`. `endpoints` can take all its parts.
 */

export const PROVIDERS = ['anthropic', 'openai', 'google', 'none'];

const NATIVE = { anthropic: ['anthropic'], openai: ['openai-responses', 'openai-stateless'], google: ['google'], none: ENDPOINTS };

/** `units`: assistant messages, at least. `textChars`: size of a large tool result. `compaction`: the provider compacted once. */
export function generateConversation({ seed, major, provider, units = 24, textChars = 6000, compaction = false }) {
  const random = createRandom(seed * 31 + major * 7 + PROVIDERS.indexOf(provider));
  const parts = createParts({ random, major, provider, textChars });
  const hasReasoning = provider !== 'none' && random.chance(0.7);
  // Claude thinks before its first call only, or between calls as well ("interleaved").
  const thinksEachStep = random.chance(0.5);
  const hasServerTools = !(provider === 'none' || (provider === 'google' && major === 5)) && random.chance(0.4);

  const hasPrograms = hasServerTools && ((provider === 'anthropic' && major > 5) || (provider === 'openai' && major === 7));
  // The application puts reminders between the messages, or (OpenAI) changes the effort. Gemini takes neither.
  const hasSystemMessages = provider !== 'google' && random.chance(0.15);

  const messages = [];
  const steps = [];
  let isNewRun = true;
  let isNative = compaction || hasServerTools || (hasSystemMessages && provider === 'openai');
  const unsupported = new Set(hasSystemMessages ? ['google'] : []);
  let assistantCount = 0;

  if (random.chance(0.3)) messages.push(system(makeText(random, 200, 'prose')));
  if (compaction && provider === 'anthropic' && major === 7 && random.chance(0.5))
    messages.splice(0, messages.length, assistant(nativeCompaction(true)));
  else compaction &&= 'inside';

  while (assistantCount < units) addTurn();
  // The conversation waits for the model: after the user's words, or in the middle of a tool loop.
  if (random.chance(0.3)) addUser();
  else addTurn({ isLast: true });
  steps.push({ end: messages.length, isNewRun });
  return {
    seed,
    major,
    provider,
    messages,
    steps,
    endpoints: (isNative ? NATIVE[provider] : ENDPOINTS).filter((endpoint) => !unsupported.has(endpoint)),
    thinking: provider === 'anthropic' && hasReasoning,
  };

  function addTurn({ isLast = false } = {}) {
    addUser();
    const stepCount = random.int(isLast ? 1 : 0, random.chance(0.3) ? 12 : 4);
    let isLead = true;
    for (let step = 0; step < stepCount; step++) {
      if (hasPrograms && random.chance(0.08)) addProgram(isLead);
      else if (provider === 'openai' && major > 5 && hasServerTools && random.chance(0.04)) addApprovedServerCall(isLead);
      else addToolStep(isLead);
      isLead = false;
      if (random.chance(0.06) && step < stepCount - 1) {
        addUser(); // The user steers while the agent works.
        isLead = true;
      }
    }
    if (!isLast && (stepCount === 0 || random.chance(0.85))) addAnswer(isLead);
  }

  function addUser() {
    if (hasSystemMessages && provider === 'openai' && random.chance(0.4)) {
      messages.push({ ...system(''), providerOptions: { openai: { reasoningEffortUpdate: random.pick(['low', 'high']) } } });
    }
    for (let count = random.chance(0.12) ? 2 : 1; count > 0; count--) {
      if (random.chance(0.04))
        messages.push(user(parts.resultText())); // A pasted log.
      else if (random.chance(0.55)) messages.push(user(parts.prose(600)));
      else
        messages.push(user(text(parts.prose(600)), ...(random.chance(0.5) ? [parts.media()] : []), ...(random.chance(0.3) ? [text(parts.prose())] : [])));
      if (random.chance(0.05))
        messages.at(-1).providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } }, app: { id: parts.id('m') } };
    }
    if (hasSystemMessages && provider !== 'openai' && random.chance(0.4)) messages.push(system(makeText(random, 80, 'prose')));
    isNewRun = true;
  }

  /** Notes the model call, then its answer. */
  function addAssistant(content) {
    steps.push({ end: messages.length, isNewRun });
    isNewRun = false;
    assistantCount++;
    messages.push(typeof content === 'string' ? { role: 'assistant', content } : assistant(...content));
  }

  function beginning(isLead) {
    const content = [];
    const compacted = compaction === 'inside' && isLead && assistantCount > units / 2;
    if (compacted && provider === 'anthropic') content.push(nativeCompaction(false));
    const mustThink = provider === 'anthropic' && (isLead || thinksEachStep);
    if (hasReasoning && (mustThink || (provider !== 'anthropic' && random.chance(0.7)))) content.push(...parts.reasoning());
    if (compacted && provider === 'openai' && major === 7) content.unshift(nativeCompaction(false));
    if (compacted) compaction = false;
    if (hasServerTools && random.chance(0.25)) {
      content.push(...parts.serverExchange());
      if (provider === 'openai' && content[0].type === 'reasoning') content.push(...parts.reasoning());
    }
    return content;
  }

  function addToolStep(isLead) {
    const content = beginning(isLead);
    if (random.chance(0.5)) content.push(parts.text());
    const thinksAgain = hasReasoning && provider !== 'google' && (provider !== 'anthropic' || thinksEachStep) && random.chance(0.1);
    if (thinksAgain && content.length > 0) content.push(...parts.reasoning());
    const callCount = random.chance(0.35) ? random.int(2, 4) : 1;
    const calls = Array.from({ length: callCount }, () => parts.call({ isAlone: callCount === 1 }));
    if (provider === 'google' && random.chance(0.9)) calls[0].providerOptions = { google: { thoughtSignature: parts.id('thought') } };
    content.push(...calls);

    const gated = major > 5 && random.chance(0.12) ? calls.at(-1) : undefined;
    if (gated === undefined) {
      addAssistant(content);
      addResults(random.shuffled(calls).map(parts.result));
      return;
    }
    const approvalId = parts.id('approval');
    addAssistant([...content, approvalRequest(approvalId, gated.toolCallId)]);
    const others = calls.filter((part) => part !== gated);
    if (others.length > 0) messages.push(tool(...others.map(parts.result)));
    const isApproved = random.chance(0.6) || gated.toolName in PROTOCOLS;
    const reason = random.chance(0.5) ? parts.prose(60) : undefined;
    const outcome = isApproved ? parts.result(gated) : parts.denied(gated, reason);
    const response = approvalResponse(approvalId, isApproved, reason);
    if (random.chance(0.5)) messages.push(tool(response), tool(outcome));
    else messages.push(tool(response, outcome));
    isNewRun = true;
  }

  function addResults(results) {
    // v5 sends every tool message by itself, which Gemini refuses for parallel calls; v6 and v7 merge them.
    const isSplit = major > 5 && results.length > 1 && random.chance(0.2);
    if (isSplit) messages.push(...results.map((part) => tool(part)));
    else messages.push(tool(...results));
  }

  function addProgram(isLead) {
    const { start, inner, end } = parts.program();
    addAssistant([...beginning(isLead), start, inner]);
    messages.push(tool(parts.result(inner)));
    const next = parts.call();
    addAssistant([end, parts.text(), next]);
    messages.push(tool(parts.result(next)));
  }

  function addApprovedServerCall(isLead) {
    unsupported.add('openai-stateless'); // The SDK sends the response there without the request.
    const { request, response, exchange } = parts.approvedServerCall();
    addAssistant([...beginning(isLead), ...request]);
    messages.push(tool(response));
    isNewRun = true;
    const next = parts.call({ isAlone: true });
    addAssistant([...exchange, parts.text(), next]);
    addResults([parts.result(next)]);
  }

  function addAnswer(isLead) {
    if (provider === 'none' && random.chance(0.4)) return addAssistant(parts.prose(900));
    const content = [...beginning(isLead), parts.text(parts.prose(900))];
    if (random.chance(0.15)) {
      const extras = parts.extras();
      if (extras.some(({ type }) => type !== 'custom')) isNative = true;
      content.push(...extras);
    }
    return addAssistant(content);
  }

  function nativeCompaction(isSigned) {
    if (provider === 'openai') {
      const itemId = parts.id('cmp');
      return {
        type: 'custom',
        kind: 'openai.compaction',
        providerOptions: { openai: { type: 'compaction', itemId, encryptedContent: parts.id('encrypted') } },
      };
    }
    return text(makeText(random, 500, 'prose'), {
      anthropic: { type: 'compaction', ...(isSigned ? { signature: parts.id('signature') } : {}) },
    });
  }
}

/** Client tools whose result must be JSON of one shape; a denial has none. */
const PROTOCOLS = { shell: true, local_shell: true, apply_patch: true };
