// A line in the chat where older messages were folded into a checkpoint. Made to be copied, with its CSS. The message keeps its
// data part, so it is there after a reload.

'use client';

import { useSyncExternalStore } from 'react';
import type { StepfoldCheckpoint } from 'stepfold/react';
import styles from './checkpoint-divider.module.css';

export function CheckpointDivider({ checkpoint: { messages, content, foldedAt } }: { checkpoint: StepfoldCheckpoint }) {
  // In the reader's time zone, which the server does not know.
  const time = useSyncExternalStore(never, () => new Date(foldedAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }), () => '');
  return (
    <div className={styles.divider} role="separator">
      <span>
        {messages} {messages === 1 ? 'message' : 'messages'} {content === 'summary' ? 'summarized' : 'condensed'}
      </span>
      <time dateTime={foldedAt}>{time}</time>
    </div>
  );
}

const never = () => () => undefined;
