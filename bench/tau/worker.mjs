// A worker thread of tau: is sent one row's settings after the other and answers each with the row.

import { parentPort, workerData } from 'node:worker_threads';
import { customersOf } from './data.mjs';
import { sessionsOf } from './desk.mjs';
import { loadPolicies } from './policies.mjs';
import { rowOf } from './score.mjs';

const { data, depth, options, packagePath, show } = workerData;
const policies = await loadPolicies({ packagePath, options });

parentPort.on('message', async ({ domain, window, order, agent, policy, at }) => {
  const misses = [];
  const tell = ({ write, lost, raw, asked, recovered, prompt }) => {
    if (show) misses.push({ tool: write.tool, input: write.input, lost, asked, recovered, step: raw.length, prompt, raw });
  };
  const sessions = sessionsOf(await customersOf(domain, data), { window, order, agent, depth });
  const row = await rowOf(
    sessions,
    policies.find(({ name }) => name === policy),
    { window, tell },
  );
  parentPort.postMessage({ at, row: { domain, window, order, agent, ...row }, misses });
});
parentPort.postMessage({});
