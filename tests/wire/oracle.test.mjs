// The oracle objects to every bad edit we know, per endpoint and major, on requests which the real SDK made.
// A row is an edit; what it says of the good conversations is in `oracle-accepts.test.mjs`.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import {
  assistant, call, effort, googleServer, inner, item, json, openaiEnd, openaiInner, openaiProgram, program, reasoning, result, serverCall,
  signed, system, text, thought, tool, user,
} from './build.mjs';
import { checkRequest } from './oracle.mjs';
import { ENDPOINTS, MAJORS, send } from './send.mjs';

const MISSING = 'AI_MissingToolResultsError';

const ask = user('Fix the bug.');
const step1 = [assistant(call('c1', 'grep')), tool(result('c1', 'grep', 'found'))];
const step2 = [assistant(call('c2', 'read'), call('c3', 'read')), tool(result('c2', 'read', 'a'), result('c3', 'read', 'b'))];
const checkpoint = user(text('Summary of what was done.'));

const think = (id, ...content) => assistant(reasoning('Let me see.', signed(`signature_${id}`)), ...content);
const thinking = [ask, think(1, call('c1', 'grep')), step1[1], assistant(call('c2', 'read')), tool(result('c2', 'read', 'a'))];

const rs = (id) => reasoning('', item(`rs_${id}`, { reasoningEncryptedContent: `encrypted_${id}` }));
const fc = (id) => call(`c${id}`, 'grep', {}, item(`fc_${id}`));
const out = (id) => tool(result(`c${id}`, 'grep', 'found'));
const reasoned = [ask, assistant(rs(1), fc(1)), out(1), assistant(rs(2), text('Done.', item('msg_2'))), user('And?')];

const search = (output) => [serverCall('srv_1', 'web_search', { query: 'x' }), result('srv_1', 'web_search', output)];
const searched = [ask, assistant(...search(json([])), 'Found.'), user('Go on.')];

const programmed = [ask, assistant(program, inner), step1[1]];

const compacted = (signature) => assistant(text('All before.', { anthropic: { type: 'compaction', signature } }), 'Continuing.');
const cmp = assistant({ type: 'custom', kind: 'openai.compaction', providerOptions: item('cmp_1', { encryptedContent: 'x' }) }, 'ok');

const openaiProgrammed = [ask, assistant(openaiProgram, openaiInner), out(1), assistant(openaiEnd, 'Done.'), ask];

const shell = (output) => [ask, assistant(call('c1', 'shell', { action: { commands: ['ls'] } }, item('sh_1'))), tool(result('c1', 'shell', output))];
const localShell = (output) => [
  ask,
  assistant(call('c1', 'local_shell', { action: { type: 'exec', command: ['ls'], env: {} } }, item('lsh_1'))),
  tool(result('c1', 'local_shell', output)),
];

/**
 * `sdk`: majors which refuse the messages themselves, with the error's name. Else the rules broken per API; an API which is not
 * named accepts. `responses` stands for both endpoints of OpenAI's Responses API.
 */
