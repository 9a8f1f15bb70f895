// Chance from a seed, for the sessions bench.

/** Numbers below `most`, the same for the same seed. @returns {(most: number) => number} */
export function createRandom(seed) {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return (most) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return (state >>> 8) % most;
  };
}
