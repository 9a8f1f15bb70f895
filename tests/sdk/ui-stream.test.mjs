// Events as transient data parts in the real UI message streams of ai 5, 6 and 7: the client is told, no message keeps them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'stepfold';
import { writeEvents } from 'stepfold/ui';
import { answers, honestCount, request, results } from './script.mjs';
import { MAJORS, createModel, createTools, packages } from './sdk.mjs';

for (const major of MAJORS) {
  test(`v${major}: a client is told what happens while it happens, and the finished message holds none of it`, async () => {
    const { createUIMessageStream, streamText, createUIMessageStreamResponse, readUIMessageStream } = packages[major];
    const mock = createModel({ major, answers, count: honestCount });
    let finished = [];
    const stream = createUIMessageStream({
      execute: ({ writer }) => {
        const summarize = async () => 'The modules up to here were read and their parsers fixed, one by one; the changelog is next.';
        const session = createSession({ contextWindow: 8_000, overheadTokens: 1, trigger: 0.8, target: 0.5, summarize, onEvent: writeEvents(writer) });
        const result = streamText({ model: mock.model, tools: createTools(major, results), messages: [request], prepareStep: session.prepareStep, stopWhen: ({ steps }) => steps.length >= 200, onError: () => undefined });
        writer.merge(result.toUIMessageStream());
      },
      onFinish: ({ messages }) => void (finished = messages),
    });
    const response = createUIMessageStreamResponse({ stream });
    const text = await response.text();
    const chunks = text.split('\n').filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)));
    const reported = chunks.filter(({ type }) => type === 'data-stepfold');
    assert.ok(reported.every(({ transient, data }) => transient === true && Number.isInteger(data.stepNumber)));
    const labels = reported.map(({ data }) => data.label).filter((label) => label !== undefined);
    assert.ok(labels.includes('Summarizing conversation…') && labels.includes('Conversation summarized.'), String(labels));
    assert.ok(labels.some((label) => /^Cleared \d+ results that were read before\.$/.test(label)), String(labels));
    assert.ok(reported.filter(({ data }) => data.type === 'measured').every(({ data }) => data.label === undefined && data.tokens > 0));
    // Between the steps, where it happens: not all at the end.
    const summarizing = chunks.findIndex(({ data }) => data?.type === 'checkpoint-started');
    assert.ok(chunks.slice(summarizing).some(({ type }) => type === 'start-step'));
    assert.ok(finished.length > 0 && !JSON.stringify(finished).includes('data-stepfold'));
    const parts = [];
    for await (const message of readUIMessageStream({ stream: new ReadableStream({ start: (controller) => { chunks.forEach((chunk) => controller.enqueue(chunk)); controller.close(); } }) })) parts.push(...message.parts);
    assert.ok(parts.length > 0 && parts.every(({ type }) => type !== 'data-stepfold'));
  });
}

test('labels can be replaced, translated and left out', () => {
  const written = [];
  const onEvent = writeEvents({ write: (part) => void written.push(part) }, { labels: { 'checkpoint-started': 'Gespräch wird zusammengefasst …', cleared: ({ results }) => `${results.length} weg`, delivered: undefined } });
  onEvent({ type: 'checkpoint-started', messages: 4, stepNumber: 1 });
  onEvent({ type: 'cleared', results: [], tokensBefore: 9, tokensAfter: 5, stepNumber: 1 });
  onEvent({ type: 'delivered', messages: 1, stepNumber: 2 });
  assert.deepEqual(written.map(({ data }) => data.label), ['Gespräch wird zusammengefasst …', '0 weg', undefined]);
});

test('a label says "summarized" only where a model did', () => {
  const written = [];
  const onEvent = writeEvents({ write: (part) => void written.push(part) }, { keepCheckpoints: true });
  for (const content of ['summary', 'digest']) onEvent({ type: 'checkpoint', id: content, content, messages: 4, checkpointTokens: 2, tokensBefore: 9, tokensAfter: 5, stepNumber: 1 });
  assert.deepEqual(written.map(({ type, data }) => [type, data.content, data.label]), [
    ['data-stepfold', 'summary', 'Conversation summarized.'],
    ['data-stepfold-checkpoint', 'summary', 'Conversation summarized.'],
    ['data-stepfold', 'digest', 'Older messages condensed.'],
    ['data-stepfold-checkpoint', 'digest', 'Older messages condensed.'],
  ]);
});

test('a stream that is closed ends no run', async () => {
  const session = createSession({ contextWindow: 8_000, onEvent: writeEvents({ write: () => { throw new TypeError('Invalid state: Controller is already closed'); } }) });
  assert.equal(await session.prepareStep({ messages: [{ role: 'user', content: 'Hi' }], steps: [], stepNumber: 0, model: 'mock' }), undefined);
});
