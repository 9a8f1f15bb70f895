// Requests of one conversation that overlap, on several servers: what the user put into one of them is neither lost nor sent twice.
// The order of everything comes from a seed: stores wait for a turn, and a scheduler gives out the turns.

import assert from 'node:assert/strict';
import { mock as mocks, test } from 'node:test';
import { validateMessages, createSession } from 'stepfold';
import { copy, createRandom, step, textOf, withoutBridges } from '../hand.mjs';
import { amount } from '../amount.mjs';
import { playRequests, REQUESTS } from './overlapping.mjs';
import { words } from './script.mjs';

/** How often a text is a message of its own. */
const count = (messages, text) => messages.filter((message) => textOf(message) === text).length;

/** A store that compares and sets, over a Map. */
const atomic = (map) => ({
  get: async (key) => map.get(key),
  set: async (key, value, previous) => map.get(key) === previous && map.set(key, value) === map,
});
/** One that does not. */
const plain = (map) => ({ get: async (key) => map.get(key), set: async (key, value) => void map.set(key, value) });

const GUIDANCE = 'Do not deploy on Friday.';
/** A conversation with tools that has to be folded. */
const conversation = Array.from({ length: 30 }, (_, n) => [
  { role: 'user', content: `Go on with part ${n}.` },
  { role: 'assistant', content: [{ type: 'text', text: `I look at file ${n}.` }, { type: 'tool-call', toolCallId: `call-${n}`, toolName: 'read', input: { path: `src/${n}.ts` } }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: `call-${n}`, toolName: 'read', output: { type: 'text', value: words(400, n) } }] },
  { role: 'assistant', content: `Part ${n} is done.` },
]).flat();

const stores = { 'a Map': (map) => map, 'a store that compares and sets': atomic, 'a store that parses JSON': (map) => ({ get: (key) => map.has(key) ? JSON.parse(map.get(key)) : null, set: (key, value) => void map.set(key, value) }) };
for (const [name, make] of Object.entries(stores)) {
  for (const [what, steps, place] of [['waits', 0, 'anywhere'], ['was sent', 1, 'behind']]) {
    test(`a message that ${what} when another request saves is in the next request, with ${name}`, async () => {
      const map = new Map();
      const events = [];
      const session = (more = {}) => createSession({ id: 'chat', store: make(map), contextWindow: 5_000, overheadTokens: 1, ...more });
      const early = session();
      await step(early, copy(conversation.slice(0, 39)));
      await early.dispose();
      const here = session({ onEvent: (event) => events.push(event) });
      const run = [];
      await step(here, copy(conversation.slice(0, 43)), run);
      const there = session();
      assert.ok(JSON.stringify(await step(there, copy(conversation.slice(0, 79)))).length > 0);
      await there.dispose();
      const saved = JSON.parse(map.get('chat'));
      here.enqueue(GUIDANCE);
      for (let n = 0; n < steps; n += 1) assert.equal(count(await step(here, copy(conversation.slice(0, 47)), run), GUIDANCE), 1);
      await here.dispose();
      assert.deepEqual(JSON.parse(map.get('chat')).fold, saved.fold, 'what the other request decided is kept');
      assert.deepEqual(here.pending().map(textOf), [GUIDANCE], 'it is not in the history that the other request decided on');
      assert.equal(events.filter(({ type }) => type === 'delivered').length, steps);
      // Twice, so that it stays where it was put.
      const marks = [];
      let behindCheckpoint;
      const later = conversation.slice(0, 79);
      for (const word of ['Thanks.', 'And now?']) {
        later.push({ role: 'assistant', content: 'Well.' }, { role: 'user', content: word });
        const reported = [];
        const next = session({ onEvent: ({ type }) => reported.push(type) });
        const sent = await step(next, copy(later));
        await next.dispose();
        assert.equal(count(sent, GUIDANCE), 1, word);
        assert.deepEqual(validateMessages(sent), []);
        assert.ok(!reported.includes('checkpoint'), 'the checkpoint of the other request holds');
        assert.deepEqual(next.pending(), []);
        assert.deepEqual(next.delivered().map(textOf), [GUIDANCE]);
        const app = withoutBridges(sent);
        const before = app[app.findIndex((message) => textOf(message) === GUIDANCE) - 1];
        marks.push(JSON.stringify(before));
        behindCheckpoint = before.providerOptions?.stepfold?.checkpoint !== undefined;
      }
      assert.equal(marks[0], marks[1]);
      assert.equal(behindCheckpoint, place === 'behind', 'its place is covered by the checkpoint: it stands right behind that');
    });
  }
}

