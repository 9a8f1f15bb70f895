// A worker thread: reads the files it is sent and answers each with its rows. Shares nothing with other workers but the cache on disk.

import { parentPort, workerData } from 'node:worker_threads';
import { importRecording } from './import.mjs';
import { loadPolicies } from './policies/index.mjs';
import { replay } from './replay.mjs';
import { prepareTranscript, splitOf, takesPart } from './transcript.mjs';

const { windows, semantics, stubs, split, factor, usage, timing, cache, transcripts, policies: chosen } = workerData;
const policies = await loadPolicies({ ...chosen, only: new RegExp(chosen.only) });
const wanted = new RegExp(transcripts);

parentPort.on('message', async (source) => {
  const start = performance.now();
  const { transcript: read, notes } = await importRecording(source);
  const takesTurn = read !== undefined && wanted.test(read.id) && (split === 'all' || splitOf(read.id) === split);
  const rows = takesTurn ? await replayFile(read) : [];
  parentPort.postMessage({ path: source.path, notes, rows, id: read?.id, ms: performance.now() - start });
});
parentPort.postMessage({ ready: true });

async function replayFile(read) {
  const transcript = prepareTranscript(read, { cache });
  const rows = [];
  for (const window of windows) {
    if (!takesPart(transcript, { window, factor })) continue;
    for (const policy of policies) {
      for (const called of policy.semantics.filter((known) => semantics.includes(known))) {
        for (const stub of policy.summarizes ? stubs : ['none']) {
          const row = await replay(transcript, policy, { window, semantics: called, stub, factor, usage, timing, options: policy.options });
          rows.push({ window, policy: policy.name, semantics: called, stub, ...(policy.isBound ? { isBound: true } : {}), ...row });
        }
      }
    }
  }
  return rows;
}
