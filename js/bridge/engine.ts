// The engine: loaded at first use, thrown away after a trap. The only file that touches the generated glue.
// Keeps one instance and nothing of any conversation.

import { loadModule } from '#load-module';
import type { Question } from '../../build/glue/engine.js';
import { functions as glue } from '../../build/glue/engine-functions.js';
import { StepfoldError, messageOf } from '../errors.js';
import type { Questions } from './boundary.js';

type Engine = typeof glue;

let ready = false;

/**
 * Calls the engine. After a trap its memory cannot be trusted: the instance is discarded, the next call makes a new one.
 *
 * @throws StepfoldError what the engine throws on purpose; `engine-failed` after a trap, and where it cannot be started.
 */
export function callEngine<Result>(call: (engine: Engine) => Result): Result {
  if (!ready) start();
  try {
    return call(glue);
  } catch (cause) {
    if (!(cause instanceof Error)) throw new StepfoldError(cause as Failure);
    if (!(cause instanceof WebAssembly.RuntimeError) && !(cause instanceof RangeError)) throw cause;
    glue.__wbg_reset_state();
    throw new StepfoldError({ code: 'engine-failed', message: `the engine failed: ${cause.message}`, cause });
  }
}

/** Asks the engine what depends on nothing but what is given. @throws as `callEngine`. */
export function askEngine<Name extends Question>(question: Name, given: Parameters<Questions[Name]>[0]): ReturnType<Questions[Name]> {
  return callEngine((engine) => engine.answer(question, given)) as ReturnType<Questions[Name]>;
}

/** An error of the engine. */
type Failure = ConstructorParameters<typeof StepfoldError>[0];

function start(): void {
  try {
    glue.initSync({ module: loadModule() });
  } catch (cause) {
    throw new StepfoldError({ code: 'engine-failed', message: messageOf(cause), cause });
  }
  ready = true;
}
