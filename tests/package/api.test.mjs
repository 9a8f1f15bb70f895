// The public surface of the package is the one that api/ holds, so that a change of it is seen in a review.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { publicTypes } from '../../scripts/api.mjs';
import { root } from './helpers.mjs';

process.chdir(root);
const made = publicTypes();
const how = 'the public types have changed: if that is meant, run `npm run api`, look at the diff of api/ and add a line to CHANGELOG.md';

test('each entry has a file in api/', () => {
  assert.deepEqual(readdirSync(join(root, 'api')).sort(), [...made.keys()], how);
});

for (const [name, text] of made) {
  test(`the types of ${name} are those in api/`, () => {
    assert.equal(text, readFileSync(join(root, 'api', name), 'utf8'), how);
  });
}
