// Hands over the engine's module, compiled at deployment. For platforms that forbid compiling at run time:
// Cloudflare Workers and Vercel Edge. Not for Node or browsers, which do not know this kind of import (load-inline.ts).
// Bundlers understand `?module`; ours leaves the import as it is.

import module from './core.wasm?module';

/** Returns the engine, which may be a module of another realm: `instanceof WebAssembly.Module` can be false. */
export function loadModule(): WebAssembly.Module {
  return module;
}
