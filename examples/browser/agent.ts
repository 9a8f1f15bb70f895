// A browser agent: opens pages, clicks and types, and looks at screenshots.

import { generateText, isStepCount, tool, type LanguageModel } from 'ai';
import { createPrepareStep } from 'stepfold';
import { z } from 'zod';

/** Your browser, such as a page of Playwright. A snapshot is the text of the page, with a ref for each element. */
export interface Browser {
  open(url: string): Promise<string>;
  click(ref: string): Promise<string>;
  fill(ref: string, text: string): Promise<string>;
  /** A PNG as base64. */
  screenshot(): Promise<string>;
}

const ref = z.string();

export async function browse({ task, model, browser }: { task: string; model: LanguageModel; browser: Browser }) {
  const tools = {
    open: tool({
      description: 'Opens a page and returns its snapshot.',
      inputSchema: z.object({ url: z.string() }),
      execute: ({ url }) => browser.open(url),
    }),
    click: tool({
      description: 'Clicks an element and returns what the page then says.',
      inputSchema: z.object({ element: z.string(), ref }),
      execute: (input) => browser.click(input.ref),
    }),
    fill: tool({
      description: 'Fills in a field.',
      inputSchema: z.object({ element: z.string(), ref, text: z.string() }),
      execute: (input) => browser.fill(input.ref, input.text),
    }),
    screenshot: tool({
      description: 'Takes a picture of the page.',
      inputSchema: z.object({}),
      execute: () => browser.screenshot(),
      toModelOutput: ({ output }) => ({ type: 'content', value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: output } }] }),
    }),
  };

  const prepareStep = createPrepareStep<typeof tools>({ keepRecent: { images: 2 } });

  const { text } = await generateText({
    model,
    instructions: 'You use a browser. When a page tells you something that the task needs, write it down in one line with the address of the page.',
    prompt: task,
    tools: { ...tools, recall: prepareStep.recallTool() },
    stopWhen: isStepCount(200),
    prepareStep,
  });
  return text;
}
