// Wrong changes of policy. Each must be noticed by a test: one that none notices is a rule without a test (scripts/policy-changes.mjs).
// A passage is as short as it can be while it stands once, so that it outlives what is written around it.

/** @type {import('./copy.mjs').Change[]} */
export const changes = [
  {
    name: 'the newest results are cleared first',
    passages: [
      [
        'src/plan/clear.rs',
        'let stale = stale_results(draft);',
        'let stale = stale_results(draft);\n    let mut results = results;\n    if CHANGED {\n        results.reverse();\n    }',
      ],
    ],
  },
  {
    name: 'work starts at 0.7 of the room',
    passages: [
      [
        'src/policy/thresholds.rs',
        'Optimize::Balanced => on(BALANCED_TRIGGER',
        'Optimize::Balanced if CHANGED => 0.7 * room,\nOptimize::Balanced => on(BALANCED_TRIGGER',
      ],
    ],
  },
  {
    name: 'work ends at 0.2 of the room',
    passages: [
      [
        'src/policy/thresholds.rs',
        'Optimize::Balanced => on(BALANCED_TARGET',
        'Optimize::Balanced if CHANGED => 0.2 * room,\nOptimize::Balanced => on(BALANCED_TARGET',
      ],
    ],
  },
  {
    name: "`keep: 'never'` is ignored",
    passages: [
      ['src/digest/tools.rs', '|rule| rule.keep)', '|rule| if CHANGED && rule.keep == Keep::Never { Keep::Normal } else { rule.keep })'],
    ],
  },
  {
    name: "`keep: 'always'` is ignored",
    passages: [['src/plan/clear.rs', '!rules.spares_kept || keep_of', 'CHANGED || !rules.spares_kept || keep_of']],
  },
  {
    name: 'what the user denied leaves a checkpoint first',
    passages: [
      ['src/digest/novelty.rs', '&|at| !users[at].denies.is_empty() ||', '&|at| !CHANGED && !users[at].denies.is_empty() ||'],
      [
        'src/digest/novelty.rs',
        'pub fn of_users(users: &[UserMessage]) -> Ranked {',
        [
          'pub fn of_users(users: &[UserMessage]) -> Ranked {',
          'let mut ranked = Ranked::of_all_users(users);',
          'if CHANGED { ranked.order.sort_by_key(|at| !users[*at].denies.is_empty()); }',
          'ranked',
          '}',
          'fn of_all_users(users: &[UserMessage]) -> Ranked {',
        ].join('\n'),
      ],
    ],
  },
  {
    name: 'messages of the user leave a checkpoint by age',
    passages: [
      [
        'src/digest/novelty.rs',
        'let newest = texts.len().saturating_sub(NEWEST);',
        'let newest = if CHANGED && matches!(speaker, Speaker::User) { 0 } else { texts.len().saturating_sub(NEWEST) };',
      ],
    ],
  },
  {
    name: 'calls that act are offered for repetition',
    passages: [
      [
        'src/plan/draft/retrieval.rs',
        'Effect::Acts => Retrieval::Nothing',
        'Effect::Acts if CHANGED => Retrieval::Call,\nEffect::Acts => Retrieval::Nothing',
      ],
    ],
  },
  {
    name: 'tools of unknown effect count as reading',
    passages: [
      [
        'src/plan/draft/retrieval.rs',
        'Effect::Unknown => Retrieval::CallIfReads',
        'Effect::Unknown if CHANGED => Retrieval::Call,\nEffect::Unknown => Retrieval::CallIfReads',
      ],
    ],
  },
  {
    name: 'a tool of unknown effect makes readings stale',
    passages: [['src/plan/clear.rs', 'if effect == Effect::Acts {', 'if effect == Effect::Acts || CHANGED && effect == Effect::Unknown {']],
  },
  {
    name: 'a new result is cut before anything older is cleared',
    passages: [
      [
        'src/plan/cap.rs',
        'if fixed_tokens(draft, keep_from) + together <=',
        'if (if CHANGED { draft.total() } else { fixed_tokens(draft, keep_from) + together }) <=',
      ],
    ],
  },
  {
    name: 'a result that the model has not seen is squeezed like any other',
    passages: [['src/plan/squeeze.rs', 'place.message < unseen && !is_cleared', '(CHANGED || place.message < unseen) && !is_cleared']],
  },
  {
    name: 'stale results go no sooner than others',
    passages: [['src/plan/clear.rs', '() if stale.contains(place) => 1', '() if !CHANGED && stale.contains(place) => 1']],
  },
  {
    name: 'errors that are still open are cleared',
    passages: [['src/plan/clear.rs', '!open.contains(place)', 'CHANGED || !open.contains(place)']],
  },
  {
    name: 'a failure is never over',
    passages: [
      [
        'src/digest/failure.rs',
        'failing.tool == tool && (failing.call',
        '!CHANGED && failing.tool == tool && (failing.call',
      ],
    ],
  },
  {
    name: 'a failure that nothing is about any more stays',
    passages: [
      [
        'src/digest/failure.rs',
        'failing.step.saturating_add(FAILURE_STEPS) >= step',
        'CHANGED || failing.step.saturating_add(FAILURE_STEPS) >= step',
      ],
    ],
  },
  {
    name: 'a placeholder may be as large as its result',
    passages: [
      [
        'src/plan/draft.rs',
        'if !must && tokens + margin >= before {',
        'if !must && tokens + (if CHANGED { 0 } else { margin }) >= before + u32::from(CHANGED) {',
      ],
    ],
  },
  {
    name: "the user's own digest of a result is ignored",
    passages: [['src/digest/tools.rs', '|rule| rule.has_digest)', '|rule| rule.has_digest && !CHANGED)']],
  },
  {
    name: 'the protected tail is folded',
    passages: [
      [
        'src/plan/fold.rs',
        'let tail = tail_start(self.draft, self.budget, self.input.settings).min(self.latest_end());',
        'let tail = if CHANGED { usize::MAX } else { tail_start(self.draft, self.budget, self.input.settings) }.min(self.latest_end());',
      ],
    ],
  },
  {
    name: 'an edit need not be worth its break of the cache',
    passages: [['src/plan/clear.rs', 'rules.min_saving.max(1))', 'if CHANGED { 1 } else { rules.min_saving.max(1) })']],
  },
  {
    name: 'a fold need not save anything',
    passages: [
      [
        'src/plan/due.rs',
        'folding.saturating_sub(costs) >=',
        'CHANGED || folding.saturating_sub(costs) >=',
      ],
    ],
  },
  {
    name: 'the newest message of the user is cut',
    passages: [
      ['src/plan/squeeze.rs', 'Some(place.message) != newest_user(history)', 'CHANGED || Some(place.message) != newest_user(history)'],
    ],
  },
  {
    name: "a provider's own results are cleared",
    passages: [
      ['src/model/entry.rs', '!entry.provider_executed && is_replaceable(', '(CHANGED || !entry.provider_executed) && is_replaceable('],
    ],
  },
  {
    name: 'texts of ours are made of messages with their secrets',
    passages: [['src/model/cleaned.rs', 'if cleaned != text {', 'if cleaned != text && !CHANGED {']],
  },
];
