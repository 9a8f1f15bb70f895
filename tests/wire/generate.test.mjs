// The generator makes what it promises: the same bytes for a seed, every shape of each major, conversations which overflow.
// Whether a provider accepts them is in `oracle-accepts.test.mjs`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WINDOW } from './drive.mjs';
import { generateConversation, PROVIDERS } from './generate.mjs';
import { MAJORS } from './send.mjs';

const list = (names) => names.split(', ');
const ALWAYS = list(
  'system, user, assistant, tool, user string, assistant string, user user, tool user, text, image string, image bytes, image URL, file string, ' +
  'file bytes, reasoning, reasoning empty, tool-call, tool-result, server call, server result, parallel calls, error-text, error-json, json, content, ' +
  'compaction, repeated output, empty output, reminder, effort, signature alone, reasoning twice',
);
const SINCE_6 = list('content image-data, tool tool, execution-denied, tool-approval-request, tool-approval-response, caller, remote call, approved remote call');
const SHAPES = {
  5: [...ALWAYS, 'date', 'content media'],
  6: [...ALWAYS, ...SINCE_6, 'date', 'content media'],
  7: [...ALWAYS, ...SINCE_6, 'content file', 'custom', 'reasoning-file', 'file tagged'],
};
const SEEDS = 40;

for (const major of MAJORS) {
  const conversations = PROVIDERS.flatMap((provider) =>
    Array.from({ length: SEEDS }, (_, seed) => ({ seed, major, provider, compaction: provider !== 'none' && seed % 5 === 4 })),
  );

  test(`every shape of v${major} occurs`, () => {
    const seen = new Set(conversations.flatMap((options) => [...shapesOf(generateConversation(options).messages)]));
    assert.deepEqual(SHAPES[major].filter((shape) => !seen.has(shape)), []);
    const notYet = { 5: SHAPES[6].filter((shape) => !SHAPES[5].includes(shape)), 6: ['custom', 'file tagged'], 7: ['date'] }[major];
    assert.deepEqual(notYet.filter((shape) => seen.has(shape)), [], 'shapes which this major does not know');
  });

  test(`a seed is one conversation, v${major}`, () => {
    for (const options of conversations.slice(0, 20)) assert.equal(JSON.stringify(generateConversation(options)), JSON.stringify(generateConversation(options)));
  });

  test(`nearly all conversations overflow the window, and each model call follows a user or tool message, v${major}`, () => {
    let small = 0;
    for (const options of conversations) {
      const { messages, steps } = generateConversation(options);
      if (JSON.stringify(messages).length < WINDOW.contextWindow * 4) small++;
      assert.equal(steps.at(-1).end, messages.length);
      for (const { end } of steps)
        assert.ok(['user', 'tool', 'system'].includes(messages[end - 1].role), `seed ${options.seed} of ${options.provider}`);
    }
    assert.ok(small < conversations.length / 10, `${small} of ${conversations.length} conversations are small`);
  });
}

function* shapesOf(messages) {
  const outputs = new Set();
  for (const [index, message] of messages.entries()) {
    yield message.role;
    yield `${messages[index - 1]?.role} ${message.role}`;
    if (message.providerOptions?.openai?.reasoningEffortUpdate) yield 'effort';
    if (message.role === 'system' && message.content !== '' && index > 0) yield 'reminder';
    if (typeof message.content === 'string') {
      yield `${message.role} string`;
      continue;
    }
    const thoughts = message.content.filter(({ type }) => type === 'reasoning');
    if (new Set(thoughts.map(({ providerOptions }) => JSON.stringify(providerOptions))).size > 1) yield 'reasoning twice';
    const calls = message.content.filter(({ type, providerExecuted }) => type === 'tool-call' && !providerExecuted);
    if (calls.length > 1) yield 'parallel calls';
    for (const part of message.content) {
      yield part.type;
      const data = part.image ?? part.data;
      if (data !== undefined)
        yield `${part.type} ${data instanceof URL ? 'URL' : data instanceof Uint8Array ? 'bytes' : data.type ? 'tagged' : 'string'}`;
      if (part.type === 'reasoning' && part.text === '') yield 'reasoning empty';
      if (part.type === 'reasoning' && part.text === '' && part.providerOptions?.anthropic?.signature) yield 'signature alone';
      if (part.providerOptions?.anthropic?.type === 'mcp-tool-use') yield 'remote call';
      if (part.type === 'tool-approval-response' && part.providerExecuted) yield 'approved remote call';
      if (part.providerExecuted) yield 'server call';
      if (part.type === 'tool-result' && message.role === 'assistant') yield 'server result';
      if (part.providerOptions?.anthropic?.caller) yield 'caller';
      if (part.kind === 'openai.compaction' || part.providerOptions?.anthropic?.type === 'compaction') yield 'compaction';
      if (part.output === undefined) continue;
      yield part.output.type;
      if (part.output.value === '') yield 'empty output';
      if (outputs.has(part.output)) yield 'repeated output';
      outputs.add(part.output);
      if (part.output.value?.at instanceof Date) yield 'date';
      if (part.output.type === 'content') for (const { type } of part.output.value) yield `content ${type}`;
    }
  }
}
