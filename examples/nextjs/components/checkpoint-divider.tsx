// A line in the chat where older messages were folded into a checkpoint. Made to be copied, with its CSS. The message keeps its
// data part, so it is there after a reload.

import type { StepfoldCheckpoint } from 'stepfold/react';
import styles from './checkpoint-divider.module.css';

export function CheckpointDivider({ checkpoint: { messages, foldedAt } }: { checkpoint: StepfoldCheckpoint }) {
  return (
    <div className={styles.divider} role="separator">
      <span>
        {messages} {messages === 1 ? 'message' : 'messages'} summarized
      </span>
      {/* In the reader's time zone, which the server does not know. */}
      <time dateTime={foldedAt} suppressHydrationWarning>
        {new Date(foldedAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
      </time>
    </div>
  );
}
