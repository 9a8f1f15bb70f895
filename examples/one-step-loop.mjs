// A loop of single steps: the app holds the loop, stores every message as it is made, takes messages of the user in between,
// and can be cancelled and resumed at any step.

import { isStepCount, streamText } from 'ai';
import { createSession } from 'stepfold';

/**
 * Runs an agent until it is done or cancelled.
 *
 * @param {{
 *   id: string, model: any, tools: any, store: import('stepfold').SessionStore, abortSignal: AbortSignal,
 *   load: () => Promise<any[]>, append: (messages: readonly any[]) => Promise<void>,
 *   inbox: () => readonly string[], onText: (text: string) => void, options?: import('stepfold').SessionOptions,
 * }} run `load` and `append` read and write the messages of the chat, `inbox` takes what the user wrote meanwhile.
 */
export async function runAgent({ id, model, tools, store, abortSignal, load, append, inbox, onText, options }) {
  let delivered = 0;
  const session = createSession({
    ...options,
    id,
    store,
    abortSignal,
    onEvent: (event) => {
      if (event.type === 'delivered') delivered = event.messages;
      options?.onEvent?.(event);
    },
  });
  // What the user wrote meanwhile waits for the next step, and is sent behind complete pairs of calls and results.
  const takeInbox = () => inbox().forEach((text) => session.enqueue(text));
  let messages = await load();

  try {
    while (!abortSignal.aborted) {
      takeInbox();
      delivered = 0;
      const result = streamText({ model, tools, messages, stopWhen: isStepCount(1), prepareStep: session.prepareStep, abortSignal });
      for await (const part of result.stream) {
        if (part.type === 'text-delta') onText(part.text);
        // Thrown, so that a step which failed or was cancelled leaves no half of a message behind.
        if (part.type === 'error') throw part.error;
        if (part.type === 'abort') return;
        // In a loop of single steps nobody else would tell what the step cost.
        if (part.type === 'finish-step') session.onStepEnd({ usage: part.usage, providerMetadata: part.providerMetadata });
      }

      // Messages that were put in stand before the answer to them. They are stored like any other, and not put in twice.
      const putIn = delivered === 0 ? [] : session.delivered().slice(-delivered);
      const added = [...putIn, ...(await result.responseMessages)];
      await append(added);
      messages = [...messages, ...added];
      takeInbox();
      if ((await result.finishReason) !== 'tool-calls' && session.pending().length === 0) return;
    }
  } finally {
    await session.dispose();
  }
}
