// Secrets at borders: wherever a text of ours was cut, parted or chosen, no part of a secret stands on either side. A secret slides through
// results, inputs, answers and long messages; what is sent and what a summarizer reads is looked through.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep, createSession } from 'stepfold';
import { call, result } from '../hand.mjs';

const model = { modelId: 'gpt-4o', provider: 'openai' };
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
let seed = 7;
const chance = (length) =>
  Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return letters[seed % letters.length];
  }).join('');

const body = Array.from({ length: 40 }, () => chance(64)).join('\n');
const password = chance(24);
/** Each secret, and the text that it stands in. */
const kinds = {
  'a private key': [body, `-----BEGIN ${'PRIVATE'} KEY-----\n${body}\n-----END ${'PRIVATE'} KEY-----`],
  'a password of an address': [password, `postgres://app:${password}@db.test/shop`],
  'a password of settings': [password, `DB_PASSWORD="${password}"`],
  'a password on the next line': [password, `Password:\n\n    ${password}`],
  'a list of keys': [password, `api_keys:\n  - ${password}\n`],
  'a cell below a heading': [password, `user,password\nann,${password}\n`],
  'a token of a header': [password, `curl -H 'Authorization: Bearer ${password}' https://db.test/`],
};
const log = (from, count) => Array.from({ length: count }, (_, at) => `${from + at} worker-${(from + at) % 7} went on with order ${(from + at) * 31}`).join('\n');

/** Parts of a secret that a value holds: so long that chance does not make them. */
const parts = (value, secret) => {
  const said = JSON.stringify(value);
  return secret.split('\n').flatMap((line) => Array.from({ length: line.length - 9 }, (_, at) => line.slice(at, at + 10))).filter((part) => said.includes(part));
};

for (const [kind, [secret, text]] of Object.entries(kinds)) {
  test(`no part of ${kind} stands at the border of a cut result`, async () => {
    let cuts = 0;
    for (let before = 0; before < 900; before += 37) {
      const value = `${log(0, before)}\n${text}\n${log(before, 900 - before)}`;
      const messages = [{ role: 'user', content: 'Why does it fail?' }, call('c0', { host: 'db-7' }, 'read_log'), result('c0', value, 'read_log')];
      const sent = (await createPrepareStep({ contextWindow: 8_000, onEvent() {} })({ messages, steps: [], stepNumber: 0, model }))?.messages;
      if (sent === undefined || JSON.stringify(sent).includes(JSON.stringify(value).slice(1, -1))) continue;
      cuts += 1;
      assert.deepEqual(parts(sent, secret), [], `before: ${before}`);
    }
    assert.ok(cuts > 10);
  });

  test(`no part of ${kind} stands in what old calls, results and answers become, nor in a prompt of a summarizer`, async () => {
    for (let before = 0; before < 300; before += 60) {
      const long = `${log(0, before)}\n${text}\n${log(before, 300 - before)}`;
      const messages = [{ role: 'user', content: 'Look at all hosts.' }];
      const step = (id, input, value) => messages.push(call(id, input, 'read_log'), result(id, value, 'read_log'));
      step('c0', { host: 'db-7' }, long);
      step('c1', { note: long }, { type: 'json', value: { id: 'N-7', note: long } });
      step('c2', { host: 'db-8' }, { type: 'error-text', value: long });
      messages.push({ role: 'assistant', content: [{ type: 'text', text: long }] }, { role: 'user', content: 'Go on.' });
      for (let at = 3; at < 12; at += 1) step(`c${at}`, { host: `db-${at}` }, log(at * 1_000, 150));
      const prompts = [];
      for (const summarize of [undefined, ({ prompt }) => prompts.push(prompt) && 'All went well.']) {
        const session = createSession({ contextWindow: 24_000, summarizeWindow: 8_000, onEvent() {}, ...(summarize && { summarize }) });
        const input = { messages, steps: [], stepNumber: 0, model };
        await session.prepareStep(input);
        await session.compact();
        const sent = (await session.prepareStep(input))?.messages;
        assert.ok(sent !== undefined && !JSON.stringify(sent).includes('"c0"'), 'the first call is folded');
        assert.deepEqual(parts([sent, prompts], secret), [], `before: ${before}`);
      }
    }
  });

  test(`no part of ${kind} that the user pasted is a finding: their own words alone stand as they came`, async () => {
    let found = 0;
    for (let before = 0; before < 900; before += 150) {
      const messages = [{ role: 'user', content: 'Look at db-7 and at what was set there.' }, { role: 'assistant', content: 'Show me the log.' }, { role: 'user', content: `${log(0, before)}\n${text}\n${log(before, 900 - before)}` }];
      for (let at = 0; at < 4; at += 1) messages.push(call(`c${at}`, { order: 310 * at, near: password.slice(0, 6) }, 'read_log'), result(`c${at}`, log(at * 1_000, 150), 'read_log'));
      const session = createSession({ contextWindow: 32_000, keepRecent: { messages: 2 }, onEvent() {} });
      const input = { messages, steps: [], stepNumber: 0, model };
      await session.prepareStep(input);
      await session.compact();
      const sent = (await session.prepareStep(input))?.messages;
      const findings = JSON.stringify(sent ?? []).match(/--- Findings.*?(?=\\n\\n--- )/)?.[0];
      if (!findings?.includes('went on with order')) continue;
      found += 1;
      assert.deepEqual(parts(findings, secret), [], `before: ${before}`);
    }
    assert.ok(found > 3, `${found}`);
  });
}
