// Draws the picture of docs/benchmarks.md as an SVG from the committed figures: for each kind of agent, how much of what it needs is still there. Says nothing that the
// tables do not say; legible on light and dark pages.

const WIDTH = 860;
const PLOT = { left: 150, top: 72, width: 620, row: 38 };
const FONT = 12;
const CHARACTER = 6.6;

const STYLE = `
  .page { fill: #ffffff } .text { fill: #1f2328 } .quiet { fill: #59636e } .line { stroke: #d1d9e0 }
  .ours { fill: #0969da; stroke: #0969da } .peer { fill: #ffffff; stroke: #59636e } .bound { fill: #1a7f37; stroke: #1a7f37 } .yardstick { fill: #ffffff; stroke: #9a6700 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .text { fill: #f0f6fc } .quiet { fill: #9198a1 } .line { stroke: #3d444d }
    .ours { fill: #4493f8; stroke: #4493f8 } .peer { fill: #0d1117; stroke: #9198a1 } .bound { fill: #3fb950; stroke: #3fb950 } .yardstick { fill: #0d1117; stroke: #d29922 }
  }
  text { font: ${FONT}px ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif } .name { font-weight: 600 }`;

/** Policies in the order in which they are drawn, the one that must not be hidden last. */
const MARKS = [
  { policy: 'oracle', title: 'knows the future', kind: 'bound', shape: 'bar' },
  { policy: 'LangChain', title: 'LangChain', kind: 'peer', shape: 'triangle' },
  { policy: 'context-chef', title: 'context-chef', kind: 'peer', shape: 'diamond' },
  { policy: 'pruneMessages', title: 'pruneMessages', kind: 'peer', shape: 'square' },
  { policy: 'tool clearing', title: 'old results cleared', kind: 'peer', shape: 'circle' },
  { policy: 'hysteresis', title: 'a plain policy', kind: 'yardstick', shape: 'down' },
  { policy: 'stepfold', title: 'stepfold', kind: 'ours', shape: 'circle' },
];

/** @param {{ sessions: Record<string, number>, points: Record<string, Record<string, number>> }} figures */
export function pictureOf({ sessions, points }) {
  const kinds = Object.keys(points).sort((left, right) => points[right].stepfold - points[left].stepfold || (left < right ? -1 : 1));
  const bottom = PLOT.top + kinds.length * PLOT.row;
  const lines = [0, 20, 40, 60, 80, 100].map((share) => `<line class="line" x1="${xOf(share)}" x2="${xOf(share)}" y1="${PLOT.top - 8}" y2="${bottom}"/>${text({ x: xOf(share), y: bottom + 18, say: share, anchor: 'middle', kind: 'quiet' })}`);
  const rows = kinds.map((kind, index) => {
    const y = PLOT.top + (index + 0.5) * PLOT.row;
    const marks = MARKS.map(({ policy, kind: color, shape }) => mark({ shape, color, x: xOf(Math.max(0, points[kind][policy])), y }));
    const count = `${sessions[kind]} session${sessions[kind] === 1 ? '' : 's'}`;
    return [
      text({ x: PLOT.left - 16, y: y - 1, say: kind, anchor: 'end', kind: 'text name' }),
      text({ x: PLOT.left - 16, y: y + 13, say: count, anchor: 'end', kind: 'quiet' }),
      `<line class="line" x1="${PLOT.left}" x2="${PLOT.left + PLOT.width}" y1="${y}" y2="${y}"/>`,
      ...marks,
      text({ x: PLOT.left + PLOT.width + 16, y: y + 4, say: `${Math.round(points[kind].stepfold)} %`, kind: 'text name' }),
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 48}" role="img" aria-label="Facts kept, by kind of agent">`,
    `<style>${STYLE}\n</style>`,
    `<rect class="page" width="${WIDTH}" height="${bottom + 48}"/>`,
    legend(),
    ...lines,
    ...rows,
    text({ x: PLOT.left + PLOT.width, y: bottom + 38, say: 'of the facts that the next step needs, % still there to be used; refused requests count 0', anchor: 'end', kind: 'quiet' }),
    '</svg>\n',
  ].join('\n');
}

const xOf = (share) => PLOT.left + (share / 100) * PLOT.width;

function legend() {
  let x = 24;
  return [...MARKS]
    .reverse()
    .map(({ title, kind, shape }) => {
      const drawn = mark({ shape, color: kind, x, y: 28 }) + text({ x: x + 11, y: 32, say: title });
      x += 32 + title.length * CHARACTER;
      return drawn;
    })
    .join('');
}

function mark({ shape, color, x, y }) {
  const at = Math.round(x * 10) / 10;
  const points = (list) => `<polygon class="${color}" stroke-width="1.5" points="${list.map(([right, down]) => `${Math.round((at + right) * 10) / 10},${y + down}`).join(' ')}"/>`;
  if (shape === 'bar') return `<rect class="${color}" x="${Math.round((at - 1.5) * 10) / 10}" y="${y - 9}" width="3" height="18"/>`;
  if (shape === 'triangle') return points([[0, -6], [6, 5], [-6, 5]]);
  if (shape === 'down') return points([[0, 6], [6, -5], [-6, -5]]);
  if (shape === 'diamond') return points([[0, -7], [7, 0], [0, 7], [-7, 0]]);
  if (shape === 'square') return points([[-5, -5], [5, -5], [5, 5], [-5, 5]]);
  return `<circle class="${color}" stroke-width="1.5" cx="${at}" cy="${y}" r="${color === 'ours' ? 7 : 5.5}"/>`;
}

const text = ({ x, y, say, kind = 'text', anchor = 'start' }) => `<text class="${kind}" x="${Math.round(x * 10) / 10}" y="${y}" text-anchor="${anchor}">${say}</text>`;
