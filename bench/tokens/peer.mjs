// One tokenizer at work in a process of its own, so that nobody profits or suffers from another's memory and compiled code.
// Prints what it measured as JSON. The clock is the processor time of the counting thread.
//
//   node peer.mjs <peer> <o200k|cl100k> cold|mix|counts|hostile [seconds per class]

import { readFileSync } from 'node:fs';
import { assembleCorpus, hostileTexts } from './corpus.mjs';

const [peer, encoding, task, seconds = '5'] = process.argv.slice(2);
const cpu = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
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
  const start = cpu();
  const count = await peers[peer]();
  count('Hello, world!');
  return { milliseconds: cpu() - start, residentMegabytes: process.memoryUsage().rss / 1e6 };
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
    const start = cpu();
    for (const document of documents) {
      count(document);
      bytes += Buffer.byteLength(document);
      if (cpu() - start > Number(seconds) * 1000) break;
    }
    classes[name] = { bytes, milliseconds: cpu() - start };
  }
  return { classes, grownMegabytes: (process.memoryUsage().rss - before) / 1e6 };
}

/** The count of each document, for comparing. */
async function counts() {
  const count = await peers[peer]();
  return Object.fromEntries(Object.entries(assembleCorpus()).map(([name, documents]) => [name, documents.map(count)]));
}

/** Milliseconds for each kind of hostile text, by length in kilobytes, and for prose: of the fastest of some rounds. */
async function hostile() {
  const count = await peers[peer]();
  const { prose: documents, markdown } = assembleCorpus();
  // Where there is less than a megabyte of prose, what comes nearest.
  const prose = [...documents, ...markdown].join('\n');
  const fastest = (text) => {
    const times = Array.from({ length: 3 }, () => {
      const start = cpu();
      let repeats = 0;
      // The clock ticks every few milliseconds.
      do {
        count(text);
        repeats += 1;
      } while (cpu() - start < 150);
      return (cpu() - start) / repeats;
    });
    return Math.min(...times);
  };
  fastest(prose);
  const lengths = [125, 250, 500, 1000];
  const table = lengths.map((length) => Object.entries({ prose: prose.slice(0, length * 1000), ...hostileTexts(length * 1000) }).map(([name, text]) => [name, fastest(text)]));
  return Object.fromEntries(table[0].map(([name], row) => [name, Object.fromEntries(lengths.map((length, column) => [length, table[column][row][1]]))]));
}
