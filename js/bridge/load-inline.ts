// Hands over the engine's module, compiled from the text inside the bundle.
// Not for edge platforms, which forbid compiling (load-edge.ts). Instantiates nothing, and keeps nothing.

import { wasm } from '../../build/glue/engine-wasm.js';
import { compileInline } from './compile-inline.js';
import { fromLetters } from './letters.js';

/** Compiles the engine. Synchronous; a few milliseconds. */
export function loadModule(): WebAssembly.Module {
  return compileInline(fromLetters(wasm));
}
