// The entry `stepfold/react` beside the real `useChat` of `@ai-sdk/react` 2, 3 and 4: what a component is told, and what is left after a reload.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { transformSync } from 'esbuild';
import { MAJORS, act, createServer, openComponent, openPage } from './page.mjs';

const checkpointParts = (messages) => messages.flatMap(({ parts }) => parts).filter(({ type }) => type === 'data-stepfold-checkpoint');

for (const major of MAJORS) {
  test(`v${major}: a component is told tokens, share, what runs now and what was done, and the same edits once after a reload`, async () => {
    const server = createServer({ major, keepCheckpoints: true });
    const page = await openPage({ major, transport: server.transport });
    assert.deepEqual([page.context.status, page.context.tokens, page.context.share, page.context.edits], ['no-events', undefined, undefined, []]);
    await page.send();

    const { status, tokens, contextWindow, share, edits, running } = page.context;
    assert.deepEqual([status, running, contextWindow], ['idle', undefined, 8_000]);
    assert.ok(tokens > 0 && tokens < 8_000 && share === tokens / contextWindow, `${tokens} tokens`);
    const done = server.events.filter(({ type }) => ['capped', 'cleared', 'checkpoint', 'squeezed'].includes(type));
    assert.deepEqual(edits.map(({ type }) => type), done.map(({ type }) => type));
    assert.equal(new Set(edits.map(({ key }) => key)).size, edits.length);
    const folds = edits.filter(({ type }) => type === 'checkpoint');
    assert.ok(folds.length > 0 && folds.every(({ label, content, messages, tokensBefore, tokensAfter, foldedAt }) => label === 'Conversation summarized.' && content === 'summary' && messages > 0 && tokensBefore > tokensAfter && Number.isFinite(Date.parse(foldedAt))), JSON.stringify(folds));
    assert.ok(page.seen.some((one) => one.status === 'running' && one.running.label === 'Summarizing conversation…' && one.running.messages > 0));

    // The message keeps a part for each checkpoint, in the place where it happened, and no event.
    assert.equal(page.chat.messages.length, 2);
    assert.deepEqual(checkpointParts(page.chat.messages), checkpointParts(server.stored));
    assert.deepEqual(checkpointParts(server.stored).map(({ id }) => id), folds.map(({ checkpointId }) => checkpointId));
    assert.ok(!JSON.stringify(server.stored).includes('"data-stepfold"'));
    const { parts } = server.stored[1];
    assert.ok(parts.findIndex(({ type }) => type === 'data-stepfold-checkpoint') > 5);
    await page.close();

    const again = await openPage({ major, transport: server.transport, messages: JSON.parse(JSON.stringify(server.stored)), past: [server.events.findLast(({ type }) => type === 'measured')] });
    assert.deepEqual([again.context.status, again.context.contextWindow], ['idle', 8_000]);
    assert.deepEqual(again.context.edits.map(({ checkpointId, messages, content, foldedAt }) => [checkpointId, messages, content, foldedAt]), folds.map(({ checkpointId, messages, content, foldedAt }) => [checkpointId, messages, content, foldedAt]));
    await again.close();
    const bare = await openPage({ major, transport: server.transport, messages: server.stored, listens: false });
    assert.deepEqual([bare.context.status, bare.context.tokens, bare.context.share, bare.context.edits.length], ['idle', undefined, undefined, folds.length]);
    await bare.close();
  });

  test(`v${major}: a fold before the first call stands in the one message that the server names`, async () => {
    const past = createServer({ major });
    const first = await openPage({ major, transport: past.transport });
    await first.send();
    await first.close();
    assert.equal(checkpointParts(past.stored).length, 0, 'nothing is kept that was not asked for');

    const server = createServer({ major, keepCheckpoints: true, mergesLate: true, options: { summarize: undefined } });
    const page = await openPage({ major, transport: server.transport, messages: past.stored });
    await page.send('And the changelog?');
    const [fold] = checkpointParts(page.chat.messages);
    assert.equal(fold.id, server.events.find(({ type, stepNumber }) => type === 'checkpoint' && stepNumber === 0).id);
    assert.deepEqual(page.chat.messages.map(({ id }) => id).slice(2), [page.chat.messages[2].id, 'server-3']);
    assert.deepEqual(page.chat.messages[3].parts[0], fold);
    assert.deepEqual(server.stored.map(({ id }) => id), page.chat.messages.map(({ id }) => id));
    await page.close();
  });

  test(`v${major}: a chat without stepfold's parts says so, with events and without`, async () => {
    for (const listens of [true, false]) {
      const server = createServer({ major, usesStepfold: false });
      const page = await openPage({ major, transport: server.transport, listens });
      await page.send();
      assert.ok(page.chat.messages[1].parts.length > 20);
      assert.ok(page.seen.every(({ status, tokens, share, running, edits }) => status === 'no-events' && tokens === undefined && share === undefined && running === undefined && edits.length === 0));
      await page.close();
    }
  });

  test(`v${major}: who stops while a summary is written sees nothing run, then or in the next request`, async () => {
    const never = new Promise(() => undefined);
    const server = createServer({ major, waitsFor: never });
    const page = await openPage({ major, transport: server.transport, isStrict: true });
    const { sent } = await page.sendUntil(({ status }) => status === 'running');
    await page.stop();
    await act(() => sent);
    assert.deepEqual([page.context.status, page.context.running], ['idle', undefined]);
    page.seen.length = 0;
    server.transport.sendMessages = async () => new ReadableStream({ start: (controller) => controller.close() });
    await page.send('Go on.');
    assert.ok(page.seen.length > 0 && page.seen.every(({ running }) => running === undefined));
    await page.close();
  });

  test(`v${major}: another chat in the same component begins anew, and is told its own events`, async () => {
    const server = createServer({ major });
    const page = await openPage({ major, transport: server.transport, id: 'chat-1' });
    await page.render('chat-2');
    await page.send();
    const { tokens } = page.context;
    assert.ok(tokens > 0);
    await page.render('chat-3');
    assert.deepEqual([page.context.status, page.context.tokens], ['no-events', undefined]);
    await page.close();
  });
}

