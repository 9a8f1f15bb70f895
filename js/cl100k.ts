// The entry `stepfold/cl100k`, for every platform that may compile WebAssembly at run time.

import { parts } from '../build/exact/cl100k-wasm.js';
import { fromBase64 } from './bridge/base64.js';
import { compileInline } from './bridge/compile-inline.js';
import { createTokenizer, type ExactTokenizer } from './count/tokenizer.js';

export type { ExactTokenizer };

const tokenizer = /* @__PURE__ */ createTokenizer({ name: 'cl100k_base', loadModule: () => compileInline(fromBase64(parts)) });

/**
 * The tokenizer of GPT-4, GPT-3.5 and text-embedding-3: `cl100k_base`. Unfolds its table at the first count, once per process.
 *
 * @example
 * cl100k().count('Hello, world!'); // 4
 */
export function cl100k(): ExactTokenizer {
  return tokenizer;
}
