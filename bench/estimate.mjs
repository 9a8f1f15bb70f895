// How far the estimator is off, per class of text, beside what others use: against `o200k_base`, on text it was not fitted on.
// Prints; judges nothing. What it is fitted on, and how, stands in bench/fit; against providers' own numbers: bench/usage.

import { readFileSync } from 'node:fs';
import { estimateTokens } from 'stepfold';
import { o200k } from 'stepfold/o200k';
import { estimateTokenCount } from 'tokenx';
import { CRATES, NPM } from './fit/packages.mjs';
import { assembleCorpus } from './tokens/corpus.mjs';
import { geminiCli } from './usage/counters.mjs';

/** Characters of a message, at least and at most. */
const [SHORTEST, LONGEST] = [200, 12_000];
const MESSAGES_IN_CONVERSATION = 20;
const MESSAGES_IN_CLASS = 1_500;

const tokenizer = o200k();
// The estimator alone: a model whose provider counts with o200k, without the lean to the high side that holds until usage is
// known, and without what a message costs beside its text.
const lean = Number(/^pub const LEAN: f64 = ([\d.]+);$/m.exec(readFileSync(new URL('../src/policy/estimates.rs', import.meta.url), 'utf8'))?.[1]);
if (Number.isNaN(lean)) throw new Error('src/policy/estimates.rs has no constant LEAN');
const estimate = (text) => estimateTokens([{ role: 'user', content: text }], { model: 'openai/gpt-5' }) / lean;
const frame = Math.round(estimate('x') - tokenizer.count('x'));
const counters = {
  stepfold: (text) => estimate(text) - frame,
  'chars/4': (text) => text.length / 4,
  'Gemini CLI': geminiCli,
  tokenx: estimateTokenCount,
};

const fitted = [...NPM.map((name) => name.replace(/@[^@]+$/, '').replace(/^@[^/]+\//, '')), ...CRATES];
const classes = Object.entries(assembleCorpus(fitted)).flatMap(([name, documents]) => {
  const found = documents.flatMap(messagesOf).slice(0, MESSAGES_IN_CLASS).map((text) => ({ name, tokens: tokenizer.count(text), by: Object.values(counters).map((count) => count(text)) }));
  return found.length < 20 ? [] : [{ name, found }];
});
const all = classes.flatMap(({ found }) => found);
/** Without the packages it was fitted on, these are names of countries and currencies in rows, and no sentences. */
const lists = ['chinese', 'japanese', 'korean', 'cyrillic', 'arabic'];
const sentences = classes.filter(({ name }) => !lists.includes(name)).flatMap(({ found }) => found);

console.log('Against o200k_base, text of packages that the estimator was not fitted on; messages of 200 to 12,000 characters.');
console.log(`The estimator alone: until usage is known, an estimate is ${lean} times that, to be rather high than low.\n`);
const table = (rows) => rows.forEach((row) => console.log(row.map((cell, index) => (index === 0 ? cell.padEnd(34) : cell.padStart(11))).join('')));
table([
  ['mean absolute error', 'messages', ...Object.keys(counters), 'bias', 'under 10 %'],
  ...[...classes, { name: 'all', found: all }, { name: 'all but rows of names', found: sentences }].map(({ name, found }) => [
    lists.includes(name) ? `${name}, rows of names` : name,
    String(found.length),
    ...Object.keys(counters).map((_, counter) => percent(mean(found.map((message) => Math.abs(errorOf(message, counter)))))),
    percent(mean(found.map((message) => errorOf(message, 0)))),
    percent(mean(found.map((message) => (errorOf(message, 0) < -0.1 ? 1 : 0)))),
  ]),
]);
const conversations = conversationsOf(sentences);
console.log();
table([[`conversations of ${MESSAGES_IN_CONVERSATION} messages`, String(conversations.length), ...Object.keys(counters).map((_, counter) => percent(mean(conversations.map((list) => Math.abs(errorOf(sum(list), counter))))))]]);

/** Pieces of a document, of lengths as messages have them: short ones are as frequent as long ones. */
function messagesOf(document, seed) {
  const found = [];
  for (let at = 0, n = seed; at + SHORTEST <= document.length; n += 1) {
    const length = Math.floor(SHORTEST * (LONGEST / SHORTEST) ** (((n * 2_654_435_761) % 1_000) / 1_000));
    const text = document.slice(at, at + length).toWellFormed();
    if (text.length >= SHORTEST) found.push(text);
    at += length;
  }
  return found;
}

/** Messages of all classes in turn, as a conversation mixes them. */
function conversationsOf(messages) {
  const mixed = messages.map((message, index) => ({ message, order: (index * 2_654_435_761) % messages.length })).sort((a, b) => a.order - b.order);
  const count = Math.floor(mixed.length / MESSAGES_IN_CONVERSATION);
  return Array.from({ length: count }, (_, index) => mixed.slice(index * MESSAGES_IN_CONVERSATION, (index + 1) * MESSAGES_IN_CONVERSATION).map(({ message }) => message));
}

function sum(list) {
  return { tokens: list.reduce((total, { tokens }) => total + tokens, 0), by: Object.keys(counters).map((_, counter) => list.reduce((total, { by }) => total + by[counter], 0)) };
}

function errorOf({ tokens, by }, counter) {
  return by[counter] / tokens - 1;
}

function mean(values) {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

function percent(value) {
  return `${(100 * value).toFixed(1)} %`;
}
