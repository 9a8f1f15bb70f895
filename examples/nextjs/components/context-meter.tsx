// How full the context window of a chat is. Made to be copied, with its CSS; shows nothing where nothing is known.

import type { ContextWindow } from 'stepfold/react';
import styles from './context-meter.module.css';

export function ContextMeter({ context }: { context: ContextWindow }) {
  const { tokens, uneditedTokens, contextWindow, share, running } = context;
  if (tokens === undefined || contextWindow === undefined || share === undefined) return null;
  const saved = uneditedTokens !== undefined && uneditedTokens > tokens;
  return (
    <section className={styles.meter}>
      <div className={styles.head}>
        <span>Context</span>
        <span className={styles.number}>{Math.round(share * 100)} %</span>
      </div>
      <div className={styles.track} role="meter" aria-label="Tokens of the context window in use" aria-valuemin={0} aria-valuemax={contextWindow} aria-valuenow={tokens}>
        <div className={running === undefined ? styles.bar : `${styles.bar} ${styles.running}`} style={{ width: `${Math.min(share, 1) * 100}%` }} />
      </div>
      <p className={styles.number}>
        {inThousands(tokens)} of {inThousands(contextWindow)} tokens{saved && `, ${inThousands(uneditedTokens)} without stepfold`}
      </p>
    </section>
  );
}

const inThousands = (tokens: number) => `${(tokens / 1_000).toFixed(1)}k`;
