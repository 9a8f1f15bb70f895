// A fake Anthropic that caches prompts as its documentation says, and bills them. Speaks HTTP through `fetch`; its clock is told, not read.
// Not a model: what it answers is given to it. Source: Anthropic, "Prompt caching" (breakpoints, look-back, lifetime, least length, prices).

import { createHash } from 'node:crypto';

/** Blocks before a breakpoint among which an earlier entry is found. */
const LOOK_BACK = 20;
const BREAKPOINTS = 4;
const LIFETIME_SECONDS = 300;
/** Shorter prompts are not cached. */
const LEAST_TOKENS = 1_024;
/** What a token costs, in tokens of new input. */
export const PRICES = { read: 0.1, write: 1.25 };

/** About as many tokens as Claude counts for agent traffic. */
const tokensOf = (/** @type {unknown} */ block) => Math.ceil(JSON.stringify(block).length / 3.5);

/**
 * @param {{ answer: (request: number) => { text?: string, calls?: { id: string, name: string, input: object }[] } }} options
 */
export function createProvider({ answer }) {
  let seconds = 0;
  /** Until when a prefix is cached, by its hash. @type {Map<string, number>} */
  const cache = new Map();
  /** @type {{ input: number, read: number, write: number, tokens: number }[]} */
  const bills = [];
  /** @type {any[]} */
  const bodies = [];

  /** The prompt as blocks in the order in which they are cached, each with the hash of all up to it. */
  function blocksOf(body) {
    const blocks = [
      ...(body.tools ?? []),
      ...(typeof body.system === 'string' ? [{ type: 'text', text: body.system }] : (body.system ?? [])),
      ...body.messages.flatMap(({ role, content }) =>
        (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block) => ({ role, ...block })),
      ),
    ];
    const hash = createHash('sha256');
    let tokens = 0;
    return blocks.map(({ cache_control: mark, ...block }) => {
      hash.update(JSON.stringify(block));
      tokens += tokensOf(block);
      return { mark, tokens, prefix: hash.copy().digest('base64') };
    });
  }

  function bill(body) {
    const blocks = blocksOf(body);
    const marks = blocks.filter(({ mark }) => mark !== undefined).length;
    const whole = body.cache_control;
    if (marks + (whole === undefined ? 0 : 1) > BREAKPOINTS) throw new Error('A maximum of 4 blocks with cache_control may be provided.');
    if (whole !== undefined) {
      const last = blocks.at(-1);
      if (last.mark !== undefined && last.mark.ttl !== whole.ttl) throw new Error('cache_control of the last block has another ttl than that of the request.');
      last.mark = whole;
    }
    const points = blocks.flatMap(({ mark }, index) => (mark === undefined ? [] : [index]));
    const isCached = (index) => (cache.get(blocks[index].prefix) ?? -1) >= seconds;
    let hit = -1;
    for (const point of points) {
      for (let index = point; index >= Math.max(0, point - LOOK_BACK); index -= 1) {
        if (!isCached(index)) continue;
        hit = Math.max(hit, index);
        break;
      }
    }
    const until = (index) => (index < 0 ? 0 : blocks[index].tokens);
    let write = 0;
    if (hit >= 0) cache.set(blocks[hit].prefix, seconds + LIFETIME_SECONDS);
    for (const point of points) {
      if (point <= hit || until(point) < LEAST_TOKENS) continue;
      cache.set(blocks[point].prefix, seconds + LIFETIME_SECONDS);
      write = until(point) - until(hit);
    }
    const tokens = until(blocks.length - 1);
    return { tokens, read: until(hit), write, input: tokens - until(hit) - write };
  }

  const fetch = async (/** @type {unknown} */ _url, /** @type {{ body: string }} */ init) => {
    const body = JSON.parse(init.body);
    const index = bodies.length;
    bodies.push(body);
    let billed;
    try {
      billed = bill(body);
    } catch (error) {
      const refusal = { type: 'error', error: { type: 'invalid_request_error', message: error.message } };
      return new Response(JSON.stringify(refusal), { status: 400, headers: { 'content-type': 'application/json' } });
    }
    bills.push(billed);
    const { text, calls = [] } = answer(index);
    const content = [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    ];
    const usage = { input_tokens: billed.input, cache_read_input_tokens: billed.read, cache_creation_input_tokens: billed.write, output_tokens: 50 };
    const message = { id: `msg_${index}`, type: 'message', role: 'assistant', model: body.model, content, stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null, usage };
    return new Response(JSON.stringify(message), { headers: { 'content-type': 'application/json' } });
  };

  return {
    fetch,
    bodies,
    bills,
    /** Lets time go by. */
    wait: (/** @type {number} */ more) => {
      seconds += more;
    },
    /** What all requests cost, in tokens of new input. */
    billed: () => bills.reduce((sum, { input, read, write }) => sum + input + read * PRICES.read + write * PRICES.write, 0),
  };
}
