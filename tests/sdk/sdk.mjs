// Runs scripted conversations through the real `ai` 5, 6 and 7 with their own mock models, and records what the model was sent.
// One script serves all majors and all ways of calling. Holds no tests and knows nothing about stepfold.

import * as ai5 from 'ai-v5';
import { MockLanguageModelV2 } from 'ai-v5/test';
import * as ai6 from 'ai-v6';
import { MockLanguageModelV3 } from 'ai-v6/test';
import * as ai7 from 'ai-v7';
import { MockLanguageModelV4 } from 'ai-v7/test';

/** @typedef {{ id: string, name: string, input: object }} Call */
/** @typedef {{ text?: string, calls?: Call[] }} Answer One reply of the model; without calls it ends the run. */
/** @typedef {(prompt: any[], index: number) => number | undefined} Count Tokens the provider reports for a prompt. */

export const MAJORS = [5, 6, 7];
export const APIS = ['generateText', 'streamText', 'agent.generate', 'agent.stream'];

export const packages = { 5: ai5, 6: ai6, 7: ai7 };
const mocks = { 5: MockLanguageModelV2, 6: MockLanguageModelV3, 7: MockLanguageModelV4 };
const agents = { 5: ai5.Experimental_Agent, 6: ai6.ToolLoopAgent, 7: ai7.ToolLoopAgent };

globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * A model that gives the answers of a script, one after another, and keeps what it was sent.
 * `onCall` is awaited before the answer.
 */
export function createModel({ major, answers, count, modelId = 'mock-model', provider = 'mock', onCall }) {
  const calls = [];
  const next = async (options) => {
    const index = calls.length;
    calls.push(options);
    await onCall?.(index);
    const answer = answers[index];
    if (answer === undefined) throw new Error(`the script has no answer ${index}`);
    return { answer, index, tokens: count?.(normalize(options.prompt), index) };
  };
  const model = new mocks[major]({
    modelId,
    provider,
    doGenerate: async (options) => {
      const { answer, tokens } = await next(options);
      const content = [
        ...(answer.text === undefined ? [] : [{ type: 'text', text: answer.text }]),
        ...(answer.calls ?? []).map(toolCall),
      ];
      return { content, finishReason: finishReason(major, answer), usage: usage(major, tokens), warnings: [] };
    },
    doStream: async (options) => {
      const { answer, index, tokens } = await next(options);
      const id = `text-${index}`;
      const text = answer.text === undefined ? [] : [{ type: 'text-start', id }, { type: 'text-delta', id, delta: answer.text }, { type: 'text-end', id }];
      const chunks = [
        { type: 'stream-start', warnings: [] },
        ...text,
        ...(answer.calls ?? []).map(toolCall),
        { type: 'finish', finishReason: finishReason(major, answer), usage: usage(major, tokens) },
      ];
      return { stream: new ReadableStream({ start: (controller) => { chunks.forEach((chunk) => controller.enqueue(chunk)); controller.close(); } }) };
    },
  });
  return { model, calls, prompts: () => calls.map(({ prompt }) => normalize(prompt)) };
}

const toolCall = ({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) });

function finishReason(major, { calls }) {
  const reason = calls === undefined ? 'stop' : 'tool-calls';
  return major === 5 ? reason : { unified: reason, raw: undefined };
}

function usage(major, tokens) {
  if (major === 5) return { inputTokens: tokens, outputTokens: 10, totalTokens: tokens === undefined ? undefined : tokens + 10 };
  return {
    inputTokens: { total: tokens, noCache: tokens, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 10, text: 10, reasoning: undefined },
  };
}

/**
 * A prompt as plain JSON, without differences that are the SDK's own:
 * fields that are undefined (v5 and v6 write `providerOptions: undefined`, v7 leaves it out), and the order of keys.
 */
export function normalize(prompt) {
  return JSON.parse(JSON.stringify(prompt, sortKeys));
}

function sortKeys(_key, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Tools that answer from a table: `results` gives the output for an input, or throws. */
export function createTools(major, results) {
  const { tool, jsonSchema } = packages[major];
  return Object.fromEntries(
    Object.entries(results).map(([name, execute]) => [
      name,
      tool({ description: `Test tool ${name}.`, inputSchema: jsonSchema({ type: 'object', additionalProperties: true }), execute }),
    ]),
  );
}

/** Runs to the end. `options` are handed to the SDK as they are (prepareStep, messages, system, …). */
export async function run({ major, api = 'generateText', model, tools, options }) {
  const { generateText, streamText } = packages[major];
  const { messages, experimental_steering, prepareStep, ...rest } = options;
  const errors = [];
  const settings = { model, tools, prepareStep, maxRetries: 0, stopWhen: ({ steps }) => steps.length >= 200, ...rest };
  const call = { messages, ...(experimental_steering === undefined ? {} : { experimental_steering }) };
  const collect = async (result) => {
    await result.consumeStream({ onError: (error) => errors.push(error) });
    return { text: await result.text, steps: await result.steps, errors };
  };
  switch (api) {
    case 'generateText': {
      const { text, steps } = await generateText({ ...settings, ...call });
      return { text, steps, errors };
    }
    case 'streamText':
      return collect(streamText({ ...settings, ...call, onError: ({ error }) => errors.push(error) }));
    case 'agent.generate': {
      const { text, steps } = await new agents[major](settings).generate(call);
      return { text, steps, errors };
    }
    case 'agent.stream':
      return collect(await new agents[major](settings).stream(call));
  }
}
