// What was done to the context of a chat, newest first.

import type { ContextEdit, ContextWindow } from 'stepfold/react';
import styles from './context-history.module.css';

export function ContextHistory({ context: { edits } }: { context: ContextWindow }) {
  if (edits.length === 0) return null;
  return (
    <section className={styles.history}>
      <h2>What was done</h2>
      <ol reversed>
        {edits.toReversed().map((edit) => (
          <li key={edit.key}>
            {textOf(edit)}
            {edit.tokensBefore !== undefined && edit.tokensAfter !== undefined && (
              <small>
                {inThousands(edit.tokensBefore)} → {inThousands(edit.tokensAfter)} tokens
              </small>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function textOf({ type, content, messages = 0, results = 0 }: ContextEdit): string {
  switch (type) {
    case 'capped':
      return `Cut ${count(results, 'large result')}`;
    case 'cleared':
      return `Cleared ${count(results, 'old result')}`;
    case 'checkpoint':
      return `${content === 'summary' ? 'Summarized' : 'Condensed'} ${count(messages, 'message')}`;
    case 'squeezed':
      return 'Made room for the newest messages';
  }
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
const inThousands = (tokens: number) => `${(tokens / 1_000).toFixed(1)}k`;
