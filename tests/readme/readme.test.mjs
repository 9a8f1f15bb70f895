// Holds the README to the code: its examples run, its options are those of the engine, its commands exist.
// Not a test of behaviour; the examples only have to work as they stand.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MockLanguageModelV4, convertArrayToReadableStream } from 'ai-v7/test';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);

const usage = { inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const finishReason = { unified: 'stop', raw: 'stop' };

/** A model that says `done`. */
const createModel = () =>
  new MockLanguageModelV4({
    doGenerate: { content: [{ type: 'text', text: 'done' }], finishReason, usage, warnings: [] },
    doStream: async () => ({
      stream: convertArrayToReadableStream([
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'done' },
        { type: 'text-end', id: '0' },
        { type: 'finish', finishReason, usage },
      ]),
    }),
  });

/** What the examples take for granted: the reader's own model, messages and tools. */
const assumed = {
  model: 'globalThis.readme.createModel()',
  smallModel: 'globalThis.readme.createModel()',
  messages: "[{ role: 'user', content: 'Hello.' }]",
  tools: '{}',
  prepareStep: 'createPrepareStep()',
};

/** An example as a module: its imports first, then what it assumes, then its code; it hands over what it made. */
function moduleOf(code) {
  const imports = [...code.matchAll(/^import .*$/gm)].map(([line]) => line.replace("from 'ai'", "from 'ai-v7'"));
  const body = code.replace(/^import .*$/gm, '').replace('(request: Request)', '(request)');
  for (const [name, from] of [['streamText', 'ai-v7'], ['createPrepareStep', 'stepfold']]) {
    const used = new RegExp(`\\b${name}\\b|${name === 'createPrepareStep' ? '\\bprepareStep\\b' : '$^'}`).test(body);
    if (used && !imports.some((line) => new RegExp(`\\b${name}\\b`).test(line))) imports.push(`import { ${name} } from '${from}';`);
  }
  const has = (name) => new RegExp(`(const|let) ${name}\\b`).test(body) || imports.some((line) => new RegExp(`[{ ,]${name}[ ,}]`).test(line));
  const missing = Object.entries(assumed).filter(([name]) => new RegExp(`\\b${name}\\b`).test(body) && !has(name));
  const given = missing.map(([name, value]) => `const ${name} = ${value};`);
  if (/function POST\b/.test(body)) return [...imports, ...given, body, `export const text = await globalThis.readme.ask(POST);`].join('\n');
  const result = /const result\b/.test(body) ? 'export const text = await result.text;' : 'export const text = undefined;';
  return [...imports, ...given, body, result].join('\n');
}

/** What a route answers to a page: the text of its stream. */
async function ask(/** @type {(request: Request) => Promise<Response>} */ route) {
  const body = JSON.stringify({ id: 'chat-1', messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hello.' }] }] });
  const response = await route(new Request('http://localhost/api/chat', { method: 'POST', body }));
  return /"delta":"(\w+)"/.exec(await response.text())?.[1];
}

test('every example in the README runs as it stands', async (t) => {
  assert.ok(blocks.length >= 4);
  const folder = `${root}build/readme`;
  mkdirSync(folder, { recursive: true });
  Object.assign(globalThis, { readme: { createModel, ask }, AI_SDK_DEFAULT_PROVIDER: { specificationVersion: 'v4', languageModel: createModel } });
  for (const [index, code] of blocks.entries()) {
    await t.test(code.split('\n').find((line) => line !== '' && !line.startsWith('import')) ?? `example ${index}`, async () => {
      const file = `${folder}/example-${index}.mjs`;
      writeFileSync(file, moduleOf(code));
      const { text } = await import(`${pathToFileURL(file)}?run=${index}`);
      if (text !== undefined) assert.equal(text, 'done');
    });
  }
});

test('the values that the README shows beside its examples are true', async () => {
  const { isContextOverflow, modelLimits } = await import('stepfold');
  assert.equal(modelLimits('anthropic/claude-sonnet-4.5').contextWindow, 200_000);
  assert.equal(isContextOverflow(new Error('prompt is too long: 210000 tokens > 200000 maximum')), true);
});

test('the README, the engine and the types name the same options', () => {
  const table = readme.slice(readme.indexOf('## Options'), readme.indexOf('## Summaries'));
  const documented = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name).sort();
  const engine = [...readFileSync(`${root}src/settings.rs`, 'utf8').matchAll(/^ {4}\("(\w+)", Kind::/gm)].map(([, name]) => name).sort();
  const types = [...readFileSync(`${root}js/options.ts`, 'utf8').split('export interface BudgetOptions')[1].matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name).sort();
  assert.deepEqual(documented, engine);
  assert.deepEqual(types, engine);
});

test('the README and the types name the same options of sessions', () => {
  const table = readme.slice(readme.indexOf('## Sessions'), readme.indexOf('## Events'));
  const documented = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  const types = readFileSync(`${root}js/session.ts`, 'utf8').split('export interface SessionOptions')[1].split('\n}')[0];
  assert.deepEqual(documented, [...types.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name));
});

test('every option says its default in its documentation', () => {
  const types = readFileSync(`${root}js/options.ts`, 'utf8').split('export interface BudgetOptions')[1];
  const options = [...types.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+readonly (\w+)\?:/g)];
  assert.ok(options.length >= 19);
  for (const [, text, name] of options) assert.match(text, /@default/, name);
});

test('the README, the types and the engine name the same events', () => {
  const section = readme.slice(readme.indexOf('## Events'), readme.indexOf('## The parts alone'));
  const documented = [...section.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, name]) => name).filter((name) => name !== 'onEvent').sort();
  const types = [...readFileSync(`${root}js/events.ts`, 'utf8').matchAll(/readonly type: '([a-z-]+)'/g)].map(([, name]) => name).sort();
  assert.deepEqual(documented, types);
});

test('the commands and files that the documents name exist', () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const architecture = readFileSync(`${root}ARCHITECTURE.md`, 'utf8');
  for (const [, name] of readme.matchAll(/`npm (?:run )?(\w+)`/g)) assert.ok(name === 'install' || scripts[name] !== undefined, name);
  for (const [, file] of architecture.matchAll(/`((?:src|js|tools|scripts|tests)\/[\w./*-]+)`/g)) {
    const folder = file.replace(/[^/]*$/, '');
    const name = file.slice(folder.length).replace('*', '');
    const found = readdirSync(`${root}${folder}`).some((entry) => name === '' || entry.startsWith(name.replace(/\.\w+$/, '')));
    assert.ok(found, file);
  }
});
