// The agent that every runtime runs: it reads 30 pages, one a step, and needs four times its model's window for that.
// A web handler: Request in, streamed Response out. Imports `ai` and its mock model, but not stepfold: the handler of each
// entry hands `createPrepareStep` and a tokenizer in (handlers are written by install.mjs).

import { APICallError, createUIMessageStream, createUIMessageStreamResponse, isStepCount, jsonSchema, streamText, toUIMessageStream, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

const WINDOW_TOKENS = 8_000;
const PAGES = 30;

globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Makes the handler of one entry. The query says how to run: `?run=without` leaves stepfold out, `?run=with` uses it, and
 * `?run=first` ends after the first step.
 */
export function createHandler(createPrepareStep, tokenizer) {
  return async (request) => {
    const run = new URL(request.url).searchParams.get('run');
    const stream = createUIMessageStream({
      onError: (error) => (error instanceof Error ? error.message : String(error)),
      execute: ({ writer }) => {
        const onEvent = (event) => writer.write({ type: 'data-stepfold', data: event });
        const result = streamText({
          model: createModel((tokens) => writer.write({ type: 'data-tokens', data: tokens })),
          prompt: 'Read all pages of the handbook, from the first to the last. Then say how many there are.',
          tools: { read: tool({ description: 'Reads a page.', inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }), execute: readPage }) },
          stopWhen: isStepCount(run === 'first' ? 1 : PAGES * 2),
          prepareStep: run === 'without' || createPrepareStep === undefined ? undefined : createPrepareStep({ contextWindow: WINDOW_TOKENS, tokenizer, onEvent }),
          maxRetries: 0,
          // The error goes to whoever reads the stream; by default it would be printed as well.
          onError: () => {},
        });
        writer.merge(toUIMessageStream({ stream: result.stream, onError: (error) => (error instanceof Error ? error.message : String(error)) }));
      },
    });
    return createUIMessageStreamResponse({ stream });
  };
}

function readPage({ path }) {
  const page = Number(/\d+/.exec(path)?.[0]);
  return `# ${path}\n${`Paragraph about rule ${page} of the handbook, which nobody has read to its end. `.repeat(45)}`;
}

/**
 * A model that looks at nothing but its prompt: the next page is the one after the last that the prompt names. What does not fit
 * into its window is rejected as OpenAI does.
 */
function createModel(onRequest) {
  return new MockLanguageModelV4({
    provider: 'mock',
    modelId: 'mock-8k',
    doStream: async ({ prompt }) => {
      const text = JSON.stringify(prompt);
      const tokens = Math.ceil(text.length / 4);
      onRequest(tokens);
      if (tokens > WINDOW_TOKENS) throw overflow(tokens);
      const last = Math.max(0, ...[...text.matchAll(/page-(\d+)\.md/g)].map(([, page]) => Number(page)));
      const parts = last < PAGES ? callRead(last + 1) : answer(`I have read all ${last} pages.`);
      const usage = { inputTokens: { total: tokens, noCache: tokens, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 20, text: 20, reasoning: 0 } };
      const finishReason = { unified: last < PAGES ? 'tool-calls' : 'stop', raw: undefined };
      return { stream: streamOf([{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }]) };
    },
  });
}

function callRead(page) {
  return [{ type: 'tool-call', toolCallId: `call-${page}`, toolName: 'read', input: JSON.stringify({ path: `handbook/page-${page}.md` }) }];
}

function answer(text) {
  return [{ type: 'text-start', id: 'answer' }, ...text.split(/(?= )/).map((delta) => ({ type: 'text-delta', id: 'answer', delta })), { type: 'text-end', id: 'answer' }];
}

function streamOf(parts) {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

function overflow(tokens) {
  const message = `This model's maximum context length is ${WINDOW_TOKENS} tokens. However, your messages resulted in ${tokens} tokens.`;
  return new APICallError({ message, url: 'mock://model', requestBodyValues: {}, statusCode: 400, isRetryable: false, data: { error: { message, code: 'context_length_exceeded' } } });
}
