// The importers of the replay bench on small samples in the documented shapes, with odd lines among them.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { validateMessages } from 'stepfold';
import { findFiles, importFile } from '../../bench/replay/import/index.mjs';

const folder = mkdtempSync(join(tmpdir(), 'replay-import-'));
after(() => rmSync(folder, { recursive: true }));

async function imported(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return importFile(path);
}
const lines = (...records) => records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n');

/** A recording may end with an answer; nothing else is wrong with it. */
function assertValid({ messages }) {
  assert.deepEqual(validateMessages(messages).filter(({ rule }) => rule !== 'ends-with-assistant'), []);
}

const CONVERSATION = [
  { role: 'user', content: 'Read a.txt.' },
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'read', input: { path: 'a.txt' } }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'read', output: { type: 'text', value: 'hello' } }] },
  { role: 'assistant', content: [{ type: 'text', text: 'It says hello.' }] },
];

test('model messages are taken as they are, plain, zipped, with a system prompt, as a list or as lines', async () => {
  for (const [name, content, id, system] of [
    ['plain.json', JSON.stringify(CONVERSATION), 'plain'],
    ['zipped.json.gz', gzipSync(JSON.stringify({ id: 'own-id', system: 'Be brief.', messages: CONVERSATION })), 'own-id', 'Be brief.'],
    ['lines.jsonl', lines(...CONVERSATION), 'lines'],
  ]) {
    const { transcript, notes } = await imported(name, content);
    assert.deepEqual(transcript, { id, ...(system ? { system } : {}), messages: CONVERSATION });
    assert.deepEqual(notes, []);
  }
});

test('model messages that are none are left out and noted', async () => {
  const odd = [null, { role: 'bot', content: 'x' }, { role: 'user', content: 7 }, { role: 'assistant', content: [{ type: 'text' }, { type: 'tool-call' }, { type: 'text', text: 'kept' }] }, { role: 'tool', content: [{ type: 'tool-result', toolCallId: '9', result: 'version 4' }] }];
  const { transcript, notes } = await imported('odd.json', JSON.stringify([...CONVERSATION, ...odd]));
  assert.deepEqual(transcript.messages, [...CONVERSATION, { role: 'assistant', content: [{ type: 'text', text: 'kept' }] }]);
  assert.deepEqual(notes, ['a message has no role of the AI SDK (2 times)', 'the content of a message is no text or list of parts', 'a part is none of the AI SDK (3 times)']);
});

test('UI messages go through the conversion of the SDK', async () => {
  const messages = [
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Read a.txt.' }] },
    {
      id: 'm2',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'tool-read', toolCallId: '1', state: 'output-available', input: { path: 'a.txt' }, output: 'hello' },
        { type: 'tool-read', toolCallId: '2', state: 'input-streaming', input: { path: 'b' } },
        { type: 'step-start' },
        { type: 'text', text: 'It says hello.', state: 'done' },
      ],
    },
  ];
  const { transcript, notes } = await imported('chat.json', JSON.stringify({ id: 'chat-1', messages: [...messages, { id: 'm3', role: 'user', content: 'old shape' }, { id: 'm4', role: 'robot', parts: [] }] }));
  assert.equal(transcript.id, 'chat-1');
  assert.deepEqual(transcript.messages.map(({ role }) => role), ['user', 'assistant', 'tool', 'assistant']);
  assert.deepEqual(transcript.messages[2].content[0].output, { type: 'text', value: 'hello' });
  assert.equal(notes[0], 'a UI message has no parts');
  assert.match(notes[1], /^a UI message is refused by the SDK: /);
  assertValid(transcript);
});

let records = 0;
const claude = (type, message, more = {}) => ({ type, uuid: `record-${(records += 1)}`, sessionId: 'session-1', isSidechain: false, message, ...more });