/** Whoever awaits `turn()` goes on when chance says so; one at a time, each up to the next turn. */
function createScheduler(random) {
  const waiting = [];
  return {
    turn: () => new Promise((resolve) => waiting.push(() => resolve(undefined))),
    async run(tasks) {
      let left = tasks.length;
      const all = Promise.all(tasks.map((task) => task().then(() => { left -= 1; })));
      all.catch(() => { left = 0; });
      while (left > 0) {
        // Everybody comes to the next turn.
        await new Promise(setImmediate);
        waiting.splice(random(Math.max(1, waiting.length)), 1)[0]?.();
      }
      await all;
    },
  };
}

const SEEDS = amount({ push: 3, night: 20 });

/** Stores in which another request may come before each answer, and after it. */
const interleaved = {
  'a store that compares and sets': [SEEDS, (map, turn) => ({
    get: async (key) => { await turn(); const value = map.get(key); await turn(); return value; },
    set: async (key, value, previous) => { await turn(); const isSame = map.get(key) === previous; if (isSame) map.set(key, value); await turn(); return isSame; },
  })],
  'a Map, which nobody comes between': [4, (map) => map],
};
for (const [name, [seeds, make]] of Object.entries(interleaved)) {
  test(`${REQUESTS} overlapping requests lose no message that was put in and send none twice, with ${name}`, async (t) => {
    // Turns are taken as they come: no store is too slow.
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    let [messages, conflicts] = [0, 0];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const random = createRandom(seed);
      const { turn, run } = createScheduler(random);
      const map = new Map();
      // Each second conversation is folded.
      const played = await playRequests({ random, store: make(map, turn), settled: map, folds: seed % 2 === 0, turn, run });
      messages += played.put;
      conflicts += played.conflicts;
    }
    assert.ok(messages > seeds * 5, `only ${messages} messages were put in`);
    assert.ok(conflicts > 0, 'no decision met another');
  });
}

test('a store that does not compare and set keeps the later of two saves at once; the other request puts its message back when it looks again', async () => {
  const map = new Map();
  const held = [];
  const slow = { get: plain(map).get, set: async (key, value) => { await new Promise((resolve) => held.push(() => resolve(undefined))); map.set(key, value); } };
  const create = (store) => createSession({ id: 'chat', store, contextWindow: 1_000_000 });
  const [here, there] = [create(slow), create(plain(map))];
  const list = [{ role: 'user', content: 'Begin.' }];
  await step(there, copy(list));
  there.enqueue('From there.');
  here.enqueue('From here.');
  // It has read and is about to write when the other one writes.
  const writing = step(here, copy(list));
  while (held.length === 0) await Promise.resolve();
  await there.dispose();
  assert.ok(map.get('chat').includes('From there.'));
  held.splice(0).forEach((resume) => resume());
  await writing;
  assert.ok(!map.get('chat').includes('From there.'), 'this is what can be lost');
  assert.deepEqual(there.pending().map(textOf), ['From there.']);
  await there.dispose();
  const next = create(plain(map));
  assert.deepEqual(withoutBridges(await step(next, copy([...list, { role: 'user', content: 'Go on.' }]))).map(textOf), ['Begin.', 'From here.', 'Go on.', 'From there.']);
});

