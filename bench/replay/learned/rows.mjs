// Writes the rows that `train.py` makes `model.json` of: at eight cuts of each session every line of a result with its features, and whether later
// steps use it. Usage: node bench/replay/learned/rows.mjs <rows.f32> <folder or file>… (the model at hand was made of the recordings of the published table)

import { writeFileSync } from 'node:fs';
import { findRecordings, importRecording } from '../import.mjs';
import { unitsOf } from '../policies/messages.mjs';
import { prepareTranscript } from '../transcript.mjs';
import { describeLines } from './features.mjs';

const CUTS = 8;
/** A cut has at least so many steps before and behind it. */
const STEPS = { before: 4, behind: 3 };
/** Steps behind a cut in which a line may be used. */
const LATER = 60;
const SMALLEST_SESSION = 20_000;
/** Of the lines that nobody uses, about so many are taken from a cut, and weigh as much as all. */
const UNUSED = 3_000;
/** What a use is, by the fourth field of a reference: a name in a call, a whole line in a call, a word of an answer. */
const USES = [1, 2, 4];

const [out, ...paths] = process.argv.slice(2);
const rows = [];
for (const source of findRecordings(paths)) {
  const { transcript: read } = await importRecording(source);
  const transcript = read === undefined ? undefined : prepareTranscript(read);
  if (transcript === undefined || transcript.tokens < SMALLEST_SESSION) continue;
  for (let cut = 1; cut <= CUTS; cut += 1) addCut(transcript, Math.floor((transcript.steps.length * cut) / (CUTS + 1.5)));
}
writeFileSync(out, Buffer.from(new Float32Array(rows).buffer));

function addCut({ messages, steps, references, ledger }, at) {
  if (at < STEPS.before || steps.length - at < STEPS.behind) return;
  const history = messages.slice(0, steps[at].at);
  const units = unitsOf(history);
  const later = references.slice(at, at + LATER).flat().filter(([, , onlyResults]) => onlyResults === 1);
  const { lines } = describeLines(history, units);
  const every = Math.max(1, Math.floor(lines.length / UNUSED));
  for (const { result, index, chunk, x } of lines) {
    if (result.unit >= units.length - 1) continue;
    const { id } = ledger.part('tool', result.part);
    const uses = later.reduce((bits, [text, ids, , what]) => (ids.includes(id) && chunk.text.includes(text) ? bits | USES[what] : bits), 0);
    if (uses > 0 || Math.abs((index * 2_654_435_761) | 0) % every === 0) rows.push(...x, uses, uses > 0 ? 1 : every);
  }
}
