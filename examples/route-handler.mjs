// A route handler with a session: plain `Request -> Response`, as in Next.js (`app/api/chat/route.ts`), Hono, Bun or Deno.
// The client sends the id of the chat and its messages; checkpoints outlive the request, also one that the user stops, and the page is
// told what happens. A chat is opened for its owner only.

import { convertToModelMessages, createUIMessageStream, createUIMessageStreamResponse, generateText, isStepCount, streamText, toUIMessageStream } from 'ai';
import { createSession, isContextOverflow } from 'stepfold';
import { writeEvents } from 'stepfold/ui';

/**
 * @param {{
 *   model: any, smallModel: any, tools: any,
 *   store: import('stepfold').SessionStore,
 *   mayOpen: (request: Request, id: string) => Promise<boolean>,
 * }} app In Next.js these are module-level constants, and the function returned is `export async function POST(request)`.
 *   `store`: a `Map` in one process; across servers `redisStore(redis, { ttlSeconds: 86_400 })` from `stepfold/stores` or another.
 *   `mayOpen`: whether the user who is signed in (a cookie, a token) owns the chat with this id, or it is a new one.
 */
export function createRoute({ model, smallModel, tools, store, mayOpen }) {
  return async function POST(/** @type {Request} */ request) {
    const { id, messages } = await request.json();
    // Before a session is opened: the id comes from the client, and the session holds what was said in the chat.
    if (!(await mayOpen(request, id))) return new Response('This chat is not yours.', { status: 403 });

    const onError = (/** @type {unknown} */ error) => (isContextOverflow(error) ? 'This does not fit into the window of the model.' : 'An error occurred.');
    const stream = createUIMessageStream({
      onError,
      execute: async ({ writer }) => {
        const session = createSession({
          id,
          store,
          // "Summarizing conversation…" and the like reach `onData` of `useChat`, and no message.
          onEvent: writeEvents(writer),
          // When the reader leaves, a running summary is stopped as well.
          abortSignal: request.signal,
          summarize: async ({ prompt, maxOutputTokens, abortSignal }) =>
            (await generateText({ model: smallModel, prompt, maxOutputTokens, abortSignal })).text,
        });
        const allTools = { ...tools, recall: session.recallTool() };
        const result = streamText({
          model,
          tools: allTools,
          // With the tools, so that results of earlier requests are sent as `toModelOutput` has them. Stop leaves calls without results behind,
          // which no provider takes.
          messages: await convertToModelMessages(messages, { tools: allTools, ignoreIncompleteToolCalls: true }),
          stopWhen: isStepCount(200),
          prepareStep: session.prepareStep,
          // The last step's usage is seen by no further `prepareStep`; `dispose` saves it.
          onStepEnd: session.onStepEnd,
          onEnd: () => session.dispose(),
          // Stop: `onEnd` is not called then.
          onAbort: () => session.dispose(),
          abortSignal: request.signal,
        });
        // Read to its end also when the page has gone and the platform aborts nothing: else neither of the two would be called.
        result.consumeStream({ onError });
        // Where the platform stops a function with its response, it must know of that. Next.js: `after(() => session.dispose())`; others have
        // `waitUntil(promise)`, also for summaries asked ahead of time: the option `waitUntil`.
        // What the model's provider says goes wrong is told there.
        writer.merge(toUIMessageStream({ stream: result.stream, onError }));
      },
    });
    return createUIMessageStreamResponse({ stream });
  };
}
