// Each store with each fault: no message that was put in is lost or sent twice once the store answers again, and waiting is bounded.

import assert from 'node:assert/strict';
import { mock as mocks, test } from 'node:test';
import { createSession } from 'stepfold';
import { MODEL, withoutBridges } from '../hand.mjs';
import { clients } from './clients.mjs';

/** No answer comes, and the time of who waits is over. */
const forever = () => new Promise(() => setImmediate(() => mocks.timers.tick(5_000)));
const reset = () => { throw new Error('the connection was reset'); };

/** What a store does instead of what it is asked, once: given the operation, and how it is really done. */
const faults = {
  'reads hang': { get: forever },
  'writes hang': { set: forever },
  'reads fail': { get: reset },
  'writes fail': { set: reset },
  'an answer is lost': { set: async (write) => { await write(); return reset(); } },
  'a write comes late': { set: (write, late) => { late.push(write); return forever(); } },
};

for (const [name, open] of Object.entries(clients)) {
  for (const [fault, instead] of Object.entries(faults)) {
    test(`${name}, where ${fault}: nothing is lost, nothing is sent twice`, async () => {
      const { store, close } = await open();
      let isFaulty = true;
      const late = [];
      mocks.timers.enable({ apis: ['setTimeout', 'Date'] });
      const through = (operation) => (...given) => {
        const real = () => store[operation](...given);
        return isFaulty && instead[operation] !== undefined ? instead[operation](real, late) : real();
      };
      const events = [];
      const create = () => createSession({ id: 'chat', store: { get: through('get'), set: through('set') }, contextWindow: 100_000, onEvent: (event) => events.push(event) });
      const messages = [{ role: 'user', content: 'Begin.' }];
      const step = async (session, steps = []) => withoutBridges((await session.prepareStep({ messages, steps, stepNumber: steps.length, model: MODEL }))?.messages ?? messages).map(({ content }) => content);
      try {
        const session = create();
        session.enqueue('Shorter, please.');
        assert.deepEqual(await step(session), ['Begin.', 'Shorter, please.']);
        const isReported = events.filter(({ type }) => type === 'store-failed').map(({ reason }) => reason);
        assert.ok(isReported.length >= 1 && isReported.length <= 2, `told ${isReported}`);
        isFaulty = false;
        for (const write of late) await write();
        await session.dispose();
        assert.deepEqual(await step(create()), ['Begin.', 'Shorter, please.']);
      } finally {
        mocks.timers.reset();
        await close();
      }
    });
  }
}

for (const who of ['dispose', 'a run']) {
  test(`${who} whose time was up just when the store had answered tells that its save is not waited for`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const map = new Map();
    let isBusy = true;
    let release = () => undefined;
    const isHeld = new Promise((resolve) => { release = () => resolve(undefined); });
    const store = {
      // A process that is busy: the time is up, and no timer has said so yet.
      get: async (key) => {
        if (isBusy) t.mock.timers.setTime(Date.now() + 1_500);
        return map.get(key);
      },
      set: async (key, value) => { await isHeld; map.set(key, value); },
    };
    const events = [];
    const session = createSession({ id: 'chat', store, contextWindow: 100_000, onEvent: (event) => events.push(event) });
    const reported = () => events.filter(({ type }) => type === 'store-failed').map(({ operation, reason }) => `${operation} ${reason}`);
    const steps = [];
    const step = () => session.prepareStep({ messages: [{ role: 'user', content: 'Begin.' }], steps, stepNumber: steps.length, model: MODEL });
    session.enqueue('Shorter, please.');
    await (who === 'dispose' ? session.dispose() : step());
    assert.equal(map.size, 0);
    assert.deepEqual(reported(), ['save timeout']);
    if (who === 'a run') {
      session.enqueue('In English.');
      steps.push({ usage: {} });
      await step();
      assert.deepEqual(reported(), ['save timeout'], 'a run is reported once');
    }
    isBusy = false;
    release();
    await session.dispose();
    assert.deepEqual(reported(), ['save timeout']);
    const { inserted = [], queue = [] } = JSON.parse(map.get('chat'));
    assert.deepEqual([...inserted, ...queue].map(({ message }) => message.content), who === 'dispose' ? ['Shorter, please.'] : ['Shorter, please.', 'In English.']);
  });
}
