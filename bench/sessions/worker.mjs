// A process of the sessions bench: carries out the jobs that it is sent, several at once, until it is killed. Started by `run.mjs`.

import { clients } from './clients.mjs';
import { checkHistory, putIn, runRequest } from './request.mjs';
import { createRandom } from './random.mjs';

const [name = '', port = ''] = process.argv.slice(2);
const { store } = await clients[name].open(Number(port));
const kinds = { request: runRequest, put: putIn, check: checkHistory };

process.on('message', async (/** @type {any} */ { number, kind, seed, ...job }) => {
  const random = createRandom(seed);
  const begin = performance.now();
  const answer = await kinds[kind]({ ...job, store, random });
  process.send?.({ number, milliseconds: performance.now() - begin, ...answer });
});
// Who started it has gone.
process.on('disconnect', () => process.exit());
process.send?.({ isReady: true });
