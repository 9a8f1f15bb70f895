// Conversations written by hand, and steps played by hand, where what the SDK does does not matter. Holds no tests.

export const MODEL = { modelId: 'mock', provider: 'mock' };

export const user = (content) => ({ role: 'user', content });
export const call = (toolCallId, input = {}, toolName = 'read') => ({ role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] });
/** A string becomes a `text` output. */
export const result = (toolCallId, output, toolName = 'read') => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName, output: typeof output === 'string' ? { type: 'text', value: output } : output }],
});
export const text = (tokens, word = 'plain') => `${word} `.repeat(tokens);
/** `pairs` calls with results of some 250 tokens. */
export const calm = (pairs, prefix = 'calm') =>
  Array.from({ length: pairs }, (_, index) => [call(`${prefix}-${index}`, { path: `src/${prefix}-${index}.ts` }), result(`${prefix}-${index}`, `${text(240)}${index}`)]).flat();
/** Texts alone, some 250 tokens a turn: nothing in them can be cleared, only folded. The model speaks first. */
export const talk = (turns, prefix = 'talk') =>
  Array.from({ length: turns }, (_, n) => [{ role: 'assistant', content: `${prefix} ${n}: ${text(240)}` }, user(`${prefix} ${n}, and?`)]).flat();
/** The same, and the user speaks first. */
export const turns = (count, word = 'turn') =>
  Array.from({ length: count }, (_, n) => [user(`${word} ${n}: go on, please, with part ${n}.`), { role: 'assistant', content: `${word} ${n}: ${text(240)}` }]).flat();

/** One step of a session or a `prepareStep`: what is sent. `steps` are those of the run before it. */
export async function step(session, messages, steps = [], model = MODEL) {
  const prepareStep = session.prepareStep ?? session;
  return (await prepareStep({ messages, steps, stepNumber: steps.length, model }))?.messages ?? messages;
}

export const usageOf = (inputTokens) => ({ usage: { inputTokens, outputTokens: 1 } });
/** What a database makes of messages. */
export const copy = (value) => JSON.parse(JSON.stringify(value));
export const textOf = ({ content }) => (typeof content === 'string' ? content : content.map((part) => part.text ?? '').join(''));
export const isCheckpoint = ({ providerOptions }) => providerOptions?.stepfold?.checkpoint !== undefined;
/** Events whose runs are numbered in the order in which they come: the names of two runs are never the same. */
export function withRunsInOrder(events) {
  const runs = [...new Set(events.map(({ runId }) => runId))];
  return events.map((event) => ({ ...event, runId: runs.indexOf(event.runId) }));
}

/** Without messages of ours between two of the user. */
export const withoutBridges = (messages) => messages.filter(({ providerOptions }) => providerOptions?.stepfold?.original !== 'bridge');
/** Lets everything that waits for nothing go on. */
export const pause = () => new Promise((resolve) => setImmediate(resolve));

/** Numbers below `most`, the same for the same seed. */
export function createRandom(seed) {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return (most) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return (state >>> 8) % most;
  };
}
