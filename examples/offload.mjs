// Results as files: what is cleared or folded goes into a directory, and the agent searches it with the tools it has for files anyway.
// Here these are two small ones over `node:fs`; a bash tool or a sandbox does the same (docs/sessions.md).

import { access, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import { createSession } from 'stepfold';

/** Tools for the files below `root`. */
const fileTools = (/** @type {string} */ root) => ({
  grep: tool({
    description: 'Finds the lines of files in a directory that contain a text. Answers with path, line number and line.',
    inputSchema: jsonSchema({ type: 'object', properties: { directory: { type: 'string' }, text: { type: 'string' } }, required: ['directory', 'text'] }),
    execute: async (/** @type {any} */ { directory, text }) => {
      const found = [];
      for (const name of await readdir(join(root, directory))) {
        const lines = (await readFile(join(root, directory, name), 'utf8')).split('\n');
        lines.forEach((line, index) => line.includes(text) && found.push(`${directory}/${name}:${index + 1}: ${line}`));
      }
      return found.slice(0, 50).join('\n') || 'No matches found';
    },
  }),
  readFile: tool({
    description: 'Reads a file.',
    inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }),
    execute: (/** @type {any} */ { path }) => readFile(join(root, path), 'utf8'),
  }),
});

/**
 * Answers with an agent whose old results are files below `root`, one directory for each conversation.
 *
 * @param {{ id: string, model: any, tools: any, root: string, messages: any[], options?: import('stepfold').SessionOptions }} run
 */
export async function answer({ id, model, tools, root, messages, options }) {
  const session = createSession({
    ...options,
    id,
    offload: {
      directory: `tool-results/${id}`,
      write: async (path, text, { abortSignal }) => {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), text, { signal: abortSignal });
      },
      exists: (path) => access(join(root, path)).then(() => true, () => false),
    },
  });
  const { text } = await generateText({ model, tools: { ...tools, ...fileTools(root) }, messages, prepareStep: session.prepareStep, stopWhen: isStepCount(100) });
  return text;
}
