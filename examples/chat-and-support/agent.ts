// A support chat: a request for each message of the customer, on whichever server takes it.

import { isStepCount, streamText, tool, type LanguageModel, type ModelMessage } from 'ai';
import { createSession, type SessionStore } from 'stepfold';
import { z } from 'zod';

/** What the agent may use of your shop. */
export interface Shop {
  findOrder(orderId: string): Promise<object>;
  refund(orderId: string, amount: number): Promise<object>;
  pickup(orderId: string, date: string): Promise<object>;
}

const orderId = z.string();

const createTools = (shop: Shop) => ({
  findOrder: tool({
    description: 'Looks up an order: its items, prices, address and state.',
    inputSchema: z.object({ orderId }),
    execute: (input) => shop.findOrder(input.orderId),
  }),
  refund: tool({
    description: 'Pays money back.',
    inputSchema: z.object({ orderId, amount: z.number() }),
    execute: (input) => shop.refund(input.orderId, input.amount),
  }),
  pickup: tool({
    description: 'Has the courier fetch a return.',
    inputSchema: z.object({ orderId, date: z.string() }),
    execute: (input) => shop.pickup(input.orderId, input.date),
  }),
});

interface Chat {
  id: string;
  /** All messages of the chat so far, from your database. */
  messages: ModelMessage[];
  model: LanguageModel;
  shop: Shop;
  store: SessionStore;
}

export function answer({ id, messages, model, shop, store }: Chat) {
  const tools = createTools(shop);
  const session = createSession<typeof tools>({
    id,
    store,
    // `refund` is a verb that stepfold knows; of `pickup` nobody can tell by its name that it must not be called twice.
    tools: { pickup: { effect: 'acts' } },
  });
  return streamText({
    model,
    instructions: 'You are the support agent of a furniture shop.',
    messages,
    tools: { ...tools, recall: session.recallTool() },
    stopWhen: isStepCount(20),
    prepareStep: session.prepareStep,
    onStepEnd: session.onStepEnd,
    onEnd: () => session.dispose(),
  });
}
