// Carries the version that `changeset version` wrote into package.json to the other files that name it, and serves a release.
// Decides no version.
//
//   node scripts/version.mjs                  the same version in all files
//   node scripts/version.mjs --check v0.1.0   exits 1 when the tag is not the version
//   node scripts/version.mjs --notes          prints what CHANGELOG.md says of the version

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { check: { type: 'string' }, notes: { type: 'boolean' } } });
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

if (values.check !== undefined) check(values.check);
else if (values.notes) console.log(notes());
else carry();

function carry() {
  replace('pkg-template/package.json', /("version": )".+?"/);
  replace('package-lock.json', /("version": )".+?"/);
  replace('package-lock.json', /("packages": \{\s+"": \{\s+"name": "stepfold",\s+"version": )".+?"/);
  replace('Cargo.toml', /^(version = )".+?"/m);
  replace('Cargo.lock', /(name = "stepfold"\nversion = )".+?"/);
}

function replace(file, pattern) {
  const text = readFileSync(file, 'utf8');
  if (!pattern.test(text)) stop(`${file} names no version`);
  writeFileSync(file, text.replace(pattern, `$1"${version}"`));
}

function check(tag) {
  if (tag !== `v${version}`) stop(`the tag is ${tag}, and package.json says ${version}`);
}

function notes() {
  const section = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m).find((text) => text.startsWith(`${version}\n`));
  return section?.slice(version.length).trim() ?? stop(`CHANGELOG.md has no section ${version}`);
}

function stop(reason) {
  console.error(`version: ${reason}`);
  process.exit(1);
}
