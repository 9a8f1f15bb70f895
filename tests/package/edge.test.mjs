// The package where compiling WebAssembly is forbidden, as on Cloudflare Workers and Vercel Edge.
// A sandbox of `node:vm` stands in for them: another realm, no code generation, and a module compiled outside of it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { buildSync } from 'esbuild';

import { root, run } from './helpers.mjs';

/** Runs in a child process, because modules in `node:vm` need a flag. Prints what `expression` gives in the sandbox. */
function evaluateInSandbox({ code, wasmPath, expression }) {
  const host = `
    import { readFileSync } from 'node:fs';
    import vm from 'node:vm';
    const { code, wasmPath, expression } = JSON.parse(readFileSync(0, 'utf8'));
    const context = vm.createContext(
      { TextDecoder, TextEncoder, atob, console },
      { codeGeneration: { strings: false, wasm: false } },
    );
    const wasm = new vm.SyntheticModule(['default'], () => wasm.setExport('default', new WebAssembly.Module(readFileSync(wasmPath))), { context });
    const module = new vm.SourceTextModule(code, { context });
    await module.link(() => wasm);
    await module.evaluate();
    context.stepfold = module.namespace;
    console.log(vm.runInContext(expression, context));
  `;
  return run(process.execPath, ['--no-warnings', '--experimental-vm-modules', '--input-type=module', '--eval', host], {
    input: JSON.stringify({ code, wasmPath, expression }),
  });
}

test('the edge entry counts tokens with a module of another realm', () => {
  const tokens = evaluateInSandbox({
    code: bundle('pkg/dist/index.edge.js'),
    wasmPath: join(root, 'pkg/dist/core.wasm'),
    expression: `stepfold.estimateTokens([{ role: 'user', content: 'hi' }])`,
  });
  assert.ok(Number(tokens) > 0, `expected a positive number of tokens, got ${tokens}`);
});

for (const name of ['o200k', 'cl100k']) {
  test(`the edge entry ${name} counts exactly with a module of another realm`, () => {
    const tokens = evaluateInSandbox({
      code: bundle(`pkg/dist/${name}.edge.js`),
      wasmPath: join(root, `pkg/dist/${name}.wasm`),
      expression: `stepfold.${name}().count('Hello, world!')`,
    });
    assert.equal(tokens, '4');
  });
}

test('where compiling is forbidden, the default entry says what to do', () => {
  const message = evaluateInSandbox({
    code: bundle('js/bridge/load-inline.ts'),
    wasmPath: join(root, 'pkg/dist/core.wasm'),
    expression: `try { stepfold.loadModule() } catch (error) { error.message + ' Cause: ' + error.cause.message }`,
  });
  assert.match(message, /serverExternalPackages: \['stepfold'\]/);
  assert.match(message, /Cause: .*disallowed/);
});

function bundle(file) {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, file)],
    bundle: true,
    format: 'esm',
    external: ['*.wasm?module'],
    write: false,
  });
  return outputFiles[0].text;
}
