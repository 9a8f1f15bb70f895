// Prints what each file of the built package weighs: raw, gzip and brotli, in kilobytes of 1,000 bytes.
// Only shows; the limits are kept by tests/package/weight.test.mjs.

import { readFileSync, readdirSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const kilobytes = (bytes) => `${(bytes.length / 1000).toFixed(1)} kB`;

console.table(
  Object.fromEntries(
    readdirSync('pkg/dist').map((file) => {
      const bytes = readFileSync(`pkg/dist/${file}`);
      const gzip = kilobytes(gzipSync(bytes, { level: 9 }));
      return [file, { raw: kilobytes(bytes), gzip, brotli: kilobytes(brotliCompressSync(bytes)) }];
    }),
  ),
);
