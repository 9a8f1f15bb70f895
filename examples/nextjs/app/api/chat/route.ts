// The agent's route: every request goes on with the session of its chat, and streams what happens to the context to the page.

import { convertToModelMessages, createUIMessageStream, createUIMessageStreamResponse, generateText, isStepCount, streamText, toUIMessageStream } from 'ai';
import { createSession, isContextOverflow } from 'stepfold';
import { writeEvents } from 'stepfold/ui';
import type { ChatMessage } from '../../../lib/chat';
import { chooseModels } from '../../../lib/models';
import { tools } from '../../../lib/tools';

/** Sessions by chat. In one process this will do; across servers take `redisStore(redis, { ttlSeconds: 86_400 })` from `stepfold/stores` or another. */
const store = new Map<string, string>();

/** What the page may know of an error. */
const onError = (error: unknown): string => (isContextOverflow(error) ? 'This does not fit into the window of the model.' : 'An error occurred.');

export async function POST(request: Request): Promise<Response> {
  // An app with users checks here whether the chat is this user's.
  const { id, messages } = (await request.json()) as { id: string; messages: ChatMessage[] };
  const { model, smallModel, contextWindow } = chooseModels();

  const stream = createUIMessageStream<ChatMessage>({
    onError,
    execute: async ({ writer }) => {
      const session = createSession({
        id,
        store,
        contextWindow,
        abortSignal: request.signal,
        summarize: async ({ prompt, maxOutputTokens, abortSignal }) => (await generateText({ model: smallModel, prompt, maxOutputTokens, abortSignal })).text,
        // Transient: the page shows it, and no message holds it.
        onEvent: writeEvents(writer),
      });
      const result = streamText({
        model,
        tools,
        instructions: 'You answer questions about a pumping station from its shift reports. Read them one by one and write down every incident in a line of its own.',
        messages: await convertToModelMessages(messages, { tools }),
        stopWhen: isStepCount(200),
        prepareStep: session.prepareStep,
        onStepEnd: session.report,
        onEnd: () => session.dispose(),
        abortSignal: request.signal,
      });
      writer.merge(toUIMessageStream({ stream: result.stream, onError }));
    },
  });
  return createUIMessageStreamResponse({ stream });
}
