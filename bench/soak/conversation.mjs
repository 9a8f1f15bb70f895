// One conversation of the soak: two requests of five steps each, by hand, as the AI SDK would make them. Half of them are sessions that go
// on from the store with messages read from a database; the others share one `prepareStep`. Measures nothing.

import { createSession } from 'stepfold';
import { createConversation } from '../conversation.mjs';

export const STEPS_A_REQUEST = 5;
export const REQUESTS = 2;
const model = { modelId: 'mock', provider: 'mock' };

/** Options under which ten steps clear results and fold turns. */
export function optionsOf(/** @type {(event: any) => void} */ onEvent) {
  return {
    contextWindow: 4_000,
    overheadTokens: 1,
    keepRecent: { tokens: 500 },
    onEvent,
    summarize: async (/** @type {{ prompt: string }} */ { prompt }) => `Summary of a prompt of ${prompt.length} characters: the files were read and their tests run.`,
  };
}

/** @param {{ number: number, store: Map<string, string>, shared: any, onEvent: (event: any) => void, onStep: () => Promise<void> }} soak */
export async function converse({ number, store, shared, onEvent, onStep }) {
  const id = `chat-${number}`;
  const script = createConversation({ messages: 1 + 2 * STEPS_A_REQUEST * REQUESTS, seed: number });
  for (let request = 0; request < REQUESTS; request += 1) {
    const session = number % 2 === 0 ? createSession({ id, store, ...optionsOf(onEvent) }) : undefined;
    const prepareStep = session?.prepareStep ?? shared;
    /** @type {any[]} */
    const steps = [];
    for (let step = 0; step < STEPS_A_REQUEST; step += 1) {
      const end = 1 + 2 * (request * STEPS_A_REQUEST + step);
      // Every step is given new objects at the first step of a request, the same ones and more within it.
      const known = steps.at(-1)?.messages ?? structuredClone(script.slice(0, end));
      const messages = [...known, ...structuredClone(script.slice(known.length, end))];
      const prepared = await prepareStep({ messages, steps, stepNumber: step, model });
      const inputTokens = Math.ceil(JSON.stringify(prepared?.messages ?? messages).length / 4);
      steps.push({ messages, usage: { inputTokens, outputTokens: 10 } });
      session?.onStepEnd(steps.at(-1));
      await onStep();
    }
    await session?.dispose();
  }
  // A store with a time to live forgets it as well: what is measured is what stepfold keeps.
  store.delete(id);
}
