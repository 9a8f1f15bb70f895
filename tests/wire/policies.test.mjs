// The harness catches a broken policy and lets a sound one pass. Tests the tests; the product is in `wire.test.mjs`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn } from '../amount.mjs';
import { createTally, driveConversation } from './drive.mjs';
import { generateConversation, PROVIDERS } from './generate.mjs';
import { BROKEN, createSound } from './policies.mjs';
import { ENDPOINTS, MAJORS } from './send.mjs';

/** Failures of the first seeds, until one is of `rule`. */
async function collect({ create, major, provider, compaction = false, seeds, rule = undefined }) {
  const tally = createTally();
  const failures = [];
  for (let seed = 0; seed < seeds; seed++) {
    const conversation = generateConversation({ seed, major, provider, compaction, units: 14, textChars: 5000 });
    const api = rule?.split('/')[0];
    const endpoints = conversation.endpoints.filter((endpoint) => !ENDPOINTS.some((name) => name === api) || endpoint === api);
    for (const endpoint of endpoints) {
      failures.push(...(await driveConversation(conversation, { endpoint, createPrepareStep: create, tally })));
      if (failures.some((failure) => failure.rule === rule)) return { failures, tally };
    }
  }
  return { failures, tally };
}

for (const [turn, { name, create, rule, provider, majors, compaction }] of BROKEN.entries()) {
  for (const major of inTurn(majors, turn)) {
    test(`a policy that ${name} breaks ${rule}, v${major}`, async () => {
      const { failures } = await collect({ create, major, provider, compaction, seeds: 40, rule });
      const rules = [...new Set(failures.map((failure) => failure.rule))];
      assert.ok(rules.includes(rule), `only ${rules}`);
    });
  }
}

for (const major of MAJORS) {
  test(`a sound policy breaks nothing, v${major}`, async () => {
    for (const provider of PROVIDERS) {
      const { failures, tally } = await collect({ create: createSound, major, provider, seeds: 3 });
      assert.deepEqual(failures, []);
      assert.ok(tally.total('checkpoint') > 0 && tally.total('requests') > 20, `too few edits to tell:\n${tally}`);
    }
  });
}
