// Replays conversations through the published `prepareStep`: a generated one, and recorded ones where they are at hand.
// What is checked stands in bench/transcripts.mjs. Recorded conversations are read where they lie; none is part of the project.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createConversation } from '../../bench/conversation.mjs';
import { loadTranscripts, replayAll } from '../../bench/transcripts.mjs';

const recorded = fileURLToPath(new URL('../../../shared/transcripts', import.meta.url));

function assertSound(rows) {
  for (const { window, conversations, steps, over, violations, unstable, errors } of rows) {
    assert.ok(conversations > 0 && steps > 0, `nothing was replayed at ${window}`);
    assert.deepEqual({ over, violations, unstable, errors }, { over: 0, violations: 0, unstable: 0, errors: 0 }, `window ${window}`);
  }
}

test('a generated conversation of 900 messages fits every window, stays valid and keeps its prefix', async () => {
  assertSound(await replayAll([{ messages: createConversation({ messages: 900 }) }], [16_000, 32_000, 64_000]));
});

test('recorded conversations, where they are at hand, fit, stay valid and keep their prefix', async (t) => {
  if (!existsSync(recorded)) return t.diagnostic('no recorded conversations here: only the generated one was replayed');
  const transcripts = loadTranscripts(recorded);
  assertSound(await replayAll(transcripts, [16_000, 64_000]));
  t.diagnostic(`${transcripts.length} recorded conversations were replayed`);
});
