// Seeded randomness and the texts made from it. The same seed gives the same bytes on every machine.

/**
 * @typedef {{
 *   int: (min: number, max: number) => number,
 *   chance: (share: number) => boolean,
 *   pick: <T>(list: readonly T[]) => T,
 *   shuffled: <T>(list: readonly T[]) => T[],
 *   chars: (min: number, max: number) => number,
 * }} Random `int` includes both ends. `chars` prefers small numbers, as tool results do.
 */

export function createRandom(seed) {
  let state = (seed * 0x9e3779b1 + 0x85ebca6b) | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min, max) => min + Math.floor(next() * (max - min + 1));
  return {
    int,
    chance: (share) => next() < share,
    pick: (list) => list[int(0, list.length - 1)],
    shuffled: (list) => {
      const copy = [...list];
      for (let i = copy.length - 1; i > 0; i--) {
        const j = int(0, i);
        [copy[i], copy[j]] = [copy[j], copy[i]];
      }
      return copy;
    },
    chars: (min, max) => Math.round(min * (max / min) ** next()),
  };
}

const WORDS = (
  'the agent reads a file then edits it because tests fail on main where config parser expects utf8 input ' +
  'and returns null for empty keys please keep the public api stable'
).split(' ');
const CJK = '文件內容已經更新測試仍然失敗請檢查設定值並重新執行命令漢字かなカナ한국어';
const EMOJI = ['😀', '👩‍👩‍👧‍👦', '🇩🇪', '🧪', '𝒳', '🏳️‍🌈', 'é', '…', '\u200b', '\u0000'];

/** @type {Record<string, (random: Random) => string>} One piece of text in each manner. */
const PIECES = {
  prose: (random) => `${Array.from({ length: random.int(4, 12) }, () => random.pick(WORDS)).join(' ')}. `,
  code: (random) => `  if (${random.pick(WORDS)} !== ${random.int(0, 99)}) { return ${random.pick(WORDS)}(${random.int(0, 9)}); }\n`,
  log: (random) => {
    const time = `2026-11-0${random.int(1, 9)}T10:${random.int(10, 59)}:07Z`;
    return `${time} ERROR src/${random.pick(WORDS)}.ts:${random.int(1, 400)} ${random.pick(WORDS)}\n`;
  },
  json: (random) => `{"${random.pick(WORDS)}":${random.int(0, 1e6)},"ok":${random.chance(0.5)}}\n`,
  cjk: (random) => `${Array.from({ length: random.int(5, 20) }, () => random.pick([...CJK])).join('')}。`,
  emoji: (random) => Array.from({ length: random.int(3, 9) }, () => random.pick(EMOJI)).join(''),
  base64: (random) =>
    Array.from({ length: 60 }, () => random.pick([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'])).join(''),
  blanks: (random) => ' '.repeat(random.int(1, 40)) + '\n'.repeat(random.int(0, 2)),
};
const MANNERS = ['prose', 'prose', 'code', 'code', 'log', 'log', 'json', 'cjk', 'emoji', 'base64', 'blanks'];

/** Text of at least `chars` UTF-16 units in one manner; never blank, never half of a surrogate pair. */
export function makeText(random, chars, manner = random.pick(MANNERS)) {
  // A block is written once and repeated with line numbers: long texts stay cheap to make and are not all the same.
  let block = '';
  while (block.length < Math.min(chars, 600)) block += PIECES[manner](random);
  let text = `[${manner}] `;
  for (let line = 1; text.length < chars; line++) text += `${line}: ${block}`;
  return text;
}
