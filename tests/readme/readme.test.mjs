// Holds the documents to the code: their examples run, their options, defaults and events are those of the engine, their links lead
// somewhere. Not a test of behaviour; the examples only have to work as they stand.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { jsonSchema, tool } from 'ai-v7';
import { createOpenAICompatible } from 'compatible-v7';
import { transformSync } from 'esbuild';
import * as stepfold from 'stepfold';
import ts from 'typescript';
import { defaultsTable, withDefaults } from '../../scripts/defaults.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** By path: the README and the guides. */
const documents = new Map(['README.md', ...readdirSync(`${root}docs`).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)].map((path) => [path, readFileSync(`${root}${path}`, 'utf8')]));
const readme = documents.get('README.md');
const blocksOf = (text) => [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);

/** What a provider was sent since the example began. */
const requests = [];
/** Answers `done`, to a summarizer what can stand for a summary. */
async function serve(_url, { body }) {
  const request = JSON.parse(body);
  requests.push(request);
  const content = isOfSummarizer(request) ? `## Done\n${'Handler 7 was mended, and its spec passes. '.repeat(20)}` : 'done';
  const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
  if (request.stream !== true) return Response.json({ id: 'a', created: 1, model: 'm', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }], usage });
  const chunks = [{ choices: [{ index: 0, delta: { role: 'assistant', content } }] }, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }];
  const lines = [...chunks.map((chunk) => JSON.stringify({ id: 'a', created: 1, model: 'm', ...chunk })), '[DONE]'];
  return new Response(lines.map((line) => `data: ${line}\n\n`).join(''), { headers: { 'content-type': 'text/event-stream' } });
}
const isOfSummarizer = ({ messages }) => JSON.stringify(messages).includes('take the place of a part of an agent');

/** A real package's model before a server of ours; its window has 16,385 tokens. */
const createModel = () => createOpenAICompatible({ name: 'openai', baseURL: 'https://host.test/v1', apiKey: 'none', includeUsage: true, fetch: serve })('gpt-3.5-turbo');
let executed = 0;

/** What the examples take for granted: the reader's own model, messages, tools, clients and functions. */
const assumed = {
  model: createModel,
  smallModel: createModel,
  messages: () => [{ role: 'user', content: 'Hello.' }],
  instructions: () => 'Be brief.',
  tools: () => ({ fees: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => (executed += 1) }) }),
  store: () => new Map(),
  redis: () => ({ get: async () => null, set: async () => 'OK', setEx: async () => 'OK', eval: async () => 't' }),
  sql: () => async () => [],
  namespace: () => ({ idFromName: (name) => name, get: () => ({ fetch: async () => Response.json({ isKept: true }) }) }),
  kv: () => ({ get: async () => null, put: async () => undefined }),
  storage: () => ({ getItem: async () => null, setItem: async () => undefined }),
  savedState: () => stepfold.createSession().state,
  summarizeSomewhere: () => async () => 'Nothing was done yet.',
  ctx: () => ({ waitUntil() {} }),
};

