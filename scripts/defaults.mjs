// Prints what the default options come to, in tokens, for windows of four sizes: the table in docs/options.md. Asks the built package, and
// knows none of its formulas. `--write` puts the table there.

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildCheckpoint, createSession, estimateTokens } from 'stepfold';

const WINDOWS = [16_000, 32_000, 128_000, 200_000];
/** What system prompt and tools cost in the table. */
const OVERHEAD = 3_000;
/** Its replies may be long, so that the room for them is not smaller than usual. */
const MODEL = 'anthropic/claude-sonnet-4.5';
const GUIDE = new URL('../docs/options.md', import.meta.url);
const [BEGIN, END] = ['<!-- defaults in tokens -->\n', '<!-- end -->'];

/** A request, and steps of one call each. */
const request = { role: /** @type {const} */ ('user'), content: 'Tell me about the harbours.' };
const step = (/** @type {number} */ index, sentences = 1) => [
  { role: /** @type {const} */ ('assistant'), content: [{ type: /** @type {const} */ ('tool-call'), toolCallId: `call-${index}`, toolName: 'readHarbour', input: { number: index } }] },
  {
    role: /** @type {const} */ ('tool'),
    content: [{ type: /** @type {const} */ ('tool-result'), toolCallId: `call-${index}`, toolName: 'readHarbour', output: { type: /** @type {const} */ ('text'), value: Array.from({ length: sentences }, (_, line) => `Pier ${line} of harbour ${index} is ${index * 7 + line} metres long.`).join(' ') } }],
  },
];
const tokensOf = (/** @type {any[]} */ messages) => estimateTokens(messages, { model: MODEL });

/** What a session says at its first step, and at the last one before it edits, with all steps reported. */
async function marksOf(/** @type {number} */ contextWindow) {
  let hasEdited = false;
  const session = createSession({ contextWindow, onEvent: ({ type }) => (hasEdited ||= type === 'cleared' || type === 'checkpoint') });
  /** @type {any[]} */
  const steps = [];
  /** @type {any[]} */
  let messages = [request];
  const first = await session.plan(messages, { model: MODEL });
  for (let plan = first; ; plan = await session.plan(undefined, { model: MODEL })) {
    await session.prepareStep({ messages, steps, stepNumber: steps.length, model: MODEL });
    if (hasEdited) return { first, later: plan };
    steps.push({ usage: { inputTokens: OVERHEAD + tokensOf(messages), outputTokens: 10 }, response: { messages: [] } });
    messages = [...messages, ...step(steps.length, Math.ceil(contextWindow / 1_000))];
  }
}

/** Tokens of the newest messages that a fold leaves alone. */
function tailOf(/** @type {number} */ contextWindow) {
  const messages = [request, ...Array.from({ length: contextWindow / 40 }, (_, index) => step(index)).flat()];
  const { messages: sent, checkpoint } = buildCheckpoint(messages, { contextWindow, overheadTokens: OVERHEAD, model: MODEL });
  return tokensOf(sent.filter((message) => message !== checkpoint));
}

const rounded = (/** @type {number} */ tokens) => (Math.round(tokens / 100) * 100).toLocaleString('en-US');

/** The table as Markdown. */
export async function defaultsTable() {
  const columns = await Promise.all(WINDOWS.map(async (window) => ({ window, ...(await marksOf(window)), tail: tailOf(window) })));
  const row = (/** @type {string} */ title, /** @type {(column: (typeof columns)[number]) => number} */ value) => `| ${title} | ${columns.map((column) => rounded(value(column))).join(' | ')} |`;
  return [
    `| context window | ${WINDOWS.map((window) => window.toLocaleString('en-US')).join(' | ')} |`,
    `|---|${WINDOWS.map(() => '--:').join('|')}|`,
    row('kept free for the reply (`reserveTokens`)', ({ window, later }) => window - later.limitTokens),
    row('a prompt may have', ({ later }) => later.limitTokens),
    row('stepfold starts to edit above (`trigger`)', ({ later }) => later.triggerTokens),
    // Nothing is known of system prompt and tools by then, so the plan does not count them.
    row('… before the provider has reported any usage', ({ first }) => OVERHEAD + first.triggerTokens),
    row('an edit ends at (`target`)', ({ later }) => later.targetTokens),
    row('newest messages that stay as they are (`keepRecent`)', ({ tail }) => tail),
  ].join('\n');
}

/** The guide with the table in its place. */
export function withDefaults(/** @type {string} */ guide, /** @type {string} */ table) {
  const start = guide.indexOf(BEGIN) + BEGIN.length;
  return `${guide.slice(0, start)}${table}\n${guide.slice(guide.indexOf(END, start))}`;
}

if (import.meta.filename === resolve(process.argv[1] ?? '')) {
  const table = await defaultsTable();
  if (process.argv.includes('--write')) writeFileSync(GUIDE, withDefaults(readFileSync(GUIDE, 'utf8'), table));
  console.log(table);
}
