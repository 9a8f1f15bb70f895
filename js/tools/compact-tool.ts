// The tool with which the model folds by itself, or keeps a result whole. Carries a request from the call to the run's next step.
// What may be requested, what follows and what the model is answered, the engine says.

import type { ModelMessage, Tool } from 'ai';
import type { CompactRequest } from '../bridge/boundary.js';
import { asRecord } from '../bridge/record.js';
import { inputSchemaOf } from './schema.js';

/** What the model writes. */
export interface CompactInput {
  readonly focus?: string | undefined;
  readonly pin?: string | undefined;
  readonly containing?: string | undefined;
}

/** The same as texts, with the id of the call. */
export interface CompactCall {
  readonly callId: string;
  readonly focus: string;
  readonly pin: string;
  readonly containing: string;
}

/** Calls that wait for a step of their run; of a run that never has another, they are forgotten in time. */
const WAITING = 16;

/** What models of one session have requested and no step has done yet. */
export class CompactRequests {
  /** Oldest first. */
  waiting: readonly CompactRequest[] = [];

  add(request: CompactRequest): void {
    this.waiting = [...this.waiting.filter(({ callId }) => callId !== request.callId), request].slice(-WAITING);
  }

  /** These calls are done with. */
  settle(calls: readonly string[]): void {
    if (calls.length > 0) this.waiting = this.waiting.filter(({ callId }) => !calls.includes(callId));
  }
}

/** What the tool is, whatever it is called. */
const DESCRIPTION =
  'Makes room in your context. Folds older messages into a checkpoint before your next step: call it when a part of the work is done, with a focus on what still matters. ' +
  'Or pins a tool result, so that it is never cleared, cut or summarized: give the name of its tool. A focus and a pin can be given together.';

const inputSchema = /* @__PURE__ */ inputSchemaOf({
  focus: { type: 'string', description: 'What the checkpoint must tell, in a sentence or two. Older messages are then folded.' },
  pin: { type: 'string', description: 'The name of a tool: its newest result is kept whole. Nothing is folded, unless a focus is given as well.' },
  containing: { type: 'string', description: 'Where not the newest result of that tool is meant: a text that stands in its call or in the result, such as a path.' },
});

/** The tool, as `tool()` would make it. `ask` answers the model. */
export function createCompactTool(ask: (call: CompactCall, messages: readonly ModelMessage[] | undefined) => string): Tool<CompactInput, string> {
  const tool = {
    description: DESCRIPTION,
    inputSchema,
    execute: (input: unknown, options: unknown): string => {
      const { toolCallId, messages } = asRecord(options);
      return ask({ ...readInput(input), callId: textOf(toolCallId) }, Array.isArray(messages) && messages.length > 0 ? (messages as ModelMessage[]) : undefined);
    },
  };
  return tool as unknown as Tool<CompactInput, string>;
}

/** A text of a model, of which no more is read than a sentence may have. */
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, TEXT_CHARACTERS) : '');
const TEXT_CHARACTERS = 1_000;

/** A model may write anything: what is not of its type is not given. */
function readInput(input: unknown): Omit<CompactCall, 'callId'> {
  const { focus, pin, containing } = asRecord(input);
  return { focus: textOf(focus), pin: textOf(pin), containing: textOf(containing) };
}
