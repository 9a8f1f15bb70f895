// Whether stepfold grows in a process that lives long: 20,000 steps of 2,000 conversations, eight at a time. `npm run bench:soak` prints
// heap, engine memory and process memory every 2,000 steps, and ends with 1 when heap or engine memory grows. Measures no speed.

import { createPrepareStep } from 'stepfold';
import { REQUESTS, STEPS_A_REQUEST, converse, optionsOf } from './conversation.mjs';

const CONVERSATIONS = 2_000;
const AT_ONCE = 8;
const STEPS_A_ROW = 2_000;
const MOST_GROWTH = 1.1;

const collect = globalThis.gc;
if (collect === undefined) throw new Error('run this with `node --expose-gc`');

// The engine is made at the first step. It shows nobody its memory, so whoever makes an instance is watched.
/** @type {WebAssembly.Memory[]} */
const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(/** @type {WebAssembly.Module} */ module, /** @type {WebAssembly.Imports | undefined} */ imports) {
    super(module, imports);
    memories.push(/** @type {WebAssembly.Memory} */ (this.exports.memory));
  }
};

/** @type {Map<string, number>} */
const told = new Map();
const onEvent = (/** @type {{ type: string }} */ { type }) => void told.set(type, (told.get(type) ?? 0) + 1);
const shared = createPrepareStep(optionsOf(onEvent));
const store = new Map();
/** @type {{ steps: number, heap: number, engine: number, rss: number }[]} */
const rows = [];
let steps = 0;
let nextRow = STEPS_A_ROW;

const megabytes = (/** @type {number} */ bytes) => (bytes / 2 ** 20).toFixed(1).padStart(9);

async function onStep() {
  steps += 1;
  // A real step waits for a provider: what finalizers and the collector do between turns of the event loop happens here, too.
  await new Promise((resolve) => setImmediate(resolve));
  if (steps < nextRow) return;
  nextRow += STEPS_A_ROW;
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  const row = { steps: nextRow - STEPS_A_ROW, heap: heapUsed, engine: memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0), rss };
  rows.push(row);
  console.log(`${String(steps).padStart(6)} ${megabytes(row.heap)} ${megabytes(row.engine)} ${megabytes(row.rss)}`);
}

console.log(' steps   heap MB  engine MB  process MB');
let next = 0;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (next < CONVERSATIONS) {
      next += 1;
      await converse({ number: next, store, shared, onEvent, onStep });
    }
  }),
);

const third = Math.floor(rows.length / 3);
const mean = (/** @type {typeof rows} */ part, /** @type {'heap' | 'engine' | 'rss'} */ kind) => part.reduce((sum, row) => sum + row[kind], 0) / part.length;
const growth = (/** @type {'heap' | 'engine' | 'rss'} */ kind) => mean(rows.slice(-third), kind) / mean(rows.slice(0, third), kind);
console.log(`\n${[...told].map(([type, count]) => `${type} ${count}`).join(', ')}`);
for (const kind of /** @type {const} */ (['heap', 'engine', 'rss'])) console.log(`${kind}: the last third is ${growth(kind).toFixed(2)} times the first`);

const problems = [
  ...(steps === CONVERSATIONS * REQUESTS * STEPS_A_REQUEST ? [] : [`${steps} steps were made`]),
  ...(memories.length === 1 ? [] : [`${memories.length} engines were made`]),
  ...['error', 'store-failed', 'state-rejected'].filter((type) => told.has(type)).map((type) => `${told.get(type)} events ${type}`),
  ...['cleared', 'checkpoint'].filter((type) => !told.has(type)).map((type) => `no event ${type}`),
  ...(growth('heap') > MOST_GROWTH ? ['the heap grows'] : []),
  ...(growth('engine') > MOST_GROWTH ? ['the engine grows'] : []),
];
console.log(problems.length === 0 ? 'Flat.' : `Not flat: ${problems.join('; ')}.`);
process.exitCode = problems.length === 0 ? 0 : 1;
