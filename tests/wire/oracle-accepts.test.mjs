// The oracle stays silent on conversations which a provider accepts, with every part each major knows.
// A row is a conversation as the SDK and the provider made it; edits of such conversations are in `oracle.test.mjs`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  approvalRequest, approvalResponse, assistant, call, effort, googleServer, inner, item, json, openaiEnd, openaiInner, openaiProgram, PNG,
  program, reasoning, redacted, result, serverCall, signed, system, text, thought, tool, user,
} from './build.mjs';
import { generateConversation, PROVIDERS } from './generate.mjs';
import { checkRequest } from './oracle.mjs';
import { ENDPOINTS, MAJORS, send } from './send.mjs';

const content = (...value) => ({ type: 'content', value });
const bytes = Uint8Array.from(Buffer.from(PNG, 'base64'));

const ask = user('Fix the bug.');
const found = tool(result('c1', 'grep', 'found'));
const one = (output) => [ask, assistant(call('c1', 'grep')), tool(result('c1', 'grep', output))];

const signedStep = (id, ...parts) => assistant(reasoning('Let me see.', signed(`signature_${id}`)), ...parts);
const rs = (id, summary = '') => reasoning(summary, item(`rs_${id}`, { reasoningEncryptedContent: `encrypted_${id}` }));
const fc = (id) => call(`c${id}`, 'grep', {}, item(`fc_${id}`));

const hit = { type: 'web_search_result', url: 'https://example.com', title: 'x', pageAge: null, encryptedContent: 'x' };
const page = {
  type: 'web_fetch_result',
  url: 'https://example.com',
  retrievedAt: null,
  content: { type: 'document', title: 'x', source: { type: 'text', mediaType: 'text/plain', data: 'x' } },
};
const printed = { type: 'code_execution_result', stdout: 'x', stderr: '', return_code: 0, content: [] };

const mcp = { anthropic: { type: 'mcp-tool-use', serverName: 'wiki' } };
const remoteCall = serverCall('d1', 'mcp.lookup', {});
const remoteApproval = tool({ ...approvalResponse('mcpr_1', true), providerExecuted: true });
const remoteResult = result('d1', 'mcp.lookup', json({ type: 'call' }), item('mcp_1'));

const gated = assistant(call('c1', 'bash', { command: 'rm' }), approvalRequest('a1', 'c1'));
const openaiCompaction = {
  type: 'custom',
  kind: 'openai.compaction',
  providerOptions: { openai: { itemId: 'cmp_1', encryptedContent: 'x' } },
};
const compaction = (more = {}) => text('All before.', { anthropic: { type: 'compaction', ...more } });

const ANTHROPIC = ['anthropic'];
const OPENAI = ['openai-responses', 'openai-stateless'];
const GOOGLE = ['google'];

