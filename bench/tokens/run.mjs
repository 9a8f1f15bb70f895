// The bench of the exact tokenizers: equality with tiktoken-rs, speed, cold start, memory and hostile text, beside the tokenizers in use.
// Prints tables; exits with 1 when a count differs or a ratio misses its bar. Ratios hold on any machine, milliseconds do not.
//
//   node bench/tokens/run.mjs [--encoding cl100k] [--rounds 3] [--seconds 4] [equality speed cold hostile]

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { encoding: { type: 'string', default: 'o200k' }, rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '4' } },
});
const rounds = Number(values.rounds);
const PEERS = ['stepfold', 'gpt-tokenizer', 'tiktoken-rs', 'js-tiktoken'];
/** How many times faster than each peer, in every class. */
const SPEED_BARS = { 'gpt-tokenizer': 4, 'tiktoken-rs': 3, 'js-tiktoken': 20 };
/** How many times faster than gpt-tokenizer over the whole mix. */
const MIX_BAR = 10;
const COLD_BARS = { 'gpt-tokenizer': 5, 'tiktoken-rs': 6 };
const DOUBLING_BAR = 2.3;
const HOSTILE_BAR = 10;
/** Seconds a peer gets for one class: some of them are quadratic. */
const cap = Number(values.seconds);

let failed = false;
buildPeer();
const parts = { equality, speed, cold, hostile };
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) parts[name]();
process.exitCode = failed ? 1 : 0;

/** Every document of the corpus, against tiktoken-rs. */
function equality() {
  const [ours, theirs] = ['stepfold', 'tiktoken-rs'].map((peer) => run(peer, 'counts'));
  let documents = 0;
  let different = 0;
  for (const [name, counts] of Object.entries(theirs)) {
    documents += counts.length;
    different += counts.filter((count, index) => count !== ours[name][index]).length;
  }
  console.log(`\n${values.encoding}: ${different} of ${documents} documents differ from tiktoken-rs`);
  check('no document differs', different === 0);
}

function speed() {
  // Rounds are interleaved, so that a busy machine slows all alike.
  const runs = Array.from({ length: rounds }, () => PEERS.map((peer) => run(peer, 'mix', cap)));
  const classes = Object.keys(runs[0][0].classes);
  const megabytesPerSecond = (peer, name) => median(runs.map((round) => round[peer].classes[name].bytes / 1000 / round[peer].classes[name].milliseconds));
  const speeds = Object.fromEntries(classes.map((name) => [name, PEERS.map((_, peer) => megabytesPerSecond(peer, name))]));
  // What the whole mix takes, at each class's speed.
  const bytes = classes.map((name) => runs[0][0].classes[name].bytes);
  const total = bytes.reduce((sum, size) => sum + size);
  const mix = PEERS.map((_, peer) => total / classes.reduce((time, name, index) => time + bytes[index] / speeds[name][peer], 0));

  console.log(`\n${values.encoding}: MB/s, first pass over fresh text, ${(total / 1e6).toFixed(1)} MB`);
  const row = (list) => Object.fromEntries([
    ...PEERS.map((peer, index) => [peer, list[index].toFixed(2)]),
    ...PEERS.slice(1).map((peer, index) => [`× ${peer}`, (list[0] / list[index + 1]).toFixed(1)]),
  ]);
  console.table(Object.fromEntries([...Object.entries(speeds).map(([name, list]) => [name, row(list)]), ['whole mix', row(mix)]]));
  console.log('memory grown by, MB:', Object.fromEntries(PEERS.map((peer, index) => [peer, Math.round(median(runs.map((round) => round[index].grownMegabytes)))])));
  for (const [name, list] of Object.entries(speeds)) {
    for (const [peer, bar] of Object.entries(SPEED_BARS)) check(`${name}: ${bar} × ${peer}`, list[0] / list[PEERS.indexOf(peer)] >= bar);
  }
  check(`whole mix: ${MIX_BAR} × gpt-tokenizer`, mix[0] / mix[1] >= MIX_BAR);
}

function cold() {
  const runs = Array.from({ length: rounds * 3 }, () => PEERS.map((peer) => run(peer, 'cold')));
  const of = (peer, key) => median(runs.map((round) => round[PEERS.indexOf(peer)][key]));
  console.log(`\n${values.encoding}: import to first count in a fresh process, processor time of the main thread`);
  console.table(Object.fromEntries(PEERS.map((peer) => [peer, {
    milliseconds: of(peer, 'milliseconds').toFixed(0),
    ratio: (of(peer, 'milliseconds') / of('stepfold', 'milliseconds')).toFixed(1),
    'resident MB': of(peer, 'residentMegabytes').toFixed(0),
  }])));
  for (const [peer, bar] of Object.entries(COLD_BARS)) check(`cold start: 1/${bar} of ${peer}`, of(peer, 'milliseconds') / of('stepfold', 'milliseconds') >= bar);
}

function hostile() {
  const passes = run('stepfold', 'hostile');
  const least = (name, length) => Math.min(...passes[name][length]);
  const timesProse = (name) => least(name, 1000) / least('prose', 1000);
  // Within a round, where both lengths had the same machine.
  const doubling = (times, half) => median(times[2 * half].map((time, round) => time / times[half][round]));
  const doublings = Object.fromEntries(Object.entries(passes).map(([name, times]) => [name, [125, 250, 500].map((half) => doubling(times, half))]));
  console.log(`\n${values.encoding}: milliseconds by kilobytes of hostile text, the most that doubling costs, and a megabyte as a multiple of one of prose`);
  console.table(Object.fromEntries(Object.entries(passes).map(([name, times]) => [name, {
    ...Object.fromEntries(Object.keys(times).map((length) => [`${length} KB`, least(name, length).toFixed(1)])),
    doubling: Math.max(...doublings[name]).toFixed(2),
    '× prose': timesProse(name).toFixed(1),
  }])));
  for (const [name, list] of Object.entries(doublings)) {
    check(`${name}: doubling costs at most ${DOUBLING_BAR} ×`, list.every((times) => times <= DOUBLING_BAR));
    check(`${name}: at most ${HOSTILE_BAR} × prose`, timesProse(name) <= HOSTILE_BAR);
  }
}

function check(what, holds) {
  if (holds) return;
  failed = true;
  console.log(`missed: ${what}`);
}

function run(peer, ...parameters) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/tokens/peer.mjs', peer, values.encoding, ...parameters.map(String)], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${peer} failed:\n${stderr}`);
  return JSON.parse(stdout);
}

function buildPeer() {
  const parameters = ['build', '--quiet', '--release', '--target', 'wasm32-unknown-unknown', '--manifest-path', 'bench/tokens/tiktoken-wasm/Cargo.toml', '--target-dir', 'target/tiktoken-wasm'];
  if (spawnSync('cargo', parameters, { stdio: 'inherit' }).status !== 0) throw new Error('tiktoken-rs could not be compiled to WebAssembly');
}

function median(list) {
  return list.toSorted((a, b) => a - b)[list.length >> 1];
}
