// The one error class of stepfold, and what helpers refuse that is no list of messages. Thrown when options or arguments are wrong, or the
// engine fails; never from inside a step.
// Not a wrapper for the user's own errors: those pass through untouched.

import { isThenable } from './bridge/thenable.js';

/** Stable classes of errors; the texts may improve, the codes stay. */
export type StepfoldErrorCode = 'invalid-option' | 'unknown-option' | 'invalid-message' | 'engine-failed';

/** What was thrown, as text. Anything can be thrown, also what cannot be printed. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return 'something that cannot be printed';
  }
}

const marker = Symbol.for('stepfold.error');

/** An error with a stable `code` and a message that names the option, what was given and what is allowed. */
export class StepfoldError extends Error {
  readonly code: StepfoldErrorCode;
  readonly [marker] = true;

  constructor({ code, message, cause }: { code: StepfoldErrorCode; message: string; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StepfoldError';
    this.code = code;
  }

  /** Whether a value is this error, also when it comes from another copy of the package. */
  static isInstance(error: unknown): error is StepfoldError {
    return typeof error === 'object' && error !== null && marker in error;
  }
}

/** Refuses what is no object of options: a model, a store, an id. Which options there are is for the engine to say. */
export function checkGiven(name: 'createPrepareStep' | 'createSession', given: unknown): void {
  if (given === undefined || given === null) return;
  const refuse = (what: string, instead: string): never => {
    throw new StepfoldError({ code: 'invalid-option', message: `\`${name}\` was given ${what}; it takes options, in one object${instead}` });
  };
  const toModel = '. The model belongs to the SDK, `streamText({ model, prepareStep })`; `.model(model)` of what is made here is for overflow, and `summarize` for summaries';
  const example = name === 'createSession' ? ", such as `createSession({ id: 'chat-1', store })`" : ', such as `createPrepareStep({ trigger: 0.8 })`';
  const { specificationVersion, doGenerate, get, set } = given as Readonly<Record<string, unknown>>;
  if (typeof doGenerate === 'function' || specificationVersion !== undefined) refuse('a model', toModel);
  if (typeof given === 'string' && name === 'createPrepareStep') refuse(`the text "${given.slice(0, 60)}"`, `${example}${toModel}`);
  if (typeof given === 'string') refuse(`the text "${given.slice(0, 60)}"`, example);
  if (typeof get === 'function' && typeof set === 'function') refuse('a store', ", `createSession({ id: 'chat-1', store })`");
  if (typeof given !== 'object' || Array.isArray(given)) refuse(Array.isArray(given) ? 'an array' : `a value of type ${typeof given}`, example);
}

/** Refuses what is no list of messages of the SDK: a promise of one, or messages of a user interface. */
export function checkList(name: string, messages: unknown): void {
  const refuse = (reason: string): never => {
    throw new StepfoldError({ code: 'invalid-message', message: `\`${name}\`: ${reason}` });
  };
  if (isThenable(messages)) refuse('`messages` is a promise; await it, as in `await convertToModelMessages(…)`');
  if (!Array.isArray(messages)) refuse(`\`messages\` is ${messages === null ? 'null' : `of type ${typeof messages}`}; it must be a list of messages`);
  const index = (messages as readonly unknown[]).findIndex(isOfInterface);
  if (index !== -1) refuse(`\`messages[${index}]\` has \`parts\` and no \`content\`: it is a message of a user interface; convert it with \`convertToModelMessages\``);
}

function isOfInterface(message: unknown): boolean {
  try {
    return typeof message === 'object' && message !== null && 'parts' in message && !('content' in message);
  } catch {
    // A trap threw: whatever it is, it is read with care elsewhere.
    return false;
  }
}
