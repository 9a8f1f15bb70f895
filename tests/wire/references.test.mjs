// What OpenAI reads of an edited message is the edit: a part with an item id is sent as a reference to what the server has stored,
// so an edit that keeps the id is none. Real packages of the three majors, recorded requests, a server that resolves references.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep } from '../../pkg/dist/index.js';
import { item } from './build.mjs';
import { checkRequest } from './oracle.mjs';
import { textsSeenByOpenAI } from './oracle-openai-responses.mjs';
import { createModel, MAJORS, send } from './send.mjs';

const WORDS = 'word after word after word, ';
const user = (text) => ({ role: 'user', content: [{ type: 'text', text }] });
const reasoning = (id) => ({ type: 'reasoning', text: 'I write the file.', providerOptions: item(id, { reasoningEncryptedContent: 'encrypted' }) });
const text = (id, value) => ({ type: 'text', text: value, providerOptions: item(id) });
const call = (n, input, toolName = 'write') => ({ type: 'tool-call', toolCallId: `call_${n}`, toolName, input, providerOptions: item(`fc_${n}`) });
const large = { path: 'a.md', content: WORDS.repeat(3_000) };
const results = (...calls) => ({
  role: 'tool',
  content: calls.map(({ toolCallId, toolName }) => ({ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: 'ok' } })),
});
const small = call(2, { path: 'b.md' });

/** Each message alone exceeds the window, and is the newest: nothing but a cut helps. */
const NEWEST = {
  'a call': [call(1, large)],
  'a call behind reasoning': [reasoning('rs_1'), call(1, large)],
  'a call behind reasoning and text': [reasoning('rs_1'), text('msg_1', 'First this.'), call(1, large)],
  'the first of two calls behind reasoning': [reasoning('rs_1'), call(1, large), small],
  'the second of two calls behind reasoning': [reasoning('rs_1'), small, call(1, large)],
  'calls behind reasoning of their own': [reasoning('rs_1'), small, reasoning('rs_2'), call(1, large)],
  'a text': [text('msg_1', WORDS.repeat(3_000)), small],
};

for (const major of MAJORS) {
  for (const endpoint of ['openai-responses', 'openai-stateless']) {
    for (const [name, content] of Object.entries(NEWEST)) {
      test(`${name}: what ${endpoint} reads is what was cut, v${major}`, async () => {
        const history = [user('Write the files.'), { role: 'assistant', content }, results(...content.filter(({ type }) => type === 'tool-call'))];
        const events = [];
        const prepareStep = createPrepareStep({ contextWindow: 8_000, overheadTokens: 1, onEvent: (event) => events.push(event) });
        const model = createModel({ major, endpoint });
        const { messages } = await prepareStep({ messages: history, steps: [], stepNumber: 0, model });
        const sent = await send(messages, { major, endpoint });
        assert.ok('body' in sent, sent.error?.message);
        assert.deepEqual(checkRequest({ endpoint, body: sent.body, history, messages }), []);

        const claimed = events.find(({ type }) => type === 'squeezed').tokensAfter;
        const seen = textsSeenByOpenAI(sent.body, history).join('').length;
        // Six characters a token: these words take more than five.
        assert.ok(seen < claimed * 6, `${seen} characters for ${claimed} tokens`);
      });
    }
  }
}

test('a call that is an item of OpenAI\'s own is not cut; a tool of the same name by the user is', async () => {
  const cut = async (toolName, input) => {
    const own = call(1, input, toolName);
    const prepareStep = createPrepareStep({ contextWindow: 8_000, overheadTokens: 1 });
    const returned = await prepareStep({ messages: [user('Go on.'), { role: 'assistant', content: [own] }, results(own)], steps: [], stepNumber: 0, model: 'gpt-5' });
    return returned?.messages.some(({ content }) => content.some(({ type, input: sent }) => type === 'tool-call' && sent !== input)) ?? false;
  };
  const command = WORDS.repeat(3_000);
  assert.equal(await cut('shell', { action: { commands: [command] } }), false);
  assert.equal(await cut('local_shell', { action: { type: 'exec', command: ['bash', '-c', command] } }), false);
  assert.equal(await cut('apply_patch', { callId: 'call_1', operation: { type: 'create_file', path: 'a.md', diff: command } }), false);
  assert.equal(await cut('shell', { command }), true);
});
