// What the readers of logs make of the pieces that programs write: the messages, replies that are joined, the system prompt. The
// replay bench takes them as they are; what `inspect` shows of them: logs.test.mjs.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { convertToModelMessages } from 'ai';
import { validateMessages } from 'stepfold';
import { findSources, readSource } from '../../build/inspect/readers.mjs';
import { folderOf } from './helpers.mjs';
import { logsOf, opencodeStorage } from './logs.mjs';
import { generateSession, modelMessages } from './sessions.mjs';

/** @typedef {{ after: (done: () => void) => void }} Context */

async function read(t, file, text) {
  const [log] = await readSource({ path: join(folderOf(t, [{ path: file, text }]), file), bytes: text.length });
  return log;
}

const lines = (...records) => records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n');

/** A log may end with an answer; nothing else is wrong with it. @param {{ messages: any[] }} log */
function assertValid({ messages }) {
  assert.deepEqual(validateMessages(messages).filter(({ rule }) => rule !== 'ends-with-assistant'), []);
}

/** Each message as its role and what its parts are. @param {{ messages: any[] }} log */
const outline = ({ messages }) => messages.map(({ role, content }) => `${role} ${typeof content === 'string' ? 'text' : content.map(({ type, toolCallId = '' }) => `${type} ${toolCallId}`.trim()).join()}`);

const spread = generateSession({ steps: 12, resultLines: 4, callsPerStep: 3 });
const expected = outline({ messages: modelMessages(spread) });

for (const { format, file, text, id, system } of logsOf(spread)) {
  test(`${file}, a log of ${format}: a reply with several calls is one message, and their results are the next`, async (t) => {
    const log = await read(t, file, text);
    // Programs that think aloud have a part more.
    assert.deepEqual(outline(log).map((line) => line.replace('reasoning,', '')), expected);
    assert.deepEqual([log.format, log.id, log.system], [format, id, system ?? '']);
    assertValid(log);
  });
}

test("replies in OpenCode's storage are joined as in its export", async (t) => {
  const [source] = findSources(folderOf(t, opencodeStorage(spread)), assert.fail);
  assert.deepEqual((await readSource(source)).map(outline), [expected]);
});

test('UI messages become what the SDK makes of them', async (t) => {
  const tool = (toolCallId, more) => ({ type: 'tool-read', toolCallId, input: { path: 'a.txt' }, ...more });
  const messages = [
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Read a.txt.' }, { type: 'data-note', data: {} }, { type: 'file', mediaType: 'image/png', filename: 'a.png', url: 'data:image/png;base64,AA==' }] },
    {
      id: 'm2',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'I look.', providerMetadata: { anthropic: { signature: 's' } } },
        tool('1', { state: 'output-available', output: 'hello', callProviderMetadata: { google: { thoughtSignature: 'g' } } }),
        tool('2', { state: 'output-error', errorText: 'not there' }),
        tool('3', { state: 'input-streaming' }),
        tool('4', { state: 'input-available' }),
        { type: 'step-start' },
        tool('5', { state: 'output-available', output: { found: 1 }, providerExecuted: true }),
        tool('6', { state: 'output-available', output: [], approval: { id: 'p6', approved: true } }),
        tool('7', { state: 'output-denied', approval: { id: 'p7', approved: false, reason: 'no' } }),
        { type: 'source-url', sourceId: 's', url: 'https://example.com' },
        { type: 'step-start' },
        { type: 'dynamic-tool', toolName: 'find', toolCallId: '8', state: 'output-available', input: {}, output: 'text' },
        { type: 'text', text: 'It says hello.', state: 'done' },
      ],
    },
    { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Thanks.' }] },
    { id: 'm4', role: 'assistant', parts: [{ type: 'text', text: 'Gladly.' }] },
  ];
  const log = await read(t, 'chat.json', JSON.stringify({ id: 'chat-1', messages: [...messages, { role: 'user', content: 'As ai 4 stored it.' }] }));
  const converted = await convertToModelMessages(messages, { ignoreIncompleteToolCalls: true });
  // The SDK makes a url of what holds the data already.
  const plain = JSON.parse(JSON.stringify(converted).replace('{"type":"url","url":"data:image/png;base64,AA=="}', '"data:image/png;base64,AA=="'));
  assert.deepEqual(log.messages, [...plain, { role: 'user', content: [{ type: 'text', text: 'As ai 4 stored it.' }] }]);
  assert.deepEqual(log.notes, ['2 × call that was not finished, which the SDK does not send']);
});

let records = 0;
const claude = (type, message, more = {}) => ({ type, uuid: `record-${(records += 1)}`, sessionId: 'session-1', isSidechain: false, message: { role: type, ...message }, ...more });

