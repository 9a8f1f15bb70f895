// Two `prepareStep`s as one: each goes on from what the one before has returned. Knows nothing of what they decide.

import type { ModelMessage } from 'ai';
import type { PrepareStepInput } from './prepare-step.js';

/** One of the two. As a method, so that it may also be typed as the SDK types it, with more in a step than is known here. */
type Composable<Result> = { prepareStep(input: PrepareStepInput): Result | PromiseLike<Result> }['prepareStep'];

/** What one returns beside messages, where it returns anything. */
type Beside<Result> = [Extract<Result, object>] extends [never] ? unknown : Extract<Result, object> extends infer Each ? (Each extends object ? Partial<Omit<Each, 'messages'>> : never) : never;

/** A `prepareStep` of what both return; messages are of the kind that the step has. */
type ComposedPrepareStep<First, Second> = <Message extends { readonly role: string; readonly content: unknown } = ModelMessage>(
  input: PrepareStepInput<Message>,
) => Promise<(Beside<First> & Beside<Second> & { messages?: Message[] }) | undefined>;

/** Options by provider. */
type ByProvider = Readonly<Record<string, object>>;

/**
 * Makes one `prepareStep` of two, in the order in which they are to work: the second is given the messages, the model and all else that the
 * first has returned, and what both return is merged. Options of providers are merged by provider; elsewhere the second wins. For more than two,
 * compose what this returns.
 *
 * @example
 * // What you add is counted and, once it is old, folded: yours first. What must be sent last, exactly as it is: yours second.
 * const prepareStep = composePrepareStep(addNews, session.prepareStep);
 */
export function composePrepareStep<First, Second>(first: Composable<First>, second: Composable<Second>): ComposedPrepareStep<First, Second> {
  const composed = async (input: PrepareStepInput): Promise<object | undefined> => {
    const before = given(await first(input));
    const after = given(await second(before === undefined ? input : { ...input, ...before }));
    if (before === undefined || after === undefined) return before ?? after;
    const options = merged(before['providerOptions'] as ByProvider | undefined, after['providerOptions'] as ByProvider | undefined);
    return { ...before, ...after, ...(options === undefined ? {} : { providerOptions: options }) };
  };
  return composed as ComposedPrepareStep<First, Second>;
}

/** What was returned, without members that are there and say nothing: they would take away what the SDK or the first one has given. */
function given(result: unknown): Record<string, unknown> | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined));
}

function merged(before: ByProvider | undefined, after: ByProvider | undefined): ByProvider | undefined {
  if (before === undefined || after === undefined) return before ?? after;
  const both = Object.entries(after).map(([provider, options]) => [provider, { ...before[provider], ...options }] as const);
  return { ...before, ...Object.fromEntries(both) };
}
