// Generated sessions that the tests and the example of `inspect` play: an agent that reads and searches its way through a project.
// Everything is a function of the step. Holds no tests.

const FILES = ['src/parser.ts', 'src/window.ts', 'src/budget.ts', 'src/session.ts', 'docs/guide.md'];

/** Lines of a made-up file. */
const lines = (path, count) => Array.from({ length: count }, (_, line) => `${line + 1}\t// ${path}: line ${line + 1} of step logic, value ${(line * 7919) % 1009}`).join('\n');

/** What the agent calls, and what comes back. */
function call(step, resultLines) {
  const path = FILES[step % FILES.length];
  if (step % 7 === 3) return { name: 'search', input: { query: `handler ${step}` }, output: lines(`${path} matches`, resultLines / 2) };
  const before = FILES[(step - 1) % FILES.length];
  if (step % 7 === 5) return { name: 'edit_file', input: { path: before, old_string: `value ${step}`, new_string: `value ${step + 1}` }, output: `Edited ${before}.` };
  return { name: 'read_file', input: { path }, output: lines(path, resultLines) };
}

/** A session as plain values: a task, then steps with a call or more each, then an answer. */
export function generateSession({ steps = 40, resultLines = 120, callsPerStep = 1 } = {}) {
  return {
    task: 'Find out why the window is over budget after the second request, and fix it. Keep the public names as they are.',
    turns: Array.from({ length: steps }, (_, step) => ({
      text: step % 4 === 0 ? `Step ${step}: looking at ${FILES[step % FILES.length]} next.` : '',
      calls: Array.from({ length: callsPerStep }, (_, place) => ({ id: `call-${step * callsPerStep + place}`, ...call(step * callsPerStep + place, resultLines) })),
    })),
    answer: 'The reserve was counted twice. It is counted once now, and the tests pass.',
  };
}

/** The session as messages of the AI SDK. @param {ReturnType<typeof generateSession>} session @returns {any[]} */
export function modelMessages({ task, turns, answer }) {
  return [
    { role: 'user', content: task },
    ...turns.flatMap(({ text, calls }) => [
      { role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text', text }]), ...calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input }))] },
      { role: 'tool', content: calls.map(({ id, name, output }) => ({ type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'text', value: output } })) },
    ]),
    { role: 'assistant', content: answer },
  ];
}
