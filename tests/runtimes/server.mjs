// Starts a program that serves HTTP, waits for the line that says where, and ends it with all its children and what
// they left in their temporary folder. Knows nothing of what is served.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const READY_MILLISECONDS = 120_000;

/**
 * @typedef {object} Usage Of a process and everything below it; not a number where /proc is missing.
 * @property {number} bytes Resident memory.
 * @property {number} milliseconds Time on a processor, which is the same however busy the machine is.
 *
 * @typedef {object} Server
 * @property {string} url
 * @property {(path: string) => Promise<Response>} fetch
 * @property {() => string} output What it printed so far.
 * @property {() => Usage} usage
 * @property {() => Promise<void>} close
 */

/** `ready` finds the port, as its first group. */
export async function startServer(program, parameters, { cwd, env = {}, ready }) {
  const temporary = mkdtempSync(join(tmpdir(), 'stepfold-server-'));
  // A group of its own, so that it can be ended together with the workers it starts.
  const child = spawn(program, parameters, {
    cwd,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, TMPDIR: temporary, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const end = () => {
    try {
      process.kill(-Number(child.pid), 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  const clean = () => rmSync(temporary, { recursive: true, force: true });
  const last = () => {
    end();
    clean();
  };
  process.once('exit', last);
  let output = '';
  const port = await new Promise((resolve, reject) => {
    const fail = (why) => {
      end();
      reject(new Error(`${program} ${parameters.join(' ')} ${why}:\n${output}`));
    };
    const deadline = setTimeout(() => fail('was not ready in time'), READY_MILLISECONDS);
    const read = (data) => {
      output += data;
      const found = ready.exec(output);
      if (found === null) return;
      clearTimeout(deadline);
      resolve(found[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', (error) => fail(error.message));
    ended.then(() => {
      clearTimeout(deadline);
      fail('ended early');
    });
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    fetch: (path) => fetch(url + path),
    output: () => output,
    usage: () => usageOf(Number(child.pid)),
    close: async () => {
      end();
      await ended;
      clean();
      process.removeListener('exit', last);
    },
  };
}

export function usageOf(pid) {
  if (!existsSync('/proc/self/status')) return { bytes: Number.NaN, milliseconds: Number.NaN };
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      const field = (key) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      return [{ pid: Number(name), parent: field('PPid'), bytes: field('VmRSS') * 1024 }];
    } catch {
      return []; // Ended while we were reading.
    }
  });
  const below = (of) => [of, ...processes.filter(({ parent }) => parent === of).flatMap((child) => below(child.pid))];
  const family = new Set(below(pid));
  const members = processes.filter((process) => family.has(process.pid));
  return {
    bytes: members.reduce((total, { bytes }) => total + bytes, 0),
    milliseconds: members.reduce((total, member) => total + processorTime(member.pid), 0),
  };
}

function processorTime(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((total, thread) => total + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0);
  } catch {
    return 0; // Ended while we were reading.
  }
}
