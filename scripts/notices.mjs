// Writes pkg-template/THIRD_PARTY_NOTICES.txt: the licences of what is compiled into core.wasm or stands in its tables.
// Crates are found by cargo; what cargo does not know of, Rust's own library and data, is listed here by hand.
//
//   node scripts/notices.mjs            writes the file
//   node scripts/notices.mjs --check    exits 1 when the file is not what this script writes

import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const file = join(root, 'pkg-template/THIRD_PARTY_NOTICES.txt');
const target = 'wasm32-unknown-unknown';

const mit = (copyright) => `${copyright}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** What is embedded besides crates. `crate` names a crate whose folder holds the text of the same licence. */
const others = [
  { name: 'Rust standard library (core, alloc, std, compiler_builtins)', license: 'MIT OR Apache-2.0', text: mit('Copyright (c) The Rust Project Developers (see https://thanks.rust-lang.org)') },
  { name: 'hashbrown, in the Rust standard library', license: 'MIT OR Apache-2.0', text: mit("Copyright (c) 2016 Amanieu d'Antras") },
  { name: 'dlmalloc, in the Rust standard library', license: 'MIT OR Apache-2.0', text: mit('Copyright (c) 2014 Alex Crichton') },
  { name: 'Unicode data, in the Rust standard library (Copyright 1991-2024 Unicode, Inc.)', license: 'Unicode-3.0', crate: 'unicode-ident', ending: 'UNICODE' },
  { name: 'Vocabularies o200k_base and cl100k_base of tiktoken, in o200k.wasm and cl100k.wasm', license: 'MIT', text: mit('Copyright (c) 2022 OpenAI, Shantanu Jain') },
  { name: '@noble/hashes, in index.js', license: 'MIT', text: mit('Copyright (c) 2022 Paul Miller (https://paulmillr.com)') },
  { name: 'Model limits made from the catalog of @earendil-works/pi-ai', license: 'MIT', text: mit('Copyright (c) Mario Zechner') },
];

/** The text of the file: equal texts once, under all names that they are for. */
export function notices() {
  const crates = embeddedCrates();
  const parts = [
    ...crates.map((crate) => ({ title: `${crate.name} ${crate.version} (${crate.license})`, text: licenseTexts(crate).join('\n\n') })),
    ...others.map(({ name, license, text, crate, ending }) => ({ title: `${name} (${license})`, text: text ?? textOf(crates, crate, ending) })),
  ];
  const blocks = [...groupByText(parts)].map(([text, same]) => `${same.map(({ title }) => `- ${title}\n`).join('')}\n${text}\n`);
  const intro = 'stepfold contains compiled code and data of others, under these licences. Where one offers a choice, MIT is chosen.\n';
  return [intro, ...blocks].join(`\n${'-'.repeat(80)}\n\n`);
}

function groupByText(parts) {
  const groups = new Map();
  for (const part of parts) groups.set(part.text, [...(groups.get(part.text) ?? []), part]);
  return groups;
}

/** Crates that the engine is compiled from, without those that only run at build time. */
function embeddedCrates() {
  const { status, stdout, stderr } = spawnSync('cargo', ['metadata', '--format-version', '1', '--locked', '--filter-platform', target], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(stderr);
  const { packages, resolve } = JSON.parse(stdout);
  const byId = new Map(packages.map((crate) => [crate.id, crate]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const isMacro = (id) => byId.get(id).targets.some(({ kind }) => kind.includes('proc-macro'));
  const seen = new Set();
  const queue = [resolve.root];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (seen.has(id) || isMacro(id)) continue;
    seen.add(id);
    const normal = nodes.get(id).deps.filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null));
    queue.push(...normal.map(({ pkg }) => pkg));
  }
  return [...seen]
    .map((id) => byId.get(id))
    .filter(({ source }) => source !== null) // Ours have none.
    .map(({ name, version, license, authors, manifest_path }) => ({ name, version, license, authors, folder: dirname(manifest_path) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The texts of a crate's licence: that of MIT where there is a choice, and what is demanded beside it. */
function licenseTexts({ folder, license, authors }) {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)).sort();
  const wanted = names.some((name) => /mit/i.test(name)) ? names.filter((name) => !/apache/i.test(name)) : names;
  // A crate without such a file names its licence and its authors only.
  if (wanted.length === 0 && license === 'MIT') return [mit(`Copyright (c) ${authors.map((author) => author.replace(/ <.*>$/, '')).join(', ')}`)];
  if (wanted.length === 0) throw new Error(`${folder} has no licence file`);
  return wanted.map((name) => tidy(readFileSync(join(folder, name), 'utf8')));
}

function textOf(crates, crate, ending) {
  const { folder } = crates.find(({ name }) => name === crate);
  const name = readdirSync(folder).find((name) => name.endsWith(ending));
  return tidy(readFileSync(join(folder, name), 'utf8'));
}

const tidy = (text) => text.replaceAll('\r\n', '\n').replace(/[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n').trim();

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--check')) {
    writeFileSync(file, notices());
  } else if (readFileSync(file, 'utf8') !== notices()) {
    console.error('notices: pkg-template/THIRD_PARTY_NOTICES.txt is out of date; run `node scripts/notices.mjs`');
    process.exitCode = 1;
  }
}