test('Claude Code: pieces of a message are joined, copies and other conversations are left out', async (t) => {
  const use = (id, name, input) => ({ type: 'tool_use', id, name, input });
  const result = (id, content, more = {}) => claude('user', { content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] });
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
  const again = claude('user', { content: 'Read both files.' });
  const log = await read(
    t,
    'claude.jsonl',
    lines(
      { type: 'summary', summary: 'Reading files', leafUuid: 'x' },
      again,
      '{"type":"user","mess',
      claude('assistant', { id: 'msg_1', content: [{ type: 'thinking', thinking: 'Both at once.', signature: 's' }] }),
      claude('assistant', { id: 'msg_1', content: [{ type: 'redacted_thinking', data: 'sealed' }] }),
      claude('assistant', { id: 'msg_1', content: [use('t1', 'Read', { file_path: 'a.txt' })] }),
      result('t1', 'hello'),
      claude('assistant', { id: 'msg_1', content: [use('t2', 'Read', { file_path: 'b.png' })] }),
      result('t2', [{ type: 'text', text: 'an image' }, image]),
      again,
      claude('assistant', { id: 'msg_1', content: [use('t2', 'Read', { file_path: 'b.png' })] }),
      claude('user', { content: 'The subagent says.' }, { isSidechain: true }),
      claude('user', { content: 'This session is being continued.' }, { isCompactSummary: true }),
      claude('assistant', { id: 'msg_2', content: [{ type: 'text', text: 'Now c.' }, use('t3', 'Read', { file_path: 'c.txt' })] }),
      result('t3', 'File not found', { is_error: true }),
      result('t9', 'of no call'),
      claude('assistant', { id: 'msg_3', content: [use('t4', 'Bash', { command: 'ls' })] }),
      claude('user', { content: [{ type: 'text', text: 'Stop, that is enough.' }, image, { type: 'strange' }] }),
      claude('assistant', { id: 'msg_4', content: [{ type: 'text', text: 'Stopped.' }] }),
    ),
  );
  assert.deepEqual(outline(log), [
    'user text',
    'assistant reasoning,reasoning,tool-call t1,tool-call t2',
    'tool tool-result t1,tool-result t2',
    'assistant text,tool-call t3',
    'tool tool-result t3',
    'assistant tool-call t4',
    'tool tool-result t4',
    'user text,file',
    'assistant text',
  ]);
  assert.deepEqual(log.messages[1].content.slice(0, 2), [
    { type: 'reasoning', text: 'Both at once.', providerOptions: { anthropic: { signature: 's' } } },
    { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'sealed' } } },
  ]);
  assert.deepEqual(log.messages[2].content[1].output, { type: 'content', value: [{ type: 'text', text: 'an image' }, { type: 'image-data', mediaType: 'image/png', data: 'iVBORw0KGgo=' }] });
  assert.deepEqual(log.messages[4].content[0].output, { type: 'error-text', value: 'File not found' });
  assert.deepEqual(log.messages[6].content[0].output, { type: 'error-text', value: '[No result was recorded.]' });
  assert.deepEqual([log.id, log.title, log.kind], ['session-1', 'Reading files', 'coding']);
  assertValid(log);
  assert.deepEqual(log.notes, [
    '1 × line that is there twice',
    '1 × call with the id of an earlier call',
    '1 × compaction of Claude Code, whose messages are there in full',
    '1 × part `strange` of the user',
    '1 × call without a result',
    '1 × result without a call',
    '1 × message of a subagent',
    '1 × line that is not JSON, or was cut',
  ]);
});

for (const [what, texts, title] of [
  ['the first words of the user', ['Fix the\n  window.', 'Go on.'], 'Fix the window.'],
  ['no instructions of a project', ['# AGENTS.md instructions for /home/user/x\n\n<INSTRUCTIONS>', 'Fix it.'], 'Fix it.'],
  ['nothing in a tag', ['<environment_context>\n<cwd>/</cwd>', '<b is less than a, so fix it.'], '<b is less than a, so fix it.'],
  ['a command with what the user wrote behind it', ['<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the window</command-args>'], '/review the window'],
  ['cut between words, but not in front of a long one', [`Why did this fail? https://example.com/${'a'.repeat(80)}`], `Why did this fail? https://example.com/${'a'.repeat(41)} …`],
  ['what there is, where there is nothing else', ['<environment_context>'], '<environment_context>'],
]) {
  test(`the title is ${what}`, async (t) => {
    const log = await read(t, 'a.json', JSON.stringify([{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }, { role: 'assistant', content: 'Done.' }]));
    assert.equal(log.title, title);
  });
}

