// One tokenizer at work in a process of its own, so that nobody profits or suffers from another's memory and compiled code.
// Prints what it measured as JSON. The clock is the processor time of the counting thread.
//
//   node peer.mjs <peer> <o200k|cl100k> cold|mix|counts|hostile [seconds per class]

import { readFileSync } from 'node:fs';
import { assembleCorpus, hostileTexts } from './corpus.mjs';

const [peer, encoding, task, seconds = '5'] = process.argv.slice(2);
/** Passes over each kind and length of hostile text. */
const HOSTILE_ROUNDS = 20;
const cpu = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
/** The clock ticks every few milliseconds, and whenever the thread sleeps. */
const settledCpu = () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  return cpu();
};

const peers = {
  stepfold: async () => {
    const tokenizer = (await import(`stepfold/${encoding}`))[encoding]();
    return (text) => tokenizer.count(text);
  },
  'gpt-tokenizer': async () => {
    const { encode } = await import(`gpt-tokenizer/encoding/${encoding}_base`);
    // By default it throws where a text holds a special token.
    const options = { disallowedSpecial: new Set() };
    return (text) => encode(text, options).length;
  },
  'js-tiktoken': async () => {
    const { Tiktoken } = await import('js-tiktoken/lite');
    const { default: ranks } = await import(`js-tiktoken/ranks/${encoding}_base`);
    const tokenizer = new Tiktoken(ranks);
    return (text) => tokenizer.encode(text, [], []).length;
  },
  'tiktoken-rs': async () => {
    const bytes = readFileSync('target/tiktoken-wasm/wasm32-unknown-unknown/release/tiktoken_wasm.wasm');
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
    const encoder = new TextEncoder();
    return (text) => {
      const room = text.length * 3;
      const start = exports.reserve(room);
      const { written } = encoder.encodeInto(text, new Uint8Array(exports.memory.buffer, start, room));
      return exports[`count_${encoding}`](written);
    };
  },
};

const tasks = { cold, mix, counts, hostile };
console.log(JSON.stringify(await tasks[task]()));

/** From nothing to the first count. */
async function cold() {
  const start = settledCpu();
  const count = await peers[peer]();
  count('Hello, world!');
  return { milliseconds: settledCpu() - start, residentMegabytes: process.memoryUsage().rss / 1e6 };
}

/** Every document once, until a class has taken its time. */
async function mix() {
  const corpus = assembleCorpus();
  const before = process.memoryUsage().rss;
  const count = await peers[peer]();
  count('Hello, world!');
  const classes = {};
  for (const [name, documents] of Object.entries(corpus)) {
    let bytes = 0;
    const start = settledCpu();
    for (const document of documents) {
      count(document);
      bytes += Buffer.byteLength(document);
      if (cpu() - start > Number(seconds) * 1000) break;
    }
    classes[name] = { bytes, milliseconds: settledCpu() - start };
  }
  return { classes, grownMegabytes: (process.memoryUsage().rss - before) / 1e6 };
}

/** The count of each document, for comparing. */
async function counts() {
  const count = await peers[peer]();
  return Object.fromEntries(Object.entries(assembleCorpus()).map(([name, documents]) => [name, documents.map(count)]));
}

/**
 * Milliseconds for each kind of hostile text and for prose, by length in kilobytes: one number for each round.
 *
 * A pass is over a megabyte, in one text or in parts of equal length, so that each length gets as much time. No two passes have the
 * same random text; prose is the same in all. The four lengths of a kind follow each other, so that a busy machine slows them alike.
 */
async function hostile() {
  const count = await peers[peer]();
  const { prose: documents, markdown } = assembleCorpus();
  // Where there is less than a megabyte of prose, what comes nearest.
  const prose = [...documents, ...markdown].join('\n').slice(0, 1_000_000);
  const times = {};
  for (let round = 0; round < HOSTILE_ROUNDS; round += 1) {
    const megabytes = [0, 1, 2, 3].map((pass) => ({ prose, ...hostileTexts(1_000_000, 4 * round + pass) }));
    for (const name of Object.keys(megabytes[0])) {
      times[name] ??= { 125: [], 250: [], 500: [], 1000: [] };
      megabytes.forEach((megabyte, pass) => {
        // Each length is the first of the four as often as any other.
        const parts = 2 ** ((pass + round) % 4);
        const length = Math.ceil(megabyte[name].length / parts);
        const texts = Array.from({ length: parts }, (_, part) => megabyte[name].slice(part * length, (part + 1) * length));
        const start = settledCpu();
        for (const text of texts) count(text);
        times[name][1000 / parts].push((settledCpu() - start) / parts);
      });
    }
  }
  return times;
}
