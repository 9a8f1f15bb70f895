// A research agent: searches, reads pages one after another, and answers with the sources.

import { generateText, isStepCount, tool, type LanguageModel } from 'ai';
import { createPrepareStep } from 'stepfold';
import { z } from 'zod';

/** What your search engine and your reader return. */
export interface Web {
  search(query: string): Promise<{ title: string; url: string }[]>;
  readPage(url: string): Promise<{ url: string; title: string; text: string }>;
}

interface Research {
  question: string;
  model: LanguageModel;
  web: Web;
}

export async function research({ question, model, web }: Research) {
  const tools = {
    search: tool({
      description: 'Searches the web.',
      inputSchema: z.object({ query: z.string() }),
      execute: ({ query }) => web.search(query),
    }),
    readPage: tool({
      description: 'Reads a page.',
      inputSchema: z.object({ url: z.string() }),
      execute: ({ url }) => web.readPage(url),
    }),
  };

  const prepareStep = createPrepareStep<typeof tools>({ optimize: 'recall' });

  const { text } = await generateText({
    model,
    // What the model writes beside its calls outlives the pages that it read.
    instructions: 'Answer with sources. After each page write one line: its url, and what it says about the question, with figures.',
    prompt: question,
    tools: { ...tools, recall: prepareStep.recallTool() },
    stopWhen: isStepCount(200),
    prepareStep,
  });
  return text;
}
