// Stand-ins for stepfold: one simple policy which providers accept, and broken ones which people write.
// They exist to show that the harness can tell them apart. Not shared with the product, and not good policies.

const CLEARED = { type: 'text', value: '[result cleared]' };
const SUMMARY = { role: 'user', content: [{ type: 'text', text: 'Summary of the work so far: nothing was lost.' }] };

const parts = ({ content }) => (typeof content === 'string' ? [] : content);
const estimate = (messages) => Math.round(JSON.stringify(messages).length / 3.4);
const isOver = (messages, { contextWindow, reserveTokens }) => estimate(messages) > (contextWindow - reserveTokens) * 0.7;
const systemLength = (messages) => messages.findIndex(({ role }) => role !== 'system');
const hasCompaction = (messages) =>
  messages.some((message) =>
    parts(message).some(({ type, providerOptions }) => type === 'custom' || providerOptions?.anthropic?.type === 'compaction'),
  );

/** OpenAI's own client tools answer in a protocol; a text is no answer to them. */
const isPlainFunction = ({ toolName }) => !['shell', 'local_shell', 'apply_patch'].includes(toolName);

/** Clears old results, then folds behind the newest cut which separates nothing. */
export const createSound =
  (settings) =>
  ({ messages }) => {
    if (!isOver(messages, settings) || hasCompaction(messages)) return undefined;
    const tailStart = Math.max(0, messages.length - 4);
    const cleared = messages.map((message, index) => (index < tailStart ? clearClientResults(message) : message));
    settings.onEvent({ type: 'cleared' });
    if (!isOver(cleared, settings)) return { messages: cleared };
    const start = cutsOf(cleared).findLast((index) => index <= tailStart || cleared[index].role === 'user');
    if (start === undefined) return { messages: cleared };
    settings.onEvent({ type: 'checkpoint' });
    return { messages: fold(cleared, start, SUMMARY) };
  };

const fold = (messages, start, summary) => [...messages.slice(0, systemLength(messages)), summary, ...messages.slice(start)];

function clearClientResults(message) {
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) =>
    part.type === 'tool-result' && part.output.type !== 'execution-denied' && isPlainFunction(part) ? { ...part, output: CLEARED } : part,
  );
  return { ...message, content };
}

/** Where a checkpoint may end: no call is open, and a loop which began with signed thinking begins with it again. */
function cutsOf(messages) {
  const cuts = [];
  const open = new Set();
  const isSigned = messages.some((message) => leadsWithThinking(message));
  messages.forEach((message, index) => {
    const mayLead = message.role === 'user' || (message.role === 'assistant' && (!isSigned || leadsWithThinking(message)));
    if (mayLead && open.size === 0 && index > systemLength(messages)) cuts.push(index);
    for (const { type, toolCallId } of parts(message)) {
      if (type === 'tool-call') open.add(toolCallId);
      if (type === 'tool-result') open.delete(toolCallId);
    }
  });
  return cuts;
}

const leadsWithThinking = (message) =>
  message.role === 'assistant' && parts(message)[0]?.type === 'reasoning' && parts(message)[0].providerOptions?.anthropic !== undefined;

/** Makes a policy which edits only when over the window, as all of them do. */
const whenOver =
  (edit) =>
  (settings) =>
  ({ messages }) => {
    if (!isOver(messages, settings)) return undefined;
    settings.onEvent({ type: 'cleared' });
    return { messages: edit(messages) };
  };

const editParts = (edit) =>
  whenOver((messages) =>
    messages.map((message) => (typeof message.content === 'string' ? message : { ...message, content: edit(message.content, message) })),
  );

const editResults = (edit, where) =>
  editParts((content, { role }) => content.map((part) => (part.type === 'tool-result' && role === where ? edit(part) : part)));

/** Folds all before the user's newest words. */
const foldAtUser = (summary) => whenOver((messages) => fold(messages, messages.findLastIndex(({ role }) => role === 'user'), summary));

