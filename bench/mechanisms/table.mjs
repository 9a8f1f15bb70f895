// Mechanisms of the engine and how each is switched off, and groups of them that may stand in for each other. A passage is as short as it
// can be while it stands once, so that it outlives what is written around it; tests/changes sees that all still fit.

/** @type {import('../../scripts/changes/copy.mjs').Change[]} */
export const mechanisms = [
  {
    name: 'findings',
    passages: [
      [
        'src/digest/findings.rs',
        'requests: [&str; 2], tokens: u32) -> Vec<Finding> {',
        'requests: [&str; 2], tokens: u32) -> Vec<Finding> {\n    let tokens = if CHANGED { 0 } else { tokens };',
      ],
    ],
  },
  {
    name: 'parts in placeholders',
    passages: [['src/plan/excerpts.rs', 'if room < LEAST_PARTS_TOKENS ||', 'if CHANGED || room < LEAST_PARTS_TOKENS ||']],
  },
  {
    name: 'outlines in placeholders',
    passages: [['src/words/placeholder.rs', 'let outline = if keeps.is_some() {', 'let outline = if !CHANGED && keeps.is_some() {']],
  },
  {
    name: 'work log',
    passages: [
      [
        'src/words/checkpoint/work.rs',
        'record.log.iter().filter(|line| !line.is_note)',
        'record.log.iter().filter(|line| !CHANGED && !line.is_note)',
      ],
    ],
  },
  {
    name: 'notes beside calls',
    passages: [
      [
        'src/words/checkpoint/work.rs',
        'checkpoint.record.log.iter().filter(|line| line.is_note)',
        'checkpoint.record.log.iter().filter(|line| !CHANGED && line.is_note)',
      ],
    ],
  },
  {
    name: 'what the model told',
    passages: [
      [
        'src/words/checkpoint/conclusions.rs',
        'let list = &checkpoint.record.conclusions;',
        'let list = if CHANGED { &[][..] } else { &checkpoint.record.conclusions[..] };',
      ],
    ],
  },
  {
    name: 'open failures',
    passages: [
      [
        'src/words/checkpoint/work.rs',
        'let failing = checkpoint.record.failing.iter();',
        'let failing = checkpoint.record.failing.iter().filter(|_| !CHANGED);',
      ],
    ],
  },
  {
    name: 'novelty of messages',
    passages: [
      [
        'src/digest/novelty.rs',
        'let newest = texts.len().saturating_sub(NEWEST);',
        'let newest = if CHANGED { 0 } else { texts.len().saturating_sub(NEWEST) };',
      ],
    ],
  },
  {
    name: 'what every answer carries',
    passages: [
      [
        'src/results/envelope.rs',
        'members.contains(&mix(0, member.as_bytes()))',
        '!CHANGED && members.contains(&mix(0, member.as_bytes()))',
      ],
    ],
  },
  {
    name: 'stale results first',
    passages: [['src/plan/clear.rs', '() if stale.contains(place) => 1', '() if !CHANGED && stale.contains(place) => 1']],
  },
];

/** What is also switched off together: by the names of its mechanisms. */
export const groups = [
  ['findings', 'parts in placeholders'],
  ['parts in placeholders', 'outlines in placeholders'],
  ['work log', 'notes beside calls', 'what the model told'],
];
