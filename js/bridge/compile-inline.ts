// Compiles WebAssembly whose bytes were text inside a bundle, and says what to do where the platform forbids that.
// For every platform that may compile at run time: Node, Bun, Deno, browsers, lambdas. Reads no file and no network, and keeps nothing.

/** Compiles a module. Synchronous; a few milliseconds. */
export function compileInline(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw new Error(
      'stepfold cannot compile its WebAssembly here: the platform forbids it. ' +
        'Next.js on Cloudflare with OpenNext: add `serverExternalPackages: [\'stepfold\']` to next.config. ' +
        'Other edge platforms: resolve packages with the condition `workerd` or `edge-light`. ' +
        "A page with a Content-Security-Policy: allow `script-src 'wasm-unsafe-eval'`.",
      { cause },
    );
  }
}
