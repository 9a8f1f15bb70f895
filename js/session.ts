// One conversation across requests, processes and restarts: a `prepareStep` that remembers, and what can be asked of it.
// Thin: `Conversation` remembers, `prepare` does a step, the engine decides.

import type { ModelMessage, Tool } from 'ai';
import { Conversation } from './conversation.js';
import type { SessionState } from './envelope.js';
import { compactSession, planSession, undoSession } from './control.js';
import type { CompactOptions, Compaction, Controlled, Subject } from './control.js';
import { validateMessages } from './counting.js';
import { StepfoldError, messageOf } from './errors.js';
import type { EngineEvent } from './events.js';
import type { CheckedOptions } from './models.js';
import { checkOptions } from './models.js';
import type { PrepareStepOptions } from './options.js';
import type { PrepareStep, PrepareStepInput, StepView } from './prepare-step.js';
import { prepare, usageOf } from './prepare-step.js';
import type { RecallInput } from './recall.js';
import { createRecallTool } from './recall.js';
import type { ContextPlan } from './rungs.js';
import { createMemory } from './runs.js';
import type { SessionStore } from './store.js';
import { createTell } from './telemetry.js';

/** Options of `createSession`: those of `createPrepareStep`, and where the session is kept. */
export interface SessionOptions extends PrepareStepOptions {
  /** The session's key in the store, such as the id of the chat. @default undefined */
  readonly id?: string | undefined;
  /** Where the session is kept between requests; needs `id`. @default undefined: in this object only */
  readonly store?: SessionStore | undefined;
  /** A snapshot (`session.state`) or its JSON to go on from; what the store holds comes first. @default undefined */
  readonly state?: SessionState | string | undefined;
  /** `all`: requests hold the whole history. `tail`: they hold only what comes after the newest checkpoint. @default 'all' */
  readonly resume?: 'all' | 'tail' | undefined;
}

/** What a session is doing, for user interfaces. */
export type SessionStatus = 'idle' | 'loading' | 'compacting' | 'saving' | 'disposed';

