// The plot of the replay bench: labels overlap neither each other nor points, and every policy is on it; and what is stored of a replay.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overlaps, overviewOf, placeLabels, plotOf } from '../../bench/replay/plot.mjs';
import { summaries } from '../../bench/replay/report.mjs';
import { written } from '../../bench/replay/result.mjs';

/** Pseudo-random numbers, the same each time. */
function createRandom() {
  let state = 7;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

test('labels keep clear of each other, of points and of the border', () => {
  const random = createRandom();
  const bounds = { left: 60, right: 840, top: 40, bottom: 420 };
  for (let round = 0; round < 50; round += 1) {
    const points = Array.from({ length: 24 }, (_, index) => ({ x: 300 + random() * 200, y: 100 + random() * 200, label: `policy-number-${index}` }));
    const placed = placeLabels(points, bounds);
    assert.ok(placed.length >= 20, `${placed.length} of 24 labels have room`);
    for (const [index, { box }] of placed.entries()) {
      assert.ok(box.left >= bounds.left && box.right <= bounds.right && box.top >= bounds.top && box.bottom <= bounds.bottom);
      for (const { box: other } of placed.slice(index + 1)) assert.equal(overlaps(box, other), false);
      for (const { x, y } of points) assert.equal(overlaps(box, { left: x - 4, right: x + 4, top: y - 4, bottom: y + 4 }), false);
    }
  }
});

test('every policy has a point or is named as dearer, and colors follow the page', () => {
  const row = { window: 64_000, semantics: 'carry', stub: 'none', steps: 5, survived: true, overflow: 0, editedSteps: 1, invalidSteps: 0, softSteps: 0, costAnthropic: 0.5, results: 0.8 };
  const svg = plotOf([{ ...row, policy: 'stepfold' }, { ...row, policy: 'a <b> & c', costAnthropic: 0.7, survived: false }, { ...row, policy: 'dear', costAnthropic: 6.8 }]);
  assert.match(svg, /prefers-color-scheme: dark/);
  assert.match(svg, />stepfold</);
  assert.match(svg, />a &lt;b> &amp; c</);
  assert.match(svg, /class="peer fails"/);
  assert.match(svg, /dearer: dear 6\.80/);
});

test('the overview has one panel, and only policies under names that readers know', () => {
  const row = { semantics: 'carry', stub: 'none', steps: 5, survived: true, overflow: 0, editedSteps: 1, invalidSteps: 0, softSteps: 0, costAnthropic: 0.5, results: 0.8 };
  const rows = [32_000, 64_000].flatMap((window) => ['stepfold', 'stepfold optimize="cost"', 'hysteresis', 'docs-prune'].map((policy) => ({ ...row, window, policy })));
  const svg = overviewOf(summaries(rows));
  assert.deepEqual([...svg.matchAll(/class="text title"[^>]*>([^<]*)</g)].map(([, title]) => title), ['Window of 64k tokens']);
  assert.match(svg, />pruneMessages</);
  assert.doesNotMatch(svg, /hysteresis|optimize|docs-prune|yardstick</);
  assert.throws(() => overviewOf(summaries(rows.filter(({ window }) => window === 32_000))), /64k/);
});

test('what is stored of a replay is one row a policy and window, as ai 7 calls it, and no session', () => {
  const row = { id: 'a session', stub: 'none', steps: 5, survived: true, overflow: 1, editedSteps: 1, invalidSteps: 0, softSteps: 0, costAnthropic: 0.51234, results: 0.8 };
  const ways = [['stepfold', 'rebuild'], ['stepfold', 'carry'], ['none', 'rebuild']];
  const rows = [32_000, 64_000].flatMap((window) => ways.flatMap(([policy, semantics]) => [{ ...row, window, policy, semantics }, { ...row, window, policy, semantics, costAnthropic: 0.4 }]));
  const stored = JSON.parse(written(rows));
  assert.equal(stored.steps, 20);
  assert.deepEqual(stored.windows.map(({ window, policies }) => [window, ...policies.map(({ policy, semantics, transcripts, overflow, costAnthropic }) => [policy, semantics, transcripts, overflow, costAnthropic])]), [32_000, 64_000].map((window) => [window, ['stepfold', 'carry', 2, 2, 0.4562], ['none', 'rebuild', 2, 2, 0.4562]]));
  assert.doesNotMatch(JSON.stringify(stored), /a session/);
  assert.match(overviewOf(stored.windows), />stepfold</);
});
