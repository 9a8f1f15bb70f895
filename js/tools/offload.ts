// Results as files: writes those that a plan names, before it is carried out. Waits a bounded time, and leaves alone for a while what fails.
// Which results, what they hold and where they are is for the engine to say.

import type { PlanAnswer } from '../bridge/boundary.js';
import type { EngineEvent } from '../observe/events.js';
import type { Offload } from '../options.js';
import type { Waited } from '../summarize/waiting.js';
import { Breaker, clockMs, waitFor } from '../summarize/waiting.js';

/** Milliseconds that a step waits for its files in all. */
const FILES_MS = 2_000;
/** Files that are written at once. */
const AT_ONCE = 8;
/** After a file could not be written none is for a while. */
const breakers = new WeakMap<Offload, Breaker>();

/** The files of one step. */
export class StepFiles {
  /** Files may be named in this step. */
  isReady: boolean;
  readonly #offload: Offload;
  readonly #abortSignal: AbortSignal | undefined;
  readonly #emit: (event: EngineEvent) => void;
  readonly #breaker: Breaker;
  #leftMs = FILES_MS;

  constructor({ offload, abortSignal, emit }: { offload: Offload; abortSignal: AbortSignal | undefined; emit: (event: EngineEvent) => void }) {
    this.#offload = offload;
    this.#abortSignal = abortSignal;
    this.#emit = emit;
    this.#breaker = breakers.get(offload) ?? new Breaker();
    breakers.set(offload, this.#breaker);
    this.isReady = !this.#breaker.isOpen;
  }

  /** Whether a file that was written earlier is known to be gone. Never throws. */
  async isGone(path: string): Promise<boolean> {
    const { exists } = this.#offload;
    if (exists === undefined || !this.isReady) return false;
    return (await this.#wait('`offload.exists`', (abortSignal) => exists.call(this.#offload, path, { abortSignal }))) === false;
  }

  /** Writes files, and says whether all are there. Never throws. */
  async write(files: PlanAnswer['files']): Promise<boolean> {
    const waiting = [...files];
    const writeNext = async (abortSignal: AbortSignal): Promise<true> => {
      for (let file = waiting.shift(); file !== undefined && !abortSignal.aborted; file = waiting.shift()) {
        try {
          await this.#offload.write(file.path, file.text, { abortSignal });
        } catch (error) {
          waiting.length = 0;
          throw error;
        }
      }
      return true;
    };
    const written = await this.#wait('`offload.write`', async (abortSignal) => {
      await Promise.all(Array.from({ length: AT_ONCE }, () => writeNext(abortSignal)));
      return true;
    });
    return written === true;
  }

  /** What work gives; undefined where it fails, is aborted or takes longer than what is left, and then nothing more is tried. */
  async #wait<Value>(name: string, work: (abortSignal: AbortSignal) => Value | PromiseLike<Value>): Promise<Value | undefined> {
    const begin = clockMs();
    const outcome: Waited<Value> = await waitFor({ name, milliseconds: this.#leftMs, abortSignal: this.#abortSignal, work });
    this.#leftMs = Math.max(0, this.#leftMs - (clockMs() - begin));
    if (!('reason' in outcome)) return outcome.value;
    this.isReady = false;
    if (outcome.reason !== 'aborted') this.#breaker.trip();
    this.#emit({ type: 'offload-failed', reason: outcome.reason, message: outcome.message });
    return undefined;
  }
}
