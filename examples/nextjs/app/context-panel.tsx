// A context meter, the prompt of every step beside what it would be without stepfold, and what was done about it.

import type { ContextView } from '../lib/context';
import { inThousands } from '../lib/context';

export function ContextPanel({ view }: { view: ContextView }) {
  const { tokens, contextWindow, working, log } = view;
  return (
    <aside>
      <h1>Context</h1>
      <meter min={0} max={contextWindow || 1} value={tokens} aria-label="Tokens of the context window in use" />
      <p className="numbers">
        {inThousands(tokens)} of {inThousands(contextWindow)} tokens
      </p>
      <Chart view={view} />
      <p role="status">{working ?? ' '}</p>
      <ol>
        {log.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ol>
    </aside>
  );
}

const WIDTH = 320;
const HEIGHT = 150;

function Chart({ view: { steps, contextWindow } }: { view: ContextView }) {
  if (steps.length === 0) return null;
  const highest = Math.max(contextWindow * 1.15, ...steps.map(({ uneditedTokens }) => uneditedTokens));
  const x = (index: number) => ((index + 0.5) / Math.max(steps.length, 20)) * WIDTH;
  const y = (tokens: number) => HEIGHT - (tokens / highest) * HEIGHT;
  const line = (key: 'tokens' | 'uneditedTokens') => steps.map((step, index) => `${x(index).toFixed(1)},${y(step[key]).toFixed(1)}`).join(' ');
  return (
    <figure>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Tokens of the prompt, step by step">
        <line className="window" x1={0} x2={WIDTH} y1={y(contextWindow)} y2={y(contextWindow)} />
        <polyline className="unedited" points={line('uneditedTokens')} />
        <polyline className="sent" points={line('tokens')} />
      </svg>
      <figcaption>
        <span className="sent">sent</span> <span className="unedited">without stepfold: {inThousands(steps.at(-1)?.uneditedTokens ?? 0)}</span>{' '}
        <span className="window">window</span>
      </figcaption>
    </figure>
  );
}
