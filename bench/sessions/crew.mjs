// The processes of the sessions bench: hands jobs to them, kills one now and then, and gives its jobs to the others. Knows nothing of what a job is.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

/**
 * Starts as many processes on one client.
 *
 * @param {{ size: number, client: string, port: number }} crew
 */
export async function startCrew({ size, client, port }) {
  let number = 0;
  let kills = 0;
  let isClosing = false;
  /** The newest at each place, which may not be ready yet. @type {import('node:child_process').ChildProcess[]} */
  const children = [];
  /** @type {{ child: import('node:child_process').ChildProcess, jobs: Map<number, (answer: any) => void> }[]} */
  const members = [];
  const join = (index) => new Promise((resolve) => {
    const member = { child: fork(WORKER, [client, String(port)]), jobs: new Map() };
    children[index] = member.child;
    member.child.on('message', (/** @type {any} */ answer) => {
      if (answer.isReady === true) {
        members[index] = member;
        resolve(undefined);
      } else {
        member.jobs.get(answer.number)?.(answer);
        member.jobs.delete(answer.number);
      }
    });
    member.child.on('exit', async () => {
      if (isClosing) return;
      await join(index);
      // Whoever waited for the dead one asks again.
      member.jobs.forEach((answer) => answer({ isKilled: true }));
      resolve(undefined);
    });
  });
  await Promise.all(Array.from({ length: size }, (_, index) => join(index)));
  return {
    /** Gives a job to one of the processes, and resolves to its answer: `isKilled` where the process was killed meanwhile. @returns {Promise<any>} */
    ask: (index, job) => new Promise((resolve) => {
      const member = members[index % size];
      number += 1;
      member.jobs.set(number, resolve);
      if (!member.child.connected) return;
      member.child.send({ ...job, number }, () => undefined);
    }),
    kill: (index) => {
      kills += members[index % size].child.kill('SIGKILL') ? 1 : 0;
    },
    kills: () => kills,
    close: () => {
      isClosing = true;
      children.forEach((child) => child.kill('SIGKILL'));
    },
  };
}
