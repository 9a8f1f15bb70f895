// A chat as a user has it, without a network: the real `useChat` of `@ai-sdk/react` 2, 3 and 4 in react-dom, and behind it the real
// `streamText` of ai 5, 6 and 7 with a session. Holds no tests.

import { Window } from 'happy-dom';
import { MAJORS, createModel, createTools, packages } from '../sdk/sdk.mjs';
import { answers, honestCount, request, results } from '../sdk/script.mjs';

// React looks for them when it is loaded.
const window = new Window();
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true });
if (globalThis.navigator === undefined) Object.assign(globalThis, { navigator: window.navigator }); // Node 20 has none.

const { act, createElement, StrictMode } = await import('react');
const { createRoot } = await import('react-dom/client');
const { createSession } = await import('stepfold');
const { useContextEvents, useContextWindow } = await import('stepfold/react');
const { writeEvents } = await import('stepfold/ui');

const hooks = { 5: await import('react-v5'), 6: await import('react-v6'), 7: await import('react-v7') };

export { MAJORS, act };

/**
 * A page with one chat.
 * `listens`: `onData` is given to `useChat`.
 */
export async function openPage({ major, transport, id = 'chat-1', messages = [], past, listens = true, isStrict = false }) {
  const { useChat } = hooks[major];
  const page = { chat: undefined, context: undefined, seen: [] };
  function Chat({ id: chatId }) {
    const events = useContextEvents({ id: chatId, past });
    page.chat = useChat({ id: chatId, messages, transport, ...(listens ? { onData: events.onData } : {}) });
    page.context = useContextWindow(page.chat, listens ? events : undefined);
    page.seen.push(page.context);
    return createElement('p', null, page.context.status);
  }
  const root = createRoot(window.document.createElement('div'));
  const render = async (chatId) => act(async () => root.render(isStrict ? createElement(StrictMode, null, createElement(Chat, { id: chatId })) : createElement(Chat, { id: chatId })));
  await render(id);
  return Object.assign(page, {
    render,
    send: (text = 'Fix every parser.') => act(async () => void (await page.chat.sendMessage({ text }))),
    /** Sends without waiting for the answer, until the page shows what is waited for. */
    sendUntil: async (isShown) => {
      let sent;
      await act(async () => void (sent = page.chat.sendMessage({ text: 'Fix every parser.' })));
      for (let turn = 0; !isShown(page.context); turn += 1) {
        if (turn === 10_000) throw new Error('it is never shown');
        await act(async () => new Promise((resolve) => void setImmediate(resolve)));
      }
      return { sent };
    },
    stop: () => act(async () => void (await page.chat.stop())),
    close: () => act(async () => root.unmount()),
  });
}

/** A component of the user's that calls `globalThis.docs.useChat`. */
export async function openComponent({ major, transport, load }) {
  let chat;
  const seen = [];
  const element = window.document.createElement('div');
  const useChat = (options) => {
    seen.push(element.innerHTML);
    return (chat = hooks[major].useChat({ ...options, transport }));
  };
  Object.assign(globalThis, { docs: { useChat } });
  const root = createRoot(element);
  const Component = await load();
  await act(async () => root.render(createElement(Component)));
  return {
    seen,
    html: () => element.innerHTML,
    send: () => act(async () => void (await chat.sendMessage({ text: 'Fix every parser.' }))),
    close: () => act(async () => root.unmount()),
  };
}

/**
 * The server of a chat, with what it would store.
 * `mergesLate`: the app has something else to wait for and to write between its call and the stream.
 */
export function createServer({ major, keepCheckpoints = false, usesStepfold = true, labels = {}, waitsFor, mergesLate = false, options = {} }) {
  const { convertToModelMessages, createUIMessageStream, streamText } = packages[major];
  const server = { stored: [], events: [], prompts: () => mock.prompts(), transport: undefined };
  const summarize = async () => {
    await waitsFor;
    return 'The modules up to here were read and their parsers fixed, one by one; the changelog is next.';
  };
  const mock = createModel({ major, answers, count: honestCount });
  server.transport = {
    sendMessages: async ({ messages, abortSignal }) =>
      createUIMessageStream({
        originalMessages: messages,
        generateId: () => `server-${messages.length}`,
        execute: async ({ writer }) => {
          const write = writeEvents(writer, { labels, keepCheckpoints });
          const session = createSession({
            contextWindow: 8_000, overheadTokens: 1, trigger: 0.8, target: 0.5, summarize, abortSignal, ...options,
            onEvent: (event) => {
              server.events.push(event);
              write(event);
            },
          });
          const result = streamText({
            model: mock.model,
            tools: createTools(major, results),
            messages: messages.length === 1 ? [request] : await convertToModelMessages(messages),
            stopWhen: ({ steps }) => steps.length >= 200,
            abortSignal,
            onError: () => undefined,
            ...(usesStepfold ? { prepareStep: session.prepareStep } : {}),
          });
          if (mergesLate) {
            await new Promise((resolve) => void setImmediate(resolve));
            writer.write({ type: 'data-title', id: 'title', data: 'Parsers' });
          }
          writer.merge(result.toUIMessageStream());
        },
        onFinish: ({ messages: all }) => void (server.stored = structuredClone(all)),
      }),
    reconnectToStream: async () => null,
  };
  return server;
}
