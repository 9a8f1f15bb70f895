// "Are the types wrong?" of the packed tarball: whether what TypeScript finds is what a runtime loads.
// The profile is that of packages which are ESM alone: it leaves out TypeScript 4 (node10), which knows no `exports`, and the `node16` of
// CommonJS files, in which TypeScript says that a module cannot be required. `nodenext` knows that Node does it.

import { test } from 'node:test';
import { bin, installRuntimes, run, tarball } from './install.mjs';

installRuntimes();

test('attw finds nothing wrong with the types of any entry', () => {
  run(process.execPath, [bin('attw'), tarball(), '--profile', 'esm-only', '--no-emoji', '--no-color']);
});
