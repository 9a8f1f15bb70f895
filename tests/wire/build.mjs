// Short constructors for model messages and parts, shared by the tables and the generator. No randomness, no checks.

const withOptions = (part, providerOptions) => (providerOptions === undefined ? part : { ...part, providerOptions });

export const system = (content) => ({ role: 'system', content });
export const user = (...content) => ({
  role: 'user',
  content: content.length === 1 && typeof content[0] === 'string' ? content[0] : content.map(asText),
});
export const assistant = (...content) => ({ role: 'assistant', content: content.map(asText) });
export const tool = (...content) => ({ role: 'tool', content });

const asText = (part) => (typeof part === 'string' ? text(part) : part);

export const text = (value, providerOptions) => withOptions({ type: 'text', text: value }, providerOptions);
export const reasoning = (value, providerOptions) => withOptions({ type: 'reasoning', text: value }, providerOptions);

/** A call of a tool which the application runs. */
export const call = (toolCallId, toolName, input = {}, providerOptions = undefined) =>
  withOptions({ type: 'tool-call', toolCallId, toolName, input }, providerOptions);

/** A call of a tool which the provider runs. Its result follows in the same assistant message. */
export const serverCall = (toolCallId, toolName, input = {}, providerOptions = undefined) =>
  withOptions({ type: 'tool-call', toolCallId, toolName, input, providerExecuted: true }, providerOptions);

/** A string becomes a `text` output. */
export const result = (toolCallId, toolName, output, providerOptions = undefined) =>
  withOptions({ type: 'tool-result', toolCallId, toolName, output: typeof output === 'string' ? { type: 'text', value: output } : output }, providerOptions);

export const approvalRequest = (approvalId, toolCallId) => ({ type: 'tool-approval-request', approvalId, toolCallId });
export const approvalResponse = (approvalId, approved, reason) => ({
  type: 'tool-approval-response',
  approvalId,
  approved,
  ...(reason === undefined ? {} : { reason }),
});

export const signed = (signature) => ({ anthropic: { signature } });
export const redacted = (redactedData) => ({ anthropic: { redactedData } });
export const item = (itemId, more = {}) => ({ openai: { itemId, ...more } });
export const thought = (thoughtSignature) => ({ google: { thoughtSignature } });

export const json = (value) => ({ type: 'json', value });
/** One pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==';

/** Programs of Anthropic's and OpenAI's servers, each with the call of the application's tool that it makes and, of OpenAI's, its end. */
export const program = serverCall('srv_1', 'code_execution', { type: 'programmatic-tool-call', code: 'f()' });
export const inner = call('c1', 'grep', {}, { anthropic: { caller: { type: 'code_execution_20250825', toolId: 'srv_1' } } });
export const openaiProgram = serverCall('prog', 'programmatic_tool_calling', { code: 'f()', fingerprint: 'x' }, item('prog_1'));
export const openaiInner = call('c1', 'grep', {}, item('fc_1', { caller: { type: 'program', callerId: 'prog' } }));
export const openaiEnd = result('prog', 'programmatic_tool_calling', json({ result: 'x', status: 'completed' }), item('progout_1'));
/** What a search of Gemini's and its result carry, and how OpenAI is told to think less. */
export const googleServer = { google: { serverToolCallId: 'srv_1', serverToolType: 'GOOGLE_SEARCH_WEB' } };
export const effort = { role: 'system', content: '', providerOptions: { openai: { reasoningEffortUpdate: 'low' } } };
