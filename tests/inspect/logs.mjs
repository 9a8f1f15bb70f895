// The generated session (sessions.mjs) as each program would log it, a reply in as many pieces as the program writes. Shapes alone, no real
// log. Holds no tests.

import { generateSession, modelMessages } from './sessions.mjs';

const jsonl = (lines) => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
const at = (index) => new Date(1_700_000_000_000 + index * 1_000).toISOString();

function uiMessages({ task, turns, answer }) {
  const parts = turns.flatMap(({ text, calls }) => [
    { type: 'step-start' },
    ...(text === '' ? [] : [{ type: 'text', text, state: 'done' }]),
    ...calls.map(({ id, name, input, output }) => ({ type: `tool-${name}`, toolCallId: id, state: 'output-available', input, output })),
  ]);
  return [
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: task }, { type: 'data-note', data: {} }] },
    { id: 'm2', role: 'assistant', parts: [...parts, { type: 'step-start' }, { type: 'text', text: answer }] },
  ];
}

function claudeCode({ task, turns, answer }) {
  const line = (index, type, message, more = {}) => ({ parentUuid: null, isSidechain: false, userType: 'external', sessionId: 's1', version: '2.1.12', type, message: { role: type, ...message }, uuid: `u${index}-${type}-${JSON.stringify(message)}`, timestamp: at(index), ...more });
  const model = 'claude-sonnet-4-5-20250929';
  const usage = { input_tokens: 4, cache_read_input_tokens: 20_000, cache_creation_input_tokens: 100 };
  const piece = (index, block) => line(index, 'assistant', { id: `msg-${index}`, model, content: [block], usage });
  return jsonl([
    { type: 'summary', summary: 'The window is over budget', leafUuid: 'u1' },
    { type: 'file-history-snapshot', messageId: 'x', snapshot: {}, isSnapshotUpdate: false },
    line(0, 'user', { content: task }),
    ...turns.flatMap(({ text, calls }, index) => [
      ...(text === '' ? [] : [piece(index, { type: 'text', text })]),
      // A call is answered before the next one is written.
      ...calls.flatMap(({ id, name, input, output }) => [piece(index, { type: 'tool_use', id, name, input }), line(index, 'user', { content: [{ tool_use_id: id, type: 'tool_result', content: [{ type: 'text', text: output }] }] })]),
    ]),
    line(900, 'assistant', { model, content: [{ type: 'text', text: 'A subagent says.' }] }, { isSidechain: true }),
    line(901, 'assistant', { model, content: [{ type: 'text', text: answer }] }),
  ]);
}

const SANDBOX = 'The sandbox can be written to.';

function codex({ task, turns, answer }) {
  const item = (payload) => ({ timestamp: at(0), type: 'response_item', payload });
  return jsonl([
    { timestamp: at(0), type: 'session_meta', payload: { id: 's1', cwd: '/home/user/project', cli_version: '0.65.0', base_instructions: { text: 'You are a coding agent.' } } },
    { timestamp: at(0), type: 'turn_context', payload: { model: 'gpt-5-codex' } },
    item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: SANDBOX }] }),
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: task }] }),
    ...turns.flatMap(({ text, calls }) => [
      item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Thinking.' }], encrypted_content: 'x' }),
      ...(text === '' ? [] : [item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })]),
      ...calls.map(({ id, name, input }) => item({ type: 'function_call', name, arguments: JSON.stringify(input), call_id: id })),
      { timestamp: at(0), type: 'event_msg', payload: { type: 'token_count', info: { last_token_usage: { input_tokens: 9_000, cached_input_tokens: 8_000, output_tokens: 10 } } } },
      ...calls.map(({ id, output }) => item({ type: 'function_call_output', call_id: id, output })),
    ]),
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] }),
  ]);
}

function opencode({ task, turns, answer }) {
  const assistant = (index, parts) => ({ info: { id: `msg_${index}`, role: 'assistant', sessionID: 'ses_1', modelID: 'gpt-5', providerID: 'openai', time: { created: index + 1 }, tokens: { input: 9_000, output: 10, cache: { read: 0, write: 0 } } }, parts });
  return {
    info: { id: 'ses_1', title: 'Window over budget' },
    messages: [
      { info: { id: 'msg_user', role: 'user', sessionID: 'ses_1', time: { created: 0 } }, parts: [{ id: 'prt_0', type: 'text', text: task }] },
      ...turns.map(({ text, calls }, index) => {
        const tools = calls.map(({ id, name, input, output }) => ({ type: 'tool', callID: id, tool: name, state: { status: 'completed', input, output, title: '', time: {} } }));
        return assistant(index, [{ type: 'step-start' }, ...(text === '' ? [] : [{ type: 'text', text }]), ...tools, { type: 'step-finish' }]);
      }),
      assistant(turns.length, [{ type: 'step-start' }, { type: 'text', text: answer }]),
    ],
  };
}

function geminiMessages({ task, turns, answer }) {
  return [
    { id: 'u0', timestamp: at(0), type: 'user', content: task },
    ...turns.map(({ text, calls }, index) => {
      const toolCalls = calls.map(({ id, name, input, output }) => ({ id, name, args: input, status: 'success', result: [{ functionResponse: { id, name, response: { output } } }] }));
      return { id: `g${index}`, timestamp: at(index), type: 'gemini', model: 'gemini-2.5-pro', content: text, thoughts: [], tokens: { input: 9_000, output: 10, cached: 0 }, toolCalls };
    }),
    { id: 'g-last', timestamp: at(999), type: 'gemini', model: 'gemini-2.5-pro', content: [{ text: answer }] },
  ];
}

