// Makes conversations for the speed bench: prose, code and JSON results in the mixture of coding agents, about 800 bytes a message.
// Deterministic: the same seed gives the same bytes. Not transcripts, and no measure of how well tokens are counted.

const WORDS = 'the a to of and file test request module should return because after value error cache stream window result check update function parse index option default service before handle message between context request again only when each'.split(' ');
const NAMES = ['parseRequest', 'cacheKey', 'streamWindow', 'userId', 'resultIndex', 'loadModule', 'retryCount', 'createdAt', 'is_valid', 'max_tokens'];
const FILES = ['src/server/router.ts', 'src/cache/lru.ts', 'packages/core/src/stream.ts', 'tests/window.test.ts', 'docs/guide/options.md'];

/** Messages of the AI SDK: turns of user request, tool calls with results, and an answer. */
export function createConversation({ messages, seed = 1 }) {
  const random = createRandom(seed);
  const list = [];
  let call = 0;
  while (list.length < messages) {
    list.push({ role: 'user', content: [{ type: 'text', text: prose(random, 500) }] });
    for (let step = 0; step < 12; step += 1) list.push(...createStep({ random, id: `call_${seed}_${(call += 1)}` }));
    list.push({ role: 'assistant', content: [{ type: 'text', text: prose(random, 900) }] });
  }
  return list.slice(0, messages);
}

function createStep({ random, id }) {
  const path = pick(random, FILES);
  const [toolName, input, output] = pick(random, [
    () => ['read_file', { path, offset: Math.floor(random() * 400), limit: 80 }, { type: 'text', value: code(random, 1_400) }],
    () => ['search', { query: pick(random, NAMES), path }, { type: 'json', value: hits(random, 9) }],
    () => ['edit_file', { path, old: code(random, 250), new: code(random, 300) }, { type: 'text', value: `Updated ${path}.` }],
    () => ['run_tests', { command: `npm test -- ${path}` }, { type: 'text', value: log(random, 16) }],
  ])();
  return [
    { role: 'assistant', content: [{ type: 'text', text: prose(random, 160) }, { type: 'tool-call', toolCallId: id, toolName, input }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName, output }] },
  ];
}

function prose(random, characters) {
  let text = '';
  while (text.length < characters) text += `${text === '' || random() > 0.1 ? '' : '. '}${pick(random, WORDS)} `;
  return text;
}

function code(random, characters) {
  let text = '';
  while (text.length < characters) {
    text += `  const ${pick(random, NAMES)} = ${pick(random, NAMES)}(${pick(random, NAMES)}, { limit: ${Math.floor(random() * 1000)} });\n`;
    if (random() < 0.25) text += `  // ${prose(random, 40)}\n`;
  }
  return text;
}

const hits = (random, count) =>
  Array.from({ length: count }, () => ({ id: hex(random), path: pick(random, FILES), line: Math.floor(random() * 900), score: Math.round(random() * 1e4) / 1e4, text: prose(random, 40) }));

const log = (random, lines) =>
  Array.from({ length: lines }, (_, line) => `2026-03-${10 + line} 12:${10 + line}:07.${Math.floor(random() * 900)} ${random() > 0.1 ? 'ok  ' : 'FAIL'} ${pick(random, FILES)} ${hex(random)} ${Math.floor(random() * 90)} ms`).join('\n');

const hex = (random) => Math.floor(random() * 2 ** 40).toString(16).padStart(10, '0');
const pick = (random, list) => list[Math.floor(random() * list.length)];

/** mulberry32. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
