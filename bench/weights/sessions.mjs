// Writes what was said in recordings and in the judge's tuning sessions, one session a line, for `rows.rs`. Takes nothing from the judging half.
//   node bench/weights/sessions.mjs <out.jsonl> <folder of recordings> [<folder with kinds/ and kinds-probes/>]

import { createWriteStream, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { stepsOf } from '../agents/cuts.mjs';
import { findSessions } from '../agents/load.mjs';

const [out, folder, probed] = process.argv.slice(2);
/** As in rows.rs. */
const TAIL = 8;
const kindOf = (kind = '') => ['browser', 'research', 'support', 'coding'].find((name) => kind.toLowerCase().includes(name)) ?? (/building|ctf/.test(kind) ? 'coding' : 'other');

/** JSON as the engine writes it: with its keys in order. */
const sorted = (value) => (Array.isArray(value) ? value.map(sorted) : value && typeof value === 'object' ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])])) : value);
function textOf(output) {
  if (typeof output === 'string') return output;
  if (output?.type === 'content') return output.value.map((part) => part.text ?? '').join('\n');
  const value = output?.value ?? output?.reason ?? null;
  return typeof value === 'string' ? value : JSON.stringify(sorted(value));
}

/** `said`: `[kind, text, input of the call]`; kinds are words, calls, results. `ends[i]`: how many of these stand before message i. */
function saidOf(messages) {
  const said = [];
  const ends = [];
  const inputs = new Map();
  for (const { content } of messages) {
    ends.push(said.length);
    for (const part of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
      if (part.type === 'text') said.push(['words', part.text, '']);
      else if (part.type === 'tool-call') {
        const input = typeof part.input === 'string' ? part.input : JSON.stringify(sorted(part.input ?? {}));
        inputs.set(part.toolCallId, input);
        said.push(['call', input, '']);
      } else if (part.type === 'tool-result') said.push(['result', textOf(part.output), inputs.get(part.toolCallId) ?? '']);
    }
  }
  ends.push(said.length);
  return { said, ends };
}

/** A cut with those of its facts that findings alone can carry: no text of the model or the user, no call and nothing of the tail says them. */
function cutOf(said, at, facts) {
  const told = said.slice(0, at).filter(([kind], index) => kind !== 'result' || index >= at - TAIL).map(([, text]) => text.toLowerCase()).join('\n');
  const open = facts.filter(({ words }) => !words.every((forms) => forms.some((form) => told.includes(form.toLowerCase()))));
  // Of a cut where nothing is needed, no row is.
  return { at, facts: open.length === 0 ? [[['\0']]] : open.map(({ words }) => words), places: open.flatMap(({ places }) => (places === undefined ? [] : [places])) };
}

const file = createWriteStream(out);
const write = (session) => file.write(`${JSON.stringify(session)}\n`);
for (const name of readdirSync(folder).filter((name) => name.endsWith('.json.gz')).sort()) {
  const { id = name, kind, messages } = JSON.parse(gunzipSync(readFileSync(join(folder, name))));
  const { said, ends } = saidOf(messages);
  if (said.length < 24) continue;
  const steps = stepsOf(messages);
  const cuts = [0.3, 0.5, 0.7, 0.85].map((share) => ends[steps[Math.floor(share * steps.length)]]);
  write({ id, kind: kindOf(kind), said, cuts: cuts.map((at) => ({ at, facts: [] })) });
}
for (const { id, url } of findSessions(['tuning'])) {
  const session = (await import(url)).default;
  const { messages, facts } = session.build();
  const { said, ends } = saidOf(messages);
  const steps = stepsOf(messages);
  const cuts = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((share) => steps[Math.floor(share * steps.length)]);
  // What is needed from this cut on, and was said by a result before it.
  const needed = (cut) => facts.filter((fact) => fact.by === 'result' && fact.at < cut && fact.until > cut).map(({ words, beside }) => ({ words: [...words, ...beside].map((word) => [word].flat()) }));
  write({ id, kind: `native ${session.kind}`, said, cuts: cuts.map((cut) => cutOf(said, ends[cut], needed(cut))) });
}
// Sessions with questions: what a good answer must have is needed of the results where it stands.
for (const name of probed === undefined ? [] : readdirSync(join(probed, 'kinds-probes')).sort()) {
  const id = name.slice(0, -'.json'.length);
  const { messages } = JSON.parse(gunzipSync(readFileSync(join(probed, 'kinds', `${id}.json.gz`))));
  const { said, ends } = saidOf(messages);
  const facts = JSON.parse(readFileSync(join(probed, 'kinds-probes', name))).flatMap(({ gold, needed = [] }) => {
    const must = gold.split(/Must have:/i)[1] ?? '';
    const quoted = [...must.matchAll(/["“«”](.+?)["”»“]|'([^']+)'/g)].map(([, double, single]) => double ?? single);
    const items = quoted.length > 0 ? quoted : must.split(/[;,]/).map((item) => item.trim().replace(/\.$/, '')).filter(Boolean);
    const places = needed.flatMap((number) => [0, 1].flatMap((next) => range(ends, Number(number.slice(1)) - 1 + next)));
    return items.map((item) => ({ words: [[item]], places: places.filter((place) => said[place][0] === 'result') }));
  });
  write({ id, kind: `probed ${id.split('-')[0]}`, said, cuts: [cutOf(said, ends[Number(readFileSync(join(probed, 'kinds', `${id}.cut`), 'utf8'))], facts)] });
}
file.end();

/** The places of what message `at` says. */
function range(ends, at) {
  return Array.from({ length: (ends[at + 1] ?? 0) - (ends[at] ?? 0) }, (_, index) => ends[at] + index);
}