test('a request whose message was only merged by another one goes on deciding', async () => {
  const map = new Map();
  const events = [];
  const create = (more = {}) => createSession({ id: 'chat', store: atomic(map), contextWindow: 5_000, overheadTokens: 1, ...more });
  const [a, b] = [create({ onEvent: (event) => events.push(event) }), create()];
  const [stepsA, stepsB] = [[], []];
  await step(a, copy(conversation.slice(0, 39)), stepsA);
  await step(b, copy(conversation.slice(0, 39)), stepsB);
  b.enqueue(GUIDANCE);
  await b.dispose();
  await step(a, copy(conversation.slice(0, 83)), stepsA);
  const stored = JSON.parse(map.get('chat'));
  assert.deepEqual(stored.fold, a.state.fold);
  assert.deepEqual(stored.queue.map(({ message }) => textOf(message)), [GUIDANCE]);
  assert.deepEqual(events.filter(({ type }) => type === 'store-failed'), [], 'nothing was lost');
  assert.equal(count(await step(a, copy(conversation.slice(0, 87)), stepsA), GUIDANCE), 1);
  assert.deepEqual([a.pending().length, a.delivered().length], [0, 1]);
});

test('the first thing that a conversation decides is kept, where another request has only put a message in since', async () => {
  for (const isStored of [false, true]) {
    const map = new Map();
    const events = [];
    const summaries = [];
    const create = () => createSession({
      id: 'chat', store: atomic(map), contextWindow: 5_000, summarizeWindow: 64_000, overheadTokens: 1,
      summarize: async () => (summaries.push('asked'), 'The modules up to here were read and their parsers fixed, one by one.'),
      onEvent: (event) => events.push(event),
    });
    const put = async (text) => {
      const session = create();
      session.enqueue(text);
      await session.dispose();
    };
    if (isStored) await put('Early.');
    const [here, run] = [create(), []];
    await step(here, copy(conversation.slice(0, 3)), run);
    await put(GUIDANCE);
    // A save that brings the other request's message in, before anything is decided, and one behind it.
    here.enqueue('From here.');
    await step(here, copy(conversation.slice(0, 5)), run);
    await put('Late.');
    await step(here, copy(conversation.slice(0, 39)), run);
    await here.dispose();
    assert.equal(summaries.length, 1);
    const next = create();
    const sent = await step(next, copy([...conversation.slice(0, 39), { role: 'user', content: 'And then?' }]));
    assert.equal(summaries.length, 1, 'the summary is not asked for again');
    for (const text of [GUIDANCE, 'From here.', 'Late.']) assert.ok(JSON.stringify(sent).split(text).length >= 2, text);
    assert.deepEqual(events.filter(({ type }) => type.endsWith('conflict')), []);
  }
});

test('what two requests at once were sent stands once in the next one, whichever of them the app has stored', async () => {
  const map = new Map();
  const create = () => createSession({ id: 'chat', store: atomic(map), contextWindow: 1_000_000 });
  const before = [{ role: 'user', content: 'Begin.' }];
  const first = create();
  first.enqueue(GUIDANCE);
  await first.dispose();
  const lists = ['here', 'there'].map((word) => [...before, { role: 'user', content: `From ${word}.` }]);
  const sessions = lists.map(create);
  const steps = [[], []];
  // Both have read that it waits before either is sent it.
  await Promise.all(sessions.map((session, index) => step(session, copy(lists[index]), steps[index]).then((sent) => assert.equal(count(sent, GUIDANCE), 1))));
  for (const session of sessions) await session.dispose();
  const answer = (word) => ({ role: 'assistant', content: `Answer ${word}.` });
  const [here, there] = lists.map(([, message]) => message);
  const ours = { role: 'user', content: GUIDANCE };
  const forms = [
    [...before, here, answer('here')], [...before, there, answer('there')], [...before, here, answer('here'), there, answer('there')], before,
    // The app stores what was put in where it was sent.
    [...before, here, ours, answer('here')], [...before, there, ours, answer('there')], [...before, here, answer('here'), there, ours, answer('there')],
  ];
  for (const form of forms) {
    const session = createSession({ id: 'chat', store: new Map(map), contextWindow: 1_000_000 });
    // Where it has stored neither, it was said in another branch.
    assert.equal(count(await step(session, copy([...form, { role: 'user', content: 'Next.' }])), GUIDANCE), form === before ? 0 : 1, form.map(textOf).join(' '));
  }
});

