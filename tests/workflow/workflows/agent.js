// An agent whose whole loop is a workflow: stepfold runs inside the workflow function, the summarizer and the tools are steps.
// docs/providers.md shows the same form.

import { WorkflowAgent } from '@ai-sdk/workflow';
import { isStepCount, jsonSchema, tool } from 'ai';
import { createSession } from 'stepfold';
import { createHook } from 'workflow';
import { ScriptedModel } from './model.js';

/** Reads pages until the script ends, and waits for a person once. */
export async function research(task, script) {
  'use workflow';
  const events = [];
  const session = createSession({ contextWindow: script.windowTokens, onEvent: (event) => events.push(event), summarize: script.isSummarized ? summarize : undefined });
  const agent = new WorkflowAgent({
    model: new ScriptedModel(script),
    instructions: 'Be brief.',
    tools: {
      read: tool({ description: 'Reads a page.', inputSchema: jsonSchema({ type: 'object' }), execute: read }),
      ask: tool({ description: 'Asks the user.', inputSchema: jsonSchema({ type: 'object' }), execute: () => createHook({ token: script.hook }) }),
    },
    prepareStep: session.prepareStep,
    stopWhen: isStepCount(100),
  });
  const result = await agent.stream({ messages: [{ role: 'user', content: task }] });
  return { steps: result.steps.length, events, state: session.state };
}

async function summarize({ prompt }) {
  'use step';
  const { appendFileSync } = await import('node:fs');
  appendFileSync(process.env.CALLS, `${JSON.stringify({ summaryOf: prompt })}\n`);
  return 'The pages up to here were read one by one and their values written down; the next pages follow.';
}

async function read({ page }) {
  'use step';
  return Array.from({ length: 60 }, (_, line) => `page ${page} line ${line + 1}: value ${page * 1000 + line}`).join('\n');
}