const EDITS = [
  // ai-sdk.md 3.2, row by row.
  { edit: 'a slice that starts at a tool message', messages: [step1[1], ...step2],
    anthropic: 'tool-result-orphan', responses: 'output-orphan', chat: 'result-orphan', google: 'response-place' },
  { edit: 'a slice that starts at an assistant message with calls', messages: [...step1, ...step2], anthropic: 'first-user', google: 'first-user call-place' },
  { edit: 'results dropped, calls kept', messages: [ask, step1[0], user('Go on.')],
    sdk: { 6: MISSING, 7: MISSING }, anthropic: 'tool-use-unanswered', responses: 'call-unanswered', chat: 'call-unanswered', google: 'response-count' },
  { edit: 'the newest results dropped', messages: [ask, ...step1, step2[0]],
    sdk: { 6: MISSING, 7: MISSING }, anthropic: 'tool-use-unanswered prefill', responses: 'call-unanswered', chat: 'call-unanswered', google: 'response-count last-user' },
  { edit: 'one of two parallel results dropped', messages: [ask, step2[0], tool(result('c2', 'read', 'a'))],
    sdk: { 6: MISSING, 7: MISSING }, anthropic: 'tool-use-unanswered', responses: 'call-unanswered', chat: 'call-unanswered', google: 'response-count' },
  { edit: 'a user message between a call and its result', messages: [ask, step1[0], user('Wait.'), step1[1]],
    sdk: { 6: MISSING, 7: MISSING }, anthropic: 'tool-result-late', chat: 'call-unanswered result-orphan', google: 'response-count response-place' },
  { edit: 'a duplicated result', messages: [ask, step1[0], tool(...step1[1].content, ...step1[1].content)],
    anthropic: 'tool-result-duplicate', responses: 'output-duplicate', chat: 'result-duplicate', google: 'response-count response-unknown' },
  { edit: 'a result repeated after another step', messages: [ask, ...step1, ...step2, step1[1]], majors: [5],
    anthropic: 'tool-result-orphan', responses: 'output-duplicate', chat: 'result-orphan', google: 'response-place' },
  { edit: 'a text placeholder for a client result', messages: [ask, step1[0], tool(result('c1', 'grep', '[cleared]')), ...step2] },
  { edit: 'an empty placeholder for a client result', messages: [ask, step1[0], tool(result('c1', 'grep', '')), ...step2] },
  { edit: 'a user checkpoint before the last complete step', messages: [checkpoint, ...step2] },
  { edit: 'a user checkpoint beside another user message', messages: [checkpoint, ask, ...step2] },
  { edit: 'an assistant checkpoint before a kept call', messages: [ask, assistant('Summary.'), ...step2], google: 'call-place' },
  { edit: 'an assistant checkpoint before a thinking step', messages: [ask, assistant('Summary.'), think(1, call('c1', 'grep')), step1[1]], thinking: true,
    anthropic: 'thinking-lead', google: 'call-place' },
  { edit: 'an empty user text', messages: [user(''), ...step1], anthropic: 'text-blank', google: 'part-empty' },
  { edit: 'a blank user text', messages: [user('  '), ...step1], anthropic: 'text-blank' },
  { edit: 'a user message without parts', messages: [user(), ...step1],
    anthropic: 'message-empty', responses: 'content-empty', chat: 'content-empty', google: 'parts-empty' },
  { edit: 'an empty assistant text', messages: [ask, { role: 'assistant', content: '' }, user('Go on.')], majors: [5, 6],
    anthropic: 'text-blank', google: 'parts-empty' },
  { edit: 'an empty assistant text', messages: [ask, { role: 'assistant', content: '' }, user('Go on.')], majors: [7], google: 'parts-empty' },
  { edit: 'an assistant message without parts', messages: [ask, assistant(), user('Go on.')], majors: [5, 6], anthropic: 'message-empty', google: 'parts-empty' },
  { edit: 'an assistant message without parts', messages: [ask, assistant(), user('Go on.')], majors: [7], google: 'parts-empty' },
  { edit: 'an assistant message at the end', messages: [ask, assistant('Sure.')], anthropic: 'prefill', google: 'last-user' },
  { edit: 'no message at all', messages: [], via: 'prepareStep',
    anthropic: 'messages-empty', responses: 'input-empty', chat: 'messages-empty', google: 'contents-empty' },

  // ai-sdk.md 3.3: Anthropic.
  { edit: 'a text placeholder for a result of Anthropic', messages: [ask, assistant(...search({ type: 'text', value: '[cleared]' }), 'Found.'), user('Go on.')], only: 'anthropic',
    anthropic: 'server-tool-unanswered' },
  { edit: 'JSON of another shape for a result of Anthropic', messages: [ask, assistant(...search(json({ cleared: true })), 'Found.'), user('Go on.')], only: 'anthropic',
    sdk: { 5: 'AI_TypeValidationError', 6: 'AI_TypeValidationError', 7: 'AI_TypeValidationError' } },
  { edit: 'a call of Anthropic dropped, its result kept', messages: [ask, assistant(search(json([]))[1], 'Found.'), user('Go on.')], only: 'anthropic',
    anthropic: 'server-result-orphan' },
  { edit: 'an exchange of Anthropic repeated', messages: [...searched, ...searched], only: 'anthropic', anthropic: 'server-tool-duplicate server-result-duplicate' },
  { edit: 'a program dropped, its inner call kept', messages: [ask, assistant(inner), step1[1]], majors: [6, 7], only: 'anthropic', anthropic: 'caller-unknown' },
  { edit: 'a user message in the middle of a program', messages: [...programmed, user('Hurry.')], majors: [6, 7], only: 'anthropic',
    anthropic: 'server-tool-unanswered' },
  { edit: 'a client input replaced by a string', messages: [ask, assistant(call('c1', 'grep', '[cleared]')), step1[1]], majors: [5, 6], only: 'anthropic',
    anthropic: 'input-not-object' },
  { edit: 'a client input replaced by a string', messages: [ask, assistant(call('c1', 'grep', '[cleared]')), step1[1]], majors: [7], only: 'anthropic' },
  { edit: 'an error result emptied', messages: [ask, step1[0], tool(result('c1', 'grep', { type: 'error-text', value: '' }))], only: 'anthropic',
    anthropic: 'error-empty' },
  { edit: 'a content result emptied', messages: [ask, step1[0], tool(result('c1', 'grep', { type: 'content', value: [{ type: 'text', text: '' }] }))], only: 'anthropic',
    anthropic: 'text-blank' },
  { edit: 'thinking dropped from the current loop', messages: [ask, assistant(...thinking[1].content.slice(1)), ...thinking.slice(2)], history: thinking, thinking: true, only: 'anthropic',
    anthropic: 'thinking-lead thinking-removed' },
  { edit: 'a checkpoint inside a loop which thought at its beginning', messages: [checkpoint, ...thinking.slice(3)], history: thinking, thinking: true, only: 'anthropic',
    anthropic: 'thinking-lead' },
  { edit: 'a system message left at the beginning of a turn', messages: [system('Be brief.'), ask, assistant('Done.'), system('Now.'), ask], only: 'anthropic',
    anthropic: 'system-place' },
  { edit: 'a thinking text changed', messages: [ask, assistant(reasoning('Let me…', signed('signature_1')), call('c1', 'grep')), step1[1]], history: thinking, thinking: true, only: 'anthropic',
    anthropic: 'thinking-modified' },
  { edit: 'a call dropped after its thinking', messages: [ask, think(1), user('Go on.')], history: thinking, only: 'anthropic', anthropic: 'thinking-last' },
  { edit: 'a checkpoint before a signed compaction', messages: [checkpoint, compacted('s'), ask], history: [compacted('s'), ask], majors: [7], only: 'anthropic',
    anthropic: 'compaction-first' },
  { edit: 'two signed compactions', messages: [compacted('s'), compacted('s'), ask], history: [compacted('s'), ask], majors: [7], only: 'anthropic',
    anthropic: 'compaction-first' },
  { edit: 'a compaction edited', messages: [ask, assistant(text('Less.', compacted('s').content[0].providerOptions)), ask], history: [compacted(undefined)], majors: [5, 6], only: 'anthropic',
    anthropic: 'compaction-modified compaction-lost' },
  { edit: 'a compaction folded', messages: [checkpoint, ask], history: [ask, compacted(undefined), ask], only: 'anthropic', anthropic: 'compaction-lost' },

  // ai-sdk.md 3.3: OpenAI Responses.
  { edit: 'a text placeholder for a result of OpenAI', messages: [ask, assistant(serverCall('ws_1', 'web_search'), result('ws_1', 'web_search', '[cleared]'), 'Found.'), user('Go on.')], only: 'responses' },
  { edit: 'an input cut, the id of its item kept', messages: reasoned.with(1, assistant(rs(1), call('c1', 'grep', { cut: true }, item('fc_1')))), history: reasoned, majors: [5], endpoints: ['openai-responses'],
    responses: 'reference-stale' },
  { edit: 'an input cut, the id of its item taken away', messages: reasoned.with(1, assistant(rs(1), call('c1', 'grep', { cut: true }))), history: reasoned, only: 'responses' },
  { edit: 'a text placeholder for a shell result', messages: shell('[cleared]'), history: shell('x'), majors: [6, 7], only: 'responses', responses: 'output-kind' },
  { edit: 'a text placeholder for a local shell result', messages: localShell('[cleared]'), history: localShell('x'), only: 'responses', responses: 'output-kind' },
  { edit: 'reasoning kept, its call folded', messages: [ask, assistant(rs(1)), ...reasoned.slice(3)], history: reasoned, only: 'responses',
    responses: 'reasoning-alone' },
  { edit: 'reasoning kept, its answer folded', messages: [ask, assistant(rs(1), fc(1)), out(1), assistant(rs(2)), user('And?')], history: reasoned, only: 'responses',
    responses: 'reasoning-alone' },
  { edit: 'reasoning dropped, its items kept', messages: [ask, assistant(fc(1)), out(1), assistant(text('Done.', item('msg_2'))), user('And?')], history: reasoned, majors: [5], only: 'responses',
    responses: 'reasoning-missing' },
  { edit: 'reasoning dropped, its items kept', messages: [ask, assistant(fc(1)), out(1), assistant(text('Done.', item('msg_2'))), user('And?')], history: reasoned, majors: [6, 7], only: 'responses' },
  { edit: 'a turn repeated', messages: [...reasoned, ...reasoned], history: reasoned, only: 'responses', responses: 'item-duplicate call-duplicate output-duplicate' },
  { edit: 'an invented item id', messages: [ask, assistant(rs(9), text('Done.', item('msg_9'))), user('And?')], history: reasoned, endpoints: ['openai-responses'],
    responses: 'reference-unknown' },
  { edit: 'a compaction item folded', messages: [checkpoint, ask], history: [ask, cmp, ask], majors: [7], only: 'responses', responses: 'compaction-lost' },

  { edit: 'an OpenAI program dropped, its inner call kept', messages: [ask, assistant(openaiInner), out(1)], history: openaiProgrammed, majors: [7], only: 'responses',
    responses: 'caller-unknown' },
  { edit: 'a user message in the middle of an OpenAI program', messages: [...openaiProgrammed.slice(0, 3), user('Hurry.')], history: openaiProgrammed, majors: [7], only: 'responses',
    responses: 'program-unanswered' },
  { edit: 'an OpenAI program dropped, its output kept', messages: [ask, openaiProgrammed[3], ask], history: openaiProgrammed, majors: [7], only: 'responses',
    responses: 'program-output-orphan' },
  { edit: 'all between two changes of the effort folded', messages: [ask, effort, effort, ask], only: 'responses',
    sdk: { 5: 'AI_UnsupportedFunctionalityError', 6: 'AI_UnsupportedFunctionalityError', 7: 'AI_UnsupportedFunctionalityError' } },

  // ai-sdk.md 3.3: Gemini, and what every API shares.
  { edit: 'a signature lost', messages: [ask, ...step1], history: [ask, assistant(call('c1', 'grep', {}, thought('t1'))), step1[1]], only: 'google',
    google: 'signature-changed' },
  { edit: 'a server response of Gemini dropped', messages: [ask, assistant(serverCall('srv_1', 'server:GOOGLE_SEARCH_WEB', {}, googleServer), 'Found.'), ask], majors: [6, 7], only: 'google',
    google: 'server-tool-unanswered' },
  { edit: 'a server call of Gemini dropped', messages: [ask, assistant(result('srv_1', 'server:GOOGLE_SEARCH_WEB', json({}), googleServer), 'Found.'), ask], majors: [6, 7], only: 'google',
    google: 'server-result-orphan' },
  { edit: 'a call id used twice', messages: [ask, ...step1, ...step1],
    anthropic: 'tool-use-duplicate', responses: 'call-duplicate output-duplicate', chat: 'call-duplicate' },
  { edit: 'text cut in the middle of a character', messages: [user('a 😀'.slice(0, 3)), ...step1],
    anthropic: 'json/lone-surrogate', responses: 'json/lone-surrogate', chat: 'json/lone-surrogate', google: 'json/lone-surrogate' },
];