/** An example as a module: what it assumes, its own lines, and at the end what it made. It must import everything else itself. */
function moduleOf(code) {
  const { code: plain } = transformSync(code, { loader: 'ts', tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } } });
  const has = (name) => new RegExp(`^(export )?(async )?(const|let|function) ${name}\\b`, 'm').test(plain);
  const given = Object.keys(assumed).filter((name) => new RegExp(`\\b${name}\\b`).test(plain) && !has(name));
  const lines = [`const { ${given.join(', ')} } = globalThis.readme.assume();`, plain.replaceAll(/from ["']ai["']/g, "from 'ai-v7'")];
  if (has('POST')) lines.push('export const text = await globalThis.readme.ask(POST);');
  else lines.push(has('result') ? 'export const text = await result.text;' : 'export const text = undefined;');
  // The module's own: `has` finds no name of an import.
  lines.push(`export const made = ${has('prepareStep') && /summarize/.test(plain) ? 'prepareStep' : 'undefined'};`);
  return lines.join('\n');
}

/** A conversation that no model of the examples takes. */
const long = [{ role: 'user', content: 'Hello.' }, ...Array.from({ length: 60 }, (_, index) => [
  { role: 'assistant', content: [{ type: 'text', text: `Handler ${index} is next. ${'It checks its argument first. '.repeat(40)}` }, { type: 'tool-call', toolCallId: `c${index}`, toolName: 'fees', input: { index } }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: `c${index}`, toolName: 'fees', output: { type: 'text', value: `fee ${index}: 12.50` } }] },
]).flat()];

/** What a route answers to a page: the text of its stream. */
async function ask(route) {
  const body = JSON.stringify({ id: 'chat-1', messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hello.' }] }] });
  const response = await route(new Request('http://localhost/api/chat', { method: 'POST', body }));
  return /"delta":"(\w+)"/.exec(await response.text())?.[1];
}

const assume = () => Object.fromEntries(Object.entries(assumed).map(([name, make]) => [name, make()]));
Object.assign(globalThis, { readme: { assume, ask }, AI_SDK_DEFAULT_PROVIDER: { specificationVersion: 'v4', languageModel: createModel } });
const folder = `${root}build/readme`;
mkdirSync(folder, { recursive: true });

for (const [path, document] of documents) {
  const blocks = blocksOf(document);
  if (blocks.length === 0) continue;
  test(`every example in ${path} runs as it stands`, async (t) => {
    for (const [index, code] of blocks.entries()) {
      await t.test(code.split('\n').find((line) => line !== '' && !line.startsWith('import')) ?? `example ${index}`, async () => {
        const file = `${folder}/${path.replace(/\W/g, '-')}-${index}.mjs`;
        writeFileSync(file, moduleOf(code));
        requests.length = 0;
        const { text, made } = await import(pathToFileURL(file).href);
        if (text !== undefined) {
          assert.equal(text, 'done');
          assert.match(JSON.stringify(requests.at(-1).messages), /Hello\./);
          // Not a member, nor a word in a comment.
          const givesTools = /(\.\.\.|(?<![\w.]))tools\b(?!:)/.test(code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''));
          if (givesTools && !code.includes('activeTools')) assert.ok(requests.at(-1).tools.some(({ function: { name } }) => name === 'fees'), 'the tools are not sent');
        }
        if (made !== undefined && /model|generateText/i.test(code)) {
          requests.length = 0;
          await made({ messages: long, steps: [], stepNumber: 0, model: createModel() });
          assert.ok(requests.length > 0 && requests.every(isOfSummarizer), 'the summarizer is not asked');
          assert.match(JSON.stringify(requests), /fee 7: 12\.50/, 'it does not see what is folded');
        }
        assert.equal(executed, 0, 'a tool was executed');
      });
    }
  });
}

/** The types of what the examples take for granted. */
const ASSUMED_TYPES = `import type { LanguageModel, ModelMessage } from 'ai';
import type { SessionState } from 'stepfold';
declare global {
  const model: Exclude<LanguageModel, string>, smallModel: Exclude<LanguageModel, string>;
  const messages: [ModelMessage, ...ModelMessage[]], instructions: string, tools: Record<string, any>, store: Map<string, string>, savedState: SessionState;
  const redis: any, sql: any, namespace: any, kv: any, storage: any;
  const summarizeSomewhere: (prompt: string) => Promise<string>, ctx: { waitUntil(promise: Promise<unknown>): void };
}`;

test('every example has the types that a strict project asks for', () => {
  const typed = `${folder}/types`;
  mkdirSync(typed, { recursive: true });
  writeFileSync(`${typed}/assumed.d.ts`, ASSUMED_TYPES);
  const files = [...documents].flatMap(([path, document]) => blocksOf(document).map((code, index) => {
    const file = `${typed}/${path.replace(/\W/g, '-')}-${index}.ts`;
    writeFileSync(file, code);
    return file;
  }));
  const program = ts.createProgram([`${typed}/assumed.d.ts`, ...files], {
    strict: true, noEmit: true, skipLibCheck: true, types: ['node'], lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'],
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const found = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => `${file?.fileName.slice(typed.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  assert.deepEqual(found, []);
});

test('the documents have the examples that readers look for', () => {
  assert.ok(blocksOf(readme).length >= 4);
  assert.ok([...documents.values()].flatMap(blocksOf).length >= 20);
  assert.ok(readme.split('\n').length <= 131, 'the README has at most 130 lines');
});

test('no example uses a name that ai 7 has deprecated', () => {
  const deprecated = /\b(stepCountIs|hasToolCall|onStepFinish|onFinish|toUIMessageStreamResponse|fullStream|totalUsage|experimental_\w+|Experimental_\w+|system:)/;
  for (const [path, document] of documents) for (const code of blocksOf(document)) assert.doesNotMatch(code, deprecated, path);
});

test('the values that the documents show beside their examples are true', async () => {
  const { o200k } = await import('stepfold/o200k');
  assert.equal(stepfold.modelLimits('anthropic/claude-sonnet-4.5').contextWindow, 200_000);
  assert.equal(stepfold.isContextOverflow(new Error('prompt is too long: 210000 tokens > 200000 maximum')), true);
  assert.equal(o200k().count('see <|endoftext|> here'), 9);
});

/** The rows of all tables of options in a text: name and default. */
const optionsIn = (text) => [...text.matchAll(/^\| option \| default \|.*\n\|[-|]+\n((?:\|.*\n)+)/gm)].flatMap(([, rows]) => [...rows.matchAll(/^\| `(\w+)` \| (.+?) \|/gm)].map(([, name, value]) => [name, value]));
/** The options of an interface and the defaults that their comments tell. */
function typedOptions(file, from) {
  const text = readFileSync(`${root}${file}`, 'utf8').split(from)[1];
  return [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+readonly (\w+)\?:/g)].map(([, comment, name]) => [name, comment.replace(/\s*\n\s*\* ?/g, ' ').split('@default ')[1]?.trim()]);
}

test('docs/options.md, the types and the engine name the same options, with the same defaults', () => {
  const documented = optionsIn(documents.get('docs/options.md')).sort();
  const engine = [...readFileSync(`${root}src/settings.rs`, 'utf8').matchAll(/^ {4}\("(\w+)", Kind::/gm)].map(([, name]) => name).sort();
  const types = typedOptions('js/options.ts', 'export interface BudgetOptions').sort();
  assert.deepEqual(documented, types);
  assert.deepEqual(types.map(([name]) => name), engine);
});

test('the numbers among the defaults are those of the code', () => {
  const defaults = new Map(optionsIn(documents.get('docs/options.md')));
  const policy = readFileSync(`${root}src/policy/ladder.rs`, 'utf8');
  assert.match(policy, new RegExp(`SUMMARY_TOKENS: u32 = ${defaults.get('summaryTokens').replace(',', '_')};`));
  assert.match(readFileSync(`${root}js/summarize/summarizer.ts`, 'utf8'), new RegExp(`SUMMARIZE_MS = ${defaults.get('summarizeTimeoutMs').replace(',', '_')};`));
  assert.equal(stepfold.modelLimits('a-model-nobody-knows').contextWindow, Number(/unknown model ([\d,]+)/.exec(defaults.get('contextWindow'))[1].replace(',', '')));
});

test('the table of defaults in tokens is what the package makes of them', async () => {
  const guide = documents.get('docs/options.md');
  assert.equal(guide, withDefaults(guide, await defaultsTable()), 'node scripts/defaults.mjs --write');
});

test('the README uses no word of ours before it is explained', () => {
  assert.doesNotMatch(readme, /\b(rungs?|holds|folds?|folded|squeezed?|overhead|capped)\b/i);
});

test('the checkpoints that docs/checkpoints.md shows are real ones', () => {
  const known = new Set(['browser', 'travel'].flatMap((name) => readFileSync(`${root}tests/checkpoints/${name}.md`, 'utf8').split('\n')));
  const shown = [...documents.get('docs/checkpoints.md').matchAll(/```md\n([\s\S]*?)```/g)].flatMap(([, block]) => block.split('\n'));
  assert.ok(shown.length > 40);
  for (const line of shown) assert.ok(known.has(line), line);
});

test('docs/sessions.md and the types name the same options of sessions', () => {
  const documented = optionsIn(documents.get('docs/sessions.md')).map(([name]) => name);
  const types = readFileSync(`${root}js/session/session.ts`, 'utf8').split('export interface SessionOptions')[1].split('\n}')[0];
  assert.deepEqual(documented, [...types.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name));
});

test('docs/summaries.md and the types name the same reasons for a fallback', () => {
  const table = documents.get('docs/summaries.md').split('| reason |')[1].split('\n\n')[0];
  const documented = [...table.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, names]) => [...names.matchAll(/\w+/g)].map(([name]) => name)).sort();
  const types = /type: 'fallback';[\s\S]*?reason: (.*);/.exec(readFileSync(`${root}js/observe/events.ts`, 'utf8'))[1];
  assert.deepEqual(documented, [...types.matchAll(/'(\w+)'/g)].map(([, name]) => name).sort());
});

test('links between the documents lead to files and headings that exist', () => {
  const slug = (heading) => heading.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-');
  for (const [path, document] of documents) {
    for (const [, target] of document.matchAll(/\]\(([^)]+)\)/g)) {
      const [file, anchor] = target.replace('https://github.com/stepfold/stepfold/blob/main/', '/').replace('https://github.com/stepfold/stepfold/tree/main/', '/').split('#');
      assert.ok(!file.startsWith('http'), `${path} links to ${target}`);
      const found = file.startsWith('/') ? file.slice(1) : file === '' ? path : join(dirname(path), file);
      assert.ok(existsSync(`${root}${found}`), `${path} links to ${target}`);
      if (anchor !== undefined) assert.ok([...readFileSync(`${root}${found}`, 'utf8').matchAll(/^#+ (.+)$/gm)].some(([, heading]) => slug(heading) === anchor), `${path} links to ${target}`);
    }
  }
});

test('docs/troubleshooting.md and the types name the same events', () => {
  const tables = documents.get('docs/troubleshooting.md').split('| event |').slice(1).map((text) => text.split('\n\n')[0]).join('\n');
  const documented = [...tables.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name).sort();
  const types = [...readFileSync(`${root}js/observe/events.ts`, 'utf8').matchAll(/readonly type: '([a-z-]+)'/g)].map(([, name]) => name).sort();
  assert.deepEqual(documented, types);
});

test('the commands and files that the documents name exist', () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const architecture = ['ARCHITECTURE.md', 'INTERNALS.md'].map((file) => readFileSync(`${root}${file}`, 'utf8')).join('\n');
  for (const document of documents.values()) for (const [, name] of document.matchAll(/`npm (?:run )?([\w:]+)[^`]*`/g)) assert.ok(name === 'install' || scripts[name] !== undefined, name);
  for (const [, file] of architecture.matchAll(/`((?:src|js|tools|scripts|tests)\/[\w./*-]+)`/g)) {
    const folder = file.replace(/[^/]*$/, '');
    const name = file.slice(folder.length).replace('*', '');
    const found = readdirSync(`${root}${folder}`).some((entry) => name === '' || entry.startsWith(name.replace(/\.\w+$/, '')));
    assert.ok(found, file);
  }
});
