// A worker thread of the judge: is sent one session after the other and answers each with its rows.

import { parentPort, workerData } from 'node:worker_threads';
import { loadPolicies } from './policies.mjs';
import { judge } from './score.mjs';

const { windows, only, packagePath, options } = workerData;
const policies = (await loadPolicies({ packagePath, options })).filter(({ name }) => only === undefined || only.includes(name));

parentPort.on('message', async ({ url, half }) => {
  const { default: session } = await import(url);
  parentPort.postMessage({ rows: await judge(session, { half, policies, windows }) });
});
parentPort.postMessage({ rows: [] });