/** Policies which a provider or the SDK refuses, each with a rule that gives it away. */
export const BROKEN = [
  { name: 'drops tool results and keeps the calls', rule: 'openai-chat/call-unanswered', provider: 'none', majors: [5],
    create: whenOver((messages) => messages.filter(({ role }) => role !== 'tool')) },
  { name: 'drops tool results and keeps the calls', rule: 'sdk/AI_MissingToolResultsError', provider: 'none', majors: [6, 7],
    create: whenOver((messages) => messages.filter(({ role }) => role !== 'tool')) },
  { name: 'takes the last ten messages, starting at a tool message', rule: 'anthropic/tool-result-orphan', provider: 'none', majors: [5, 6, 7],
    create: whenOver((messages) => messages.slice(messages.findIndex(({ role }, index) => role === 'tool' && index > 0))) },
  { name: 'takes the last messages, starting at an assistant message', rule: 'google/call-place', provider: 'google', majors: [5, 6, 7],
    create: whenOver((messages) => messages.slice(messages.findIndex((message) => message.role === 'assistant' && parts(message).some(({ type }) => type === 'tool-call')))) },
  { name: 'keeps one result of a parallel call', rule: 'sdk/AI_MissingToolResultsError', provider: 'openai', majors: [6, 7],
    create: editParts((content, { role }) => (role === 'tool' ? content.slice(-1) : content)) },
  { name: 'writes the checkpoint as an assistant message', rule: 'google/call-place', provider: 'google', majors: [5, 6, 7],
    create: whenOver((messages) => fold(messages, cutsOf(messages).findLast((index) => messages[index].role === 'assistant') ?? 1, { role: 'assistant', content: 'Summary.' })) },
  { name: 'puts a reminder between a call and its result', rule: 'openai-chat/call-unanswered', provider: 'none', majors: [5],
    create: whenOver((messages) => messages.flatMap((message) => (message.role === 'tool' ? [SUMMARY, message] : [message]))) },
  { name: 'puts a text placeholder into results which the provider made', rule: 'anthropic/server-tool-unanswered', provider: 'anthropic', majors: [5, 6, 7],
    create: editResults((part) => ({ ...part, output: CLEARED }), 'assistant') },
  { name: 'puts a text placeholder into shell results', rule: 'openai-responses/output-kind', provider: 'openai', majors: [5, 6, 7],
    create: editResults((part) => ({ ...part, output: CLEARED }), 'tool') },
  { name: 'cuts a loop between thinking and the calls after it', rule: 'anthropic/thinking-lead', provider: 'anthropic', majors: [5, 6, 7],
    create: whenOver((messages) => {
      const start = messages.findLastIndex((message) => message.role === 'assistant' && parts(message)[0]?.type === 'tool-call');
      return start === -1 ? messages : fold(messages, start, SUMMARY);
    }) },
  { name: 'drops reasoning to save tokens', rule: 'openai-responses/reasoning-missing', provider: 'openai', majors: [5],
    create: editParts((content) => content.filter(({ type }) => type !== 'reasoning')) },
  { name: 'shortens thinking', rule: 'anthropic/thinking-modified', provider: 'anthropic', majors: [5, 6, 7],
    create: editParts((content) => content.map((part) => (part.type === 'reasoning' ? { ...part, text: part.text.slice(0, 20) } : part))) },
  { name: 'forgets the metadata of parts', rule: 'google/signature-changed', provider: 'google', majors: [5, 6, 7],
    create: editParts((content) => content.map(({ providerOptions, ...part }) => part)) },
  { name: 'replaces inputs by a string', rule: 'anthropic/input-not-object', provider: 'none', majors: [5, 6],
    create: editParts((content) => content.map((part) => (part.type === 'tool-call' && !part.providerExecuted ? { ...part, input: '[cleared]' } : part))) },
  { name: 'cuts inputs and leaves the ids of their items', rule: 'openai-responses/reference-stale', provider: 'openai', majors: [5],
    create: editParts((content) => content.map((part) => (part.type === 'tool-call' && !part.providerExecuted && isPlainFunction(part) ? { ...part, input: { cut: true } } : part))) },
  { name: 'empties error results', rule: 'anthropic/error-empty', provider: 'none', majors: [5, 6, 7],
    create: editResults((part) => (part.output.type === 'error-text' ? { ...part, output: { ...part.output, value: '' } } : part), 'tool') },
  { name: 'cuts text without looking at characters', rule: 'json/lone-surrogate', provider: 'none', majors: [5, 6, 7],
    create: editResults(({ output, ...part }) => ({ ...part, output: { type: 'text', value: String(output.value).replace(/([\ud800-\udbff]).*$/s, '$1') } }), 'tool') },
  { name: 'folds what Anthropic has compacted', rule: 'anthropic/compaction-lost', provider: 'anthropic', majors: [5, 6, 7], compaction: true, create: foldAtUser(SUMMARY) },
  { name: 'folds what OpenAI has compacted', rule: 'openai-responses/compaction-lost', provider: 'openai', majors: [7], compaction: true, create: foldAtUser(SUMMARY) },
  { name: 'leaves a checkpoint without text', rule: 'anthropic/text-blank', provider: 'none', majors: [5, 6, 7], create: foldAtUser({ role: 'user', content: ' ' }) },
];
