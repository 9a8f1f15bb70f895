// Prompts that a provider cuts without a word, as Ollama does: it drops the front of what is too long, answers 200 and reports what is left.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createSession, modelLimits } from 'stepfold';

import { answers, play, request } from '../sdk/script.mjs';
import { MAJORS } from '../sdk/sdk.mjs';

/** Tokens that the runtime loads the model with. */
const LOADED = 9_000;
const OVERHEAD = 900;

const tokensOf = (message) => Math.ceil(JSON.stringify(message).length / 5);

/** Keeps the instructions and as many of the newest messages as fit; says how many tokens these are, and whether that is all. */
function cut(prompt) {
  let tokens = OVERHEAD;
  for (let index = prompt.length - 1; index >= 0; index -= 1) {
    if (tokens + tokensOf(prompt[index]) > LOADED) return { tokens, isWhole: false };
    tokens += tokensOf(prompt[index]);
  }
  return { tokens, isWhole: true };
}

/** As Ollama counts, which stops at what it was loaded with. */
const count = (prompt) => cut(prompt).tokens;

/** Steps without the giant result of the script, so that the prompt grows as those of agents do. */
const script = answers.map(({ calls, ...answer }) => (calls === undefined ? answer : { ...answer, calls: calls.map((call) => ({ ...call, input: { ...call.input, step: call.input.step % 8 } })) }));

for (const major of MAJORS) {
  for (const api of ['generateText', 'streamText']) {
    test(`ai ${major}, ${api}: a run on Ollama notices the first cut prompt, and stays within from then on`, async () => {
      const events = [];
      const session = createSession({ onEvent: (event) => events.push(event) });
      const { text, prompts } = await play({ major, api, answers: script, count, provider: 'ollama.chat', modelId: 'llama3.1:8b', prepareStep: session.prepareStep });
      assert.equal(text, 'All parsers are fixed.');
      const isWhole = prompts.map((prompt) => cut(prompt).isWhole);
      const counts = prompts.map(count);
      // As long as more is read than before, nobody can tell.
      const first = isWhole.findIndex((whole, index) => !whole && counts[index] <= counts[index - 1]);
      assert.ok(first > 3 && isWhole.indexOf(false) >= first - 1, `the first prompt that was cut is ${isWhole.indexOf(false)}`);
      const truncated = events.filter(({ type }) => type === 'truncated-by-provider');
      // The report of a step is read at the next one.
      assert.deepEqual(truncated.map(({ stepNumber }) => stepNumber), [first + 1]);
      assert.deepEqual(isWhole.slice(first + 1), isWhole.slice(first + 1).map(() => true));
      const [{ reportedTokens, expectedTokens, contextWindow }] = truncated;
      assert.ok(reportedTokens <= contextWindow && contextWindow <= LOADED && LOADED < expectedTokens, JSON.stringify(truncated));
      const after = events.find(({ type, stepNumber }) => type === 'measured' && stepNumber === first + 1);
      assert.notEqual(after.source, 'reported', 'what was reported is no count of the prompt');
      assert.deepEqual(events.filter(({ type }) => type === 'unknown-model').map(({ reason, stepNumber }) => [reason, stepNumber]), [['local-runtime', 0]]);
    });
  }
}

test('what a local runtime takes is unknown unless it is given', async () => {
  for (const [model, isKnown] of [
    [{ modelId: 'llama3.1', provider: 'ollama.chat' }, false],
    [{ modelId: 'qwen3-8b', provider: 'lmstudio.chat' }, false],
    [{ modelId: 'llama3.1:8b', provider: 'openai-compatible.chat' }, false],
    [{ modelId: 'llama-3.1-8b-instant', provider: 'groq.chat' }, true],
  ]) {
    const { known, contextWindow } = modelLimits(model);
    assert.equal(known, isKnown);
    assert.ok(contextWindow <= 131_072);
  }
  const events = [];
  const session = createSession({ contextWindow: 8_192, onEvent: (event) => events.push(event) });
  await session.prepareStep({ messages: [request], steps: [], stepNumber: 0, model: { modelId: 'llama3.1:8b', provider: 'ollama.chat' } });
  assert.deepEqual(events.map(({ type }) => type), ['measured']);
});

test('a provider that reports what no cache held is not taken for one that cuts', async () => {
  for (const major of MAJORS) {
    const events = [];
    const session = createSession({ contextWindow: 60_000, onEvent: (event) => events.push(event) });
    let before = 0;
    const uncached = (prompt) => {
      const tokens = OVERHEAD + prompt.reduce((sum, message) => sum + tokensOf(message), 0);
      const fresh = tokens - Math.floor(before / 1024) * 1024;
      before = tokens;
      return fresh;
    };
    await play({ major, answers: script, count: uncached, prepareStep: session.prepareStep });
    assert.deepEqual(events.filter(({ type }) => type === 'truncated-by-provider'), []);
  }
});
