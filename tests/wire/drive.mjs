// Drives a `prepareStep` through a conversation as the SDK of one major would, and holds what it would send to the oracle.
// The policy is a parameter: stepfold's own, or a stand-in. Knows nothing about how a policy decides.

import { checkRequest } from './oracle.mjs';
import { createModel, send } from './send.mjs';

/** Small enough that a generated conversation overflows several times. */
export const WINDOW = { contextWindow: 9000, reserveTokens: 1000 };

const NAME = {
  anthropic: 'Anthropic',
  'openai-responses': 'OpenAI Responses, stored',
  'openai-stateless': 'OpenAI Responses, not stored',
  'openai-chat': 'OpenAI Chat',
  google: 'Gemini',
};
const RUNGS = ['capped', 'cleared', 'checkpoint', 'squeezed'];
const UNEXPECTED = ['error', 'state-rejected'];

/** Counts of what was checked, per endpoint; one tally serves a whole test file. */
export function createTally() {
  const counts = new Map();
  return {
    add(endpoint, names) {
      const row = counts.get(endpoint) ?? {};
      for (const name of names) row[name] = (row[name] ?? 0) + 1;
      counts.set(endpoint, row);
    },
    total: (name) => [...counts.values()].reduce((sum, row) => sum + (row[name] ?? 0), 0),
    toString() {
      const columns = ['steps', 'edited', 'requests', ...RUNGS];
      const rows = [...counts].map(([endpoint, row]) => [NAME[endpoint], ...columns.map((name) => String(row[name] ?? 0))]);
      return [['endpoint', ...columns], ...rows]
        .map((cells) => cells.map((cell, i) => (i ? cell.padStart(11) : cell.padEnd(29))).join(''))
        .join('\n');
    },
  };
}

/**
 * Runs one conversation against one endpoint and returns what the provider or the SDK would object to, and did not object to
 * in the unedited messages.
 *
 * Every model call of the conversation is prepared. Sent are those on which something was decided, every fourth of the others
 * which carry an edit, and the last one.
 */
export async function driveConversation(conversation, { endpoint, createPrepareStep, tally, window = WINDOW }) {
  const { major, messages, steps, thinking } = conversation;
  let events = [];
  const prepareStep = createPrepareStep({ ...window, onEvent: (event) => events.push(event.type) });
  const model = createModel({ major, endpoint });
  const failures = [];
  let run = startRun(messages, 0);

  for (const [index, { end, isNewRun }] of steps.entries()) {
    const history = messages.slice(0, end);
    if (isNewRun) run = startRun(messages, end);
    else run.extend(messages, end, major);
    events = [];
    const fail = ({ rule, message }) => {
      const where = `seed ${conversation.seed} ${conversation.provider} v${major} → ${endpoint}, ${end} messages`;
      failures.push({ rule, where, message, events, outline: outlineOf(run.prompt, history) });
    };
    try {
      const returned = await prepareStep(run.options(major, model));
      run.prompt = returned?.messages ?? run.prompt;
    } catch (error) {
      fail({ rule: 'policy/threw', message: String(error) });
    }
    for (const type of UNEXPECTED.filter((name) => events.includes(name)))
      fail({ rule: `policy/${type}`, message: 'an event nobody asked for' });
    const { prompt } = run;
    run.stepResults.push(fakeStepResult(prompt, { major, endpoint }));

    const isEdited = prompt.length !== end || prompt.some((message, i) => message !== history[i]);
    tally.add(endpoint, ['steps', ...(isEdited ? ['edited'] : []), ...RUNGS.filter((rung) => events.includes(rung))]);
    const isDecision = events.some((type) => RUNGS.includes(type));
    if (!isEdited || !(isDecision || index % 4 === 0 || index === steps.length - 1)) continue;

    // The last prompt also goes in by the front door, as an application would send what it has kept: v5 and v6 validate there.
    for (const via of index === steps.length - 1 ? ['prepareStep', 'messages'] : ['prepareStep']) {
      tally.add(endpoint, ['requests']);
      const circumstances = { major, endpoint, thinking, history, via };
      const objections = await objectionsTo(prompt, circumstances);
      if (objections.length === 0) continue;
      const excused = new Set((await objectionsTo(history, circumstances)).map(({ rule }) => rule));
      objections.filter(({ rule }) => !excused.has(rule)).forEach(fail);
    }
  }
  return failures;
}

/** A line per message, for whoever reads a failure: `*` marks messages which are not the caller's own objects. */
function outlineOf(prompt, history) {
  const known = new Set(history);
  return prompt.map((message) => {
    const content = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    const kinds = content.map(({ type, toolCallId, text, output }) =>
      [type, toolCallId, output?.type, text?.slice(0, 30)].filter((word) => word !== undefined).join(' '),
    );
    return `${known.has(message) ? ' ' : '*'} ${message.role}: ${kinds.join(', ')}`;
  });
}

async function objectionsTo(prompt, { major, endpoint, thinking, history, via }) {
  const sent = await send(prompt, { major, endpoint, thinking, via });
  if ('error' in sent) return [{ rule: `sdk/${sent.error.name}`, message: sent.error.message }];
  return checkRequest({ endpoint, body: sent.body, history, messages: prompt }).map(({ rule, path, message }) => ({ rule, message: `${path}: ${message}` }));
}

/**
 * One call of `generateText`. v5 and v6 rebuild the prompt at each step from what the caller gave and what was answered since;
 * v7 carries the last prompt forward, edited or not. A new call starts from the application's own unedited history.
 */
function startRun(messages, end) {
  const initialMessages = messages.slice(0, end);
  return {
    stepResults: [],
    prompt: initialMessages,
    end,
    extend(all, newEnd, major) {
      this.prompt = major === 7 ? [...this.prompt, ...all.slice(this.end, newEnd)] : all.slice(0, newEnd);
      this.end = newEnd;
    },
    options(major, model) {
      const { stepResults, prompt } = this;
      const common = { messages: [...prompt], steps: stepResults, stepNumber: stepResults.length, model };
      if (major === 5) return common;
      if (major === 6) return { ...common, experimental_context: undefined };
      const responseMessages = structuredClone(messages.slice(initialMessages.length, this.end));
      return {
        ...common,
        instructions: undefined,
        initialInstructions: undefined,
        initialMessages,
        responseMessages,
        toolsContext: {},
        runtimeContext: {},
      };
    },
  };
}

const lengths = new WeakMap();

/** What the policy may read of a finished step: above all the usage, in the shape of the major. */
function fakeStepResult(prompt, { major, endpoint }) {
  let chars = 0;
  for (const message of prompt) {
    if (!lengths.has(message)) lengths.set(message, JSON.stringify(message).length);
    chars += lengths.get(message);
  }
  const inputTokens = 700 + Math.round(chars / 3.4);
  const cachedTokens = Math.round(inputTokens * 0.6);
  const outputTokens = 90;
  const isExclusive = major === 5 && endpoint === 'anthropic'; // v5 reports Anthropic's input without what came from the cache.
  const usage = {
    inputTokens: isExclusive ? inputTokens - cachedTokens : inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
  };
  if (major === 5) usage.cachedInputTokens = cachedTokens;
  else usage.inputTokenDetails = { noCacheTokens: inputTokens - cachedTokens, cacheReadTokens: cachedTokens, cacheWriteTokens: 0 };
  return { usage, finishReason: 'tool-calls', content: [], providerMetadata: undefined, response: { messages: [] } };
}
