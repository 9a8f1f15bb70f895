// Real servers for the sessions bench: Redis and Postgres, where they are installed, on free ports with their data in a temporary folder.
// Each can be stopped and let go on, killed and started again on the data it had. Knows no client.

import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What is missing where a server is not there. */
export const HINT = 'apt-get install redis-server postgresql';

/** A program by its name: on the path, or where Debian puts the ones of Postgres. */
function programOf(name) {
  const folder = '/usr/lib/postgresql';
  const versions = existsSync(folder) ? readdirSync(folder).map((version) => join(folder, version, 'bin')) : [];
  return [...(process.env['PATH'] ?? '').split(':'), ...versions].map((place) => join(place, name)).find((path) => existsSync(path));
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(() => resolve(undefined)));
  return port;
}

/** A process and all that it started: Postgres puts each connection into a group of its own. */
function familyOf(pid) {
  const all = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...all.filter(([, parent]) => parent === pid).map(([child = 0]) => child)];
}

const isRoot = process.getuid?.() === 0;

/** How each is started: the programs it needs, what makes its folder, and its command. Both write to disk before they answer, so that a kill loses nothing. */
const kinds = {
  Redis: {
    programs: ['redis-server'],
    prepare: () => undefined,
    command: ([server], port, data) => [server, '--port', port, '--bind', '127.0.0.1', '--dir', data, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'],
  },
  Postgres: {
    programs: ['initdb', 'postgres'],
    prepare: ([initdb], data) => {
      // It refuses to run as root.
      if (isRoot) chownSync(data, ...ownerOf('postgres'));
      const [program, ...given] = asPostgres([initdb, '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync']);
      execFileSync(program, given, { stdio: 'ignore', cwd: data });
    },
    command: ([, server], port, data) => asPostgres([server, '-D', data, '-p', port, '-h', '127.0.0.1', '-k', data, '-c', 'max_connections=200']),
  },
};

const ownerOf = (user) => /** @type {[number, number]} */ (['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))));
const asPostgres = (command) => (isRoot ? ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups', ...command] : command);

/**
 * Starts one, and resolves when it takes connections; undefined where it is not installed.
 *
 * @param {keyof typeof kinds} kind
 */
export async function startServer(kind) {
  for (const name of ['SIGINT', 'SIGTERM']) if (process.listenerCount(name) === 0) process.once(name, () => process.exit(1));
  const { programs, prepare, command } = kinds[kind];
  const paths = programs.map(programOf);
  if (paths.includes(undefined)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'stepfold-'));
  if (isRoot) execFileSync('chmod', ['711', folder]);
  const data = join(folder, 'data');
  mkdirSync(data);
  prepare(paths, data);
  const port = await freePort();
  let server;
  let hasEnded;
  const start = async () => {
    const [program, ...given] = command(paths, String(port), data);
    server = spawn(program, given, { stdio: ['ignore', 'pipe', 'pipe'], cwd: data });
    hasEnded = new Promise((resolve) => server.once('exit', resolve));
    await new Promise((resolve, reject) => {
      // Both say so, Redis to its output and Postgres to its errors; the port is open before.
      const read = (text) => (/ready to accept connections/i.test(String(text)) ? resolve(undefined) : undefined);
      server.stdout.on('data', read);
      server.stderr.on('data', read);
      server.once('error', reject);
      server.once('exit', (code) => reject(new Error(`${kind} ended with ${code}`)));
    });
  };
  const signal = (name) => familyOf(server.pid).forEach((pid) => { try { process.kill(pid, name); } catch { /* It has ended by itself. */ } });
  const kill = async () => {
    signal('SIGKILL');
    await hasEnded;
  };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Neither an error nor Ctrl+C leaves a server behind.
  const onExit = () => {
    signal('SIGKILL');
    remove();
  };
  process.once('exit', onExit);
  await start();
  return {
    kind,
    port,
    /** It holds its connections and answers nothing. */
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill,
    restart: start,
    stop: async () => {
      await kill();
      process.off('exit', onExit);
      remove();
    },
  };
}
