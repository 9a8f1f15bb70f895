// The agent's route: loads the chat, goes on with its session, streams what happens to page and context, and saves what came of it,
// also when the user stops it or goes away.

import { convertToModelMessages, createUIMessageStream, createUIMessageStreamResponse, generateId, generateText, isStepCount, streamText, toUIMessageStream } from 'ai';
import { after } from 'next/server';
import { createSession, isContextOverflow } from 'stepfold';
import { writeEvents } from 'stepfold/ui';
import { requestSchema, withApprovals } from '../../../lib/chat';
import type { ChatMessage, ChatRequest } from '../../../lib/chat';
import { keepEvent, loadMessages, mayOpen, saveMessage, sessions } from '../../../lib/database';
import { chooseModels } from '../../../lib/models';
import { toolApproval, tools } from '../../../lib/tools';
import { currentUser } from '../../../lib/user';

/** What the page may know of an error. */
const onError = (error: unknown): string => (isContextOverflow(error) ? 'This does not fit into the window of the model.' : 'An error occurred.');

export async function POST(request: Request): Promise<Response> {
  const body = requestSchema.safeParse(await request.json().catch(() => undefined));
  if (!body.success) return new Response('The request is not one of this chat.', { status: 400 });
  const { id } = body.data;
  // Before anything of the chat is read: whoever knows an id must not get at another user's session.
  if (!mayOpen(id, await currentUser(), { claim: true })) return new Response('There is no such chat.', { status: 404 });

  take(body.data);
  const messages = loadMessages(id);
  const { model, smallModel, contextWindow } = chooseModels();
  const ended = Promise.withResolvers<void>();

  const stream = createUIMessageStream<ChatMessage>({
    originalMessages: messages,
    generateId,
    onError,
    execute: async ({ writer }) => {
      const tell = writeEvents(writer, { keepCheckpoints: true });
      const session = createSession({
        id,
        store: sessions,
        contextWindow,
        abortSignal: request.signal,
        summarize: async ({ prompt, maxOutputTokens, abortSignal }) => (await generateText({ model: smallModel, prompt, maxOutputTokens, abortSignal })).text,
        onEvent: (event) => {
          tell(event);
          keepEvent(id, event);
        },
      });
      // The platform waits for this also when the answer is complete, or nobody reads it any more.
      after(async () => {
        await ended.promise;
        await session.dispose();
      });
      const result = streamText({
        model: session.model(model),
        tools,
        toolApproval,
        instructions: 'You answer questions about a pumping station from its shift reports. Read them one by one and write down every incident in a line of its own.',
        // A call that was stopped has no result, and no provider would take it.
        messages: await convertToModelMessages(messages, { tools, ignoreIncompleteToolCalls: true }),
        stopWhen: isStepCount(200),
        prepareStep: session.prepareStep,
        onStepEnd: session.onStepEnd,
        onAbort: session.dispose,
        abortSignal: request.signal,
      });
      writer.merge(toUIMessageStream({ stream: result.stream, onError }));
    },
    // Called at the end, whatever it was: an answer, an error, or Stop.
    onEnd: ({ responseMessage }) => {
      if (responseMessage.parts.length > 0) saveMessage(id, responseMessage);
      ended.resolve();
    },
  });
  return createUIMessageStreamResponse({ stream });
}

/** Takes what is new into the database. A message that is there already is not written over. */
function take(body: ChatRequest): void {
  const messages = loadMessages(body.id);
  const last = messages.at(-1);
  if ('approvals' in body) {
    if (last?.role === 'assistant') saveMessage(body.id, withApprovals(last, body.approvals));
  } else if (messages.every(({ id }) => id !== body.message.id)) {
    saveMessage(body.id, { id: body.message.id, role: 'user', parts: [{ type: 'text', text: body.message.text }] });
  }
}
