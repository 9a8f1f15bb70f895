// A process whose summarizer hangs ahead of time ends by itself; one in which a step waits for it does not end before the step.
// Each row is a child process: what it prints, and that it ends.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Begins a summary ahead of time that is never answered, with the time it may take. */
const begin = ({ summarizeTimeoutMs, isSession }) => `
import { createPrepareStep, createSession } from 'stepfold';
const options = {
  contextWindow: 13_500, reserveTokens: 3_000, overheadTokens: 1, trigger: { tokens: 9_000 }, target: { tokens: 4_000 },
  summarizeAhead: true, summarizeTimeoutMs: ${summarizeTimeoutMs}, summarize: () => new Promise(() => undefined),
  onEvent: ({ type, ahead, reason }) => { if (type === 'checkpoint-started' || type === 'fallback') console.log(type, ahead ?? reason); },
};
const prepareStep = ${isSession ? "createSession({ id: 'chat', store: new Map(), ...options }).prepareStep" : 'createPrepareStep(options)'};
const talk = (n) => [{ role: 'user', content: 'Go on with part ' + n }, { role: 'assistant', content: n + ': ' + 'plain '.repeat(240) }];
const steps = [];
let list = [];
const step = async (turns) => {
  for (let n = 0; n < turns; n += 1) list = [...list, ...talk(list.length)];
  await prepareStep({ messages: list, steps, stepNumber: steps.length, model: { modelId: 'mock', provider: 'mock' } });
  steps.push({ usage: {} });
};
await step(20);
await step(9);
`;

/** Runs a program; what it printed, once it has ended by itself. */
async function run(program) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: fileURLToPath(new URL('../..', import.meta.url)) });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (printed += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, lines: printed.trim().split('\n') };
}

for (const isSession of [false, true]) {
  // Longer than any test may take: a process that waited for it would be found.
  test(`a summary that hangs ahead of time keeps no process alive: ${isSession ? 'session' : 'prepareStep'}`, { timeout: 60_000 }, async () => {
    const program = `${begin({ summarizeTimeoutMs: 600_000, isSession })}console.log('done');`;
    assert.deepEqual(await run(program), { code: 0, lines: ['checkpoint-started true', 'done'] });
  });

  test(`a step that waits for such a summary is waited for: ${isSession ? 'session' : 'prepareStep'}`, { timeout: 60_000 }, async () => {
    const program = `${begin({ summarizeTimeoutMs: 500, isSession })}await step(14);console.log('done');`;
    const { code, lines } = await run(program);
    assert.equal(code, 0);
    assert.equal(lines.at(-1), 'done');
    assert.ok(lines.includes('fallback timeout'), lines.join());
  });
}
