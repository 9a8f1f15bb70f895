// The entry for every platform that may compile WebAssembly at run time.

import { useModule } from './core.js';
import { loadModule } from './load-inline.js';

useModule(loadModule);

export * from './api.js';
