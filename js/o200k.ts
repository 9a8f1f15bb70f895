// The entry `stepfold/o200k`, for every platform that may compile WebAssembly at run time.

import { parts } from '../build/exact/o200k-wasm.js';
import { fromBase64 } from './bridge/base64.js';
import { compileInline } from './bridge/compile-inline.js';
import { createTokenizer, type ExactTokenizer } from './count/tokenizer.js';

export type { ExactTokenizer };

const tokenizer = /* @__PURE__ */ createTokenizer({ name: 'o200k_base', loadModule: () => compileInline(fromBase64(parts)) });

/**
 * The tokenizer of GPT-4o, GPT-4.1, GPT-5 and the o-series: `o200k_base`. Unfolds its table at the first count, once per process.
 *
 * @example
 * o200k().count('Hello, world!'); // 4
 */
export function o200k(): ExactTokenizer {
  return tokenizer;
}
