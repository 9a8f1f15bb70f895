// What is measured of one transcript: how far each counter is from the provider's own number of tokens. Signed shares of that number.
// stepfold is asked through its public functions alone; the others are given what it has to learn: the overhead.

import { createPrepareStep } from 'stepfold';
import { count } from './counters.mjs';

/** Differences of prompts are pooled to this many tokens: below, templates and hidden reasoning say more than text. */
const POOLED_TOKENS = 2_000;
/** Steps that a calibration is learnt from before an edit. */
const LEARNT_STEPS = 3;
/** Every which record an edit is tried at. */
const EDIT_STRIDE = 3;
/** No window: nothing is ever edited here. */
const WINDOW = 100_000_000;

/** Runs of records whose prompts begin at the same message and grow. */
export function runsOf({ usage, messages }) {
  const runs = [];
  for (const record of usage) {
    const { contextStart, messageIndex, model, prompt_tokens: tokens } = record;
    if (!(tokens > 0)) continue;
    let run = runs.at(-1);
    const last = run?.records.at(-1);
    if (last === undefined || run.contextStart !== contextStart || last.model !== model || messageIndex <= last.messageIndex) {
      runs.push((run = { contextStart, records: [] }));
    }
    run.records.push({ messageIndex, model, tokens, prompt: messages.slice(contextStart, messageIndex) });
  }
  return runs.map(({ records }) => records);
}

/** Uncalibrated: what was added between two prompts. The overhead cancels. */
export function differences(counter, records) {
  const errors = [];
  let from = records[0];
  for (const record of records.slice(1)) {
    const reported = record.tokens - from.tokens;
    if (reported < 0) from = record;
    if (reported < POOLED_TOKENS) continue;
    const added = record.prompt.slice(from.prompt.length);
    errors.push(count(counter, added, record.model) / reported - 1);
    from = record;
  }
  return errors;
}

/** Whole prompts, the usage of the step before being known. */
export async function anchored(counter, records) {
  if (counter === 'stepfold') {
    const predictions = await predict(records, records.map(({ prompt }) => prompt));
    return predictions.slice(1).map((tokens, index) => tokens / records[index + 1].tokens - 1);
  }
  return records.slice(1).map((record, index) => {
    const before = records[index];
    const added = count(counter, record.prompt.slice(before.prompt.length), record.model);
    return (before.tokens + added) / record.tokens - 1;
  });
}

/** A prompt of about half the messages once three steps have been reported: what is left after an edit. */
export async function afterEdit(counter, records) {
  const errors = [];
  for (let index = LEARNT_STEPS; index < records.length; index += EDIT_STRIDE) {
    const learnt = records.slice(index - LEARNT_STEPS, index);
    const last = learnt.at(-1);
    const target = records.findLast(({ prompt, messageIndex }) => messageIndex < learnt[0].messageIndex && prompt.length <= last.prompt.length / 2);
    if (target === undefined) continue;
    let tokens;
    if (counter === 'stepfold') tokens = (await predict(learnt, [...learnt.map(({ prompt }) => prompt), target.prompt])).at(-1);
    else tokens = last.tokens - count(counter, last.prompt, last.model) + count(counter, target.prompt, last.model);
    errors.push(tokens / target.tokens - 1);
  }
  return errors;
}

/** What stepfold expects each prompt to have, told of the usage of those before. */
async function predict(records, prompts) {
  const predictions = [];
  const steps = [];
  const onEvent = (event) => event.type === 'measured' && predictions.push(event.tokens);
  const prepareStep = createPrepareStep({ contextWindow: WINDOW, reserveTokens: 0, onEvent });
  const model = { modelId: records[0].model, provider: '', specificationVersion: 'v3' };
  for (const messages of prompts) {
    await prepareStep({ messages, steps, stepNumber: steps.length, model });
    steps.push({ usage: { inputTokens: records[steps.length]?.tokens } });
  }
  return predictions;
}
