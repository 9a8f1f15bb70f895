// Reads bytes out of a text of ASCII letters (scripts/letters.mjs), in which frequent bytes are one letter and the others two.
// Runs before V8 has compiled anything, so it is one loop over one array, without calls.

/** Bytes as text. */
export interface Letters {
  /** Each begins a pair of letters from the 89th on; those before stand alone. */
  readonly alphabet: string;
  /** The byte of each single letter, then of each pair, in hex. */
  readonly order: string;
  /** How many bytes there are. */
  readonly size: number;
  readonly text: string;
}

const SINGLES = 88;
/** In the place of a byte: that there is none, and which table holds the second letters of a pair. */
const NONE = -1;
const PAIRS = 256;

/**
 * Returns the bytes.
 *
 * @throws Error when the text is not what was written: damaged, or changed by a tool.
 */
export function fromLetters({ alphabet, order, size, text }: Letters): Uint8Array<ArrayBuffer> {
  const table = tableOf(alphabet, order);
  // The bytes are written over the letters: there are never more of them than letters that were read.
  const bytes = new Uint8Array(text.length);
  const { read } = new TextEncoder().encodeInto(text, bytes);
  let end = 0;
  let isDamaged = read < text.length;
  for (let index = 0; index < bytes.length; index += 1) {
    let byte = table[bytes[index]!]!;
    if (byte >= PAIRS) byte = index + 1 < bytes.length ? table[byte + bytes[(index += 1)]!]! : NONE;
    if (byte < 0 || byte >= PAIRS) isDamaged = true;
    bytes[end++] = byte;
  }
  if (isDamaged || end !== size) throw new Error('the text of the WebAssembly module is damaged: a tool has changed the file');
  return bytes.subarray(0, end);
}

/** What a letter stands for; from `PAIRS` on, in 256 places for each letter that begins one, what the second letter of a pair stands for. */
function tableOf(alphabet: string, order: string): Int16Array {
  const table = new Int16Array(PAIRS * (1 + alphabet.length - SINGLES)).fill(NONE);
  for (let first = SINGLES; first < alphabet.length; first += 1) table[alphabet.charCodeAt(first)] = PAIRS * (1 + first - SINGLES);
  for (let code = 0; code < order.length / 2; code += 1) {
    const pair = code - SINGLES;
    const place = pair < 0 ? 0 : PAIRS * (1 + Math.floor(pair / alphabet.length));
    table[place + alphabet.charCodeAt(pair < 0 ? code : pair % alphabet.length)] = parseInt(order.slice(2 * code, 2 * code + 2), 16);
  }
  return table;
}
