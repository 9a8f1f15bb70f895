// Which model the demo runs on: a mock that needs no network, or a real one when `--model vendor/id` and an API key are given.
// Knows nothing of windows (window.mjs) or of what the mock decides (reader.mjs).

import { createHash } from 'node:crypto';
import { gateway } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { decide } from './reader.mjs';
import { countMessage, countRequest } from './window.mjs';

/**
 * The model for an id like `openai/gpt-5-mini`, by the API key that is there; the mock without an id.
 *
 * @returns the model, what to call it, and whether it is the mock.
 */
export async function chooseModel(id) {
  if (id === undefined) return { model: createMock(), isMock: true, title: 'a mock: what it does next depends on the prompt it is sent, and on nothing else' };
  const [vendor, ...rest] = id.split('/');
  const name = rest.join('/');
  if (vendor === 'openai' && process.env.OPENAI_API_KEY) return { model: (await import('openai-v7')).openai(name), isMock: false, title: id };
  if (vendor === 'anthropic' && process.env.ANTHROPIC_API_KEY) return { model: (await import('anthropic-v7')).anthropic(name), isMock: false, title: id };
  if (process.env.AI_GATEWAY_API_KEY) return { model: gateway(id), isMock: false, title: `${id} through the AI Gateway` };
  throw new Error(`--model ${id} needs OPENAI_API_KEY (openai/…), ANTHROPIC_API_KEY (anthropic/…) or AI_GATEWAY_API_KEY in the environment`);
}

/** A fresh mock. It keeps nothing between calls; ids of calls have to differ, so they are made from the prompt. */
function createMock() {
  return new MockLanguageModelV4({
    provider: 'demo',
    modelId: 'demo-32k',
    doGenerate: async (options) => {
      const { text, calls } = decide(options.prompt);
      const id = createHash('sha1').update(JSON.stringify(options.prompt)).digest('hex').slice(0, 8);
      const content = [
        { type: 'text', text },
        ...calls.map(({ toolName, input }, index) => ({
          type: 'tool-call',
          toolCallId: `call-${id}-${index}`,
          toolName,
          input: JSON.stringify(input),
        })),
      ];
      const input = countRequest(options);
      const output = countMessage({ content: [{ type: 'text', text: text + JSON.stringify(calls) }] });
      return {
        content,
        finishReason: { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
        usage: {
          inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: output, text: output, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}
