// Asks the app what it keeps of the work itself, for a checkpoint: a bounded time, and never a throw.
// Carries JSON; what of it stands in a checkpoint is for the engine to say.

import type { EngineEvent } from './engine-plan.js';
import { messageOf } from './errors.js';
import { writeJson } from './json-text.js';
import type { PrepareStepOptions } from './options.js';

/** Milliseconds the app may take; a step does not wait longer. */
const WORKING_STATE_MS = 5_000;

/** What the app says, as JSON; null when it could not be had. */
export async function askWorkingState(workingState: NonNullable<PrepareStepOptions['workingState']>, tell: (event: EngineEvent) => void): Promise<string | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      tell({ type: 'working-state-failed', reason: 'timeout', message: `\`workingState\` took more than ${WORKING_STATE_MS} ms` });
      resolve(null);
    }, WORKING_STATE_MS);
  });
  const asked = (async () => writeJson(await workingState()).text)();
  try {
    return await Promise.race([asked, late]);
  } catch (error) {
    tell({ type: 'working-state-failed', reason: 'failed', message: messageOf(error) });
    return null;
  } finally {
    clearTimeout(timer);
  }
}
