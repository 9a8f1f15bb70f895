// The entry `stepfold/o200k`, for platforms that forbid compiling WebAssembly at run time (conditions `workerd` and `edge-light`).

import module from './o200k.wasm?module';
import { createTokenizer, type ExactTokenizer } from './count/tokenizer.js';

export type { ExactTokenizer };

const tokenizer = /* @__PURE__ */ createTokenizer({ name: 'o200k_base', loadModule: () => module });

/**
 * The tokenizer of GPT-4o, GPT-4.1, GPT-5 and the o-series: `o200k_base`. Unfolds its table at the first count, once per process.
 *
 * @example
 * o200k().count('Hello, world!'); // 4
 */
export function o200k(): ExactTokenizer {
  return tokenizer;
}