function geminiCheckpoint({ task, turns, answer }) {
  return [
    { role: 'user', parts: [{ text: task }] },
    ...turns.flatMap(({ text, calls }) => [
      { role: 'model', parts: [...(text === '' ? [] : [{ text }]), ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }))] },
      { role: 'user', parts: calls.map(({ id, name, output }) => ({ functionResponse: { id, name, response: { output } } })) },
    ]),
    { role: 'model', parts: [{ text: answer }] },
  ];
}

function copilotCli({ task, turns, answer }) {
  const event = (type, data) => ({ type, data, id: type, timestamp: at(0), parentId: null });
  return jsonl([
    event('session.start', { sessionId: 's1', version: 1, producer: 'copilot-agent', copilotVersion: '0.0.407' }),
    event('session.model_change', { newModel: 'claude-sonnet-4.5' }),
    event('system.message', { role: 'system', content: SANDBOX }),
    event('user.message', { content: task, attachments: [] }),
    ...turns.flatMap(({ text, calls }, index) => [
      event('system.message', { role: 'system', content: SANDBOX }),
      event('assistant.turn_start', { turnId: String(index) }),
      event('assistant.message', { messageId: `m${index}`, content: text, toolRequests: calls.slice(0, 1).map(({ id, name, input }) => ({ toolCallId: id, name, arguments: input })) }),
      // A call is answered before the next one begins.
      ...calls.flatMap(({ id, name, input, output }) => [event('tool.execution_start', { toolCallId: id, toolName: name, arguments: input }), event('tool.execution_complete', { toolCallId: id, success: true, result: { content: output } })]),
    ]),
    event('assistant.message', { messageId: 'last', content: answer, toolRequests: [] }),
  ]);
}

const chat = (session) => ({ sessionId: 's1', projectHash: 'abc', startTime: at(0), lastUpdated: at(9), messages: geminiMessages(session) });

/** The session as files of each format: whose log it is, a file's name, its text, and the model, id and system prompt that it holds. */
export function logsOf(session = generateSession()) {
  return [
    { format: 'AI SDK, model messages', file: 'model.json', text: JSON.stringify(modelMessages(session)), modelId: undefined },
    { format: 'AI SDK, model messages', file: 'model.jsonl', text: jsonl(modelMessages(session)), modelId: undefined },
    { format: 'AI SDK, UI messages', file: 'ui.json', text: JSON.stringify({ id: 'chat', messages: uiMessages(session) }, undefined, 2), modelId: undefined, id: 'chat' },
    { format: 'AI SDK, UI messages', file: 'ui.jsonl', text: jsonl(uiMessages(session)), modelId: undefined },
    { format: 'Claude Code', file: 'claude-code.jsonl', text: claudeCode(session), modelId: 'claude-sonnet-4-5-20250929', id: 's1' },
    { format: 'Codex', file: 'rollout-2026.jsonl', text: codex(session), modelId: 'gpt-5-codex', id: 's1', system: `You are a coding agent.\n\n${SANDBOX}` },
    { format: 'Codex', file: 'rollout-old.jsonl', text: `${JSON.stringify({ id: 's1', timestamp: at(0), instructions: null })}\n${JSON.stringify({ record_type: 'state' })}\n${codex(session).split('\n').filter((line) => line.includes('"response_item"')).map((line) => JSON.stringify(JSON.parse(line).payload)).join('\n')}\n`, modelId: undefined, id: 's1', system: SANDBOX },
    { format: 'OpenCode', file: 'opencode.json', text: JSON.stringify(opencode(session), undefined, 2), modelId: 'gpt-5', id: 'ses_1' },
    { format: 'Gemini CLI', file: 'gemini-chat.json', text: JSON.stringify(chat(session), undefined, 2), modelId: 'gemini-2.5-pro', id: 's1' },
    { format: 'Gemini CLI', file: 'gemini-chat.jsonl', text: jsonl([{ ...chat(session), messages: undefined }, ...geminiMessages(session), { $set: { lastUpdated: at(10) } }]), modelId: 'gemini-2.5-pro', id: 's1' },
    { format: 'Gemini CLI', file: 'checkpoint-tag.json', text: JSON.stringify({ history: geminiCheckpoint(session), authType: 'oauth' }), modelId: 'gemini-2.5-pro' },
    { format: 'Copilot CLI', file: 'events.jsonl', text: copilotCli(session), modelId: 'claude-sonnet-4.5', id: 's1', system: SANDBOX },
  ];
}

/** The session in OpenCode's storage: files by their path. */
export function opencodeStorage(session = generateSession()) {
  return opencode(session).messages.flatMap(({ info, parts }) => [
    { path: `message/ses_1/${info.id}.json`, text: JSON.stringify(info) },
    ...parts.map((part, index) => ({ path: `part/${info.id}/prt_${String(index).padStart(3, '0')}.json`, text: JSON.stringify(part) })),
  ]);
}
