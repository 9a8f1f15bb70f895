// Draws cost against recall as an SVG: a panel for each window, a point for each policy; or one panel with the policies that readers
// know, for docs/benchmarks.md. Written by hand, without a library or a font of its own; legible on light and dark pages. Says nothing that the tables do not say.

import { summaries } from './report.mjs';

const WIDTH = 860;
const PANEL = { left: 64, top: 64, width: 772, height: 380, gap: 96 };
const FONT = 12;
/** Width of a character, generously. */
const CHARACTER = 6.9;
const LINE_HEIGHT = 15;
const RADIUS = 5;
/** Nobody wants to pay more than an untouched history costs; policies beyond are named below the panel. */
const MOST_COST = 1.02;
const MEASURE = { name: 'results', title: 'identifiers found again that only tool results held, %' };

const STYLE = `
  .page { fill: #ffffff } .text { fill: #1f2328 } .quiet { fill: #59636e } .line { stroke: #d1d9e0 } .leader { stroke: #818b98 }
  .ours { fill: #0969da; stroke: #0969da } .peer { fill: #59636e; stroke: #59636e } .yardstick { fill: #9a6700; stroke: #9a6700 } .bound { fill: #1a7f37; stroke: #1a7f37 }
  .fails { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .text { fill: #f0f6fc } .quiet { fill: #9198a1 } .line { stroke: #3d444d } .leader { stroke: #6e7681 }
    .ours { fill: #4493f8; stroke: #4493f8 } .peer { fill: #9198a1; stroke: #9198a1 } .yardstick { fill: #d29922; stroke: #d29922 } .bound { fill: #3fb950; stroke: #3fb950 }
    .fails { fill: #0d1117 }
  }
  text { font: ${FONT}px ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif } .title { font-size: 15px; font-weight: 600 } .name-ours { font-weight: 700 }`;

const LEGEND = [
  ['ours', 'stepfold'],
  ['peer', 'others'],
  ['yardstick', 'yardstick'],
  ['bound', 'oracle: knows the future'],
  ['peer fails', 'hollow: overflows, or is rejected'],
];

/** The window of the overview, and the policies on it by the names that readers know. */
const OVERVIEW_WINDOW = 64_000;
export const OVERVIEW_NAMES = {
  stepfold: 'stepfold',
  none: 'nothing',
  'docs-prune': 'pruneMessages',
  'docs-slice10': 'messages.slice(-10)',
  'anthropic-clear': 'Anthropic tool clearing',
  'context-chef': 'context-chef',
  langchain: 'LangChain',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  'opencode-v2': 'OpenCode',
};

/** The plot of all windows in the rows. */
export function plotOf(rows) {
  return page(summaries(rows).map(({ window, policies }) => ({ window, policies: pointsOf(policies) })), LEGEND);
}

/** One panel: stepfold with its defaults beside what readers know; of summaries, which are what is stored. */
export function overviewOf(windows) {
  const found = windows.find(({ window }) => window === OVERVIEW_WINDOW);
  if (found === undefined) throw new Error(`the overview shows a window of ${OVERVIEW_WINDOW / 1_000}k tokens, which was not replayed`);
  const policies = pointsOf(found.policies).filter(({ policy }) => policy in OVERVIEW_NAMES).map((policy) => ({ ...policy, label: OVERVIEW_NAMES[policy.policy] }));
  return page([{ window: found.window, policies }], LEGEND.filter(([kind]) => kind !== 'yardstick' && kind !== 'bound'));
}

function page(windows, legendItems) {
  const panels = windows.map(({ window, policies }, index) => panelOf({ window, policies, top: PANEL.top + index * (PANEL.height + PANEL.gap) }));
  const height = PANEL.top + panels.length * (PANEL.height + PANEL.gap) - PANEL.gap / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Cost against recall of context policies">`,
    `<style>${STYLE}\n</style>`,
    `<rect class="page" width="${WIDTH}" height="${height}"/>`,
    legend(legendItems),
    ...panels,
    '</svg>\n',
  ].join('\n');
}

/** One point a policy. Where it was called in several ways, as ai 7 does: the others re-send the raw history to policies that keep no state. */
function pointsOf(policies) {
  const points = new Map();
  for (const policy of policies) {
    if (policy[MEASURE.name] === null) continue;
    if (!points.has(policy.policy) || policy.semantics === 'carry') points.set(policy.policy, policy);
  }
  return [...points.values()];
}

function kindOf({ policy, isBound }) {
  if (policy.startsWith('stepfold')) return 'ours';
  if (isBound) return 'bound';
  return policy.startsWith('hysteresis') ? 'yardstick' : 'peer';
}

function legend(items) {
  let x = PANEL.left;
  return items
    .map(([kind, title]) => {
      const drawn = `<circle class="${kind}" cx="${x}" cy="20" r="${RADIUS}" stroke-width="1.5"/>${textAt({ x: x + 10, y: 24, text: title })}`;
      x += 28 + title.length * CHARACTER;
      return drawn;
    })
    .join('\n');
}

