// Reads the stream of an agent's run and says what it has to show: an overflow without stepfold, a report with it.
// The same checks in every runtime. Knows nothing about runtimes.

import assert from 'node:assert/strict';

const WINDOW_TOKENS = 8_000;

/** Reads a response piece by piece, as a browser does. @param {Response} response */
export async function readRun(response) {
  if (response.status !== 200) assert.fail(`HTTP ${response.status}: ${(await response.text()).slice(0, 1_000)}`);
  let text = '';
  let pieces = 0;
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    pieces += 1;
  }
  return { ...parseRun(text), pieces };
}

/** What a run did, from the text of its event stream. @param {string} stream */
export function parseRun(stream) {
  const chunks = [...stream.matchAll(/^data: (\{.*\})$/gm)].map(([, json]) => JSON.parse(json));
  const of = (type) => chunks.filter((chunk) => chunk.type === type);
  return {
    steps: of('start-step').length,
    text: of('text-delta').map(({ delta }) => delta).join(''),
    errors: of('error').map(({ errorText }) => errorText),
    events: of('data-stepfold').map(({ data }) => data),
    tokens: of('data-tokens').map(({ data }) => data),
  };
}

export function assertOverflows(run) {
  assert.match(run.errors.join(), /maximum context length is 8000 tokens/);
  assert.equal(run.text, '');
  assert.deepEqual(run.events, []);
}

/** @param {ReturnType<typeof parseRun>} run @param {import('./entries.mjs').Variant} entry What it ran with. */
export function assertFinishes(run, { tokenizer }) {
  assert.deepEqual(run.errors, []);
  assert.equal(run.text, 'I have read all 30 pages.');
  assert.equal(run.steps, 31);
  assert.ok(Math.max(...run.tokens) <= WINDOW_TOKENS, `sent ${Math.max(...run.tokens)} tokens`);
  // Before the first usage is known, a number is the tokenizer's or an estimate.
  assert.equal(run.events[0].source, tokenizer === undefined ? 'estimate' : 'count');
  const types = run.events.map(({ type }) => type);
  assert.ok(types.includes('cleared') || types.includes('checkpoint'), `nothing was folded: ${types}`);
  assert.ok(!types.includes('error'), JSON.stringify(run.events.find(({ type }) => type === 'error')));
}

/** Over HTTP, with the response arriving in more than one piece. */
export async function assertAgentOverHttp(entry, request) {
  assertOverflows(await readRun(await request('without')));
  const run = await readRun(await request('with'));
  assertFinishes(run, entry);
  assert.ok(run.pieces > 1, 'the response came in one piece');
}
