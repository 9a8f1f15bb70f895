// What happens in a step, on the active span of the real @opentelemetry/api; without one, and with a broken one, nothing changes.
// The parts that an app installs (context manager, spans) are small ones of this test's own.

import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { ROOT_CONTEXT, context, trace } from '@opentelemetry/api';
import { createPrepareStep } from 'stepfold';
import { play } from './script.mjs';
import { MAJORS } from './sdk.mjs';

/** What an SDK of OpenTelemetry registers. */
const storage = new AsyncLocalStorage();
const manager = {
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active, call, self, ...values) => storage.run(active, () => call.apply(self, values)),
  bind: (_context, target) => target,
  enable: () => manager,
  disable: () => manager,
};

function createSpan({ isRecording = true, broken = false } = {}) {
  const attributes = {};
  const events = [];
  const fail = () => { if (broken) throw new Error('broken'); };
  const span = {
    isRecording: () => isRecording,
    setAttributes: (values) => { fail(); Object.assign(attributes, values); return span; },
    addEvent: (name, values) => { fail(); events.push({ name, ...values }); return span; },
  };
  return { span, attributes, events };
}

const options = { contextWindow: 8_000, overheadTokens: 1, trigger: 0.8, target: 0.45 };
const runIn = async (major, span, onEvent) => {
  const call = () => play({ major, prepareStep: createPrepareStep({ ...options, ...(onEvent === undefined ? {} : { onEvent }) }) });
  const { text, prompts } = await (span === undefined ? call() : context.with(trace.setSpan(context.active(), span), call));
  return { text, prompts };
};

test('without the API of OpenTelemetry, or without a span, nothing is recorded and nothing changes', async () => {
  const before = await runIn(6, undefined);
  context.setGlobalContextManager(manager);
  assert.deepEqual(await runIn(6, undefined), before);
});

for (const major of MAJORS) {
  test(`v${major}: the active span gets what was measured as attributes and what was done as events`, async () => {
    const { span, attributes, events } = createSpan();
    const plain = await runIn(major, undefined);
    assert.deepEqual(await runIn(major, span), plain, 'nobody listens but the span');
    assert.ok(Number(attributes['stepfold.measured.tokens']) > 0 && attributes['stepfold.measured.context_window'] === 8_000);
    assert.equal(attributes['stepfold.measured.source'], 'reported');
    const cleared = events.find(({ name }) => name === 'stepfold.cleared');
    assert.ok(cleared.results >= 1 && cleared.tokens_before > cleared.tokens_after, JSON.stringify(cleared));
    assert.ok(events.some(({ name, content }) => name === 'stepfold.checkpoint' && content === 'digest'));
    for (const value of [...Object.values(attributes), ...events.flatMap((event) => Object.values(event))]) assert.ok(['string', 'number', 'boolean'].includes(typeof value));
    // Who listens besides is told the same.
    const listened = createSpan();
    const types = [];
    await runIn(major, listened.span, ({ type }) => types.push(`stepfold.${type.replaceAll('-', '_')}`));
    assert.deepEqual(listened.events.map(({ name }) => name), types.filter((name) => name !== 'stepfold.measured'));
  });
}

test('a span that is not recorded or fails is no span', async () => {
  const plain = await runIn(7, undefined);
  const quiet = createSpan({ isRecording: false });
  assert.deepEqual(await runIn(7, quiet.span), plain);
  assert.deepEqual([quiet.attributes, quiet.events], [{}, []]);
  assert.deepEqual(await runIn(7, createSpan({ broken: true }).span), plain);
  assert.deepEqual(await runIn(7, {}), plain);
});
