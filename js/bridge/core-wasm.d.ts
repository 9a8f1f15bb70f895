// Tells TypeScript what importing a .wasm file gives on edge platforms. Declares nothing else.

declare module '*.wasm?module' {
  const module: WebAssembly.Module;
  export default module;
}
