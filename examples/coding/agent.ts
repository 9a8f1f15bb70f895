// A coding agent in a folder: it reads, edits and runs tests. Its old results become files that it searches with the tools it has anyway.

import { access, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { generateText, isStepCount, tool, type LanguageModel, type ModelMessage } from 'ai';
import { createSession, type SessionStore } from 'stepfold';
import { z } from 'zod';

const path = z.string();

/** Where a path leads, which must not be out of the folder. */
function within(root: string, path: string): string {
  const full = resolve(root, path);
  if (relative(root, full).startsWith('..')) throw new Error(`${path} is outside of the folder.`);
  return full;
}

/** Tools for the files below `root`. Yours may be a shell in a sandbox. */
const createTools = (root: string, run: (command: string) => Promise<string>) => ({
  grep: tool({
    description: 'Finds the lines of the files in a directory that contain a text.',
    inputSchema: z.object({ directory: z.string(), text: z.string() }),
    execute: async ({ directory, text }) => {
      const found: string[] = [];
      for (const name of await readdir(within(root, directory))) {
        const lines = (await readFile(within(root, join(directory, name)), 'utf8')).split('\n');
        lines.forEach((line, index) => line.includes(text) && found.push(`${directory}/${name}:${index + 1}: ${line}`));
      }
      return found.slice(0, 50).join('\n') || 'No matches found';
    },
  }),
  readFile: tool({
    description: 'Reads a file.',
    inputSchema: z.object({ path }),
    execute: (input) => readFile(within(root, input.path), 'utf8'),
  }),
  writeFile: tool({
    description: 'Writes a file.',
    inputSchema: z.object({ path, text: z.string() }),
    execute: async (input) => {
      await writeFile(within(root, input.path), input.text);
      return `Wrote ${input.path}.`;
    },
  }),
  run: tool({
    description: 'Runs a command, such as the tests.',
    inputSchema: z.object({ command: z.string() }),
    execute: (input) => run(input.command),
  }),
});

interface Job {
  id: string;
  messages: ModelMessage[];
  model: LanguageModel;
  smallModel: Exclude<LanguageModel, string>;
  root: string;
  run: (command: string) => Promise<string>;
  store: SessionStore;
}

export async function work({ id, messages, model, smallModel, root, run, store }: Job) {
  const session = createSession({
    id,
    store,
    summarize: smallModel,
    // The summary is written while the agent goes on.
    summarizeAhead: true,
    offload: {
      directory: `tool-results/${id}`,
      write: async (path, text, { abortSignal }) => {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), text, { signal: abortSignal });
      },
      exists: (path) => access(join(root, path)).then(() => true, () => false),
    },
  });
  const { text } = await generateText({
    model,
    messages,
    tools: createTools(root, run),
    stopWhen: isStepCount(500),
    prepareStep: session.prepareStep,
    onStepEnd: session.onStepEnd,
  });
  await session.dispose();
  return text;
}