test('Claude Code: the file of a subagent is a session of its own', async (t) => {
  const side = { isSidechain: true, agentId: 'agent-7' };
  const log = await read(t, 'agent.jsonl', lines(claude('user', { content: 'Look.' }, side), claude('assistant', { id: 'm', content: [{ type: 'text', text: 'Seen.' }] }, side)));
  assert.deepEqual([log.id, ...outline(log)], ['agent-7', 'user text', 'assistant text']);
});

test('Codex: items become messages, and what it says before the user does is system prompt', async (t) => {
  const item = (payload) => ({ timestamp: '2026-01-01T00:00:00Z', type: 'response_item', payload });
  const message = (role, text) => item({ type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] });
  const log = await read(
    t,
    'rollout.jsonl',
    lines(
      { type: 'session_meta', payload: { id: 'rollout-1', cwd: '/', base_instructions: { text: 'You are a coding agent.' } } },
      message('developer', 'Sandbox: read only.'),
      message('user', 'List files.'),
      item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'I look.' }], encrypted_content: 'x' }),
      item({ type: 'reasoning', summary: [], encrypted_content: 'x' }),
      item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' }),
      item({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch', call_id: 'c2' }),
      item({ type: 'function_call_output', call_id: 'c1', output: 'a.txt' }),
      item({ type: 'custom_tool_call_output', call_id: 'c2', output: { content: 'refused', success: false } }),
      message('developer', 'Sandbox: open.'),
      message('developer', 'Sandbox: read only.'),
      item({ type: 'local_shell_call', call_id: 'c3', action: { type: 'exec', command: ['pwd'] } }),
      item({ type: 'function_call_output', call_id: 'c3', output: [{ type: 'input_text', text: '/' }, { type: 'input_image', image_url: 'data:image/jpeg;base64,AA==' }] }),
      item({ type: 'function_call', name: 'shell', arguments: '{"command', call_id: 'c4' }),
      item({ type: 'function_call_output', call_id: 'c4', output: 'broken' }),
      item({ type: 'web_search_call', status: 'completed' }),
      item({ type: 'function_call_output', call_id: 'c1', output: 'twice' }),
      { type: 'compacted', payload: { message: 'summary' } },
      message('assistant', 'a.txt'),
      item({ type: 'function_call', name: 'shell', arguments: '', call_id: 'c5' }),
    ),
  );
  assert.deepEqual([log.id, log.system], ['rollout-1', 'You are a coding agent.\n\nSandbox: read only.']);
  assert.deepEqual(outline(log), [
    'user text',
    'assistant reasoning,tool-call c1,tool-call c2',
    'tool tool-result c1,tool-result c2',
    'system text',
    'system text',
    'assistant tool-call c3',
    'tool tool-result c3',
    'assistant tool-call c4',
    'tool tool-result c4',
    'assistant text,tool-call c5',
    'tool tool-result c5',
  ]);
  const [, { content: calls }, { content: results }] = log.messages;
  assert.deepEqual([calls[1].input, calls[2].input, results[1].output], [{ command: ['ls'] }, { input: '*** Begin Patch' }, { type: 'error-text', value: 'refused' }]);
  assert.deepEqual(log.messages[6].content[0].output, { type: 'content', value: [{ type: 'text', text: '/' }, { type: 'image-data', mediaType: 'image/jpeg', data: 'AA==' }] });
  assert.deepEqual([log.messages[7].content[0].input, log.messages[9].content[1].input], [{ arguments: '{"command' }, {}]);
  assert.deepEqual(log.notes, ['1 × item `web_search_call`', '1 × compaction of Codex, whose messages are there in full', '1 × call without a result', '1 × result without a call']);
});

test('Gemini CLI: a line that repeats a reply adds what it has gained since', async (t) => {
  const reply = { id: 'g1', type: 'gemini', model: 'gemini-2.5-pro', content: 'I look.' };
  const call = { id: 'c1', name: 'ls', args: { path: '/' } };
  const log = await read(
    t,
    'chat.jsonl',
    lines(
      { sessionId: 'chat-1', projectHash: 'abc' },
      { id: 'u1', type: 'user', content: 'List files.' },
      reply,
      { ...reply, toolCalls: [call] },
      { ...reply, toolCalls: [{ ...call, status: 'success', result: [{ functionResponse: { response: { output: 'a.txt' } } }] }] },
      { id: 'g2', type: 'gemini', model: 'gemini-2.5-pro', content: 'a.txt' },
    ),
  );
  assert.deepEqual([log.id, log.notes, ...outline(log)], ['chat-1', [], 'user text', 'assistant text,tool-call c1', 'tool tool-result c1', 'assistant text']);
});
