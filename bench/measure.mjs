// Times pieces of work against each other, interleaved, and gives medians of processor time. Knows nothing of what it times.
// Processor time, because the machine may be busy with other things. Of the whole process, so that compilers and garbage
// collection count; the clock of a single thread ticks too coarsely.

const clock = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/**
 * Median microseconds of each piece of work.
 *
 * Rounds are interleaved, so that a busy machine slows all pieces alike.
 *
 * @param work By name: `prepare` makes what one round works on, untimed; `run` is timed and divided by `times`.
 * @param seconds How long to go on; at least `leastRounds`.
 */
export async function measure({ work, seconds, leastRounds = 7 }) {
  const samples = new Map(Object.keys(work).map((name) => [name, []]));
  const end = performance.now() + seconds * 1000;
  for (let round = -2; round < leastRounds || performance.now() < end; round += 1) {
    for (const [name, { prepare, run, times = 1 }] of Object.entries(work)) {
      const prepared = await prepare?.();
      const start = clock();
      await run(prepared);
      const spent = (clock() - start) / times;
      // The first rounds warm up compilers and caches.
      if (round >= 0) samples.get(name).push(spent);
    }
  }
  return Object.fromEntries([...samples].map(([name, list]) => [name, median(list)]));
}

function median(list) {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
