// Rules under pressure: what must hold of rules at the end of a long run, and that the bench would notice if it did not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateMessages } from 'stepfold';
import { loadPolicies } from '../../bench/agents/policies.mjs';
import { conversation, LANGUAGE_NAMES, PLACES, SOURCES } from '../../bench/rules/conversation.mjs';
import { standing, verdictOf } from '../../bench/rules/find.mjs';
import { playRules } from '../../bench/rules/play.mjs';

const policyOf = async (name) => (await loadPolicies({ options: { warnings: false } })).find((policy) => policy.name === name);

test('every source says rules, alone and hidden, in valid messages', () => {
  for (const language of LANGUAGE_NAMES) {
    const { messages, rules } = conversation(language, { steps: 200, sentences: 8 });
    // An app's reminders stand among the messages; Gemini alone wants system messages to lead.
    assert.deepEqual(validateMessages(messages).filter(({ rule, rejectedBy }) => !(rule === 'system-not-leading' && rejectedBy === 'google')), [], language);
    for (const by of SOURCES) for (const place of PLACES) assert.ok(rules.some((rule) => rule.by === by && rule.place === place), `${language}, ${by}, ${place}`);
    assert.equal(new Set(rules.map(({ text }) => text)).size, rules.length, 'rules are told apart');
    for (const { verdict, text } of standing(rules, messages, messages).map((found) => ({ text: found.rule.text, verdict: verdictOf(found) }))) assert.equal(verdict, 'kept', text);
  }
});

test('a rule that was dropped, reworded or put into another mouth is noticed', () => {
  const text = 'Never send anything to customer 417 before noon.';
  const rule = { text, by: 'result', place: 'alone' };
  const record = (title, line) => [{ role: 'user', content: [{ type: 'text', text: `[A record]\n\n--- ${title} (1a2b3c4d5e6f) ---\n${line}` }] }];
  const verdict = (sent, of = rule) => verdictOf(standing([of], sent, [])[0]);
  assert.equal(verdict(record('Findings', text)), 'kept');
  assert.equal(verdict(record("The user's request, verbatim", text)), 'misattributed');
  assert.equal(verdict(record('Findings', text), { ...rule, by: 'user' }), 'misattributed');
  assert.equal(verdict(record('Summary of the work so far', text)), 'unsaid');
  assert.equal(verdict(record('Findings', 'Customer 417 should not get anything before noon.')), 'lost');
  assert.equal(verdict([]), 'lost');
});

test('what users and short system messages forbid stands word for word after 200 steps, and no rule stands as somebody else’s', async () => {
  const policy = await policyOf('stepfold');
  for (const language of ['en', 'ja', 'ar']) {
    const { rules, overflows } = await playRules(conversation(language, { steps: 200, sentences: 14 }), policy, 32_000);
    assert.ok(!overflows, language);
    for (const { by, place, verdict, text } of rules) {
      assert.notEqual(verdict, 'misattributed', `${language}: ${text}`);
      if (by === 'user' || (by === 'system' && place === 'alone')) assert.equal(verdict, 'kept', `${language}: ${text}`);
    }
  }
});

test('where no usage is reported, and long messages have no room, what short ones forbid still stands', async () => {
  const policy = await policyOf('stepfold');
  for (const language of ['de', 'ja', 'ar']) {
    const { rules } = await playRules(conversation(language, { steps: 200, sentences: 14 }), policy, 32_000, { usage: false });
    const short = rules.filter(({ by, place }) => by !== 'result' && place === 'alone');
    for (const { verdict, text } of short) assert.equal(verdict, 'kept', `${language}: ${text}`);
  }
});

test('clearing of old results loses the rules that only a result said: the run is long enough to tell', async () => {
  const { rules } = await playRules(conversation('en', { steps: 200, sentences: 14 }), await policyOf('tool clearing'), 32_000);
  assert.ok(rules.filter(({ by }) => by === 'result').every(({ verdict }) => verdict === 'lost'));
});
