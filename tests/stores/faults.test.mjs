// Each store with each fault: no message that was put in is lost or sent twice once the store answers again, and waiting is bounded.

import assert from 'node:assert/strict';
import { mock as mocks, test } from 'node:test';
import { createSession } from 'stepfold';
import { clients } from './clients.mjs';

const MODEL = { modelId: 'mock', provider: 'mock' };
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
      const step = async (session, steps = []) => ((await session.prepareStep({ messages, steps, stepNumber: steps.length, model: MODEL }))?.messages ?? messages).map(({ content }) => content);
      try {
        const session = create();
        session.enqueue('Shorter, please.');
        assert.deepEqual(await step(session), ['Begin.', 'Shorter, please.']);
        const isTold = events.filter(({ type }) => type === 'store-failed').map(({ reason }) => reason);
        assert.ok(isTold.length >= 1 && isTold.length <= 2, `told ${isTold}`);
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
