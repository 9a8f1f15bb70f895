// The entry `stepfold/cl100k`, for platforms that forbid compiling WebAssembly at run time (conditions `workerd` and `edge-light`).

import module from './cl100k.wasm?module';
import { createTokenizer, type ExactTokenizer } from './count/tokenizer.js';

export type { ExactTokenizer };

const tokenizer = /* @__PURE__ */ createTokenizer({ name: 'cl100k_base', loadModule: () => module });

/**
 * The tokenizer of GPT-4, GPT-3.5 and text-embedding-3: `cl100k_base`. Unfolds its table at the first count, once per process.
 *
 * @example
 * cl100k().count('Hello, world!'); // 4
 */
export function cl100k(): ExactTokenizer {
  return tokenizer;
}
