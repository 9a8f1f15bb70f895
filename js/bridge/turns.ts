// Turns of the event loop. What the engine is asked is answered in one piece, so sessions that step at once would hold the loop for all of them
// together: once they have done so much in a turn, the others come in the next ones, in their order. One that is alone never waits. A run
// without a session counts as one.
// Counts bytes and not time: clocks stand still while a Cloudflare worker works, and tests set them.

/** What begins the next turn: as the platform has it at first, before a test puts a clock of its own in its place. */
const nextTurn = /* @__PURE__ */ (({ setImmediate, setTimeout }: Timers): ((work: () => void) => unknown) => setImmediate ?? ((work) => setTimeout?.(work, 0)))(globalThis);
interface Timers {
  readonly setImmediate?: (work: () => void) => unknown;
  readonly setTimeout?: (work: () => void, milliseconds: number) => unknown;
}

/** Bytes of messages that the engine is handed in one turn of several sessions: an edit reads as many in about 10 ms. */
const TURN_BYTES = 250_000;

/** Those that are at a step now, and at how many. */
const working = new Map<object, number>();
let isBegun = false;
let bytes = 0;
/** How many wait for a turn. */
let waiting = 0;

/** The engine was handed messages. */
export function count(handed: number): void {
  bytes += handed;
}

/** A session begins a step. */
export function beginWork(worker: object): void {
  working.set(worker, (working.get(worker) ?? 0) + 1);
}

/** And ends it. */
export function endWork(worker: object): void {
  const left = (working.get(worker) ?? 1) - 1;
  if (left > 0) working.set(worker, left);
  else working.delete(worker);
}

/** Takes a turn for a session: this one, and then there is nothing to wait for, or one to come. */
export function takeTurn(worker: object): Promise<void> | undefined {
  if (!isBegun) begin();
  const isAlone = working.size === (working.has(worker) ? 1 : 0);
  return !isAlone && (waiting > 0 || bytes >= TURN_BYTES) ? waitForTurn() : undefined;
}

async function waitForTurn(): Promise<void> {
  waiting += 1;
  try {
    do {
      const comes = await new Promise<boolean>((resolve) => {
        if (later(() => resolve(true)) === undefined) resolve(false);
      });
      if (!comes) return;
    } while (isBegun && bytes >= TURN_BYTES);
  } finally {
    waiting -= 1;
  }
  if (!isBegun) begin();
}

function begin(): void {
  const timer = later(() => {
    isBegun = false;
  });
  [isBegun, bytes] = [timer !== undefined, 0];
  // Nobody waits for its end. A number where there is no process that could end.
  (timer as { unref?: () => unknown } | undefined)?.unref?.();
}

/** Does something in the next turn. Undefined where there are no timers, as inside a `'use workflow'` function. */
function later(work: () => void): unknown {
  try {
    return nextTurn(work);
  } catch {
    return undefined;
  }
}
