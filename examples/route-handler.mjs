// A route handler with a session: plain `Request -> Response`, as in Next.js (`app/api/chat/route.ts`), Hono, Bun or Deno.
// The client sends the id of the chat and its messages; checkpoints outlive the request, and the page is told what happens.

import { convertToModelMessages, createUIMessageStream, createUIMessageStreamResponse, generateText, isStepCount, streamText, toUIMessageStream } from 'ai';
import { createSession, isContextOverflow } from 'stepfold';
import { writeEvents } from 'stepfold/ui';

/**
 * @param {{ model: any, smallModel: any, tools: any, store: import('stepfold').SessionStore }} app In Next.js these are
 *   module-level constants, and the function returned is `export async function POST(request)`.
 *   `store`: a `Map` in one process; across servers `redisStore(redis, { ttlSeconds: 86_400 })` from `stepfold/stores` or another.
 */
export function createRoute({ model, smallModel, tools, store }) {
  return async function POST(/** @type {Request} */ request) {
    const { id, messages } = await request.json();

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
        const result = streamText({
          model,
          tools: { ...tools, recall: session.recallTool() },
          messages: await convertToModelMessages(messages),
          stopWhen: isStepCount(200),
          prepareStep: session.prepareStep,
          // The last step's usage is seen by no further `prepareStep`; `dispose` saves it.
          onStepEnd: session.report,
          onEnd: () => session.dispose(),
          abortSignal: request.signal,
        });
        // What the model's provider says goes wrong is told there.
        writer.merge(toUIMessageStream({ stream: result.stream, onError }));
      },
    });
    return createUIMessageStreamResponse({ stream });
  };
}
