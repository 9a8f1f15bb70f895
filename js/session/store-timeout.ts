// How long a run waits for its store: all waits together at most this many milliseconds; what is waited for goes on, waited for or not. A store
// that gives no answer is left alone for a while. Knows no store and decides nothing of what is kept there.

import type { EngineEvent } from '../observe/events.js';
import type { StoreOutcome } from './store.js';
import { Breaker, clockMs, startTimer } from '../summarize/waiting.js';

type Emit = (event: EngineEvent) => void;

/** Milliseconds that a run waits for its store in all. */
const STORE_TIMEOUT_MS = 1_000;

/** What is left of the time that may be spent waiting. */
export class StoreTimeout {
  /** An event has said that it is over. */
  isReported = false;
  #leftMs: number;

  constructor(milliseconds: number) {
    this.#leftMs = milliseconds;
  }

  /** Waits for work, and says whether it was there in time. Throws what the work throws in that time. */
  async wait(work: Promise<unknown>): Promise<boolean> {
    if (this.#leftMs <= 0) {
      work.catch(() => undefined);
      return false;
    }
    const begin = clockMs();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<false>((resolve) => {
      timer = startTimer(() => {
        this.#leftMs = 0;
        resolve(false);
      }, this.#leftMs);
    });
    try {
      return await Promise.race([work.then(() => true), over]);
    } finally {
      if (timer !== undefined) clearTimeout(timer);
      this.#leftMs -= clockMs() - begin;
    }
  }
}

/** The waits of a session's runs for one store. */
export class StoreWaits {
  readonly #timeoutMs: number;
  readonly #ofRuns = new WeakMap<object, StoreTimeout>();
  readonly #breaker = new Breaker();

  constructor(timeoutMs = STORE_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  /** For a caller that is no run. */
  newTimeout(): StoreTimeout {
    return new StoreTimeout(this.#timeoutMs);
  }

  /** A run begins to wait. */
  begin(owner: object): void {
    this.#ofRuns.set(owner, this.newTimeout());
  }

  /** How long a run still waits. */
  timeoutOf(owner: object): StoreTimeout {
    return this.#ofRuns.get(owner) ?? this.newTimeout();
  }

  /** Waits for the store until the time is over; the work then goes on behind the run. An event says once that no answer came. */
  async within(timeout: StoreTimeout, operation: 'load' | 'save', emit: Emit, work: (emit: Emit) => Promise<void>): Promise<void> {
    let isReported = false;
    const emitOnce: Emit = (event) => {
      const isTimeout = event.type === 'store-failed' && event.reason === 'timeout';
      if (!isTimeout || !isReported) emit(event);
      isReported ||= isTimeout;
    };
    // Where an answer came just as the time was over, there was no event yet, and what comes next is not waited for.
    if ((await timeout.wait(work(emitOnce))) || timeout.isReported) return;
    timeout.isReported = true;
    emitOnce({ type: 'store-failed', operation, reason: 'timeout', message: `the run has waited ${this.#timeoutMs} ms for the store; it goes on in memory and waits no more` });
  }

  /** Emits that a load or save failed. */
  failed(operation: 'load' | 'save', { reason, message }: Extract<StoreOutcome, { done: false }>, emit: Emit): void {
    if (reason === 'timeout') this.#breaker.trip();
    emit({ type: 'store-failed', operation, reason, message });
  }

  /** Whether the store is left alone this time: what is new is saved at the next decision after that, or when the session is disposed of. */
  get isResting(): boolean {
    return this.#breaker.isOpen;
  }
}