/** Requests no major of the SDK makes from these messages today; the rules stand guard for the next one. */
const BODIES = [
  ['openai-responses/update-consecutive', { input: [{ type: 'configuration_update' }, { type: 'configuration_update' }] }],
  ['openai-responses/approval-orphan', { input: [{ type: 'mcp_approval_response', approval_request_id: 'mcpr_1' }] }],
  ['anthropic/tool-use-role', { messages: [{ role: 'user', content: [{ type: 'tool_use', id: 'c1', input: {} }] }] }],
  ['anthropic/tool-result-role', { messages: [{ role: 'assistant', content: [{ type: 'tool_result', tool_use_id: 'c1' }] }] }],
  ['anthropic/thinking-unsigned', { messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'x' }] }] }],
  ['anthropic/media-empty', { messages: [{ role: 'user', content: [{ type: 'image', source: { data: '' } }] }] }],
  ['anthropic/cache-control', { messages: [{ role: 'user', content: Array(5).fill({ type: 'text', text: 'x', cache_control: {} }) }] }],
  ['openai-responses/reference-stateless', { store: false, input: [{ type: 'item_reference', id: 'msg_1' }] }],
  ['openai-responses/id-missing', { input: [{ type: 'local_shell_call', call_id: 'c1', action: {} }] }],
  ['openai-responses/reasoning-plain', { input: [{ type: 'reasoning', summary: [] }] }],
  ['openai-responses/arguments', { input: [{ type: 'function_call', call_id: 'c1', arguments: {} }] }],
  ['openai-responses/output-missing', { input: [{ type: 'function_call_output', call_id: 'c1' }] }],
  ['openai-chat/arguments', { messages: [{ role: 'assistant', tool_calls: [{ id: 'c1', function: {} }] }] }],
  ['openai-chat/content-missing', { messages: [{ role: 'assistant', content: null }] }],
  ['google/response-missing', { contents: [{ role: 'user', parts: [{ functionResponse: { name: 'grep', response: {} } }] }] }],
];

