// SHA-256, for the keys of long ids. `crypto.subtle` answers later, and a key is needed at once; packages for it weigh five times as much.

/** The first 32 bits behind the point of a root. */
const bitsOf = (root: number): number => ((root % 1) * 2 ** 32) | 0;
const PRIMES: readonly number[] = /* @__PURE__ */ (() => {
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number += 1) if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes;
})();

/** In hexadecimal digits, of a text of ASCII characters. */
export function sha256(ascii: string): string {
  const { length } = ascii;
  const words = new Int32Array(((length + 72) >> 6) * 16);
  for (let at = 0; at <= length; at += 1) words[at >> 2]! |= (at < length ? ascii.charCodeAt(at) : 0x80) << (24 - 8 * (at & 3));
  words[words.length - 1] = length * 8;
  const hash = PRIMES.slice(0, 8).map((prime) => bitsOf(Math.sqrt(prime)));
  const schedule = new Int32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    let [a, b, c, d, e, f, g, h] = hash as [number, number, number, number, number, number, number, number];
    for (let round = 0; round < 64; round += 1) {
      const [old, recent] = [schedule[round - 15]!, schedule[round - 2]!];
      schedule[round] =
        round < 16
          ? words[block + round]!
          : schedule[round - 16]! + (turn(old, 7) ^ turn(old, 18) ^ (old >>> 3)) + schedule[round - 7]! + (turn(recent, 17) ^ turn(recent, 19) ^ (recent >>> 10));
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + bitsOf(Math.cbrt(PRIMES[round]!)) + schedule[round]!) | 0;
      const other = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [(one + other) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => (hash[index] = (hash[index]! + word) | 0));
  }
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));
