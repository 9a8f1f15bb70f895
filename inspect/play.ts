// Plays the messages of a log through a session, step by step, as an agent would ask for each: what comes out is what stepfold does.
// Uses the package as its users do. A provider is imitated that counts as estimated and caches every prefix it has seen.

import type { ModelMessage } from 'ai';
import type { RecordedEdit, RecordedStep, Session, SessionOptions } from '../js/index.js';
import { createSession, estimateTokens } from '../js/index.js';
import { messageText, partText } from '../js/observe/message-text.js';
import type { Log } from './log.js';
import type { Lost } from './losses.js';
import { lossOf, standsIn } from './losses.js';
import { keysOf } from './terms.js';
import { visible } from './visible.js';

/** What a session is played with. */
export interface PlayOptions {
  readonly modelId: string;
  readonly windowTokens: number | undefined;
  /** Told between steps: how many of how many. */
  readonly onStep?: (done: number, all: number) => void;
}

/** A step as `onRecord` is given it, and for each edit what it lost. */
export interface PlayedStep extends RecordedStep {
  readonly lost: readonly Lost[];
}

/** What came of it. */
export interface Played {
  readonly steps: readonly PlayedStep[];
  readonly notes: readonly string[];
}

/** Plays a log. */
export async function play({ system, messages, firstPrompt }: Log, { modelId, windowTokens, onStep = () => undefined }: PlayOptions): Promise<Played> {
  const played: PlayedStep[] = [];
  const losses = new Losses(system);
  let recorded: RecordedStep[] = [];
  const known = firstPrompt === undefined ? estimateTokens(asMessages(system), { model: modelId }) : firstPrompt.tokens - estimateTokens(messages.slice(0, firstPrompt.messageIndex), { model: modelId });
  const options: SessionOptions = { contextWindow: windowTokens, warnings: false, onRecord: (line) => recorded.push(JSON.parse(line) as RecordedStep) };
  const { session, overheadTokens } = sessionWith(options, Math.max(0, known));
  const notes = overheadTokens < known ? [`system prompt and tools of the log, ${known.toLocaleString('en-US')} tokens, leave no room in this window, and are left out`] : [];
  const replies = messages.flatMap(({ role }, index) => (role === 'assistant' && index > 0 ? [index] : []));
  let steps: { readonly usage: object }[] = [];
  let before: readonly ModelMessage[] = [];
  let beforeTokens = 0;
  for (const [done, index] of replies.entries()) {
    // A message of the user begins a request, with steps of its own.
    if (done > 0 && messages[index - 1]!.role === 'user') {
      session.onStepEnd(steps.at(-1) as never);
      steps = [];
    }
    const given = messages.slice(0, index);
    const prepared = await session.prepareStep({ messages: given, steps: steps as never, stepNumber: steps.length, model: modelId });
    const sent = prepared?.messages ?? given;
    for (const step of recorded) played.push({ ...step, lost: losses.of(step.edits, given, sent) });
    recorded = [];
    const measured = played.at(-1)?.events.find((event) => event.type === 'measured');
    const inputTokens = measured?.type === 'measured' ? measured.tokens : 0;
    const kept = sharedLength(before, sent);
    const cacheReadTokens = kept === 0 ? 0 : kept === before.length ? beforeTokens : estimateTokens(sent.slice(0, kept), { model: modelId, overheadTokens });
    const cached = Math.min(inputTokens, cacheReadTokens);
    steps.push({ usage: { inputTokens, outputTokens: 0, cachedInputTokens: cached, inputTokenDetails: { cacheReadTokens: cached, cacheWriteTokens: inputTokens - cached, noCacheTokens: 0 } } });
    [before, beforeTokens] = [sent, inputTokens];
    onStep(done + 1, replies.length);
    // Lets the progress be drawn, and an interrupt through.
    if (done % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return { steps: played, notes };
}

const asMessages = (system: string): ModelMessage[] => (system === '' ? [] : [{ role: 'system', content: system }]);

/** What edits lose: what they take out of the history and what is sent beside it does not tell. */
class Losses {
  readonly #keys = new WeakMap<ModelMessage, ReadonlySet<string>>();
  readonly #system: ReadonlySet<string>;
  #checkpoint: readonly string[] = [];

  constructor(system: string) {
    this.#system = keysOf(visible(system));
  }

  of(edits: readonly RecordedEdit[], history: readonly ModelMessage[], sent: readonly ModelMessage[]): Lost[] {
    if (edits.length === 0) return [];
    const stands = standsIn([this.#system, ...sent.map((message) => this.#keysOf(message))]);
    return edits.map((edit) => {
      const texts = edit.type === 'checkpoint' ? [...this.#checkpoint, ...history.slice(edit.messageIndex, edit.messageIndex + edit.messages).map(messageText)] : [wholeText(edit, history)];
      if (edit.type === 'checkpoint') this.#checkpoint = [`[the checkpoint before]\n${edit.after}\n`];
      return lossOf(texts, stands);
    });
  }

  #keysOf(message: ModelMessage): ReadonlySet<string> {
    const keys = this.#keys.get(message) ?? keysOf(visible(messageText(message)));
    this.#keys.set(message, keys);
    return keys;
  }
}

/** The text of a part, of which a record leaves out the middle where it is long. */
function wholeText({ before, messageIndex }: RecordedEdit, history: readonly ModelMessage[]): string {
  const beginning = before.slice(0, before.indexOf('\n\n… '));
  const content = history[messageIndex]?.content;
  const parts = beginning === '' || typeof content === 'string' ? [] : (content ?? []).map(partText);
  return parts.find((text) => text.length >= before.length && text.startsWith(beginning)) ?? before;
}

/** A session that knows the size of system prompt and tools, where its window has room for them. */
function sessionWith(options: SessionOptions, overheadTokens: number): { session: Session; overheadTokens: number } {
  try {
    return { session: createSession({ ...options, overheadTokens }), overheadTokens };
  } catch (error) {
    if (overheadTokens === 0) throw error;
    return { session: createSession(options), overheadTokens: 0 };
  }
}

/** How many messages two lists begin with in common. */
function sharedLength(one: readonly unknown[], other: readonly unknown[]): number {
  let length = 0;
  while (length < one.length && length < other.length && isSame(one[length], other[length])) length += 1;
  return length;
}

/** An edit held from an earlier step makes the same text anew. */
const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(withoutMark(one)) === JSON.stringify(withoutMark(other));

/** The cache mark moves on with the end of the list, and changes nothing that is cached. */
function withoutMark(message: unknown): unknown {
  const { providerOptions: _providerOptions, ...rest } = (message ?? {}) as Record<string, unknown>;
  return rest;
}