const API_OF = {
  anthropic: 'anthropic',
  'openai-responses': 'responses',
  'openai-stateless': 'responses',
  'openai-chat': 'chat',
  google: 'google',
};
const PREFIX_OF = { anthropic: 'anthropic', responses: 'openai-responses', chat: 'openai-chat', google: 'google' };
const seen = new Set();

for (const row of EDITS) {
  const { edit, messages, history, thinking: thinks = false, via = 'messages', majors = MAJORS, only, sdk = {} } = row;
  const endpoints = row.endpoints ?? ENDPOINTS.filter((endpoint) => only === undefined || API_OF[endpoint] === only);
  for (const major of majors) {
    test(`${edit} is judged as each provider would, v${major}`, async () => {
      for (const endpoint of endpoints) {
        const sent = await send(messages, { major, endpoint, via, thinking: thinks });
        assert.equal('error' in sent ? sent.error.name : undefined, sdk[major], `${endpoint}: ${sent.error}`);
        if ('error' in sent) continue;
        const found = checkRequest({ endpoint, body: sent.body, history, messages });
        const api = API_OF[endpoint];
        const named = row[api]?.split(' ') ?? [];
        const expected = named.map((rule) => (rule.includes('/') ? rule : `${PREFIX_OF[api]}/${rule}`));
        const rules = [...new Set(found.map(({ rule }) => rule))];
        assert.deepEqual(rules.sort(), expected.sort(), `${endpoint}: ${JSON.stringify(found, null, 1)}`);
        rules.forEach((rule) => seen.add(rule));
      }
    });
  }
}

for (const [rule, body] of BODIES) {
  test(`${rule} is found in a body`, () => {
    const endpoint = rule.split('/')[0];
    const rules = checkRequest({ endpoint, body }).map((violation) => violation.rule);
    assert.ok(rules.includes(rule), rules.join());
    seen.add(rule);
  });
}

after(() => {
  const declared = Object.values(PREFIX_OF).flatMap((prefix) => {
    const source = readFileSync(new URL(`oracle-${prefix}.mjs`, import.meta.url), 'utf8');
    return [...source.matchAll(/\breport\(\s*'([\w-]+)'/g)].map(([, rule]) => `${prefix}/${rule}`);
  });
  const silent = declared.filter((rule) => !seen.has(rule));
  assert.deepEqual(silent, [], 'rules which no row of this file breaks');
});
