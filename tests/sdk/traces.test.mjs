// What stepfold did, on the spans that the AI SDK makes itself, through the real OpenTelemetry SDK: of ai 5 and 6 the run's span, of ai 7
// the span of each model call, made by `@ai-sdk/otel`. Each major registers for itself, so nothing here is global but the provider.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenTelemetry } from '@ai-sdk/otel';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { createPrepareStep, createSession } from 'stepfold';
import { telemetryIntegration } from 'stepfold/otel';
import { answers, play } from './script.mjs';
import { APIS, MAJORS } from './sdk.mjs';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();

const options = { contextWindow: 8_000, overheadTokens: 1, trigger: 0.8, target: 0.5 };

/** Plays the script and hands back what was told and what was exported. */
async function traced({ major, api, telemetry, make = createPrepareStep }) {
  exporter.reset();
  const reported = [];
  const made = make({ ...options, onEvent: (event) => reported.push(event) });
  await play({ major, api, prepareStep: made.prepareStep ?? made, options: telemetry });
  await provider.forceFlush();
  const spans = exporter.getFinishedSpans();
  const ours = spans.map((span) => ({ span, events: span.events.filter(({ name }) => name.startsWith('stepfold.')) })).filter(({ events }) => events.length > 0);
  return { reported: reported.filter(({ type }) => type !== 'measured'), spans, ours };
}

const nameOf = ({ type }) => `stepfold.${type.replaceAll('-', '_')}`;

for (const major of MAJORS.filter((major) => major !== 7)) {
  for (const api of APIS) {
    test(`v${major}, ${api}: every edit is an event on the span of the run, with its step`, async () => {
      const { reported, ours } = await traced({ major, api, telemetry: { experimental_telemetry: { isEnabled: true } } });
      assert.ok(reported.length > 3);
      assert.equal(ours.length, 1, ours.map(({ span }) => span.name).join());
      assert.match(ours[0].span.name, /^ai\.(generateText|streamText)$/);
      assert.deepEqual(ours[0].events.map(({ name, attributes }) => [name, attributes?.step_number]), reported.map((event) => [nameOf(event), event.stepNumber]));
      assert.equal(ours[0].span.attributes['stepfold.measured.context_window'], 8_000);
    });
  }
}

const hidden = { recordInputs: false, recordOutputs: false };
for (const api of APIS) {
  for (const [name, make] of Object.entries({ createPrepareStep, createSession })) {
    for (const how of [{}, hidden]) {
      test(`v7, ${api}, ${name}${how === hidden ? ', inputs hidden' : ''}: every edit is an event on the span of its step's model call`, async () => {
        const { reported, ours, spans } = await traced({ major: 7, api, make, telemetry: { telemetry: { ...how, integrations: [telemetryIntegration(), new OpenTelemetry()] } } });
        const chats = spans.filter(({ name }) => name.startsWith('chat ')).sort((left, right) => left.startTime[0] - right.startTime[0] || left.startTime[1] - right.startTime[1]);
        assert.equal(chats.length, answers.length);
        const written = chats.flatMap((span, step) => span.events.filter(({ name }) => name.startsWith('stepfold.')).map(({ name, attributes }) => [name, attributes?.step_number, step]));
        assert.ok(reported.length > 3);
        assert.deepEqual(written, reported.map((event) => [nameOf(event), event.stepNumber, event.stepNumber]));
        assert.ok(ours.every(({ span }) => chats.includes(span)), 'on no other span');
        for (const [step, chat] of chats.entries()) if (step > 0 || how !== hidden) assert.equal(chat.attributes['stepfold.measured.step_number'], step);
      });
    }
  }
}

test('v7: without the integration an edit stands on the span of the app', async () => {
  const inner = provider.getTracer('app');
  const { reported, ours } = await inner.startActiveSpan('request', async (span) => {
    try {
      return await traced({ major: 7, api: 'generateText', telemetry: {}, make: (given) => { const made = createPrepareStep(given); return (step) => made({ ...step, initialMessages: undefined }); } });
    } finally {
      span.end();
    }
  });
  assert.deepEqual(ours, [], 'the span of the app has not ended yet');
  const events = exporter.getFinishedSpans().find(({ name }) => name === 'request')?.events ?? [];
  assert.deepEqual(events.map(({ name }) => name), reported.map(nameOf));
});

test('v7: where telemetry is off nothing is recorded', async () => {
  const { ours, reported } = await traced({ major: 7, api: 'streamText', telemetry: { telemetry: { isEnabled: false } } });
  assert.ok(reported.length > 3);
  assert.deepEqual(ours, []);
});

test('v7: two runs at once each find their own spans', async () => {
  exporter.reset();
  const shared = createPrepareStep(options);
  await Promise.all([20, 25].map((most) => play({
    major: 7, api: 'streamText', answers: [...answers.slice(0, most), { text: 'Done.' }], modelId: `mock-${most}`, prepareStep: shared,
    options: { telemetry: { integrations: [telemetryIntegration(), new OpenTelemetry()] } },
  })));
  for (const most of [20, 25]) {
    const chats = exporter.getFinishedSpans().filter(({ name }) => name === `chat mock-${most}`);
    assert.deepEqual(chats.map(({ attributes }) => attributes['stepfold.measured.step_number']).sort((left, right) => Number(left) - Number(right)), Array.from({ length: most + 1 }, (_, step) => step));
  }
});
