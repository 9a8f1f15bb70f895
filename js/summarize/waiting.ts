// Waits for a function of the user's: a bounded time, as long as a signal allows, and never with a throw.
// A late answer is dropped; a function that ignores its signal is abandoned, and one that has failed can be left alone. Where there are no timers, time is not bounded.

import { messageOf } from '../errors.js';

/** Milliseconds on a clock that only goes on: the one on the wall is set, and then a wait would end at once or never. */
export const clockMs = (): number => (globalThis as { readonly performance?: { now(): number } }).performance?.now() ?? Date.now();

/** How the waiting ended. */
export type Waited<Value> =
  | { readonly value: Value }
  | { readonly value?: never; readonly reason: 'failed' | 'timeout' | 'aborted'; readonly message: string };

/** What is waited for. */
export interface Waiting<Value> {
  /** Who is waited for, in messages. */
  readonly name: string;
  readonly milliseconds: number;
  /** Time that is shared with other waits, in place of this many milliseconds for this one. */
  readonly time?: SharedTime;
  /** No step waits for it: a process that has nothing else to do may end before (Node, Bun). @default false */
  readonly isBackground?: boolean;
  readonly abortSignal?: AbortSignal | undefined;
  /** Receives a signal that is aborted once nothing waits any more. */
  readonly work: (abortSignal: AbortSignal) => Value | PromiseLike<Value>;
}

/** A time that several waits have together. It begins with the first. */
export class SharedTime {
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasBegun = false;

  /** Its end, as a signal; begins the time where nobody has. */
  begin(milliseconds: number): AbortSignal {
    if (!this.#hasBegun) this.#timer = startTimer(() => this.#over.abort(), milliseconds);
    this.#hasBegun = true;
    return this.#over.signal;
  }

  /** Nobody waits any more. */
  end(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
  }
}

/** Milliseconds that what has failed is left alone. */
const REST_MS = 30_000;

/** Leaves alone for a while what has failed: a client whose server went away queues what it is given for ever. The summarizer's rest is the engine's, as part of the state. */
export class Breaker {
  #until = -Infinity;

  trip(): void {
    this.#until = clockMs() + REST_MS;
  }

  get isOpen(): boolean {
    return clockMs() < this.#until;
  }
}

/** Waits until the work is done, fails, is aborted or has used its time. What throws while waiting, such as a signal that nobody can listen to, has failed. */
export async function waitFor<Value>(waiting: Waiting<Value>): Promise<Waited<Value>> {
  try {
    return await race(waiting);
  } catch (error) {
    return { reason: 'failed', message: messageOf(error) };
  }
}

async function race<Value>({ name, milliseconds, time, isBackground = false, abortSignal, work }: Waiting<Value>): Promise<Waited<Value>> {
  if (abortSignal?.aborted === true) return { reason: 'aborted', message: 'the signal was aborted before' };
  const late = `${name} took more than ${milliseconds} ms`;
  const over = time?.begin(milliseconds);
  if (over?.aborted === true) return { reason: 'timeout', message: late };
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = (): void => undefined;
  let onOver = (): void => undefined;
  const stopped = new Promise<Waited<Value>>((resolve) => {
    const stop = (reason: 'timeout' | 'aborted', message: string): void => {
      resolve({ reason, message });
      controller.abort();
    };
    onOver = () => stop('timeout', late);
    if (over === undefined) timer = startTimer(onOver, milliseconds);
    else over.addEventListener('abort', onOver, { once: true });
    // A number where there is no process that could end.
    if (isBackground) (timer as { unref?: () => unknown } | undefined)?.unref?.();
    onAbort = () => stop('aborted', 'the signal was aborted');
    abortSignal?.addEventListener('abort', onAbort, { once: true });
  });
  const done = (async (): Promise<Waited<Value>> => {
    try {
      return { value: await work(controller.signal) };
    } catch (error) {
      return { reason: 'failed', message: messageOf(error) };
    }
  })();
  try {
    return await Promise.race([done, stopped]);
  } finally {
    // Without a timer there is no `clearTimeout` either.
    if (timer !== undefined) clearTimeout(timer);
    over?.removeEventListener('abort', onOver);
    abortSignal?.removeEventListener('abort', onAbort);
  }
}

/** Starts a timer. Undefined inside a `'use workflow'` function, where `setTimeout` throws: what is waited for there are steps, which the workflow retries and ends. */
export function startTimer(work: () => void, milliseconds: number): ReturnType<typeof setTimeout> | undefined {
  try {
    return setTimeout(work, milliseconds);
  } catch {
    return undefined;
  }
}