test('Claude Code sessions: blocks of one answer are joined, results go behind their call', async () => {
  const use = (id, name, input) => ({ type: 'tool_use', id, name, input });
  const result = (id, content, more) => claude('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] });
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
  const again = claude('user', { role: 'user', content: 'Read both files.' });
  const { transcript, notes } = await imported(
    'claude.jsonl',
    lines(
      { type: 'summary', summary: 'Reading files', leafUuid: 'x' },
      { type: 'file-history-snapshot', messageId: 'x', snapshot: {} },
      again,
      '{"type":"user","mess',
      '7',
      claude('assistant', { id: 'msg_1', role: 'assistant', content: [{ type: 'thinking', thinking: 'Both at once.', signature: 's' }] }),
      claude('assistant', { id: 'msg_1', role: 'assistant', content: [use('t1', 'Read', { file_path: 'a.txt' })] }),
      result('t1', 'hello'),
      claude('assistant', { id: 'msg_1', role: 'assistant', content: [use('t2', 'Read', { file_path: 'b.png' })] }),
      result('t2', [{ type: 'text', text: 'an image' }, image]),
      again,
      claude('user', { role: 'user', content: 'The subagent says.' }, { isSidechain: true }),
      claude('user', { role: 'user', content: 'This session is being continued.' }, { isCompactSummary: true }),
      claude('assistant', { id: 'msg_2', role: 'assistant', content: [{ type: 'text', text: 'Now c.' }, use('t3', 'Read', { file_path: 'c.txt' })] }),
      result('t3', 'File not found', { is_error: true }),
      result('t9', 'of no call'),
      claude('assistant', { id: 'msg_3', role: 'assistant', content: [use('t4', 'Bash', { command: 'ls' })] }),
      claude('user', { role: 'user', content: [{ type: 'text', text: 'Stop, that is enough.' }, image, { type: 'strange' }] }),
      { type: 'user', uuid: 'no-message' },
      { type: 'novelty' },
      claude('assistant', { id: 'msg_4', role: 'assistant', content: [{ type: 'text', text: 'Stopped.' }] }),
    ),
  );
  assert.equal(transcript.id, 'session-1');
  assert.deepEqual(transcript.messages.map(({ role, content }) => `${role} ${content.map(({ type }) => type).join()}`), [
    'user text',
    'assistant reasoning,tool-call,tool-call',
    'tool tool-result,tool-result',
    'assistant text,tool-call',
    'tool tool-result',
    'assistant tool-call',
    'tool tool-result',
    'user text,file',
    'assistant text',
  ]);
  assert.deepEqual(transcript.messages[2].content[1].output, { type: 'content', value: [{ type: 'text', text: 'an image' }, { type: 'image-data', mediaType: 'image/png', data: 'iVBORw0KGgo=' }] });
  assert.deepEqual(transcript.messages[4].content[0].output, { type: 'error-text', value: 'File not found' });
  assert.deepEqual(transcript.messages[6].content[0].output, { type: 'error-text', value: '[No result was recorded.]' });
  assertValid(transcript);
  assert.deepEqual(notes, [
    'a line is no JSON',
    'a line is no JSON object',
    'a message belongs to a subagent',
    'a summary stands for messages that are there',
    'a result has no call',
    'a block of type strange is unknown',
    'a message has no content',
    'a record of type novelty is no message',
    'a call has no result',
  ]);
});

test('Codex rollouts: items of the Responses API become messages', async () => {
  const item = (payload) => ({ timestamp: '2026-01-01T00:00:00Z', type: 'response_item', payload });
  const message = (role, text) => item({ type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] });
  const { transcript, notes } = await imported(
    'rollout.jsonl',
    lines(
      { type: 'session_meta', payload: { id: 'rollout-1', cwd: '/', base_instructions: { text: 'You are a coding agent.' } } },
      { type: 'turn_context', payload: { model: 'gpt' } },
      message('developer', 'Sandbox: read only.'),
      message('user', 'List files.'),
      { type: 'event_msg', payload: { type: 'token_count' } },
      item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'I look.' }], encrypted_content: 'x' }),
      item({ type: 'reasoning', summary: [], encrypted_content: 'x' }),
      item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' }),
      item({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch', call_id: 'c2' }),
      item({ type: 'function_call_output', call_id: 'c1', output: 'a.txt' }),
      item({ type: 'custom_tool_call_output', call_id: 'c2', output: { content: 'refused', success: false } }),
      item({ type: 'local_shell_call', call_id: 'c3', action: { type: 'exec', command: ['pwd'] } }),
      item({ type: 'function_call_output', call_id: 'c3', output: [{ type: 'input_text', text: '/' }, { type: 'input_image', image_url: 'data:image/png;base64,AA==' }] }),
      item({ type: 'function_call', name: 'shell', arguments: '{"command', call_id: 'c4' }),
      item({ type: 'function_call_output', call_id: 'c4', output: 'broken' }),
      'not json',
      item({ type: 'web_search_call', status: 'completed' }),
      item({ type: 'function_call_output', call_id: 'c1', output: 'twice' }),
      { type: 'compacted', payload: { message: 'summary' } },
      message('assistant', 'a.txt'),
      item({ type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c5' }),
    ),
  );
  assert.equal(transcript.id, 'rollout-1');
  assert.equal(transcript.system, 'You are a coding agent.\n\nSandbox: read only.');
  assert.deepEqual(transcript.messages.map(({ role, content }) => `${role} ${content.map(({ type }) => type).join()}`), [
    'user text',
    'assistant reasoning,tool-call,tool-call',
    'tool tool-result,tool-result',
    'assistant tool-call',
    'tool tool-result',
    'assistant tool-call',
    'tool tool-result',
  ]);
  assert.deepEqual(transcript.messages[1].content[1].input, { command: ['ls'] });
  assert.deepEqual(transcript.messages[2].content[1].output, { type: 'error-text', value: 'refused' });
  assert.deepEqual(transcript.messages[5].content[0].input, { arguments: '{"command' });
  assertValid(transcript);
  assert.deepEqual(notes, ['a line is no JSON', 'an item of type web_search_call is left out', 'a call has two results', 'a compaction stands for messages that are there']);
});

