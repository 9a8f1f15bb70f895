// Forbids compiling WebAssembly in the edge runtime of `next start` and `next dev`, as Vercel's real one does. Locally Next.js
// allows it, and what would fail once deployed seems to work. For `node --import`; changes nothing outside of edge sandboxes.

import { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';

const { createContext } = vm;
vm.createContext = (contextObject, options) =>
  createContext(contextObject, options?.codeGeneration === undefined ? options : { ...options, codeGeneration: { ...options.codeGeneration, wasm: false } });
syncBuiltinESMExports();
