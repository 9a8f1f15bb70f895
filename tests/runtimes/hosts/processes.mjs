// Node (import and require), Bun and Deno: the agent runs from its files, nothing is bundled.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findNode } from '../../package/helpers.mjs';
import { app, bin, home } from '../install.mjs';
import { startServer } from '../server.mjs';

/**
 * @typedef {object} Program A runtime that runs files.
 * @property {string} name
 * @property {string | undefined} program Path of the program; `undefined` when this machine has none.
 * @property {string[]} flags
 * @property {'mjs' | 'cjs'} type
 */

/** Call after `installRuntimes()`. @returns {Program[]} */
export function programs() {
  const bun = ['x64', 'aarch64'].map((architecture) => join(home, `node_modules/@oven/bun-linux-${architecture}/bin/bun`)).find(existsSync);
  const deno = existsSync(bin('deno')) ? bin('deno') : undefined;
  const nodes = [20, 22, 24].flatMap((major) => [
    { name: `Node ${major}, import`, program: findRuntimesNode(major), flags: [], type: 'mjs' },
    { name: `Node ${major}, require`, program: findRuntimesNode(major), flags: [], type: 'cjs' },
  ]);
  return [
    ...nodes,
    { name: 'Bun', program: bun, flags: ['run'], type: 'mjs' },
    { name: 'Deno', program: deno, flags: ['run', '--allow-all', '--node-modules-dir=manual', '--quiet'], type: 'mjs' },
  ];
}

/** Node 22 comes with the packages of the runtimes, the others with the workspace. @param {number} major */
function findRuntimesNode(major) {
  const packaged = ['x64', 'arm64'].map((architecture) => join(home, `node_modules/node${major}-linux-${architecture}/bin/node`));
  return packaged.find(existsSync) ?? findNode(major);
}

export function serve({ program, flags, type }, variant) {
  return startServer(String(program), [...flags, `serve.${type}`, variant], { cwd: app, env: environment, ready: /listening on (\d+)/ });
}

export const environment = { DENO_NO_UPDATE_CHECK: '1', NODE_NO_WARNINGS: '1', BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0' };
