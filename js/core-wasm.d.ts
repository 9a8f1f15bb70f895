// Tells TypeScript what importing core.wasm gives on edge platforms. Declares nothing else.

declare module '*.wasm?module' {
  const module: WebAssembly.Module;
  export default module;
}
