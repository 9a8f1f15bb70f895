// Compiles WebAssembly from text inside a bundle, and says what to do where the platform forbids that.
// For every platform that may compile at run time: Node, Bun, Deno, browsers, lambdas. Reads no file and no network, and keeps nothing.

/** A module as text in parts, each of whole bytes and without padding (scripts/build.mjs). */
export interface WasmText {
  readonly encoding: 'hex' | 'base64';
  readonly parts: readonly string[];
}

/** Compiles a module from its text. Synchronous; a few milliseconds. */
export function compileInline(wasm: WasmText): WebAssembly.Module {
  const bytes = decode(wasm);
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

function decode({ encoding, parts }: WasmText): Uint8Array<ArrayBuffer> {
  const characters = parts.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(Math.floor(encoding === 'hex' ? characters / 2 : (characters * 3) / 4));
  const write = writerOf(encoding, bytes);
  let start = 0;
  for (const part of parts) start += write(part, start);
  return bytes;
}

/** Decodes text to a place, and returns how many bytes it made. What newer platforms offer, fastest first; the last is everywhere but slow. */
function writerOf(encoding: WasmText['encoding'], bytes: Uint8Array<ArrayBuffer>): (text: string, start: number) => number {
  type Decoder = ((text: string) => { written: number }) | undefined;
  const { setFromBase64, setFromHex } = bytes as { setFromBase64?: Decoder; setFromHex?: Decoder };
  const set = encoding === 'hex' ? setFromHex : setFromBase64;
  if (set !== undefined) return (text, start) => set.call(bytes.subarray(start), text).written;

  const { Buffer } = globalThis as {
    Buffer?: { from(bytes: ArrayBuffer): { write(text: string, start: number, encoding: WasmText['encoding']): number } };
  };
  if (Buffer !== undefined) {
    const buffer = Buffer.from(bytes.buffer);
    return (text, start) => buffer.write(text, start, encoding);
  }
  if (encoding === 'hex') {
    return (text, start) => {
      for (let index = 0; index < text.length; index += 2) bytes[start + index / 2] = digit(text, index) * 16 + digit(text, index + 1);
      return text.length / 2;
    };
  }
  return (text, start) => {
    const characters = atob(text);
    for (let index = 0; index < characters.length; index += 1) bytes[start + index] = characters.charCodeAt(index);
    return characters.length;
  };
}

/** A digit of hex in lower case. */
function digit(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < 58 ? code - 48 : code - 87;
}
