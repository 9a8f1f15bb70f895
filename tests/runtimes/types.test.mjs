// "Are the types wrong?" of the packed tarball: whether what TypeScript finds is what a runtime loads, for ESM and CommonJS.
// The profile leaves out resolution of TypeScript 4 (node10), which knows no `exports`.

import { test } from 'node:test';
import { bin, installRuntimes, run, tarball } from './install.mjs';

installRuntimes();

test('attw finds nothing wrong with the types of any entry', () => {
  run(process.execPath, [bin('attw'), tarball(), '--profile', 'node16', '--no-emoji', '--no-color']);
});
