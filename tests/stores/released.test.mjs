// Sessions as released versions have stored them, one file each (`released/make.mjs`): every later version goes on from them, whatever else of
// their form it does not know any more.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { createSession, validateMessages } from 'stepfold';
import root from '../../package.json' with { type: 'json' };
import { turns } from '../hand.mjs';

const MODEL = { modelId: 'mock-model', provider: 'mock' };
const folder = new URL('released/', import.meta.url);
const versions = readdirSync(folder).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));

/** What nobody may lose: the request, what the user said, what was done, the summary, and what was put in. */
const KEPT = ['Refund the order of Mrs Okafor', 'Not the shipping costs, please.', 're_90412', 'the letter to her is still to be written', 'In French, if you can.', 'She prefers e-mail.'];

/** The next two requests on a stored session, as another server makes them. */
async function goOn(stored, messages) {
  const store = new Map([['chat', JSON.stringify(stored)]]);
  const events = [];
  const summarize = async () => assert.fail('a second summary was asked for');
  const sent = [];
  const asked = [];
  for (const text of ['Is it done?', 'Thanks.']) {
    const session = createSession({ id: 'chat', store, contextWindow: 40_000, overheadTokens: 1, summarize, onEvent: (event) => events.push(event) });
    asked.push({ role: 'user', content: text });
    const list = structuredClone([...messages, ...asked]);
    sent.push((await session.prepareStep({ messages: list, steps: [], stepNumber: 0, model: MODEL }))?.messages ?? list);
    session.enqueue('Saved again.');
    await session.dispose();
  }
  return { sent, events };
}

/** The form of what this version decides. */
async function versionNow() {
  const session = createSession({ contextWindow: 4_000, overheadTokens: 1 });
  await session.prepareStep({ messages: [{ role: 'user', content: 'Go.' }], steps: [], stepNumber: 0, model: MODEL });
  await session.compact({ messages: turns(20), model: MODEL });
  return session.state.fold.version;
}

const raised = {
  'as it is': (stored) => stored,
  'whose decisions are of a later version': (stored) => ({ ...stored, fold: { ...stored.fold, version: stored.fold.version + 1 } }),
  'whose decisions and run have another form': (stored) => ({ ...stored, fold: { version: stored.fold.version + 1, parts: [] }, run: { phase: 3 } }),
  'whose form is of a later version': (stored) => ({ ...stored, version: stored.version + 1, fold: 7, run: 'x', model: {}, ahead: 'none', reported: [] }),
};
for (const version of versions) {
  const { messages, stored } = JSON.parse(readFileSync(new URL(`${version}.json`, folder), 'utf8'));
  for (const [form, change] of Object.entries(raised)) {
    test(`a conversation that ${version} has stored, ${form}, goes on from its newest checkpoint`, async () => {
      const { sent, events } = await goOn(change(stored), messages);
      const rejected = events.filter(({ type }) => type === 'state-rejected');
      assert.equal(rejected.length, form === 'as it is' && stored.fold.version === (await versionNow()) ? 0 : 1);
      for (const prompt of sent) {
        assert.equal(prompt[0].providerOptions.stepfold.checkpoint, `${stored.envelope.chain.slice(0, 12)}`);
        assert.deepEqual(validateMessages(prompt), []);
        const text = JSON.stringify(prompt);
        assert.ok(!text.includes('"toolCallId":"call-1"'), 'it covers what it covered');
        for (const kept of KEPT) assert.ok(text.includes(kept), kept);
      }
      assert.deepEqual(events.filter(({ type }) => ['error', 'store-failed', 'checkpoint'].includes(type)), []);
    });
  }

  test(`a conversation that ${version} has stored, and whose past was edited since, is not told of that past`, async () => {
    const edited = [{ role: 'user', content: 'Something else.' }, ...messages.slice(1)];
    for (const change of [raised['as it is'], raised['whose decisions are of a later version']]) {
      const { sent } = await goOn(change(stored), edited);
      assert.ok(sent.every((prompt) => !JSON.stringify(prompt).includes('Mrs Okafor, and tell her')));
    }
  });
}

test('this version has a fixture', () => {
  assert.ok(versions.includes(root.version), 'node tests/stores/released/make.mjs writes it');
});
