// The package as its users call it, as a policy: what an app keeps between requests, and the steps that the SDK hands over. Sees no
// internals.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The build at `path` (a file), or this workspace's. */
export const loadPackage = (path) => import(path === undefined ? 'stepfold' : pathToFileURL(resolve(path)).href);

/** What an app keeps: `begin` is called before each request of it, `finish` with each finished step, `end` behind the last. */
const KEEPS = {
  /** One `prepareStep` of the process, which finds the work of earlier requests in its memory. */
  process: ({ createPrepareStep }, settings) => ({ prepareStep: createPrepareStep(settings), begin() {} }),
  /** One session object over all requests of a conversation, as in the README. */
  session({ createSession }, settings) {
    const session = createSession(settings);
    return { prepareStep: (step) => session.prepareStep(step), finish: (step) => session.onStepEnd(step), begin() {} };
  },
  /** A session object for each request over one store, as a server does. */
  store({ createSession }, settings) {
    const store = new Map();
    let session;
    return {
      prepareStep: (step) => session.prepareStep(step),
      finish: (step) => session.onStepEnd(step),
      async begin() {
        await session?.dispose();
        session = createSession({ id: 'conversation', store, ...settings });
      },
      end: () => session?.dispose(),
      recallTool: () => session.recallTool(),
    };
  },
};

const MOCK = { provider: 'mock', modelId: 'mock' };

/**
 * How a request is made: `keeps` what the app keeps, `settings` those of `createPrepareStep` and `createSession`, `semantics` as in
 * play.mjs, `system` the instructions. A user message begins a request, with a `steps` array of its own. `recalls`: each request also gets
 * the recall tool, which `recallTool` gives.
 */
export function callsOf(stepfold, { keeps, settings, semantics, system, model = MOCK, recalls = false }) {
  const app = KEEPS[keeps](stepfold, settings);
  const called = { ...model, specificationVersion: semantics === 'rebuild' ? 'v3' : 'v4' };
  let steps = [];
  let initialMessages;
  let last;
  let tool;
  return {
    async step({ messages }) {
      if (initialMessages === undefined || messages.at(-1).role === 'user') {
        await app.begin();
        tool = recalls ? app.recallTool() : undefined;
        steps = [];
        initialMessages = messages;
      } else {
        steps.push(last);
      }
      // ai 5 and 6 pass neither instructions nor initial messages.
      const ofVersion7 = { instructions: system, initialMessages, responseMessages: messages.slice(initialMessages.length) };
      const prepared = await app.prepareStep({
        messages,
        steps,
        stepNumber: steps.length,
        model: called,
        ...(semantics === 'rebuild' ? {} : ofVersion7),
      });
      return prepared?.messages ?? messages;
    },
    finish({ lastInputTokens, lastCachedTokens, lastOutputTokens }) {
      const inputTokenDetails =
        lastCachedTokens === undefined ? {} : { cacheReadTokens: lastCachedTokens, noCacheTokens: lastInputTokens - lastCachedTokens };
      last = {
        usage: { inputTokens: lastInputTokens, outputTokens: lastOutputTokens, inputTokenDetails, outputTokenDetails: {} },
        response: { messages: [] },
        content: [],
      };
      app.finish?.(last);
    },
    end: app.end,
    recallTool: () => tool,
  };
}
