// A session's way to its store: loads and saves, one after another, whether or not a run waits for them. Knows the text that is there, and nothing
// of what it says.

import { messageOf } from '../errors.js';
import type { EngineEvent } from '../observe/events.js';
import { keyOf, withEarlier } from './keys.js';
import type { StoreTimeout } from './store-timeout.js';
import { StoreWaits } from './store-timeout.js';
import type { SessionStore, StoreOutcome } from './store.js';
import { isSameJson, load, update } from './store.js';

type Emit = (event: EngineEvent) => void;

/** How a session is written. */
export interface Writing {
  /** Whether there is anything to write, where nobody asks to look. */
  readonly isDue: () => boolean;
  /** What the store is to hold. It is handed what another process has written since. */
  readonly make: (news: string | undefined) => string;
  /** It is there. */
  readonly done: () => void;
}

export class StoreQueue {
  readonly waits: StoreWaits;
  readonly #key: string | undefined;
  readonly #store: SessionStore | undefined;
  #storedText: string | undefined;
  #hasLooked = false;
  #last: Promise<void> = Promise.resolve();
  /** The save that has not begun, if any: it will write what is there then. */
  #next: { readonly work: Promise<void>; looks: boolean } | undefined;

  constructor({ id, store, storeTimeoutMs }: { readonly id: string | undefined; readonly store: SessionStore | undefined; readonly storeTimeoutMs: number | undefined }) {
    this.#key = id === undefined ? undefined : keyOf(id);
    this.#store = store === undefined || id === undefined ? undefined : withEarlier(store, id);
    this.waits = new StoreWaits(storeTimeoutMs);
  }

  /** The text that the store holds, as far as is known. */
  get storedText(): string | undefined {
    return this.#storedText;
  }

  /** Whether the store has answered once. */
  get hasLooked(): boolean {
    return this.#hasLooked;
  }

  /** Whether the store holds this text, or nobody keeps the session anywhere. */
  isStored(text: string): boolean {
    return this.#store === undefined || (this.#storedText !== undefined && isSameJson(this.#storedText, text));
  }

  /** Looks what another process has written; `take` says whether that is taken in now. Never throws. */
  async load(emit: Emit, timeout: StoreTimeout, take: (text: string) => boolean): Promise<void> {
    const [store, key] = [this.#store, this.#key];
    if (store === undefined || key === undefined || this.waits.isResting) return;
    await this.waits.within(timeout, 'load', emit, (emitOnce) => {
      // Neither before what is being written is there, nor while something is.
      const loading = this.#last.then(async () => {
        const outcome = await load(store, key, this.#storedText);
        if (!outcome.done) return this.waits.failed('load', outcome, emitOnce);
        // A store that has forgotten the session is sent it again. What is not taken in is news to the next save.
        if (outcome.text === undefined || (outcome.text !== this.#storedText && take(outcome.text))) this.#storedText = outcome.text;
        this.#hasLooked = true;
      });
      this.#last = loading.catch(() => undefined);
      return loading;
    });
  }

  /** Writes, after what is being written already; `looks`: looks at the store also where nothing is new. Never throws. */
  async save(emit: Emit, timeout: StoreTimeout, looks: boolean, writing: Writing): Promise<void> {
    const [store, key] = [this.#store, this.#key];
    if (store === undefined || key === undefined || (!looks && this.waits.isResting)) return;
    await this.waits.within(timeout, 'save', emit, (emitOnce) => {
      if (this.#next !== undefined) {
        this.#next.looks ||= looks;
        return this.#next.work;
      }
      const work = this.#last.then(async () => {
        const isLooking = this.#next!.looks;
        this.#next = undefined;
        try {
          if (!isLooking && (this.waits.isResting || !writing.isDue())) return;
          const outcome = await this.#write(store, key, writing);
          if (!outcome.done) this.waits.failed('save', outcome, emitOnce);
        } catch (error) {
          // An enqueued message cannot be written as JSON any more.
          emitOnce({ type: 'store-failed', operation: 'save', reason: 'failed', message: messageOf(error) });
        }
      });
      this.#next = { work, looks };
      this.#last = work;
      return work;
    });
  }

  async #write(store: SessionStore, key: string, { make, done }: Writing): Promise<StoreOutcome> {
    const outcome = await update(store, key, this.#storedText, (found) => {
      const news = found === this.#storedText ? undefined : found;
      if (news !== undefined) this.#storedText = news;
      const text = make(news);
      return found === text || (news !== undefined && isSameJson(news, text)) ? undefined : text;
    });
    if (!outcome.done) return outcome;
    [this.#storedText, this.#hasLooked] = [outcome.text, true];
    done();
    return outcome;
  }
}
