// The entry for platforms that forbid compiling WebAssembly at run time (conditions `workerd` and `edge-light`).

import { useModule } from './core.js';
import { loadModule } from './load-edge.js';

useModule(loadModule);

export * from './api.js';
