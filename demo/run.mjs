// The demo: a real agent loop of `ai` over real files, on a model with a window of 32,000 tokens, without and with stepfold.
// `npm run demo` needs no key and no network; `npm run demo:run -- --model openai/gpt-5-mini` uses a real model.
// Exits with 1 when the run with stepfold does not finish, has a wrong report, or sends a request over the window.

import { parseArgs } from 'node:util';
import { isContextOverflow, planContext } from 'stepfold';
import { pages } from './documentation.mjs';
import { runAgent } from './loop.mjs';
import { chooseModel } from './model.mjs';
import { checkReport, messages, topics } from './task.mjs';
import { thousands } from './terminal.mjs';
import { printEnd, printError, printHeading, printIntro, printNote, printReport, printStep, printTable } from './view.mjs';
import { countMessage } from './window.mjs';

const WINDOW_TOKENS = 32_000;
/** Steps shown of the run without stepfold; those before are the same in both. */
const LAST_STEPS = 4;

const start = performance.now();
const { values } = parseArgs({ options: { model: { type: 'string' } } });
const { model, title, isMock } = await chooseModel(values.model).catch((error) => {
  console.error(`demo: ${error.message}`);
  process.exit(1);
});
printIntro({ topics: topics.length, pages: pages.length, windowTokens: WINDOW_TOKENS, title });

printHeading('Without stepfold', 'generateText({ model, tools, messages })');
const without = await runAgent({ model, windowTokens: WINDOW_TOKENS, withStepfold: false, onStep: () => {} });
if (without.steps.length > LAST_STEPS) printNote(`  …  ${without.steps.length - LAST_STEPS} steps, the same as below`);
for (const step of without.steps.slice(-LAST_STEPS)) printStep(step, { windowTokens: WINDOW_TOKENS });
if (without.error !== undefined) printError(without.error, isContextOverflow(without.error));

printHeading('With stepfold', 'the same, and prepareStep: createPrepareStep({ contextWindow: 32_000 })');
// Where work starts once usage has told what system prompt and tools take and confirmed the estimates; before, a little earlier.
const [first] = without.steps;
const overheadTokens = first.tokens - first.sent.reduce((sum, message) => sum + countMessage(message), 0);
const { triggerTokens } = planContext(messages, { contextWindow: WINDOW_TOKENS, overheadTokens, trigger: 0.97 });
const shown = { windowTokens: WINDOW_TOKENS, triggerTokens };
const folded = await runAgent({ model, windowTokens: WINDOW_TOKENS, withStepfold: true, onStep: (step) => printStep(step, shown) });
if (folded.error !== undefined) printError(folded.error, isContextOverflow(folded.error));
printNote(`     █ sent   ░ folded away now   ┆ trigger, ${thousands(triggerTokens)}   ▶ over the window   ✓ found, by number`);

const report = checkReport(folded.text ?? '');
if (folded.text !== undefined) {
  printHeading('The report', 'the last message of the agent');
  printReport(report);
}

printHeading('Side by side', isMock ? 'the last column is what the same work takes where nothing is folded' : '');
// A real model is not asked to burn tokens on a window that it may not have.
const unlimited = isMock ? await runAgent({ model, windowTokens: Number.POSITIVE_INFINITY, withStepfold: false, onStep: () => {} }) : undefined;
printTable(comparison([['without stepfold', without], ['with stepfold', folded], ...(unlimited ? [['without, unlimited window', unlimited]] : [])]));

const largest = Math.max(0, ...folded.steps.map(({ tokens }) => tokens));
const passed = folded.error === undefined && report.faults.length === 0 && largest <= WINDOW_TOKENS;
printEnd(passed, (performance.now() - start) / 1000);
process.exitCode = passed ? 0 : 1;

function comparison(runs) {
  const row = (name, cell) => [name, ...runs.map(([, run]) => cell(run))];
  const accepted = ({ steps }) => steps.filter(({ rejected }) => !rejected);
  const found = ({ steps }) => new Set(steps.flatMap(({ noted }) => noted)).size;
  return [
    ['', ...runs.map(([name]) => name)],
    row('steps', (run) => `${accepted(run).length}, ${run.text !== undefined ? 'finished' : run.steps.at(-1)?.rejected ? 'then rejected' : 'then failed'}`),
    row('defaults found', (run) => `${found(run)} of ${topics.length}`),
    row('lookups repeated', (run) => String(repeated(run.steps))),
    row('highest prompt', ({ steps }) => thousands(Math.max(0, ...steps.map(({ tokens }) => tokens)))),
    row('input tokens in all', (run) => thousands(accepted(run).reduce((sum, { tokens }) => sum + tokens, 0))),
    row('steps with an edit', ({ steps }) => String(steps.filter(({ before, tokens }) => before > tokens).length)),
  ];
}

/** Calls that were made before with the same input: context that was lost and had to be fetched again. */
function repeated(steps) {
  const calls = steps.flatMap(({ calls }) => calls.map((call) => JSON.stringify(call)));
  return calls.length - new Set(calls).size;
}
