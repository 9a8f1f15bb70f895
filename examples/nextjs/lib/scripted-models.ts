// Two models that need no key and no network. They look at their prompt and at nothing else, so what they still know after a
// compaction is what stepfold kept. Like a real one, the agent's model refuses a prompt that is larger than its window.

import { setTimeout } from 'node:timers/promises';
import { APICallError, simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { REPORTS } from './tools';

const CONTEXT_WINDOW = 9_000;
/** How long the models think, so that there is something to watch. */
const STEP_MILLISECONDS = 80;
const SUMMARY_MILLISECONDS = 1_200;

type StreamPart = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

const NOTE = /Shift (\d+): ([^"\\.]+)\./g;
const INCIDENT = /# Report of shift (\d+)(?:(?!# Report).)*?INCIDENT: ([^"\\.]+)\./g;

/** Reads one report a step, notes every incident, and reports in the end. */
export const scriptedAgent = Object.assign(
  new MockLanguageModelV4({
    provider: 'scripted',
    modelId: 'scripted-9k',
    doStream: async ({ prompt, abortSignal }) => {
      const text = JSON.stringify(prompt);
      const tokens = Math.ceil(text.length / 4);
      if (tokens > CONTEXT_WINDOW) throw overflow(tokens);
      // A stopped request ends here, as it does at a provider's.
      await setTimeout(STEP_MILLISECONDS, undefined, { signal: abortSignal });
      const { say, read, restart } = decide(text, JSON.stringify(prompt.findLast(({ role }) => role === 'user')?.content), JSON.stringify(prompt.at(-1)));
      const chunks: StreamPart[] = [{ type: 'stream-start', warnings: [] }];
      if (say !== '') {
        chunks.push({ type: 'text-start', id: 'text' });
        for (const delta of say.split(/(?= )/)) chunks.push({ type: 'text-delta', id: 'text', delta });
        chunks.push({ type: 'text-end', id: 'text' });
      }
      if (read !== undefined) {
        chunks.push({ type: 'tool-call', toolCallId: `call-${read}`, toolName: 'readReport', input: JSON.stringify({ number: read }) });
      }
      if (restart !== undefined) {
        chunks.push({ type: 'tool-call', toolCallId: `restart-${prompt.length}`, toolName: 'restartPump', input: JSON.stringify({ pump: restart }) });
      }
      chunks.push({
        type: 'finish',
        finishReason: { unified: (read ?? restart) === undefined ? 'stop' : 'tool-calls', raw: undefined },
        usage: {
          inputTokens: { total: tokens, noCache: tokens, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 20, text: 20, reasoning: 0 },
        },
      });
      return { stream: simulateReadableStream({ chunks, chunkDelayInMs: 5 }) };
    },
  }),
  { contextWindow: CONTEXT_WINDOW },
);

/** What to say and which report to read next, by the prompt alone. */
function decide(prompt: string, request: string, newest: string): { say: string; read?: number; restart?: number } {
  const restart = /restart pump (\d)/i.exec(request);
  if (restart !== null) {
    if (newest.includes('runs again')) return { say: `Pump ${restart[1]} runs again.` };
    if (newest.includes('execution-denied')) return { say: `I leave pump ${restart[1]} alone.` };
    return { say: '', restart: Number(restart[1]) };
  }
  const notes = new Map([...prompt.matchAll(NOTE)].map(([, shift, what]) => [Number(shift), what]));
  // Also in a report that came just before the user stopped it.
  const unnoted = [...prompt.matchAll(INCIDENT)].map(([, shift, what]) => [Number(shift), what] as const).filter(([shift]) => !notes.has(shift));
  for (const [shift, what] of unnoted) notes.set(shift, what);
  const say = unnoted.map(([shift, what]) => `Shift ${shift}: ${what}.`).join(' ');

  const last = lastRead(prompt);
  if (/read all/i.test(request) && last < REPORTS) return { say, read: last + 1 };
  if (notes.size === 0) return { say: 'I am a script and know one task: “Read all reports and list the incidents.”' };
  const list = [...notes].sort(([a], [b]) => a - b).map(([shift, what]) => `\n- shift ${shift}: ${what}`);
  return { say: `I have read ${last} reports. The incidents:${list.join('')}` };
}

/** Summarizes what the agent did: how far it came, and the notes. */
export const scriptedSummarizer = new MockLanguageModelV4({
  provider: 'scripted',
  modelId: 'scripted-small',
  doGenerate: async ({ prompt, abortSignal }) => {
    await setTimeout(SUMMARY_MILLISECONDS, undefined, { signal: abortSignal });
    const text = JSON.stringify(prompt);
    const notes = [...new Set([...text.matchAll(NOTE)].map(([note]) => note))];
    return {
      content: [{ type: 'text', text: `The agent reads the reports of the station one after the other, in order. Reports read: 1 to ${lastRead(text)}. Incidents that it noted so far: ${notes.join(' ') || 'none.'}` }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: Math.ceil(text.length / 4), noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: 60, text: 60, reasoning: 0 },
      },
      warnings: [],
    };
  },
});

/** The last report that was read, by the calls in a prompt or by the summary of what was folded. */
function lastRead(prompt: string): number {
  return Math.max(0, ...[...prompt.matchAll(/number\W{1,6}(\d+)|Reports read: 1 to (\d+)/g)].map(([, call, summary]) => Number(call ?? summary)));
}

function overflow(tokens: number): APICallError {
  const message = `This model's maximum context length is ${CONTEXT_WINDOW} tokens. However, your messages resulted in ${tokens} tokens.`;
  return new APICallError({ message, url: 'scripted://model', requestBodyValues: {}, statusCode: 400, isRetryable: false, data: { error: { message, code: 'context_length_exceeded' } } });
}
