// The entry `stepfold/react`: what happens to the context window of a chat, for components beside `useChat` of `@ai-sdk/react` 2, 3 and 4.
// Imports `react` and nothing else; needs no engine, renders nothing and counts nothing: the parts say it all.

'use client';

import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { ContextEdit, ContextView, ContextWork, PartsOfMessage } from './react/context-view.js';
import { EMPTY_VIEW, editsOf, follow } from './react/context-view.js';
import type { StepfoldCheckpoint, StepfoldData, StepfoldDataParts } from './ui.js';

export type { ContextEdit, ContextWork, StepfoldCheckpoint, StepfoldData, StepfoldDataParts };

/** What `useChat` returns, as far as it is read; or its messages. */
export type ChatOrMessages = readonly PartsOfMessage[] | { readonly messages: readonly PartsOfMessage[]; readonly status?: string };

/** The events of one chat, as they come. Made by `useContextEvents`. */
export interface ContextEvents {
  /** For `useChat`. Takes the parts of stepfold and leaves all others alone, so that yours may call it, too. Always the same function. */
  readonly onData: (part: { readonly type: string; readonly data?: unknown }) => void;
  /** Forgets what is under way: the chat has stopped. */
  readonly settle: () => void;
  readonly subscribe: (changed: () => void) => () => void;
  readonly view: () => ContextView;
  /** What was known when the page was made: the same on the server and where it is taken over. */
  readonly firstView: () => ContextView;
}

/** A chat's context window. Tokens are those of the prompt, as the provider is likely to count them. */
export interface ContextWindow {
  /** `no-events`: nothing of stepfold has come, and there is nothing to show. `running`: the step waits for a summary. */
  readonly status: 'no-events' | 'idle' | 'running';
  /** Tokens of the newest prompt. Unknown until a step was measured since the page was loaded. */
  readonly tokens: number | undefined;
  /** Tokens that the prompt would have without any edit. */
  readonly uneditedTokens: number | undefined;
  /** Tokens that the model takes. */
  readonly contextWindow: number | undefined;
  /** The share of the window in use: 0.5 is half of it; above 1 the prompt does not fit. */
  readonly share: number | undefined;
  /** The prompt does certainly not fit, and nothing more can give way. */
  readonly isOverBudget: boolean;
  /** What was done, oldest first. After a reload: the checkpoints that messages keep. */
  readonly edits: readonly ContextEdit[];
  /** What the step waits for. */
  readonly running: ContextWork | undefined;
}

/** Options of `useContextEvents`. */
export interface ContextEventsOptions {
  /** The chat, where one component shows several after another: each begins anew. @default undefined */
  readonly id?: string | undefined;
  /** Events that your app has kept, oldest first: with the newest `measured` the numbers are there after a reload. Read once a chat. @default [] */
  readonly past?: readonly StepfoldData[] | undefined;
}

/**
 * Collects the events of a chat: transient parts come by `onData` alone, and no message holds them.
 *
 * @example
 * const events = useContextEvents();
 * const chat = useChat({ onData: events.onData });
 * const { tokens, contextWindow, share, edits, running } = useContextWindow(chat, events);
 */
export function useContextEvents({ id, past }: ContextEventsOptions = {}): ContextEvents {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `past` is read once a chat, and another `id` is another chat.
  return useMemo(() => createContextEvents(past), [id]);
}

/**
 * A chat's context window. Without `events` these are the checkpoints that its messages keep
 * (`writeEvents(writer, { keepCheckpoints: true })`).
 */
export function useContextWindow(chat: ChatOrMessages, events: ContextEvents = NO_EVENTS): ContextWindow {
  const { messages, status } = Array.isArray(chat) ? { messages: chat as readonly PartsOfMessage[] } : (chat as Exclude<ChatOrMessages, readonly PartsOfMessage[]>);
  const view = useSyncExternalStore(events.subscribe, events.view, events.firstView);
  // A stopped or failed request does not report the end of what it was doing.
  const isOver = status === 'ready' || status === 'error';
  useEffect(() => {
    if (isOver) events.settle();
  }, [isOver, events]);
  const edits = useMemo(() => editsOf(messages, view.edits), [messages, view.edits]);
  return useMemo(() => contextWindowOf(view, edits, isOver), [view, edits, isOver]);
}

function contextWindowOf({ events, tokens, uneditedTokens, contextWindow, isOverBudget, running: work }: ContextView, edits: readonly ContextEdit[], isOver: boolean): ContextWindow {
  const running = isOver ? undefined : work;
  const status = running !== undefined ? 'running' : events === 0 && edits.length === 0 ? 'no-events' : 'idle';
  const share = tokens === undefined || !contextWindow ? undefined : tokens / contextWindow;
  return { status, tokens, uneditedTokens, contextWindow, share, isOverBudget, edits, running };
}

function createContextEvents(past: readonly StepfoldData[] = []): ContextEvents {
  // What was under way then has ended since.
  const first: ContextView = { ...past.reduce<ContextView>(follow, EMPTY_VIEW), running: undefined };
  let view = first;
  const listeners = new Set<() => void>();
  const change = (next: ContextView): void => {
    if (next === view) return;
    view = next;
    listeners.forEach((changed) => changed());
  };
  return {
    onData: (part) => {
      if (part?.type === 'data-stepfold') change(follow(view, part.data));
    },
    settle: () => change(view.running === undefined ? view : { ...view, running: undefined }),
    subscribe: (changed) => {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    view: () => view,
    firstView: () => first,
  };
}

const emptyView = (): ContextView => EMPTY_VIEW;
const NO_EVENTS: ContextEvents = { onData: () => undefined, settle: () => undefined, subscribe: () => () => undefined, view: emptyView, firstView: emptyView };