test('parts that are damaged, foreign or of another version show nothing wrong', async () => {
  const checkpoint = { type: 'data-stepfold-checkpoint', id: 'c1', data: { id: 'c1', messages: 7, foldedAt: '2026-01-01T00:00:00.000Z', tokensBefore: 9, tokensAfter: 5 } };
  const odd = [null, 7, {}, { type: 'data-stepfold' }, { type: 'data-stepfold-checkpoint' }, { type: 'data-stepfold-checkpoint', data: null }, { type: 'data-stepfold-checkpoint', data: { id: 5 } }, checkpoint];
  const messages = [{ id: 'm1', role: 'assistant', parts: odd }, { id: 'm2', role: 'assistant' }];
  const page = await openPage({ major: 7, transport: {}, past: [null, 7, {}, { type: 5 }, { type: 'measured', tokens: 'many', contextWindow: 0 }, { type: 'cleared', results: 'all' }, { type: 'of-a-later-version' }, { type: 'checkpoint-started', messages: 3 }] });
  await act(async () => page.chat.setMessages(messages));
  const { status, tokens, share, running, edits } = page.context;
  assert.deepEqual([status, tokens, share, running], ['idle', undefined, undefined, undefined]);
  assert.deepEqual(edits.map(({ type, messages: folded, results, foldedAt }) => [type, folded, results, foldedAt]), [['checkpoint', 7, undefined, checkpoint.data.foldedAt], ['cleared', undefined, undefined, undefined]]);
  await page.close();
});

test('a checkpoint that is announced and kept is one edit, and its time is the one that is kept', async () => {
  const reported = { type: 'checkpoint', id: 'c1', messages: 7, stepNumber: 3, tokensBefore: 9, tokensAfter: 5, label: 'Folded.' };
  const kept = { type: 'data-stepfold-checkpoint', id: 'c1', data: { id: 'c1', messages: 7, foldedAt: '2026-01-01T00:00:00.000Z', tokensBefore: 9, tokensAfter: 5 } };
  const page = await openPage({ major: 7, transport: {}, messages: [{ id: 'm1', role: 'assistant', parts: [kept] }], past: [reported] });
  assert.deepEqual(page.context.edits.map(({ stepNumber, label, foldedAt }) => [stepNumber, label, foldedAt]), [[3, 'Folded.', kept.data.foldedAt]]);
  await page.close();
});

test('a page keeps the newest 200 edits, each with a key of its own', async () => {
  const past = Array.from({ length: 500 }, (_, step) => ({ type: 'cleared', results: [], stepNumber: step, tokensBefore: 9, tokensAfter: 5 }));
  const page = await openPage({ major: 7, transport: {}, past });
  assert.deepEqual([page.context.edits.length, page.context.edits[0].stepNumber, new Set(page.context.edits.map(({ key }) => key)).size], [200, 300, 200]);
  await page.close();
});

test('the value stays the same object while nothing is reported, so that a memoized component rests', async () => {
  const page = await openPage({ major: 7, transport: {} });
  const before = page.context;
  await page.render('chat-1');
  assert.equal(page.seen.length, 2);
  assert.equal(page.context, before);
  await page.close();
});

test('it works where it is required, and on a server, where only what the app has kept is known', async () => {
  const { createElement } = await import('react');
  const { renderToString } = await import('react-dom/server');
  const { useContextEvents, useContextWindow } = createRequire(import.meta.url)('stepfold/react');
  const Meter = ({ past }) => {
    const { status, tokens } = useContextWindow([], useContextEvents({ past }));
    return createElement('p', null, status, tokens);
  };
  assert.equal(renderToString(createElement(Meter)), '<p>no-events</p>');
  assert.match(renderToString(createElement(Meter, { past: [{ type: 'measured', tokens: 4_000, contextWindow: 8_000 }] })), /^<p>idle.*4000<\/p>$/);
});

test('the page of docs/react.md shows meter, divider and what is waited for', async () => {
  const [, code] = /```tsx\n([\s\S]*?)```/.exec(readFileSync(new URL('../../docs/react.md', import.meta.url), 'utf8')) ?? [];
  const { code: plain } = transformSync(String(code), { loader: 'tsx', jsx: 'automatic' });
  const folder = new URL('../../build/docs/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('react.mjs', folder), plain.replace(/import \{ useChat \} from .*/, 'const { useChat } = globalThis.docs;'));
  const server = createServer({ major: 7, keepCheckpoints: true });
  const page = await openComponent({ major: 7, transport: server.transport, load: async () => (await import(String(new URL('react.mjs', folder)))).Chat });
  assert.equal(page.html(), '');
  await page.send();
  assert.match(page.html(), /<p>All parsers are fixed\.<\/p>.*<meter max="8000" value="\d+"><\/meter>$/);
  assert.match(page.html(), /<hr title="Conversation summarized.">/);
  assert.ok(page.seen.some((html) => html.endsWith('<p role="status">Summarizing conversation…</p>')));
  await page.close();
});
