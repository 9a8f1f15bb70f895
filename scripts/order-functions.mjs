// Says in which order the functions of a WebAssembly module compress best: each stands behind those that it shares most with.
// gzip looks back 32 KB, a thirtieth of the engine. Changes no function; wasm-opt carries the order out, by names.

/** What functions share is found by pieces of so many bytes. */
const PIECE = 6;
/** A piece that more functions hold says nothing of any. */
const MOST_OWNERS = 1_000;
/** So many bytes of functions are looked back at: about what gzip sees once they are letters (letters.mjs). */
const WINDOW = 28_000;
/** A longer function has more pieces to share; this power of its length makes up for it, also for the shortest, which have hardly any. */
const LENGTH_POWER = 0.8;
const LEAST_LENGTH = 20;

const SECTIONS = { custom: 0, import: 2, code: 10 };
const FUNCTION_NAMES = 1;

/** Returns the module with names that sort its functions into that order, in place of those that it has. */
export function nameInOrder(bytes) {
  const sections = sectionsOf(bytes);
  const bodies = bodiesOf(bytes, sections.find(({ id }) => id === SECTIONS.code));
  const imported = importedFunctions(bytes, sections.find(({ id }) => id === SECTIONS.import));
  const rank = new Array(bodies.length);
  for (const [place, index] of orderOf(bodies).entries()) rank[index] = place;
  const names = rank.flatMap((place, index) => [...unsigned(index + imported), ...text(String(place).padStart(6, '0'))]);
  const map = [...unsigned(bodies.length), ...names];
  const content = [...text('name'), FUNCTION_NAMES, ...unsigned(map.length), ...map];
  const isNames = ({ id, start }) => id === SECTIONS.custom && reader(bytes, start).text() === 'name';
  const kept = sections.filter((section) => !isNames(section)).map(({ from, end }) => bytes.subarray(from, end));
  return Buffer.concat([bytes.subarray(0, 8), ...kept, Buffer.from([SECTIONS.custom, ...unsigned(content.length), ...content])]);
}

/** The places of these bodies in the order in which they compress best: always the one that shares most with the ones right before it. */
function orderOf(bodies) {
  const pieces = bodies.map(piecesOf);
  const owners = new Map();
  for (const [index, own] of pieces.entries()) {
    for (const piece of own) owners.set(piece, [...(owners.get(piece) ?? []), index]);
  }
  for (const [piece, { length }] of owners) if (length < 2 || length > MOST_OWNERS) owners.delete(piece);

  const shared = new Float64Array(bodies.length);
  const share = (index, sign) => {
    for (const piece of pieces[index]) {
      const all = owners.get(piece) ?? [];
      for (const owner of all) shared[owner] += sign / all.length;
    }
  };
  const left = new Set(bodies.keys());
  const order = [];
  let [oldest, size] = [0, 0];
  while (left.size > 0) {
    let [next, most] = [undefined, -1];
    for (const index of left) {
      const score = shared[index] / (bodies[index].length + LEAST_LENGTH) ** LENGTH_POWER;
      if (score > most) [next, most] = [index, score];
    }
    left.delete(next);
    order.push(next);
    share(next, 1);
    for (size += bodies[next].length; size > WINDOW; oldest += 1) {
      share(order[oldest], -1);
      size -= bodies[order[oldest]].length;
    }
  }
  return order;
}

/** Hashes of the pieces of a body, each once. */
function piecesOf(body) {
  const found = new Set();
  for (let at = 0; at + PIECE <= body.length; at += 1) {
    let hash = 2_166_136_261;
    for (let byte = at; byte < at + PIECE; byte += 1) hash = Math.imul(hash ^ body[byte], 16_777_619) >>> 0;
    found.add(hash);
  }
  return found;
}

/** The sections of a module: where each begins, also its content, and where it ends. */
function sectionsOf(bytes) {
  const sections = [];
  for (let from = 8; from < bytes.length; ) {
    const read = reader(bytes, from + 1);
    const length = read.unsigned();
    sections.push({ id: bytes[from], from, start: read.at, end: read.at + length });
    from = read.at + length;
  }
  return sections;
}

function bodiesOf(bytes, { start }) {
  const read = reader(bytes, start);
  return Array.from({ length: read.unsigned() }, () => {
    const size = read.unsigned();
    read.at += size;
    return bytes.subarray(read.at - size, read.at);
  });
}

/** How many functions a module imports: they stand before its own. */
function importedFunctions(bytes, { start }) {
  const read = reader(bytes, start);
  const kinds = Array.from({ length: read.unsigned() }, () => {
    read.text();
    read.text();
    const kind = bytes[read.at];
    read.at += 1;
    if (kind !== 0) throw new Error('the engine imports functions alone');
    read.unsigned();
    return kind;
  });
  return kinds.length;
}

/** Reads a module from a place on. */
function reader(bytes, at) {
  return {
    at,
    unsigned() {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[this.at];
        this.at += 1;
        value += (byte & 127) * 2 ** shift;
        if (byte < 128) return value;
      }
    },
    text() {
      const length = this.unsigned();
      this.at += length;
      return bytes.subarray(this.at - length, this.at).toString();
    },
  };
}

/** A number as WebAssembly writes it. */
function unsigned(value) {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function text(string) {
  return [...unsigned(string.length), ...Buffer.from(string)];
}
