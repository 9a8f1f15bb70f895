// The option `redact`: whose rules keep secrets out of the texts that stepfold writes. Calls the user's function; knows no secret itself.

import { kindOf, leave } from '../bridge/thenable.js';
import { messageOf } from '../errors.js';

/** Gives a text without what must not be kept. The same text must always get the same answer. */
export type Redact = (text: string) => string;

/** A user's function as the engine calls it: never throws. Undefined where the function fails; stepfold's own rules hold then. */
export interface EngineRedactor {
  redact(text: string): string | undefined;
  /** What went wrong first, if anything did. */
  failure: string | undefined;
}

/** What the engine is given: nothing for its own rules, `false` for none. */
export type Redactor = EngineRedactor | false | undefined;

const adapted = new WeakMap<Redact, EngineRedactor>();

/** The option as the engine takes it. The same for the same function. */
export function engineRedactor(redact: boolean | Redact | undefined): Redactor {
  if (redact === false) return false;
  if (typeof redact !== 'function') return undefined;
  const cached = adapted.get(redact);
  if (cached !== undefined) return cached;
  // One that answers later is not asked again: each text would be a request of its own, of which nobody reads the answer.
  let isAsync = false;
  const made: EngineRedactor = {
    failure: undefined,
    redact(text) {
      if (isAsync) return undefined;
      try {
        const redacted: unknown = redact(text);
        if (typeof redacted === 'string') return redacted;
        isAsync = leave(redacted);
        made.failure ??= isAsync
          ? "`redact` returned a promise; it must return a string at once. All texts are cleaned by stepfold's own rules"
          : `\`redact\` returned no string but ${kindOf(redacted)}; such texts are cleaned by stepfold's own rules`;
      } catch (error) {
        made.failure ??= `\`redact\` failed: ${messageOf(error)}; such texts are cleaned by stepfold's own rules`;
      }
      return undefined;
    },
  };
  adapted.set(redact, made);
  return made;
}
