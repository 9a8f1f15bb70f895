// A model that calls a tool a step until its script ends, and writes every prompt into the file named by CALLS.
// It crosses from the workflow to its steps as data, as models of real providers do.

import { WORKFLOW_DESERIALIZE, WORKFLOW_SERIALIZE } from '@workflow/serde';

export class ScriptedModel {
  specificationVersion = 'v4';
  provider = 'mock';
  modelId = 'mock-model';
  supportedUrls = {};

  constructor(script) {
    this.script = script;
  }

  static [WORKFLOW_SERIALIZE](model) {
    return model.script;
  }

  static [WORKFLOW_DESERIALIZE](script) {
    return new ScriptedModel(script);
  }

  async doStream({ prompt }) {
    const { appendFileSync, existsSync, readFileSync } = await import('node:fs');
    const before = existsSync(process.env.CALLS) ? readFileSync(process.env.CALLS, 'utf8').trim().split('\n') : [];
    const step = before.filter((line) => line.startsWith('{"prompt"')).length;
    appendFileSync(process.env.CALLS, `${JSON.stringify({ prompt })}\n`);
    const { pages, askAtStep } = this.script;
    const call = step === askAtStep ? { toolName: 'ask', input: '{}' } : { toolName: 'read', input: JSON.stringify({ page: step }) };
    const says = [{ type: 'text-start', id: 'text' }, { type: 'text-delta', id: 'text', delta: 'Done.' }, { type: 'text-end', id: 'text' }];
    const chunks = [
      { type: 'stream-start', warnings: [] },
      ...(step < pages ? [{ type: 'tool-call', toolCallId: `call-${step}`, ...call }] : says),
      { type: 'finish', finishReason: { unified: step < pages ? 'tool-calls' : 'stop' }, usage: { inputTokens: { total: Math.ceil(JSON.stringify(prompt).length / 4) }, outputTokens: { total: 10 } } },
    ];
    return { stream: new ReadableStream({ start: (controller) => { chunks.forEach((chunk) => controller.enqueue(chunk)); controller.close(); } }) };
  }
}