test('the first rollouts of Codex hold items without an envelope', async () => {
  const { transcript, notes } = await imported(
    'old.jsonl',
    lines(
      { id: 'old-1', timestamp: '2025-06-01T00:00:00Z', instructions: 'Be careful.', git: {} },
      { record_type: 'state' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List files.' }] },
      { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1', output: 'a.txt' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a.txt' }] },
    ),
  );
  assert.deepEqual([transcript.id, transcript.system, transcript.messages.length], ['old-1', 'Be careful.', 4]);
  assert.deepEqual(notes, []);
});

test('files that hold no conversation are noted and give none', async () => {
  for (const [name, content, note] of [
    ['broken.json', '{"messages": [', /^it cannot be read: /],
    ['number.json', '7', /^expected a list of messages, or `\{ id, system\?, messages \}`$/],
    ['nobody.json', JSON.stringify([{ role: 'user', content: 'Hello?' }]), /^it has no step to replay$/],
    ['other.jsonl', lines({ level: 'info', text: 'started' }), /^its lines are neither Claude Code nor Codex nor messages$/],
    ['torn.json.gz', 'no gzip', /^it cannot be read: /],
  ]) {
    const { transcript, notes } = await imported(name, content);
    assert.equal(transcript, undefined, name);
    assert.match(notes[0], note);
  }
});

test('folders are searched at any depth, largest file first; a path that is not there is named', () => {
  const root = join(folder, 'tree');
  mkdirSync(join(root, '2026/01'), { recursive: true });
  writeFileSync(join(root, '2026/01/rollout.jsonl'), 'x'.repeat(10));
  writeFileSync(join(root, 'large.json'), 'x'.repeat(20));
  writeFileSync(join(root, 'notes.md'), 'x');
  assert.deepEqual(findFiles([root]), [join(root, 'large.json'), join(root, '2026/01/rollout.jsonl')]);
  assert.throws(() => findFiles([join(root, 'gone')]), /gone: expected a folder or a file of recorded conversations, and there is none/);
});
