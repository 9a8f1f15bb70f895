// What the page shows of the context, followed event by event. Counts and decides nothing: the events say it all.

import type { StepfoldEvent } from 'stepfold';

export interface ContextView {
  /** Tokens of the prompt, as last told. */
  readonly tokens: number;
  readonly contextWindow: number;
  /** The prompt of every step, and what it would be without stepfold. */
  readonly steps: readonly { readonly tokens: number; readonly uneditedTokens: number }[];
  /** What is going on at the moment. */
  readonly working: string | undefined;
  /** What was done, newest last. */
  readonly log: readonly string[];
}

export const emptyView: ContextView = { tokens: 0, contextWindow: 0, steps: [], working: undefined, log: [] };

export function follow(view: ContextView, event: StepfoldEvent): ContextView {
  const step = view.steps.length;
  const done = (what: string, tokens = view.tokens): ContextView => ({
    ...view,
    tokens,
    working: undefined,
    log: [...view.log, `Step ${step}: ${what}`],
    steps: view.steps.map((one, index) => (index === step - 1 ? { ...one, tokens } : one)),
  });
  switch (event.type) {
    case 'measured': {
      const { tokens, uneditedTokens, contextWindow } = event;
      return { ...view, tokens, contextWindow, working: undefined, steps: [...view.steps, { tokens, uneditedTokens }] };
    }
    case 'checkpoint-started':
      return { ...view, working: `Summarizing ${event.messages} messages…` };
    case 'capped':
      return done(`cut ${event.results.length} large results`);
    case 'cleared':
      return done(`cleared ${event.results.length} old results, ${change(event)}`, event.tokensAfter);
    case 'checkpoint':
      return done(`folded ${event.messages} messages into a ${event.content}, ${change(event)}`, event.tokensAfter);
    case 'squeezed':
      return done(`made room for the newest message, ${change(event)}`, event.tokensAfter);
    case 'fallback':
      return done(`no summary (${event.reason}), a digest takes its place`);
    case 'over-budget':
      // What may be the estimate's fault is no reason to alarm anybody.
      return event.certain ? done('the prompt does not fit, and nothing more can be left out') : view;
    default:
      return view;
  }
}

const change = ({ tokensBefore, tokensAfter }: { tokensBefore: number; tokensAfter: number }) => `${inThousands(tokensBefore)} → ${inThousands(tokensAfter)} tokens`;

export const inThousands = (tokens: number) => `${(tokens / 1_000).toFixed(1)}k`;