test('bytes that were put in survive a merge', async () => {
  const map = new Map();
  const image = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 255]);
  const create = () => createSession({ id: 'chat', store: atomic(map), contextWindow: 1_000_000 });
  const [here, there] = [create(), create()];
  const list = [{ role: 'user', content: 'Begin.' }];
  await step(here, copy(list));
  there.enqueue('Something.');
  await step(there, copy(list));
  here.enqueue({ role: 'user', content: [{ type: 'image', image, mediaType: 'image/png' }] });
  await here.dispose();
  const sent = await step(create(), copy(list));
  assert.deepEqual(sent.at(-1).content, [{ type: 'image', image: Buffer.from(image).toString('base64'), mediaType: 'image/png' }]);
  assert.equal(count(sent, 'Something.'), 1);
});

test('a session holds so much of what several requests put in, and says when one has no room', async () => {
  const map = new Map();
  const events = [];
  const sessions = Array.from({ length: 4 }, () => createSession({ id: 'chat', store: atomic(map), contextWindow: 1_000_000, onEvent: (event) => events.push(event) }));
  const steps = [];
  for (const session of sessions) await session.plan([{ role: 'user', content: 'Begin.' }]);
  for (const [index, session] of sessions.entries()) {
    session.enqueue(`${index} ${'x'.repeat(20_000)}`);
    await session.dispose();
  }
  assert.equal(JSON.parse(map.get('chat')).queue.length, 3);
  assert.ok(map.get('chat').length < 70_000);
  assert.deepEqual(events.map(({ type, reason }) => [type, reason]), [['store-failed', 'failed']]);
  const last = sessions.at(-1);
  assert.equal(last.pending().length, 4, 'it is kept in memory');
  assert.equal(withoutBridges(await step(last, [{ role: 'user', content: 'Begin.' }], steps)).length, 5, 'and sent');
});

test('a store that wrote after the time was over, or lost the answer, holds no work of another process', async () => {
  for (const fault of ['late', 'lost', 'refused']) {
    const map = new Map();
    const events = [];
    const late = [];
    let faults = 1;
    mocks.timers.enable({ apis: ['setTimeout'] });
    try {
      const store = {
        get: async (key) => map.get(key),
        set: async (key, value) => {
          if (faults-- <= 0) return void map.set(key, value);
          if (fault !== 'late') map.set(key, value);
          if (fault === 'lost') throw new Error('the connection was reset');
          if (fault === 'refused') return false;
          queueMicrotask(() => queueMicrotask(() => mocks.timers.tick(5_000)));
          return new Promise((resolve) => late.push(() => { map.set(key, value); resolve(undefined); }));
        },
      };
      const session = createSession({ id: 'chat', store, contextWindow: 5_000, overheadTokens: 1, onEvent: (event) => events.push(event) });
      const steps = [];
      await step(session, copy(conversation.slice(0, 39)), steps);
      late.forEach((write) => write());
      await step(session, copy(conversation.slice(0, 83)), steps);
      session.enqueue(GUIDANCE);
      await session.dispose();
      assert.deepEqual(JSON.parse(map.get('chat')), session.state, fault);
      assert.equal(JSON.parse(map.get('chat')).queue.length, 1);
      const failed = events.filter(({ type }) => type === 'store-failed' || type === 'session-conflict').map(({ reason }) => reason);
      assert.deepEqual(failed, { late: ['timeout'], lost: ['failed'], refused: [] }[fault]);
      assert.ok(events.filter(({ type }) => type === 'checkpoint').length >= 2, 'the later decision is the one that is kept');
    } finally {
      mocks.timers.reset();
    }
  }
});

test('a value that is no session and comes between is written over, and nothing that was put in is lost', async () => {
  const map = new Map();
  const events = [];
  const session = createSession({ id: 'chat', store: map, contextWindow: 1_000_000, onEvent: ({ type }) => events.push(type) });
  await step(session, [{ role: 'user', content: 'Begin.' }]);
  map.set('chat', 'no session');
  session.enqueue(GUIDANCE);
  await session.dispose();
  assert.deepEqual(JSON.parse(map.get('chat')), session.state);
  assert.deepEqual(session.pending().map(textOf), [GUIDANCE]);
  assert.ok(!events.includes('store-failed'));
});
