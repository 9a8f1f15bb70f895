// One run of the agent: `generateText` with tools, with or without stepfold. Gathers what happened at each step; prints nothing.

import { generateText, isStepCount, wrapLanguageModel } from 'ai';
import { createPrepareStep } from 'stepfold';
import { tools } from './documentation.mjs';
import { instructions, messages } from './task.mjs';
import { countMessage, limitWindow } from './window.mjs';

/** More steps than this mean that the agent is lost. */
const MOST_STEPS = 80;

/**
 * Runs the agent until it is done or rejected.
 *
 * @param options More options of `createPrepareStep`.
 * @param onStep Told of each step as it ends: number, tool calls, numbers of topics noted, tokens before and after the edits of
 * this step, events, whether it was rejected.
 * @returns the steps, and the final text or the error.
 */
export async function runAgent({ model, windowTokens, withStepfold, options, onStep }) {
  const steps = [];
  let current;
  const begin = (number, held, events) => (current = { number, held, events, calls: [], noted: [], tokens: 0, rejected: false });
  const end = () => {
    // What the prompt would have had with earlier edits only: messages differ, system prompt and tools do not.
    const sent = current.sent.reduce((sum, message) => sum + countMessage(message), 0);
    current.before = current.tokens + current.held - sent;
    steps.push(current);
    onStep(current);
  };

  // The product: one function. All else in this file is for looking at it.
  let events = [];
  const fold = withStepfold ? createPrepareStep({ ...options, contextWindow: windowTokens, onEvent: (event) => events.push(event) }) : () => undefined;

  const limited = wrapLanguageModel({
    model,
    middleware: limitWindow({ windowTokens, onRequest: ({ tokens, rejected }) => Object.assign(current, { tokens, rejected }) }),
  });
  try {
    const { text } = await generateText({
      model: limited,
      instructions,
      messages,
      tools,
      stopWhen: isStepCount(MOST_STEPS),
      maxRetries: 0,
      prepareStep: async (input) => {
        events = [];
        const result = await fold(input);
        const held = input.messages.reduce((sum, message) => sum + countMessage(message), 0);
        begin(input.stepNumber + 1, held, events);
        current.sent = result?.messages ?? input.messages;
        return result;
      },
      onStepEnd: ({ toolCalls, text }) => {
        current.calls = toolCalls.map(({ toolName, input }) => ({ toolName, input }));
        current.noted = [...text.matchAll(/Noted #(\d+)/g)].map(([, topic]) => Number(topic));
        end();
      },
    });
    return { steps, text };
  } catch (error) {
    if (current?.rejected) end();
    return { steps, error };
  }
}