/** One conversation across requests. You may pass each function on without the object. */
export interface Session {
  /** For `generateText`, `streamText` or an agent. */
  readonly prepareStep: PrepareStep;
  /** A snapshot as plain JSON. Keep it anywhere and give it back as the option `state`. */
  readonly state: SessionState;
  readonly status: SessionStatus;
  /**
   * Takes the usage of a finished step, which `prepareStep` otherwise sees only at the next step of the same run. Needed for the last
   * step of a run and for loops of single steps: `onStepEnd: session.report` (`onStepFinish` in ai 5 and 6). Saved by `dispose`.
   */
  readonly report: (step: StepView | StepView['usage']) => void;
  /**
   * Lets a message of the user wait for the next step of the running request, or of the next request. It is sent after what is
   * there then, behind complete pairs of calls and results, and keeps that place in every later step and request.
   *
   * @throws StepfoldError when it is not a message, or when all that was enqueued so far has more than 32,000 characters as JSON.
   */
  readonly enqueue: (message: ModelMessage | string) => void;
  /**
   * Messages that still wait. Those left after the last step of a run are sent with the next run. A message that was sent only by a
   * run that another request has overtaken waits again.
   */
  readonly pending: () => readonly ModelMessage[];
  /** Messages that were sent, oldest first. Your app may store them in their place; they are not put in twice. */
  readonly delivered: () => readonly ModelMessage[];
  /**
   * Makes a tool with which the model brings back results that were cleared or folded, exactly as they were: whole, by lines, or
   * what matches a pattern. From then on placeholders name an id. Any name will do: `tools: { recall: session.recallTool() }`.
   */
  readonly recallTool: () => Tool<RecallInput, unknown>;
  /**
   * Says what the next step would do, without doing it and without asking the summarizer: as numbers, and as a table for a person.
   *
   * @throws StepfoldError when no messages are given and the session has not seen a step yet.
   */
  readonly plan: (messages?: readonly ModelMessage[], options?: Pick<Subject, 'model'>) => Promise<ContextPlan>;
  /**
   * Makes a checkpoint now, however much room there is, and asks the summarizer if there is one. A running request takes it
   * up at its next step. The newest messages stay: `keepRecentTokens`, or at most a quarter of the conversation.
   *
   * @throws StepfoldError when no messages are given and the session has not seen a step yet.
   */
  readonly compact: (options?: CompactOptions) => Promise<Compaction>;
  /**
   * Takes back the newest checkpoint and all that was cleared or cut since, so that these messages are sent as they are until
   * the next trigger; above the trigger the next step folds them again. Three checkpoints are kept. Resolves to whether there was
   * anything to take back. Messages that your app no longer holds (`resume: 'tail'`) cannot come back.
   */
  readonly undo: () => Promise<boolean>;
  /** Saves what is not saved yet. A run that is still under way goes on, and is saved at each decision as before. */
  readonly dispose: () => Promise<void>;
  /** The same, for `await using session = createSession(…)`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Makes a session: a `prepareStep` whose decisions outlive the request, the process and the form of the messages.
 *
 * @example
 * const session = createSession({ id: chatId, store: redisStore(redis, { ttlSeconds: 86_400 }) });
 * const result = streamText({ model, tools, messages, prepareStep: session.prepareStep });
 *
 * @throws StepfoldError when an option is unknown, out of range or contradicts another.
 */
export function createSession(options: SessionOptions = {}): Session {
  const { id, store, state, resume, ...rest } = options ?? {};
  checkSessionOptions({ id, store, state, resume });
  const own = { ...rest };
  let checked: CheckedOptions;
  try {
    checked = checkOptions(own);
  } catch (error) {
    if (!StepfoldError.isInstance(error) || error.code !== 'unknown-option') throw error;
    throw new StepfoldError({ code: error.code, message: `${error.message}; of a session also \`id\`, \`store\`, \`state\` and \`resume\`` });
  }
  const conversation = new Conversation({ id, store, state, resume });
  const memory = createMemory();
  let lastStep = 0;
  let isDisposed = false;
  /** What is going on, newest last; several runs can be at work at once. */
  const doing: Exclude<SessionStatus, 'idle' | 'disposed'>[] = [];
  const during = async <Result>(status: (typeof doing)[number], work: () => Promise<Result>): Promise<Result> => {
    doing.push(status);
    try {
      return await work();
    } finally {
      doing.splice(doing.lastIndexOf(status), 1);
    }
  };
  const tell = (event: EngineEvent): void => createTell(own.onEvent, lastStep)(event);

  const dispose = async (): Promise<void> => {
    isDisposed = true;
    await during('loading', () => conversation.open(tell));
    // Looks at the store also where nothing is new: a process that wrote over what was put in here is told of it again.
    await during('saving', () => conversation.save(tell, true));
  };
  const controlled: Controlled = { conversation, options: own, checked, tell, during };
  return {
    prepareStep: async (input: PrepareStepInput) => {
      lastStep = input?.stepNumber;
      return prepare({ input, options: own, checked, memory, conversation, during });
    },
    get state() {
      return JSON.parse(conversation.text()) as SessionState;
    },
    get status() {
      return doing.at(-1) ?? (isDisposed ? 'disposed' : 'idle');
    },
    report: (step) => conversation.report(usageOf(step)),
    enqueue(message) {
      const given = typeof message === 'string' ? { role: 'user' as const, content: message } : message;
      const refuse = (reason: string): never => {
        throw new StepfoldError({ code: 'invalid-message', message: `\`enqueue\`: ${reason}` });
      };
      if (typeof given !== 'object' || given === null || !('role' in given && 'content' in given)) {
        refuse(`it is given ${given === null ? 'null' : `a value of type ${typeof given}`}; it must be a text or a message`);
      }
      const [violation] = validateMessages([given]);
      if (violation !== undefined) refuse(`${violation.message}; it must be a message that can be sent alone, such as one of the user`);
      let hasRoom = false;
      try {
        hasRoom = conversation.enqueue({ ...given });
      } catch (error) {
        refuse(`it cannot be kept as JSON: ${messageOf(error)}`);
      }
      if (!hasRoom) refuse('the messages that were put into this session have more than 32,000 characters of JSON together');
    },
    pending: () => [...conversation.queue],
    delivered: () => conversation.delivered,
    recallTool: () => createRecallTool(conversation.archive),
    plan: (messages, { model } = {}) => planSession(controlled, { messages, model }),
    compact: (compactOptions = {}) => compactSession(controlled, compactOptions),
    undo: () => undoSession(controlled),
    dispose,
    [asyncDispose]: dispose,
  } as Session;
}

/** Missing on older platforms, where there is no `await using` either. */
const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

/** What the engine cannot check because it never sees it. */
function checkSessionOptions({ id, store, state, resume }: { id: unknown; store: unknown; state: unknown; resume: unknown }): void {
  const refuse = (name: string, given: unknown, allowed: string): never => {
    const shown = typeof given === 'string' ? `"${given.slice(0, 60)}"` : given === null ? 'null' : `of type ${typeof given}`;
    throw new StepfoldError({ code: 'invalid-option', message: `\`${name}\` is ${shown}; it must be ${allowed}` });
  };
  if (id !== undefined && (typeof id !== 'string' || id === '')) refuse('id', id, 'a string that is not empty');
  const { get, set } = (store ?? {}) as Partial<SessionStore>;
  if (store !== undefined && (typeof get !== 'function' || typeof set !== 'function')) refuse('store', store, 'an object with the methods `get` and `set`');
  if (store !== undefined && id === undefined) throw new StepfoldError({ code: 'invalid-option', message: '`store` is given without `id`; it needs the key under which the session is kept' });
  if (state !== undefined && typeof state !== 'string' && (typeof state !== 'object' || state === null)) refuse('state', state, 'a snapshot of a session or its JSON');
  if (resume !== undefined && resume !== 'all' && resume !== 'tail') refuse('resume', resume, "'all' or 'tail'");
}
