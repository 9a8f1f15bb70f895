// A window that is known wrongly, beside the real packages of every provider and major: the limit is a tenth of the believed one. The run
// must finish with one refused call, and what is sent must be what the provider accepts.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createPrepareStep, createSession } from 'stepfold';

import { inTurn } from '../amount.mjs';
import { answers, request, results } from '../sdk/script.mjs';
import { MAJORS, createTools, run } from '../sdk/sdk.mjs';
import { checkRequest } from '../wire/oracle.mjs';
import { PROVIDERS, serve } from './server.mjs';

const BELIEVED = 220_000;
const LIMIT = 22_000;

const WAYS = [
  { api: 'generateText', manner: 'refuses' },
  { api: 'streamText', manner: 'refuses' },
  { api: 'streamText', manner: 'error-frame' },
];

for (const [turn, provider] of (Object.keys(PROVIDERS)).entries()) {
  for (const major of MAJORS) {
    for (const { api, manner } of inTurn(WAYS, turn + major)) {
      test(`${provider} on ai ${major}, ${api}, ${manner}: the run finishes after one refused call`, async () => {
        const events = [];
        const options = { contextWindow: BELIEVED, onEvent: (event) => events.push(event) };
        const session = createSession(options);
        const server = serve({ major, provider, answers, limit: LIMIT, manner });
        const { text, errors } = await run({
          major,
          api,
          model: session.model(server.model),
          tools: createTools(major, results),
          options: { messages: [request], prepareStep: session.prepareStep, ...(server.options === undefined ? {} : { providerOptions: server.options }) },
        });
        assert.deepEqual(errors, []);
        assert.equal(text, 'All parsers are fixed.');
        assert.equal(server.taken.length, answers.length);
        assert.equal(server.refused.length, 1);
        const overflows = events.filter(({ type }) => type === 'overflow');
        assert.equal(overflows.length, 1);
        assert.ok(overflows[0].contextWindow <= LIMIT * 1.3, `${overflows[0].contextWindow}`);
        assert.deepEqual(events.filter(({ type }) => type === 'error' || type === 'truncated-by-provider'), []);
        if (server.oracle === undefined) return;
        for (const [index, body] of server.taken.entries()) assert.deepEqual(checkRequest({ endpoint: server.oracle, body }), [], `request ${index}`);
      });
    }
  }
}

test('without it the same run is lost', async () => {
  const server = serve({ major: 7, provider: 'anthropic', answers, limit: LIMIT });
  const options = { messages: [request], prepareStep: createPrepareStep({ contextWindow: BELIEVED }) };
  await assert.rejects(run({ major: 7, model: server.model, tools: createTools(7, results), options }), /prompt is too long/);
});
