// A made-up domain for tau: a depot that stores boxes. Its records are long, and a write needs two ids that stand in them alone.

const FIRST = ['Ada', 'Ben', 'Cleo', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'Jana', 'Kim', 'Lea'];
const LAST = ['Amsel', 'Birke', 'Dorn', 'Eiche', 'Fuchs'];
const SHELVES = 40;

/** Of the same number always the same record. */
function recordOf(number) {
  const shelf = (at) => ({
    shelf: `S-${1000 + number * SHELVES + at}`,
    note: 'dry, level, checked in spring',
    free: at % 3 === 0,
    height_cm: 40 + at,
  });
  return {
    box: `BX${5000 + number}`,
    owner: `owner_${2000 + number}`,
    seal: `SEAL-${70000 + 7 * number}`,
    shelves: Array.from({ length: SHELVES }, (_, at) => shelf(at)),
  };
}

function customerOf(number) {
  const name = `${FIRST[number % FIRST.length]} ${LAST[number % LAST.length]}`;
  const { box, owner, seal, shelves } = recordOf(number);
  const input = { box, seal, shelf: shelves[number % SHELVES].shelf };
  return {
    id: String(number),
    name,
    own: [box, owner, seal],
    ask: `Hello, I am ${name}. Please move my box ${box} to the shelf that is ${40 + (number % SHELVES)} cm high.`,
    confirm: `I am ${name}. Yes, move it.`,
    tells: `I have looked that up. It is sealed with ${seal}, and the shelf is ${input.shelf}.`,
    reads: [{ tool: 'get_box', input: { box }, output: recordOf(number) }],
    writes: [
      {
        tool: 'move_box',
        kind: 'move',
        input,
        output: { box, shelf: input.shelf },
        search: { handles: [box], names: [], opens: { tool: 'get_box', about: [box] } },
      },
    ],
  };
}

export const customers = (many = 40) => Array.from({ length: many }, (_, number) => customerOf(number));
