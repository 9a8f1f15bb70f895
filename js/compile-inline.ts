// Compiles WebAssembly from base64 text inside a bundle, and says what to do where the platform forbids that.
// For every platform that may compile at run time: Node, Bun, Deno, browsers, lambdas. Reads no file and no network, and keeps nothing.

/** Compiles a module. Synchronous; a few milliseconds. */
export function compileInline(wasmBase64: string): WebAssembly.Module {
  const bytes = decodeBase64(wasmBase64);
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

/** What newer platforms offer, fastest first. `atob` is everywhere but takes several times as long. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const platform = globalThis as {
    Uint8Array: { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
    Buffer?: { from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer> };
  };
  if (platform.Uint8Array.fromBase64 !== undefined) return platform.Uint8Array.fromBase64(text);
  if (platform.Buffer !== undefined) return platform.Buffer.from(text, 'base64');
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