function panelOf({ window, policies, top }) {
  const shown = policies.filter(({ costAnthropic }) => costAnthropic <= MOST_COST);
  const beyond = policies.filter((policy) => !shown.includes(policy));
  const lowest = Math.max(0, Math.floor((Math.min(...shown.map((policy) => policy[MEASURE.name])) - 0.02) * 10) / 10);
  const cheapest = Math.max(0, Math.floor((Math.min(...shown.map(({ costAnthropic }) => costAnthropic)) - 0.02) * 10) / 10);
  const xOf = (cost) => PANEL.left + ((cost - cheapest) / (MOST_COST - cheapest)) * PANEL.width;
  const yOf = (share) => top + PANEL.height - ((share - lowest) / (1 - lowest)) * PANEL.height;
  const points = shown.map((policy) => ({
    x: xOf(policy.costAnthropic),
    y: yOf(policy[MEASURE.name]),
    kind: kindOf(policy),
    survives: policy.survival === 1 && policy.invalid === 0,
    label: policy.label ?? policy.policy,
  }));
  points.sort((left, right) => Number(right.kind === 'ours') - Number(left.kind === 'ours') || left.x - right.x);
  const labels = placeLabels(points, { left: PANEL.left + 2, right: WIDTH - 6, top: top + 2, bottom: top + PANEL.height - 2 });
  return [
    textAt({ x: PANEL.left, y: top - 12, text: `Window of ${window / 1_000}k tokens`, kind: 'text title' }),
    ...ticks(lowest, 1).map((share) => gridLine({ x1: PANEL.left, x2: PANEL.left + PANEL.width, y1: yOf(share), y2: yOf(share) }) + textAt({ x: PANEL.left - 8, y: yOf(share) + 4, text: Math.round(share * 100), kind: 'quiet', anchor: 'end' })),
    ...ticks(cheapest, MOST_COST).map((cost) => gridLine({ x1: xOf(cost), x2: xOf(cost), y1: top, y2: top + PANEL.height }) + textAt({ x: xOf(cost), y: top + PANEL.height + 18, text: cost.toFixed(1), kind: 'quiet', anchor: 'middle' })),
    textAt({ x: PANEL.left + PANEL.width, y: top + PANEL.height + 36, text: 'billed input, as a share of the untouched history', kind: 'quiet', anchor: 'end' }),
    textAt({ x: PANEL.left + PANEL.width, y: top - 12, text: MEASURE.title, kind: 'quiet', anchor: 'end' }),
    ...(beyond.length > 0 ? [textAt({ x: PANEL.left, y: top + PANEL.height + 36, text: `dearer: ${beyond.map(({ policy, label = policy, costAnthropic }) => `${label} ${costAnthropic.toFixed(2)}`).join(', ')}`, kind: 'quiet' })] : []),
    ...labels.filter(({ leader }) => leader).map(({ point, box }) => `<line class="leader" x1="${round(point.x)}" y1="${round(point.y)}" ${nearest(box, point)} stroke-width="0.8"/>`),
    ...points.map(({ x, y, kind, survives }) => `<circle class="${kind}${survives ? '' : ' fails'}" cx="${round(x)}" cy="${round(y)}" r="${kind === 'ours' ? RADIUS + 2 : RADIUS}" stroke-width="1.5"/>`),
    ...labels.map(({ point, box }) => textAt({ x: box.left, y: box.top + FONT, text: point.label, kind: point.kind === 'ours' ? 'text name-ours' : 'text' })),
  ].join('\n');
}

function ticks(from, to) {
  const found = [];
  for (let tick = Math.round(from * 10); tick / 10 <= to + 1e-9; tick += 1) found.push(tick / 10);
  return found;
}

const DIRECTIONS = [[1, 0], [-1, 0], [0, -1], [0, 1], [0.8, -0.8], [0.8, 0.8], [-0.8, -0.8], [-0.8, 0.8]];
const DISTANCES = [10, 20, 32, 46, 62, 80, 100, 124, 150, 180];

/**
 * A place for each label, nearest first, over no point and no other label. What lies farther away gets a leader; a label for which
 * there is no room is left out.
 */
export function placeLabels(points, bounds) {
  const taken = points.map(({ x, y }) => ({ left: x - RADIUS - 2, right: x + RADIUS + 2, top: y - RADIUS - 2, bottom: y + RADIUS + 2 }));
  const placed = [];
  for (const point of points) {
    const width = point.label.length * CHARACTER;
    const found = DISTANCES.flatMap((distance) => DIRECTIONS.map((direction) => ({ distance, box: boxAt({ point, width, distance, direction }) }))).find(
      ({ box }) => box.left >= bounds.left && box.right <= bounds.right && box.top >= bounds.top && box.bottom <= bounds.bottom && !taken.some((other) => overlaps(box, other)),
    );
    if (found === undefined) continue;
    taken.push(found.box);
    placed.push({ point, box: found.box, leader: found.distance > DISTANCES[0] });
  }
  return placed;
}

function boxAt({ point: { x, y }, width, distance, direction: [right, down] }) {
  const centerX = x + right * (distance + width / 2);
  const centerY = y + down * (distance + LINE_HEIGHT / 2);
  return { left: centerX - width / 2, right: centerX + width / 2, top: centerY - LINE_HEIGHT / 2, bottom: centerY + LINE_HEIGHT / 2 };
}

export const overlaps = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Where a leader meets its label. */
const nearest = ({ left, right, top, bottom }, { x, y }) => `x2="${round(Math.min(Math.max(x, left), right))}" y2="${round(Math.min(Math.max(y, top), bottom))}"`;

const round = (value) => Math.round(value * 10) / 10;
const gridLine = ({ x1, x2, y1, y2 }) => `<line class="line" x1="${round(x1)}" x2="${round(x2)}" y1="${round(y1)}" y2="${round(y2)}" stroke-width="1"/>`;

function textAt({ x, y, text, kind = 'text', anchor = 'start' }) {
  const escaped = String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return `<text class="${kind}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped}</text>`;
}
