// What the AI SDK and the providers reject in a list of messages: rules that end in an SDK error or in a 400 of Anthropic or OpenAI,
// and soft ones that hold for one provider or with some settings. Written apart from stepfold's own `validateMessages`, to judge it.

const SOFT = new Set(['call-turn-after-model-turn', 'thinking-not-first', 'ends-with-assistant', 'system-role']);
const ROLES = ['system', 'user', 'assistant', 'tool'];
const isReasoning = ({ type }) => type === 'reasoning' || type === 'reasoning-file';

/** Ids of calls whose message begins with reasoning: an edit must not take that away while their loop runs. */
export const thinkingCalls = (messages) =>
  new Set(
    messages
      .filter(({ role, content }) => role === 'assistant' && Array.isArray(content) && content[0] && isReasoning(content[0]))
      .flatMap(({ content }) => content.filter(({ type }) => type === 'tool-call').map(({ toolCallId }) => toolCallId)),
  );

/** How often each rule is broken. */
export function brokenRules(messages, thinking = new Set()) {
  const broken = {};
  const count = (rule, times = 1) => {
    if (times > 0) broken[rule] = (broken[rule] ?? 0) + times;
  };
  let open = new Set();
  let answered = new Set();
  const close = () => {
    count('call-without-result', open.size);
    open = new Set();
    answered = new Set();
  };
  let previous;
  let newestUser = -1;
  if (!messages.some(({ role }) => role !== 'system')) count('empty-list');
  messages.forEach((message, at) => {
    const { role, content } = message;
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (!Array.isArray(parts) || !ROLES.includes(role)) return count('schema');
    if (parts.length === 0) count('empty-content');
    if (role === 'user' || role === 'assistant') for (const part of parts) if (part.type === 'text' && part.text.trim() === '') count('blank-text');
    if (previous === undefined && role !== 'system' && role !== 'user') count('first-not-user');
    if (role === 'system') count('system-role');
    if (role !== 'tool') close();
    if (role === 'user') newestUser = at;
    if (role === 'assistant') open = checkAssistant({ parts, previous, count });
    if (role === 'tool') checkTool({ parts, open, answered, count });
    if (role !== 'system') previous = role;
  });
  close();
  if (previous === 'assistant') count('ends-with-assistant');
  const hasCall = ({ role, content }) => role === 'assistant' && Array.isArray(content) && content.some(({ type }) => type === 'tool-call');
  const loop = messages.slice(newestUser + 1).find(hasCall);
  if (loop && !isReasoning(loop.content[0]) && loop.content.some(({ toolCallId }) => thinking.has(toolCallId))) count('thinking-not-first');
  return broken;
}

/** Checks the parts of an assistant message. Returns the ids of calls that wait for a result. */
function checkAssistant({ parts, previous, count }) {
  const calls = parts.filter(({ type }) => type === 'tool-call');
  const results = parts.filter(({ type }) => type === 'tool-result');
  const ofClient = calls.filter(({ providerExecuted }) => !providerExecuted);
  if (ofClient.length > 0 && previous === 'assistant') count('call-turn-after-model-turn');
  if (parts.length > 0 && parts.every(isReasoning)) count('reasoning-only');
  for (const { input, providerExecuted, toolCallId } of calls) {
    if (input === null || typeof input !== 'object') count('input-not-object');
    if (providerExecuted && !results.some((result) => result.toolCallId === toolCallId)) count('server-call-without-result');
  }
  for (const { toolCallId, output } of results) {
    if (!calls.some((call) => call.toolCallId === toolCallId)) count('server-result-without-call');
    if (output?.type === 'text') count('server-result-edited');
  }
  return new Set(ofClient.map(({ toolCallId }) => toolCallId));
}

function checkTool({ parts, open, answered, count }) {
  for (const { type, toolCallId, output } of parts) {
    if (type !== 'tool-result') continue;
    if (!output?.type) count('schema');
    if (open.delete(toolCallId)) answered.add(toolCallId);
    else count(answered.has(toolCallId) ? 'duplicate-result' : 'orphan-result');
  }
}

/** Rules that `sent` breaks more often than `raw`, by hardness. */
export function newlyBroken(sent, raw) {
  const rules = Object.keys(sent).filter((rule) => sent[rule] > (raw[rule] ?? 0));
  return { hard: rules.filter((rule) => !SOFT.has(rule)), soft: rules.filter((rule) => SOFT.has(rule)) };
}
