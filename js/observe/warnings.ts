// What a developer must know whoever else listens: one line on the console for each cause, once a process. Decides nothing: the engine says what
// happened.

import type { StepfoldEvent } from './events.js';
import { nameOf } from './source.js';

/** A cause that is warned of once, and the line for it. */
interface Warning {
  readonly cause: string;
  readonly line: string;
}

/** Causes warned of by this process, also by other copies of the package in it. */
const WARNED = Symbol.for('stepfold.warnings');
/** Model ids may be made up for each request: a console is no place for thousands. */
const MOST_CAUSES = 50;

/** Warns of an event that a developer must know of. Never throws. */
export function warn(event: StepfoldEvent): void {
  try {
    const warning = warningOf(event);
    const { process, console } = globalThis as { process?: { env?: { NODE_ENV?: string } }; console?: { warn(line: string): void } };
    if (warning === undefined || process?.env?.NODE_ENV === 'test') return;
    const causes = ((globalThis as { [WARNED]?: Set<string> })[WARNED] ??= new Set());
    if (causes.has(warning.cause) || causes.size >= MOST_CAUSES) return;
    causes.add(warning.cause);
    console?.warn(`stepfold: ${warning.line} (In ${nameOf(event)}. Said once; the option \`warnings: false\` turns such lines off.)`);
  } catch {
    // A console that cannot be written to is none.
  }
}

const tokens = (count: number): string => `${count.toLocaleString('en')} tokens`;

/** How often the summarizer has failed in a row, in all conversations of the process. */
let failures = 0;

/** Checkpoints that were lost, in all conversations of the process. */
let lost = 0;
/** So many may go: people edit what they said, and let answers be made anew. */
const LOST_BY_PEOPLE = 2;

function warningOf(event: StepfoldEvent): Warning | undefined {
  switch (event.type) {
    case 'unknown-model': {
      const name = event.modelId === '' ? 'a model without an id' : `the model "${event.modelId}"`;
      const why = event.reason === 'local-runtime' ? `the local runtime decides how much ${name} takes` : `it does not know ${name}`;
      return { cause: `${event.type} ${event.modelId}`, line: `${why}, so it assumes a context window of ${tokens(event.contextWindow)}. Give the option \`contextWindow\`.` };
    }
    case 'usage-not-reported':
      return {
        cause: event.type,
        line: `the provider reports no usage, so ${tokens(event.assumedTokens)} of a window of ${tokens(event.contextWindow)} are left free for system prompt and tools, whose size is unknown. Let it report usage (\`includeUsage: true\` of @ai-sdk/openai-compatible), give the option \`overheadTokens\`, or wrap the model in \`model(…)\`.`,
      };
    case 'store-failed':
      return { cause: event.type, line: `the session's store fails (${event.operation}: ${event.message}). Runs go on with what is in memory; what they decide may be lost with the process.` };
    case 'no-store':
      return { cause: event.type, line: 'a session is given `store: undefined`, so it is kept in memory and gone with the process. Is a variable of the environment missing? Leave the option out where that is what you want.' };
    case 'checkpoint-lost': {
      if ((lost += 1) <= LOST_BY_PEOPLE) return undefined;
      const what = event.part === 'tool-call' ? `a call of \`${event.toolName}\`` : `a ${event.part ?? 'part'} of the ${event.role}`;
      const where = event.difference === 'missing' ? `something is missing before message ${event.messageIndex}` : `message ${event.messageIndex} has ${event.difference === 'added' ? 'one part more' : 'another part'}: ${what}`;
      return { cause: event.type, line: `checkpoints are lost again and again, and what they cover is folded, and summarized, anew: messages are not what they were in the request before${event.difference == null ? '' : ` (${where})`}. See https://github.com/stepfold/stepfold/blob/main/docs/sessions.md#how-are-messages-recognised` };
    }
    case 'folded-anew':
      return {
        cause: event.type,
        line: 'a request brought a long conversation of which nothing is remembered, so it was folded as if for the first time. If that happens at each request, make one `createPrepareStep` outside of the handler, or use `createSession` with an `id` and a `store`: else each folds, and summarizes, the same messages again.',
      };
    case 'offload-failed':
      if (event.reason === 'aborted') return undefined;
      return { cause: event.type, line: `the option \`offload\` fails (${event.message}). Results are cleared and folded without files.` };
    case 'checkpoint':
      if (event.content === 'summary') failures = 0;
      return undefined;
    case 'fallback':
      // Once may happen; twice in a row is how it will be.
      if (event.reason === 'aborted' || (failures += 1) < 2) return undefined;
      return { cause: event.type, line: `the summarizer fails again and again (${event.reason}: ${event.message}). Checkpoints hold a digest in place of its summaries.` };
    case 'over-budget':
      if (!event.certain && event.reason !== 'overhead') return undefined;
      return { cause: `${event.type} ${event.reason}`, line: `a prompt of ${tokens(event.tokens)} does not fit into ${tokens(event.limitTokens)}, and ${REASONS[event.reason]}.` };
    case 'capped': {
      if (event.reason !== 'window') return undefined;
      const { toolName, tokensBefore, tokensAfter } = event.results[0]!;
      return { cause: event.type, line: `a result of \`${toolName}\` has ${tokens(tokensBefore)} and does not fit into what is left of the context window, so the model is shown ${tokens(tokensAfter)} of it: head and tail, and between them what stands out. Return less from the tool, or let it read in parts.` };
    }
    case 'state-rejected':
      return { cause: event.type, line: `a stored session could not be used as it is: ${event.reason}.` };
    case 'foreign-messages':
      return { cause: `${event.type} ${event.form}`, line: event.message };
    case 'stood-down':
      return { cause: `${event.type} ${event.reason}`, line: `it edits nothing: ${event.reason}.` };
    case 'truncated-by-provider':
      return { cause: event.type, line: `the provider read ${tokens(event.reportedTokens)} of a prompt of about ${tokens(event.expectedTokens)} and dropped the rest without a word. From now on prompts stay within ${tokens(event.contextWindow)}. Give the option \`contextWindow\`, or let the runtime load more.` };
    case 'error':
      return { cause: `${event.type} ${event.code}`, line: `something failed inside it, and the step went on without it: ${event.message}` };
    default:
      return undefined;
  }
}

const REASONS = {
  overhead: 'the system prompt and the tools take more of it than any message. stepfold cannot make them smaller: shorten the prompt, or give fewer tools',
  message: 'one message alone is too large',
  'native-compaction': "the provider's own compaction cannot be edited",
} as const;
