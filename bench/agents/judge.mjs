// Judges all sessions on threads, one for each core. Gives rows in the order of the sessions, however the threads finish.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** @param {{ half: string, url: string }[]} sessions */
export async function judgeAll(sessions, { workers = availableParallelism(), ...settings }) {
  const waiting = sessions.map((session, at) => ({ ...session, at }));
  const rows = [];
  await Promise.all(Array.from({ length: Math.min(workers, sessions.length) }, () => work({ settings, waiting, rows })));
  return rows.flat();
}

/** One thread, which takes the next session when it has finished one. */
function work({ settings, waiting, rows }) {
  const worker = new Worker(new URL('worker.mjs', import.meta.url), { workerData: settings });
  let current;
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', resolve);
    worker.on('message', (message) => {
      if (current !== undefined) rows[current.at] = message.rows;
      current = waiting.shift();
      if (current === undefined) worker.terminate();
      else worker.postMessage({ url: current.url, half: current.half });
    });
  });
}
