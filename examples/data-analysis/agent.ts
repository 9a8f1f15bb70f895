// A data analyst: reads schemas, runs SQL, keeps a notebook of what it found, and answers with the figures.

import { generateText, isStepCount, tool, type LanguageModel } from 'ai';
import { createPrepareStep } from 'stepfold';
import { z } from 'zod';

export interface Database {
  describe(table: string): Promise<object[]>;
  query(sql: string): Promise<object[]>;
}

export async function analyze({ question, model, database }: { question: string; model: LanguageModel; database: Database }) {
  const notebook: string[] = [];

  const tools = {
    describeTable: tool({
      description: 'Lists the columns of a table.',
      inputSchema: z.object({ table: z.string() }),
      execute: ({ table }) => database.describe(table),
    }),
    runSql: tool({
      description: 'Runs a SELECT and returns its rows.',
      inputSchema: z.object({ sql: z.string() }),
      execute: ({ sql }) => database.query(sql),
    }),
    note: tool({
      description: 'Writes a figure into the notebook, with its unit and how it was filtered.',
      inputSchema: z.object({ finding: z.string() }),
      execute: ({ finding }) => `Noted as number ${notebook.push(finding)}.`,
    }),
  };

  const prepareStep = createPrepareStep<typeof tools>({
    tools: {
      // A database that only reads: no statement acts, whatever it looks like.
      runSql: { effect: 'reads' },
      // The notebook has it.
      note: { keep: 'never' },
    },
    workingState: () => ({ notes: notebook }),
  });

  const { text } = await generateText({
    model,
    instructions: 'You are an analyst. Note each figure that the answer may need.',
    prompt: question,
    tools: { ...tools, recall: prepareStep.recallTool() },
    stopWhen: isStepCount(200),
    prepareStep,
  });
  return text;
}
