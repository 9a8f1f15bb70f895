// Requests of one conversation that overlap: what the user puts into one of them is neither lost nor sent twice, whatever the store.
// Chance comes from a seed. Holds no tests.

import assert from 'node:assert/strict';
import { createSession, validateMessages } from 'stepfold';
import { copy, isCheckpoint, step, textOf } from '../hand.mjs';
import { words } from './script.mjs';

/** What was put in, as far as it stands in a list: as messages, and in a checkpoint, where one may be spoken of more than once. */
const messagesIn = (messages) => messages.flatMap((message) => {
  const found = textOf(message).match(/Message \d+ of the user\./g) ?? [];
  return isCheckpoint(message) ? [...new Set(found)] : found;
});

const LANES = 10;
export const REQUESTS = 200;
const atOnce = (lanes) => Promise.all(lanes.map((lane) => lane()));

/**
 * 200 requests, up to ten at a time, on servers of their own or on two that keep their session. `turn` is waited for where another request may
 * come between; `settled` is the store as it is read at the end; an app that is `forgetful` keeps one answer of four, as most are made anew.
 * Returns how many messages were put in, and how many decisions met another.
 */
export async function playRequests({ random, store, settled = store, id = 'chat', folds = false, isForgetful = false, turn = () => undefined, run = atOnce }) {
  const events = [];
  // Each second conversation is folded, by a summarizer that tells which messages it was shown of what is folded; what comes after that is only named.
  const summarize = async ({ prompt }) => `The work up to here went on as planned, with these: ${[...new Set(prompt.split('\n--- after ')[0].match(/Message \d+ of the user\./g) ?? [])].join(' ')}`;
  const window = folds ? { contextWindow: 6_000, summarizeWindow: 64_000, overheadTokens: 1, summarize } : { contextWindow: 1_000_000 };
  const create = (where = store) => createSession({ id, store: where, ...window, onEvent: (event) => events.push(event) });
  const servers = [create(), create()];
  /** What the app has stored: each request adds its own messages when it ends. */
  const app = [{ role: 'user', content: 'Fix everything.' }, { role: 'assistant', content: 'I begin.' }];
  /** What was put in, with the requests in whose turn it was sent. */
  const turns = new Map();
  const note = (sent) => sent.forEach((message, at) => {
    if (isCheckpoint(message)) return;
    const request = sent.slice(0, at).map(textOf).findLast((text) => /^(Request|Fix)/.test(text));
    for (const text of messagesIn([message])) turns.set(text, [...(turns.get(text) ?? []), request]);
  });
  /** What a list must hold: who has its turn has it. */
  const belongingTo = (list) => {
    const requests = new Set(list.map(textOf));
    return [...turns].filter(([, of]) => of.some((request) => requests.has(request))).map(([text]) => text);
  };
  let put = 0;
  const request = async (index) => {
    const session = random(3) === 0 ? servers[random(2)] : create();
    const own = [];
    const enqueue = () => {
      if (random(30) !== 0) return;
      own.push(`Message ${(put += 1)} of the user.`);
      session.enqueue(own.at(-1));
    };
    const added = [{ role: 'user', content: `Request ${index}.` }];
    const list = [...app, ...added];
    const must = belongingTo(app);
    const steps = [];
    enqueue();
    let sent;
    for (let number = 0; number < 1 + (random(3) === 0 ? 1 : 0); number += 1) {
      await turn();
      sent = await step(session, list, steps);
      const found = messagesIn(sent);
      assert.equal(new Set(found).size, found.length, `request ${index}: a message was sent twice`);
      assert.deepEqual(validateMessages(sent).filter(({ rule }) => rule !== 'ends-with-assistant'), []);
      for (const text of must) assert.ok(found.includes(text), `request ${index}: "${text}" is missing`);
      must.push(...found.filter((text) => !must.includes(text)));
      note(sent);
      const answer = { role: 'assistant', content: `Answer ${index}.${number}. ${words(20, index)}` };
      added.push(answer);
      list.push(answer);
      steps.push({ usage: {} });
      await turn();
      enqueue();
    }
    if (!isForgetful || random(4) === 0) app.push(...added);
    await session.dispose();
    const { inserted = [], queue = [] } = session.state;
    const known = [...inserted, ...queue].map(({ message }) => textOf(message));
    for (const text of own) assert.equal(known.filter((other) => other === text).length, 1, `request ${index}: its session does not know of "${text}"`);
  };
  const lanes = Array.from({ length: LANES }, (_, lane) => async () => {
    for (let index = lane; index < REQUESTS; index += LANES) await request(index);
  });
  await run(lanes);
  assert.deepEqual(events.filter(({ type }) => type === 'error' || type === 'state-rejected' || type === 'store-failed'), []);
  const stored = JSON.parse(await settled.get(id));
  const ids = [...(stored.inserted ?? []), ...(stored.queue ?? [])].map(({ id }) => id);
  assert.equal(new Set(ids).size, put, 'the store holds each message once');
  assert.equal(ids.length, put);
  const last = create(settled);
  const sent = await step(last, copy([...app, { role: 'user', content: 'And the end?' }]));
  assert.equal(sent.some(isCheckpoint), folds);
  const waited = (stored.queue ?? []).map(({ message }) => textOf(message));
  const expected = [...new Set([...belongingTo(app), ...waited])].sort();
  assert.deepEqual(messagesIn(sent).sort(), expected);
  assert.deepEqual(last.pending(), []);
  assert.equal(last.delivered().length, expected.length);
  return { put, conflicts: events.filter(({ type }) => type === 'session-conflict' || type === 'store-conflict').length };
}
