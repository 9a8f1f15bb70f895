// Prints what each file of the built package weighs: raw, gzip and brotli, in kilobytes of 1,000 bytes.
// Only shows; the limits are kept by tests/package/weight.test.mjs.
//
//   node scripts/size.mjs [folder]                     a table; the folder is pkg/dist
//   node scripts/size.mjs [folder] --against <folder>  the same in Markdown, with what became larger or smaller

import { readFileSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { against: { type: 'string' } } });
const sizes = measure(positionals[0] ?? 'pkg/dist');

if (values.against === undefined) {
  console.table(Object.fromEntries(Object.entries(sizes).map(([file, row]) => [file, mapValues(row, kilobytes)])));
} else {
  console.log(comparison(sizes, measure(values.against)));
}

/** Bytes by file, and of all files. */
function measure(folder) {
  const rows = readdirSync(folder).sort().map((file) => {
    const bytes = readFileSync(`${folder}/${file}`);
    return [file, { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length }];
  });
  const sum = (key) => rows.reduce((total, [, row]) => total + row[key], 0);
  return { ...Object.fromEntries(rows), 'all files': { raw: sum('raw'), gzip: sum('gzip'), brotli: sum('brotli') } };
}

/** Files that did not change are left out, except the sum. */
function comparison(now, before) {
  const nothing = { raw: 0, gzip: 0, brotli: 0 };
  const files = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((file) => file !== 'all files').sort();
  const rows = [...files, 'all files']
    .filter((file) => file === 'all files' || now[file]?.raw !== before[file]?.raw || now[file]?.gzip !== before[file]?.gzip)
    .map((file) => [file, now[file] ?? nothing, before[file] ?? nothing])
    .map(([file, after, earlier]) => `| ${file} | ${Object.keys(after).map((key) => `${kilobytes(after[key])} (${difference(after[key] - earlier[key])})`).join(' | ')} |`);
  return ['| file | raw | gzip | brotli |', '|---|---|---|---|', ...rows].join('\n');
}

function difference(bytes) {
  if (bytes === 0) return 'as before';
  const size = Math.abs(bytes);
  return `${bytes > 0 ? '+' : '−'}${size < 1000 ? `${size} B` : kilobytes(size)}`;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function mapValues(row, change) {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, change(value)]));
}
