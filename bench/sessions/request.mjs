// One request of a conversation, as a server handles it: the real `ai` with a mock model that now and then fails, a session over a store, messages
// that are put in meanwhile. Checks each prompt while it is sent, and tells what it found. Starts nothing and keeps nothing.

import { generateText, jsonSchema, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { createSession, validateMessages } from 'stepfold';
import { words } from '../../tests/sdk/script.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;

export const WINDOW_TOKENS = 4_000;
const OVERHEAD_TOKENS = 300;
/** One of so many calls of the model fails. */
const FAILS_ONE_IN = 20;
/** One of so many steps puts a message in. */
const PUTS_ONE_IN = 8;
/** Saves until it is said that they failed. */
const SAVES = 5;

const MODEL = { modelId: 'mock-model', provider: 'mock' };
const textOf = ({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(''));
const isCheckpoint = ({ providerOptions }) => providerOptions?.stepfold?.checkpoint !== undefined;
const PUT_IN = /Note [\w.-]+ of the user\./g;
const putInsOf = (text) => text.match(PUT_IN) ?? [];
const isPutIn = (message) => message.role === 'user' && textOf(message).replace(PUT_IN, '') === '';
/** What the user put in, as far as it stands in a list: a checkpoint may speak of one more than once. */
const putInsIn = (messages) => messages.flatMap((message) => (isCheckpoint(message) ? [...new Set(putInsOf(textOf(message)))] : isPutIn(message) ? putInsOf(textOf(message)) : []));
const idsOf = ({ content }) => (typeof content === 'string' ? [content] : content.map(({ toolCallId, text }) => toolCallId ?? text));
/** The provider's own count. */
const tokensOf = (prompt) => Math.ceil(JSON.stringify(prompt).length / 5) + OVERHEAD_TOKENS;

/** A store that is measured: milliseconds of each answer, characters each way. */
function measured(store, { waits, traffic }) {
  const timed = async (work) => {
    const begin = performance.now();
    try {
      return await work();
    } finally {
      waits.push(performance.now() - begin);
    }
  };
  return {
    get: (key) => timed(async () => {
      const text = await store.get(key);
      traffic.read += text?.length ?? 0;
      return text;
    }),
    set: (key, value, previous) => timed(async () => {
      traffic.written += value.length;
      const isKept = await store.set(key, value, previous);
      if (isKept === false) traffic.races += 1;
      return isKept;
    }),
  };
}

/** What is wrong with what is sent: messages that were put in, and what providers refuse. */
function faultsOf(sent, must) {
  const found = putInsIn(sent);
  return [
    ...validateMessages(sent).map(({ rule, path }) => `${rule} at ${path}`),
    ...found.filter((text, index) => found.indexOf(text) !== index).map((text) => `"${text}" is sent twice`),
    ...must.filter((text) => !found.includes(text)).map((text) => `"${text}" is lost`),
  ];
}

/** A session and all that is learnt of it. */
function open({ id, store, name }) {
  const told = { events: {}, summaries: [], waits: [], traffic: { read: 0, written: 0, races: 0 }, faults: [], own: [], isSaved: false };
  const session = createSession({
    id,
    store: measured(store, told),
    contextWindow: WINDOW_TOKENS,
    overheadTokens: OVERHEAD_TOKENS,
    summarize: async ({ prompt }) => {
      const conversation = /\n--- conversation \w+ ---\n([^]*?)\n--- end /.exec(prompt)?.[1] ?? '';
      told.summaries.push([...new Set(conversation.match(/mark-[\w.-]+\d/g) ?? [])]);
      return `The modules up to here were read and their parsers fixed, one by one. The user said: ${[...new Set(putInsOf(prompt.split('\n--- after ')[0]))].join(' ')}`;
    },
    onEvent: ({ type }) => { told.events[type] = (told.events[type] ?? 0) + 1; },
  });
  const failures = () => told.events['store-failed'] ?? 0;
  return {
    session,
    told,
    put: () => {
      told.own.push(`Note ${name}.${told.own.length} of the user.`);
      session.enqueue(told.own.at(-1));
    },
    /** Until the store has it all. */
    save: async () => {
      for (let tries = 0; tries < SAVES && !told.isSaved; tries += 1) {
        const before = failures();
        await session.dispose();
        told.isSaved = failures() === before;
      }
    },
    /** The store gave no answer in time: what it holds could not be known. */
    isBlind: () => failures() > 0,
  };
}

/** A request that runs to its end, or to a call that fails. `must`: messages that were put in and saved before it began. */
export async function runRequest({ id, store, name, messages, must, random }) {
  const { session, told, put, save, isBlind } = open({ id, store, name });
  const calls = 1 + random(4);
  let call = 0;
  let added = [];
  let isDone = false;
  const known = new Set(must);
  const model = new MockLanguageModelV4({
    ...MODEL,
    doGenerate: async ({ prompt }) => {
      const tokens = tokensOf(prompt);
      if (tokens > WINDOW_TOKENS) told.faults.push(`a prompt has ${tokens} tokens, the window ${WINDOW_TOKENS}`);
      if (random(FAILS_ONE_IN) === 0) throw new Error('the provider is overloaded');
      call += 1;
      const mark = `mark-${name}-${call}`;
      const content = /** @type {any[]} */ (call > calls ? [{ type: 'text', text: `${mark} ${words(60, call)}` }] : [{ type: 'tool-call', toolCallId: mark, toolName: 'read', input: JSON.stringify({ path: `src/${call}.ts` }) }]);
      return {
        content,
        finishReason: { unified: call > calls ? 'stop' : 'tool-calls', raw: undefined },
        usage: { inputTokens: { total: tokens, noCache: tokens, cacheRead: undefined, cacheWrite: undefined }, outputTokens: { total: 10, text: 10, reasoning: undefined } },
        warnings: [],
      };
    },
  });
  const execute = async (_input, { toolCallId }) => {
    if (random(PUTS_ONE_IN) === 0) put();
    return `${toolCallId} ${words(40 + random(160), call)}`;
  };
  try {
    const result = await generateText({
      model,
      messages,
      maxRetries: 0,
      stopWhen: ({ steps }) => steps.length > calls,
      tools: { read: tool({ inputSchema: jsonSchema({ type: 'object', additionalProperties: true }), execute }) },
      prepareStep: async (input) => {
        const step = await session.prepareStep(input);
        const sent = step?.messages ?? input.messages;
        told.faults.push(...faultsOf(sent, isBlind() ? [] : [...known]));
        putInsIn(sent).forEach((text) => known.add(text));
        return step;
      },
      onStepEnd: session.onStepEnd,
    });
    added = [...result.responseMessages];
    isDone = true;
  } catch (error) {
    if (error instanceof Error && error.message !== 'the provider is overloaded') told.faults.push(String(error.stack));
  }
  await save();
  return { ...told, isDone, added, steps: call };
}

/** What a request to another server does, which only puts a message in. */
export async function putIn({ id, store, name }) {
  const { told, put, save } = open({ id, store, name });
  put();
  await save();
  return { ...told, isDone: true, added: [], steps: 0 };
}

/** The conversation as the next request would send it: whole, or a checkpoint and all that comes behind what it covers. */
export async function checkHistory({ id, store, name, messages, must }) {
  const { session, told, save, isBlind } = open({ id, store, name });
  const list = [...messages, { role: 'user', content: `mark-${id}-end And the end?` }];
  const sent = (await session.prepareStep({ messages: list, steps: [], stepNumber: 0, model: MODEL }))?.messages ?? list;
  told.faults.push(...faultsOf(sent, isBlind() ? [] : must));
  const isFolded = isCheckpoint(sent[0]);
  const kept = sent.filter((message) => !isCheckpoint(message) && !isPutIn(message)).map(idsOf);
  const raw = list.filter((message) => !isPutIn(message)).map(idsOf);
  if (JSON.stringify(kept) !== JSON.stringify(raw.slice(raw.length - kept.length))) told.faults.push('what is sent behind the checkpoint is not what the app holds');
  if (!isFolded && kept.length !== raw.length) told.faults.push('messages are missing without a checkpoint');
  await save();
  return { ...told, isDone: true, added: [], steps: 1, sent: JSON.stringify(sent) };
}
