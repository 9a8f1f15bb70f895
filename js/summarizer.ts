// Awaits the user's summarizer: with a timeout, an abort signal and a clear outcome. Judges no text: the engine does.
// A late answer is dropped; a summarizer that ignores its signal is left behind.

import { messageOf } from './errors.js';
import type { SummaryRequest } from './options.js';

/** What the engine says of a summary; the conversation is added when it is asked for. */
type Asked = Omit<SummaryRequest, 'messages'>;

/** What came of asking. */
export type SummaryOutcome =
  | { readonly text: string }
  | { readonly text: undefined; readonly reason: 'failed' | 'timeout' | 'aborted' | 'empty'; readonly message: string };

/** Asks the summarizer and waits until it answers, fails, is aborted or has used its time. Never throws. */
export async function askSummarizer({
  summarize,
  request,
  abortSignal,
  timeoutMs,
}: {
  readonly summarize: (asked: Asked) => string | PromiseLike<string>;
  readonly request: Omit<Asked, 'abortSignal'>;
  readonly abortSignal: AbortSignal | undefined;
  readonly timeoutMs: number;
}): Promise<SummaryOutcome> {
  if (abortSignal?.aborted === true) return { text: undefined, reason: 'aborted', message: 'the signal was aborted before' };
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const stopped = new Promise<SummaryOutcome>((resolve) => {
    const stop = (reason: 'timeout' | 'aborted', message: string): void => {
      resolve({ text: undefined, reason, message });
      controller.abort();
    };
    timer = setTimeout(() => stop('timeout', `the summarizer took more than ${timeoutMs} ms`), timeoutMs);
    onAbort = () => stop('aborted', 'the signal was aborted');
    abortSignal?.addEventListener('abort', onAbort, { once: true });
  });
  const answered = (async (): Promise<SummaryOutcome> => {
    try {
      const text: unknown = await summarize({ ...request, abortSignal: controller.signal });
      if (typeof text === 'string' && text.trim() !== '') return { text };
      return { text: undefined, reason: 'empty', message: `the summarizer returned ${typeof text === 'string' ? 'a blank text' : typeof text}` };
    } catch (error) {
      return { text: undefined, reason: 'failed', message: messageOf(error) };
    }
  })();
  try {
    return await Promise.race([answered, stopped]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) abortSignal?.removeEventListener('abort', onAbort);
  }
}
