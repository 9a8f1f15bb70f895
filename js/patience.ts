// How long a run waits for its store: all waits together at most so many milliseconds. What is waited for goes on, waited for or not.
// Knows no store; stops nothing and decides nothing.

/** What is left of the time that may be spent waiting. */
export class Patience {
  #leftMs: number;

  constructor(milliseconds: number) {
    this.#leftMs = milliseconds;
  }

  get isOver(): boolean {
    return this.#leftMs <= 0;
  }

  /** Waits for work, and says whether it was there in time. Throws what the work throws in that time. */
  async wait(work: Promise<unknown>): Promise<boolean> {
    if (this.isOver) {
      work.catch(() => undefined);
      return false;
    }
    const begin = Date.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<false>((resolve) => {
      timer = setTimeout(() => {
        this.#leftMs = 0;
        resolve(false);
      }, this.#leftMs);
    });
    try {
      return await Promise.race([work.then(() => true), over]);
    } finally {
      clearTimeout(timer);
      this.#leftMs -= Date.now() - begin;
    }
  }
}
