// Compiles WebAssembly from base64 text inside a bundle, and says what to do where the platform forbids that.
// For every platform that may compile at run time: Node, Bun, Deno, browsers, lambdas. Reads no file and no network, and keeps nothing.

/** Compiles a module from its base64 in parts (scripts/build.mjs). Synchronous; a few milliseconds. */
export function compileInline(wasmBase64: readonly string[]): WebAssembly.Module {
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

/** Each part holds whole bytes, and nothing is padded. */
function decodeBase64(parts: readonly string[]): Uint8Array<ArrayBuffer> {
  const characters = parts.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(Math.floor((characters * 3) / 4));
  const write = writerOfBase64(bytes);
  let start = 0;
  for (const part of parts) start += write(part, start);
  return bytes;
}

/** Decodes text to a place, and returns how many bytes it made. What newer platforms offer, fastest first; `atob` is everywhere but slow. */
function writerOfBase64(bytes: Uint8Array<ArrayBuffer>): (text: string, start: number) => number {
  const { setFromBase64 } = bytes as { setFromBase64?(text: string): { written: number } };
  if (setFromBase64 !== undefined) return (text, start) => setFromBase64.call(bytes.subarray(start), text).written;

  const { Buffer } = globalThis as {
    Buffer?: { from(bytes: ArrayBuffer): { write(text: string, start: number, encoding: 'base64'): number } };
  };
  if (Buffer !== undefined) {
    const buffer = Buffer.from(bytes.buffer);
    return (text, start) => buffer.write(text, start, 'base64');
  }
  return (text, start) => {
    const characters = atob(text);
    for (let index = 0; index < characters.length; index += 1) bytes[start + index] = characters.charCodeAt(index);
    return characters.length;
  };
}