/** Without `majors` in all of them, without `endpoints` at all of them. */
const CONVERSATIONS = [
  { name: 'a question', messages: [ask] },
  { name: 'a system message and a question', messages: [system('Be brief.'), ask] },
  { name: 'several user messages', messages: [ask, user('And the other one.'), user(text('Both.'), text('Now.'))] },
  { name: 'a string answer', messages: [ask, { role: 'assistant', content: 'Which?' }, user('The first.')] },
  { name: 'two assistant messages in a row', messages: [ask, assistant('One.'), assistant('Two.'), ask] },
  { name: 'a tool step', messages: one('found') },
  { name: 'tool steps and an answer', messages: [...one('found'), assistant(call('c2', 'grep')), tool(result('c2', 'grep', '')), assistant('Done.'), ask] },
  { name: 'text before a call', messages: [ask, assistant('I will look.', call('c1', 'grep')), found] },
  { name: 'parallel calls answered out of order',
    messages: [ask, assistant(call('c1', 'grep'), call('c2', 'read')), tool(result('c2', 'read', 'b'), ...found.content)] },
  { name: 'parallel calls answered in two messages', majors: [6, 7],
    messages: [ask, assistant(call('c1', 'grep'), call('c2', 'read')), found, tool(result('c2', 'read', 'b'))] },
  { name: 'words of the user after a result', messages: [...one('found'), user('Faster.')] },

  { name: 'a JSON output', messages: one(json({ lines: ['x'], total: null })) },
  { name: 'an error output', messages: one({ type: 'error-text', value: 'ENOENT' }) },
  { name: 'a JSON error output', messages: one({ type: 'error-json', value: { code: 1 } }) },
  { name: 'a content output with text', messages: one(content({ type: 'text', text: 'a' }, { type: 'text', text: 'b' })) },
  { name: 'a content output with media', majors: [5], messages: one(content({ type: 'media', data: PNG, mediaType: 'image/png' })) },
  { name: 'a content output with media', majors: [6], messages: one(content({ type: 'image-data', data: PNG, mediaType: 'image/png' }, { type: 'text', text: 'a' })) },
  { name: 'a content output with media', majors: [7], messages: one(content({ type: 'file', data: { type: 'data', data: bytes }, mediaType: 'image/png' })) },
  { name: 'a date inside a JSON output', majors: [5, 6], via: 'prepareStep', messages: one(json({ at: new Date(0) })) },

  { name: 'an approved call', majors: [6, 7], messages: [ask, gated, tool(approvalResponse('a1', true)), tool(result('c1', 'bash', 'ok'))] },
  { name: 'a denied call', majors: [6, 7],
    messages: [ask, gated, tool(approvalResponse('a1', false, 'no'), result('c1', 'bash', { type: 'execution-denied', reason: 'no' }))] },
  { name: 'a denied call without a reason', majors: [6, 7],
    messages: [ask, gated, tool(approvalResponse('a1', false)), tool(result('c1', 'bash', { type: 'execution-denied' }))] },

  { name: 'an image as base64', messages: [user(text('See.'), { type: 'image', image: PNG })] },
  { name: 'an image as bytes', messages: [user(text('See.'), { type: 'image', image: bytes, mediaType: 'image/png' })] },
  { name: 'an image behind a URL', messages: [user(text('See.'), { type: 'image', image: new URL('https://example.com/a.png') })] },
  { name: 'an image behind a string URL', messages: [user(text('See.'), { type: 'image', image: 'https://example.com/a.png' })] },
  { name: 'a PDF file', messages: [user(text('See.'), { type: 'file', data: bytes, mediaType: 'application/pdf', filename: 'a.pdf' })] },
  { name: 'a tagged file', majors: [7], messages: [user(text('See.'), { type: 'file', data: { type: 'data', data: bytes }, mediaType: 'image/png' })] },
  { name: 'a custom part of somebody else', majors: [7], messages: [ask, assistant({ type: 'custom', kind: 'acme.note', providerOptions: {} }, 'Done.'), ask] },

  { name: 'signed thinking before each call', thinking: true,
    messages: [ask, signedStep(1, call('c1', 'grep')), found, signedStep(2, call('c2', 'grep')), tool(result('c2', 'grep', 'x'))] },
  { name: 'signed thinking before the first call only', thinking: true,
    messages: [ask, signedStep(1, call('c1', 'grep')), found, assistant(call('c2', 'grep')), tool(result('c2', 'grep', 'x'))] },
  { name: 'redacted thinking', thinking: true, messages: [ask, assistant(reasoning('', redacted('r1')), call('c1', 'grep')), found] },
  { name: 'thinking in the current turn only', thinking: true, messages: [ask, assistant('Done.'), ask, signedStep(1, call('c1', 'grep')), found] },
  { name: 'a search of Anthropic', endpoints: ANTHROPIC,
    messages: [ask, assistant(serverCall('srv_1', 'web_search', { query: 'x' }), result('srv_1', 'web_search', json([hit])), 'Found.'), ask] },
  { name: 'a search of Anthropic which found nothing', endpoints: ANTHROPIC,
    messages: [ask, assistant(serverCall('srv_1', 'web_search', { query: 'x' }), result('srv_1', 'web_search', json([])), 'Sorry.'), ask] },
  { name: 'a fetch of Anthropic', endpoints: ANTHROPIC,
    messages: [ask, assistant(serverCall('srv_1', 'web_fetch', { url: 'https://example.com' }), result('srv_1', 'web_fetch', json(page)), 'Read.'), ask] },
  { name: 'a search of Anthropic before a client call', endpoints: ANTHROPIC,
    messages: [ask, assistant(serverCall('srv_1', 'web_search', { query: 'x' }), result('srv_1', 'web_search', json([])), call('c1', 'grep')), found] },
  { name: 'a program of Anthropic which waits for its call', majors: [6, 7], endpoints: ANTHROPIC, messages: [ask, assistant(program, inner), found] },
  { name: 'a program of Anthropic which has openaiEnd', majors: [6, 7], endpoints: ANTHROPIC,
    messages: [ask, assistant(program, inner), found, assistant(result('srv_1', 'code_execution', json(printed)), 'Done.'), ask] },
  { name: 'a remote call of Anthropic', majors: [6, 7], endpoints: ANTHROPIC,
    messages: [ask, assistant(serverCall('mcp_1', 'lookup', {}, mcp), result('mcp_1', 'lookup', json([]), mcp), 'Found.'), ask] },
  { name: 'a reminder inside the conversation', endpoints: ['anthropic', 'openai-responses', 'openai-stateless', 'openai-chat'],
    messages: [system('Be brief.'), ask, system('Now.'), assistant('Done.'), ask, system('Again.')] },
  { name: 'a compaction of Anthropic', endpoints: ANTHROPIC, messages: [ask, assistant(compaction(), 'Done.'), ask] },
  { name: 'a signed compaction of Anthropic', majors: [7], endpoints: ANTHROPIC, messages: [assistant(compaction({ signature: 's' })), ask] },

  { name: 'encrypted reasoning', messages: [ask, assistant(rs(1), fc(1)), found, assistant(rs(2, 'Summed up.'), text('Done.', item('msg_2'))), ask] },
  { name: 'reasoning in two parts', messages: [ask, assistant(rs(1, 'First.'), rs(1, 'Second.'), fc(1), fc(2)), tool(...found.content, result('c2', 'grep', 'x'))] },
  { name: 'the same answer twice', messages: [ask, assistant(rs(1), text('Done.', item('msg_1'))), ask, assistant(rs(2), text('Done.', item('msg_2'))), ask] },
  { name: 'item ids without reasoning', messages: [ask, assistant(text('Look.', item('msg_1')), fc(1)), found] },
  { name: 'a search of OpenAI', endpoints: OPENAI,
    messages: [ask, assistant(rs(1), serverCall('ws_1', 'web_search'), result('ws_1', 'web_search', json({ action: { type: 'search', query: 'x' } })), rs(2), text('Found.', item('msg_1'))), ask] },
  { name: 'a local shell call', endpoints: OPENAI,
    messages: [ask, assistant(call('c1', 'local_shell', { action: { type: 'exec', command: ['ls'], env: {} } }, item('lsh_1'))), tool(result('c1', 'local_shell', json({ output: 'x' })))] },
  { name: 'a shell call', majors: [6, 7], endpoints: OPENAI,
    messages: [ask, assistant(call('c1', 'shell', { action: { commands: ['ls'] } }, item('sh_1'))), tool(result('c1', 'shell', json({ output: [{ stdout: 'x', stderr: '', outcome: { type: 'exit', exitCode: 0 } }] })))] },
  { name: 'a patch', majors: [6, 7], endpoints: OPENAI,
    messages: [ask, assistant(call('c1', 'apply_patch', { callId: 'c1', operation: { type: 'delete_file', path: 'a' } }, item('apc_1'))), tool(result('c1', 'apply_patch', json({ status: 'completed' })))] },
  { name: 'a program of OpenAI which has openaiEnd', majors: [7], endpoints: OPENAI,
    messages: [ask, assistant(openaiProgram, openaiInner), found, assistant(openaiEnd, 'Done.'), ask] },
  { name: 'a program of OpenAI which waits for its call', majors: [7], endpoints: OPENAI, messages: [ask, assistant(openaiProgram, openaiInner), found] },
  { name: 'a remote call of OpenAI which the user approved', majors: [6, 7], endpoints: ['openai-responses'],
    messages: [ask, assistant(remoteCall, approvalRequest('mcpr_1', 'd1')), remoteApproval, assistant(remoteCall, remoteResult), ask] },
  { name: 'changes of the effort', endpoints: OPENAI, messages: [effort, ask, assistant('Done.'), effort, ask] },
  { name: 'a compaction of OpenAI', majors: [7], endpoints: OPENAI, messages: [ask, assistant(openaiCompaction, text('Done.', item('msg_1'))), ask] },

  { name: 'thought signatures',
    messages: [ask, assistant(reasoning('Hm.'), call('c1', 'grep', {}, thought('t1')), call('c2', 'grep')), tool(...found.content, result('c2', 'grep', 'x'))] },
  { name: 'a server tool of Gemini', majors: [6, 7], endpoints: GOOGLE,
    messages: [ask, assistant(serverCall('srv_1', 'server:GOOGLE_SEARCH_WEB', {}, googleServer), result('srv_1', 'server:GOOGLE_SEARCH_WEB', json({}), googleServer), 'Found.'), ask] },
  { name: 'code run by Gemini', majors: [7], endpoints: GOOGLE,
    messages: [ask, assistant(serverCall('x1', 'code_execution', { language: 'PYTHON', code: 'f()' }), result('x1', 'code_execution', json({ outcome: 'OUTCOME_OK', output: 'x' })), 'Ran.'), ask] },
  { name: 'an image made by Gemini', endpoints: GOOGLE, messages: [ask, assistant('Here.', { type: 'file', data: PNG, mediaType: 'image/png' }), ask] },
];

