// `TextEncoder` and `TextDecoder` wherever they are used in the package, also in the engine's glue: the build puts these in their place. Every
// platform has them; jest with jsdom hides those of Node, which can be asked for its own.

import { StepfoldError } from '../errors.js';

const platform = globalThis as {
  readonly TextEncoder?: typeof globalThis.TextEncoder;
  readonly TextDecoder?: typeof globalThis.TextDecoder;
  readonly process?: { getBuiltinModule?(name: string): { readonly TextEncoder: typeof globalThis.TextEncoder; readonly TextDecoder: typeof globalThis.TextDecoder } | undefined };
};

function found<Name extends 'TextEncoder' | 'TextDecoder'>(name: Name): NonNullable<(typeof platform)[Name]> {
  const coder = platform[name] ?? platform.process?.getBuiltinModule?.('node:util')?.[name];
  if (coder !== undefined) return coder as NonNullable<(typeof platform)[Name]>;
  throw new StepfoldError({ code: 'engine-failed', message: `this platform has no \`${name}\`. Under jest with jsdom set \`@jest-environment node\`, or \`globalThis.${name}\` from \`node:util\`` });
}

const encoder = /* @__PURE__ */ found('TextEncoder');
const decoder = /* @__PURE__ */ found('TextDecoder');
export { encoder as TextEncoder, decoder as TextDecoder };
