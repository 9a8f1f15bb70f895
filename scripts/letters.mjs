// Writes bytes as text of ASCII letters: each of the frequent bytes as one letter, each of the others as two.
// Read back by js/bridge/letters.ts. Code repeats itself byte by byte: gzip sees that through letters, and not through base64.

/** What stands in any literal of JavaScript as it is: quotes, the backslash and `$` have a meaning there. */
const alphabet = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter((letter) => !`'"\`\\$`.includes(letter));
/** The last letters each begin a pair: with two of them there are 88 single letters and 180 pairs. */
const FIRSTS = 2;

/** Returns the text, and what it takes to read it. */
export function toLetters(bytes) {
  const singles = alphabet.slice(0, -FIRSTS);
  const codes = [...singles, ...alphabet.slice(-FIRSTS).flatMap((first) => alphabet.map((second) => first + second))];
  const order = orderOf(bytes, singles);
  const codeOf = new Map(order.map((byte, index) => [byte, codes[index]]));
  return {
    alphabet: alphabet.join(''),
    order: Buffer.from(order).toString('hex'),
    size: bytes.length,
    text: Array.from(bytes, (byte) => codeOf.get(byte)).join(''),
  };
}

/** The byte of each code. A frequent byte that is a letter stands for itself, because brotli knows words of English. */
function orderOf(bytes, singles) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte] += 1;
  const byCount = [...counts.keys()].sort((a, b) => counts[b] - counts[a] || a - b);
  const rare = byCount.slice(singles.length).sort((a, b) => a - b);
  const frequent = new Set(byCount.slice(0, singles.length).sort((a, b) => a - b));
  const themselves = singles.map((letter) => letter.charCodeAt(0)).map((byte) => (frequent.delete(byte) ? byte : undefined));
  const others = frequent.values();
  return [...themselves.map((byte) => byte ?? others.next().value), ...rare];
}