for (const { name, messages, majors = MAJORS, endpoints = ENDPOINTS, thinking = false, via = 'messages' } of CONVERSATIONS) {
  for (const major of majors) {
    test(`${name} is accepted, v${major}`, async () => {
      for (const endpoint of endpoints) await accepts(messages, { major, endpoint, thinking, via });
    });
  }
}

const SEEDS = 4;

for (const major of MAJORS) {
  for (const provider of PROVIDERS) {
    test(`generated conversations of ${provider} are accepted at every point, v${major}`, async () => {
      for (let seed = 0; seed < SEEDS; seed++) {
        const compaction = provider !== 'none' && seed % 6 === 5;
        const { messages, steps, endpoints, thinking } = generateConversation({
          seed,
          major,
          provider,
          compaction,
          units: 8,
          textChars: 300,
        });
        for (const { end } of steps) {
          for (const endpoint of endpoints) await accepts(messages.slice(0, end), { major, endpoint, thinking, via: 'prepareStep' });
        }
      }
    });
  }
}

async function accepts(messages, { major, endpoint, thinking, via }) {
  const sent = await send(messages, { major, endpoint, thinking, via });
  assert.ok('body' in sent, `${endpoint} on v${major}: ${sent.error?.message}`);
  const violations = checkRequest({ endpoint, body: sent.body, history: messages });
  assert.deepEqual(violations, [], `${endpoint} on v${major}`);
}
