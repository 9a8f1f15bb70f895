// The entry `stepfold`. Built twice: for platforms that may compile WebAssembly at run time, and for those that forbid it
// (conditions `workerd` and `edge-light`), where `#load-module` is another file.

export * from './api.js';
