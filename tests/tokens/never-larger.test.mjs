// No placeholder and no cut comes out larger than what it stands for, by the count of a provider: exact counts of what the estimate decided on.
// Results are small, media and scripts of all kinds: where an estimate is wrong by most.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clearToolResults, createPrepareStep } from 'stepfold';
import { cl100k } from 'stepfold/cl100k';
import { o200k } from 'stepfold/o200k';

const COUNTERS = { o200k: o200k(), cl100k: cl100k() };
let state = 5;
/** A number below `end`, the same at every run. */
const below = (end) => ((state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff) >>> 8) % end;
const oneOf = (of) => () => of[below(of.length)];

/** What results are made of, a piece at a time. */
const PIECES = {
  prose: oneOf(['the ', 'build ', 'is ', 'slow ', 'because ', 'of ', 'tests ', 'that ', 'nobody ', 'wrote ']),
  code: oneOf(['const x = 1;\n', 'return a + b;\n', '}\n']), paths: () => `src/a${below(9)}/b.ts\n`, json: () => `{"a":${below(9)}},`,
  chinese: oneOf('构建很慢因为测试太多我们需要修复它'), japanese: oneOf('ビルドが遅いのはテストのためです'), korean: oneOf('빌드가느린이유는테스트때문입니다'),
  thai: oneOf('ตอนที่เรามาถึงท่าเรือเงียบมาก'), arabic: oneOf('البناء بطيء بسبب '), russian: oneOf('сборка медленная '), hindi: oneOf('निर्माण धीमा है '), emoji: oneOf(['😀', '🚀', '👩‍👧', 'é']),
  digits: () => String(below(10)), hex: oneOf('0123456789abcdef'), zeros: () => '0', letters: () => 'a',
  blanks: () => ' ', lines: () => '\n', tabs: () => '\t', strokes: () => '-', equals: () => '=', dots: () => '.',
};
const CALLS = [
  ['bash', { command: 'cd packages/engine && grep -rn "someFunctionName" src | head -20 && npm test' }],
  ['read', { path: 'src/deeply/nested/folder/with/long/names/file-with-a-long-name.ts' }],
  ['search_文件', { query: '构建很慢因为测试太多我们需要修复它' }],
  ['x', {}],
];
const FORMS = {
  text: (value) => ({ type: 'text', value }),
  json: (value) => ({ type: 'json', value: { out: value } }),
  error: (value) => ({ type: 'error-text', value }),
  content: (value) => ({ type: 'content', value: [{ type: 'text', text: value }] }),
};

const textOf = ({ type, value }) => (type === 'content' ? value.map(({ text }) => text).join('\n') : typeof value === 'string' ? value : JSON.stringify(value));
const outputOf = (message) => message.content[0].output;

/** A conversation whose first result is this one. */
function about([toolName, input], output) {
  const step = (n, shown) => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: `c${n}`, toolName, input }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: `c${n}`, toolName, output: shown }] },
  ];
  return [{ role: 'user', content: 'Go.' }, ...step(0, output), ...[1, 2, 3].flatMap((n) => step(n, { type: 'text', value: 'ok '.repeat(50 + n) }))];
}

function assertNotLarger(name, before, after) {
  for (const [encoding, counter] of Object.entries(COUNTERS)) {
    const [was, is] = [counter.count(textOf(before)), counter.count(textOf(after))];
    assert.ok(is <= was, `${name}: ${was} tokens of ${encoding} became ${is}: ${textOf(after).slice(0, 200)}`);
  }
}

test('no cleared result is larger by the count of a provider', () => {
  let cleared = 0;
  for (const [kind, piece] of Object.entries(PIECES)) {
    for (const characters of [30, 60, 100, 150, 200, 250, 300, 400, 500, 700, 1_000]) {
      let value = '';
      while (value.length < characters) value += piece();
      for (const call of CALLS) {
        for (const [form, make] of Object.entries(FORMS)) {
          const list = about(call, make(value));
          const { messages } = clearToolResults(list, { contextWindow: 100_000, keepRecent: { tokens: 0 }, minClearTokens: 1 });
          if (messages[2] === list[2]) continue;
          cleared += 1;
          assertNotLarger(`${characters} characters of ${kind} as ${form}, ${call[0]}`, outputOf(list[2]), outputOf(messages[2]));
        }
      }
    }
  }
  assert.ok(cleared > 1_000, `${cleared} were cleared`);
});

test('no result that is cut is larger by the count of a provider', async () => {
  let cut = 0;
  for (const [kind, piece] of Object.entries(PIECES)) {
    for (const characters of [1_000, 1_500, 2_000, 3_000, 4_000, 6_000]) {
      let value = '';
      while (value.length < characters) value += piece();
      for (const [form, make] of Object.entries(FORMS)) {
        const list = about(CALLS[0], make(value)).slice(0, 3);
        const answer = await createPrepareStep({ contextWindow: 4_000, overheadTokens: 1, maxResultTokens: 500 })({ messages: list, steps: [], stepNumber: 0, model: 'gpt-5' });
        const after = answer?.messages?.[2];
        if (after === undefined || after === list[2]) continue;
        cut += 1;
        assertNotLarger(`${characters} characters of ${kind} as ${form}`, outputOf(list[2]), outputOf(after));
      }
    }
  }
  assert.ok(cut > 100, `${cut} were cut`);
});
