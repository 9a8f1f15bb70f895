// The user's own digests of results: calls the functions `digest` of the option `tools` for the results that a plan names. Decides nothing:
// which results these are, and how much of a digest is kept, is for the engine to say.

import type { ModelMessage } from 'ai';
import { kindOf } from '../bridge/thenable.js';
import type { DigestGiven, DigestWanted, Place } from '../bridge/boundary.js';
import { messageOf } from '../errors.js';
import type { EngineEvent } from '../observe/events.js';
import type { ToolRules } from '../options.js';

/** Checked options with a copy of what they say of tools: changing that later changes nothing. */
export function withOwnRules<Options extends { readonly tools?: ToolRules | undefined }>(options: Options): Options {
  if (options.tools === undefined) return options;
  return { ...options, tools: Object.fromEntries(Object.entries(options.tools).map(([name, rule]) => [name, { ...rule }])) };
}

/** The digests that one step needs: each is requested once. */
export class Digests {
  readonly #tools: ToolRules;
  readonly #emit: (event: EngineEvent) => void;
  /** Tools whose failure was reported: once a step is enough. */
  readonly #failed = new Set<string>();
  #given: readonly DigestGiven[] = [];

  constructor(tools: ToolRules | undefined, emit: (event: EngineEvent) => void) {
    this.#tools = tools ?? {};
    this.#emit = emit;
  }

  /** What was answered so far. */
  get given(): readonly DigestGiven[] {
    return this.#given;
  }

  /** Asks for these. Never throws. */
  ask(history: readonly ModelMessage[], wanted: readonly DigestWanted[]): void {
    this.#given = [...this.#given, ...wanted.map((one) => ({ result: one.result, text: this.#textOf(history, one) }))];
  }

  #textOf(history: readonly ModelMessage[], { tool, call, result }: DigestWanted): string | null {
    try {
      const { output } = partAt(history, result) as { output: { value: unknown } };
      const input = call === null ? undefined : (partAt(history, call) as { input: unknown }).input;
      const text: unknown = this.#tools[tool]!.digest!(input, output.value);
      if (typeof text === 'string') return text;
      this.#fail(tool, `returned ${kindOf(text)}; it must return a string at once`);
    } catch (error) {
      this.#fail(tool, `failed: ${messageOf(error)}`);
    }
    return null;
  }

  #fail(tool: string, why: string): void {
    if (this.#failed.has(tool)) return;
    this.#failed.add(tool);
    this.#emit({ type: 'error', code: 'digest-failed', message: `\`tools.${tool}.digest\` ${why}. Parts that stepfold chose stand in its place` });
  }
}

const partAt = (history: readonly ModelMessage[], { message, part }: Place): unknown => (history[message]!.content as readonly unknown[])[part];
