// Random runs beside providers that report what they read: honest ones, of which none may be called truncating, and such as drop the front
// of what is too long, which must be noticed. Reports are missing at times, and models, turns and edits change what is sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createPrepareStep, createSession } from 'stepfold';

import { amount } from '../amount.mjs';

const RUNS = amount({ push: 50, night: 300 });

/** The same numbers for a seed at all times. */
function randomOf(seed) {
  let state = (seed + 1) * 2_654_435_761;
  return (from, to) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return from + Math.floor((state / 2 ** 32) * (to - from + 1));
  };
}

const WORDS = 'parser token buffer cursor window branch commit folder handler request answer editor'.split(' ');
const text = (random, words) => Array.from({ length: words }, () => WORDS[random(0, WORDS.length - 1)]).join(' ');

/** Tokens of a message for a model that counts so many for a hundred characters. */
const tokensOf = (message, per100) => Math.ceil((JSON.stringify(message.content).length * per100) / 100) + 4;

/** As the SDKs of the majors report the same prompt. */
function usageOf(random, tokens, form) {
  const read = form === 'cached' ? Math.floor((tokens * random(0, 95)) / 100) : 0;
  if (form === 'ai-5') return { inputTokens: tokens, outputTokens: 20, cachedInputTokens: read };
  return { inputTokens: tokens, outputTokens: 20, inputTokenDetails: { noCacheTokens: tokens - read, cacheReadTokens: read, cacheWriteTokens: 0 } };
}

/** A run of random steps. `cut` says what a provider reads of a prompt whose messages have so many tokens each. */
async function drive({ seed, steps: length, contextWindow, changes, cut = (tokens) => tokens.reduce((sum, tokens) => sum + tokens, 0) }) {
  const random = randomOf(seed);
  const events = [];
  const options = { contextWindow, onEvent: (event) => events.push({ ...event, at: reports.length }) };
  const prepareStep = seed % 2 === 0 ? createPrepareStep(options) : createSession(options).prepareStep;
  const models = Array.from({ length: 3 }, (_, index) => ({ model: { modelId: `model-${index}`, provider: 'proxy.chat', specificationVersion: 'v4' }, per100: random(18, 40) }));
  const overhead = random(0, 3_000);
  const form = ['told', 'cached', 'ai-5'][seed % 3];
  const reports = [];
  let { model, per100 } = models[0];
  let messages = [{ role: 'user', content: 'Mend every handler.' }];
  let steps = [];
  for (let step = 0; step < length; step += 1) {
    if (changes && random(0, 19) === 0) ({ model, per100 } = models[random(0, 2)]);
    if (changes && random(0, 14) === 0 && steps.length > 0) {
      messages = [...messages, { role: 'assistant', content: text(random, 30) }, { role: 'user', content: text(random, random(1, 60)) }];
      steps = [];
    }
    const made = await prepareStep({ messages, steps, stepNumber: steps.length, model });
    const sent = (made?.messages ?? messages).map((message) => tokensOf(message, per100));
    const whole = overhead + sent.reduce((sum, tokens) => sum + tokens, 0);
    const read = overhead + cut(sent);
    reports.push({ read, isCut: read < whole });
    const isMissing = changes && random(0, 9) === 0;
    steps.push({ usage: isMissing ? {} : usageOf(random, read, form) });
    const toolCallId = `call-${step}`;
    messages = [
      ...messages,
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'read', input: { path: `src/${step}.ts` } }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value: `${step} ${text(random, random(120, changes ? 900 : 400))}` } }] },
    ];
  }
  return { reports, events, truncated: events.filter(({ type }) => type === 'truncated-by-provider') };
}

test(`in ${RUNS} runs with honest reports no prompt is called cut, whatever is edited, missing or changed`, async () => {
  let edits = 0;
  for (let seed = 0; seed < RUNS; seed += 1) {
    const { truncated, events } = await drive({ seed, steps: 40, contextWindow: 12_000 + 500 * (seed % 40), changes: true });
    assert.deepEqual(truncated, [], `seed ${seed}`);
    edits += events.filter(({ type }) => type === 'cleared' || type === 'checkpoint').length;
  }
  assert.ok(edits > RUNS, `${edits} edits`);
});

test(`in each of ${RUNS} runs whose prompts are cut that is noticed, and never before it happens`, async () => {
  for (let seed = 0; seed < RUNS; seed += 1) {
    const loaded = 6_000 + 100 * (seed % 60);
    // The newest messages that fit.
    const cut = (tokens) => {
      let read = 0;
      for (const next of [...tokens].reverse()) {
        if (read + next > loaded) break;
        read += next;
      }
      return read;
    };
    const { reports, truncated } = await drive({ seed, steps: 60, contextWindow: 200_000, changes: false, cut });
    const first = reports.findIndex(({ isCut }) => isCut);
    // As long as more is read than before, nobody can tell.
    const reported = reports.findIndex(({ isCut, read }, index) => isCut && index > 0 && read <= reports[index - 1].read);
    assert.ok(first > 0 && reported > 0, `seed ${seed}: no prompt was cut`);
    assert.equal(truncated[0]?.at, reported + 1, `seed ${seed}: the first cut prompt was ${first}, of step ${reported} it could be told`);
  }
});
