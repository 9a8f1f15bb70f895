// Policies of the replay bench on a generated session: who survives, who does not, and what bounds whom.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEMANTICS } from '../../bench/harness/play.mjs';
import { loadPolicies } from '../../bench/replay/policies/index.mjs';
import { replay } from '../../bench/replay/replay.mjs';
import { longSession, prepared } from './sessions.mjs';

const policies = await loadPolicies();
const session = () => prepared(longSession());
const run = (name, settings) => {
  const policy = policies.find((known) => known.name === name);
  return replay(session(), policy, { window: 16_000, semantics: policy.semantics[0], ...settings, options: { ...policy.options, ...settings?.options } });
};

test('the baselines of the comparison are there', () => {
  const expected = ['stepfold', 'none', 'docs-slice10', 'docs-prune', 'checkpoint-50k', 'two-tier-80k-120k', 'prune-then-summarize', 'incremental-80', 'opencode-v1', 'opencode-v2', 'gemini-cli', 'codex', 'qwen-lowwater', 'pi', 'anthropic-clear', 'anthropic-clear-batch20k', 'langchain', 'context-chef', 'hysteresis', 'oracle', 'learned'];
  for (const name of expected) assert.ok(policies.some((policy) => policy.name === name), name);
});

test('every policy runs in every way it is called, without a fault, and costs something', async () => {
  const transcript = session();
  for (const policy of policies) {
    for (const semantics of policy.semantics) {
      const row = await replay(transcript, policy, { window: 16_000, semantics, options: policy.options });
      assert.equal(row.errors, 0, `${policy.name} ${semantics}: ${row.error}`);
      assert.ok(row.costAnthropic > 0 && row.costOpenai > 0, policy.name);
    }
  }
});

test('stepfold asks for the cache, unless it is told not to', async () => {
  const [cached, uncached] = [await run('stepfold'), await run('stepfold', { options: { promptCache: false } })];
  assert.ok(cached.costAsAsked < uncached.costAsAsked / 2, `${cached.costAsAsked} of ${uncached.costAsAsked}`);
  assert.equal(cached.costAnthropic, uncached.costAnthropic);
});

test('no management overflows from the step on whose history does not fit', async () => {
  const row = await run('none');
  assert.equal(row.survived, false);
  assert.equal(row.overflow, row.beyondWindow);
  assert.deepEqual([row.recall, row.results], [0, 0]);
});

test('clearing without a second stage overflows where calls alone exceed the window', async () => {
  const transcript = prepared(longSession({ steps: 700, resultTokens: 30 }));
  const named = (name) => policies.find((policy) => policy.name === name);
  const cleared = await replay(transcript, named('qwen-lowwater'), { window: 16_000 });
  assert.ok(cleared.overflow > 0);
  const dropped = await replay(transcript, named('hysteresis'), { window: 16_000, options: {} });
  assert.equal(dropped.overflow, 0);
});

test('stepfold survives, breaks nothing and is the same in all ways of being called', async () => {
  const rows = await Promise.all(SEMANTICS.map((semantics) => run('stepfold', { semantics })));
  for (const row of rows) {
    assert.deepEqual({ overflow: row.overflow, invalidSteps: row.invalidSteps, softSteps: row.softSteps }, { overflow: 0, invalidSteps: 0, softSteps: 0 });
    assert.equal(row.costAnthropic, rows[0].costAnthropic);
    assert.equal(row.recall, rows[0].recall);
  }
  assert.ok(rows[0].edits > 0 && rows[0].costAnthropic < 1);
});

test('stepfold survives when the provider counts more, and without usage', async () => {
  for (const settings of [{ factor: 1.25 }, { factor: 1.35 }, { usage: false }]) assert.equal((await run('stepfold', settings)).overflow, 0);
});

test('the oracle bounds policies that keep as much, and more room never hurts it', async () => {
  const [low, middle, high] = await Promise.all([0.3, 0.5, 0.75].map((share) => run('oracle', { options: { low: share } })));
  assert.ok(low.recall <= middle.recall && middle.recall <= high.recall);
  const yardstick = await run('hysteresis', { options: { high: 0.95, low: 0.5 } });
  assert.ok(middle.recall >= yardstick.recall && middle.results >= yardstick.results);
  assert.equal(middle.overflow, 0);
});

test('the learned yardstick fits, breaks nothing, and finds more than one that clears the oldest for as many tokens', async () => {
  const transcript = prepared(longSession({ looksBack: (step) => Math.floor(step / 2) }));
  const replayed = (name, options) => replay(transcript, policies.find((policy) => policy.name === name), { window: 16_000, options });
  const [learned, oldest] = [await replayed('learned', {}), await replayed('hysteresis', { high: 0.92, low: 0.42 })];
  assert.deepEqual([learned.overflow, learned.invalidSteps], [0, 0]);
  assert.ok(learned.results > oldest.results, `${learned.results} and ${oldest.results}`);
});

test('summaries of facts hold more than neutral ones', async () => {
  const [neutral, facts] = await Promise.all(['neutral', 'facts'].map((stub) => run('incremental-80', { stub })));
  assert.ok(facts.recall > neutral.recall);
});

test('variants take options; what is no variant is refused with what is allowed', async () => {
  const [variant] = await loadPolicies({ variants: ['stepfold:trigger=0.9,target={"tokens":5000}'], only: /^stepfold trigger/ });
  assert.deepEqual(variant.options, { trigger: 0.9, target: { tokens: 5_000 } });
  await assert.rejects(loadPolicies({ variants: ['nothing:a=1'] }), /--set nothing:a=1: expected <policy>:<option>=<value>,… with a policy of stepfold, none/);
  await assert.rejects(loadPolicies({ variants: ['stepfold:a'] }), /`a` is no option=value/);
});
