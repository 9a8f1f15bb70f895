// What was done to messages: each edit with its reason and its texts before and after. Texts for people alone: nothing here reaches a
// model, and nothing is decided. Who receives it: recorder.ts.

import type { ModelMessage } from 'ai';
import type { Edit, PlanAnswer } from '../bridge/boundary.js';
import type { EventResult, StepfoldEvent } from './events.js';
import { messageText, partText, shortened } from './message-text.js';

/** One edit: what stood there, what is sent instead, and why. */
export interface RecordedEdit {
  readonly stepNumber: number;
  /** As the event of that name. */
  readonly type: 'capped' | 'cleared' | 'checkpoint' | 'squeezed' | 'images-cleared' | 'reasoning-dropped';
  /** A sentence for a person. */
  readonly reason: string;
  /** Index of the message in the history; of a checkpoint that of the first message that it newly stands for. */
  readonly messageIndex: number;
  /** Messages that were edited: more than one for a checkpoint. */
  readonly messages: number;
  /** The tool whose call or result was edited; else empty. */
  readonly toolName: string;
  readonly toolCallId: string;
  /** Tokens of what was edited; for checkpoints and reasoning of the whole prompt. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What stood there, as text; the middle of a long one is left out. */
  readonly before: string;
  /** What is sent instead, a checkpoint whole. Empty where nothing is, as a checkpoint of the same step stands for it. */
  readonly after: string;
}

/** One step as `onRecord` is given it: a line of JSON. */
export interface RecordedStep {
  /** The version of this form. */
  readonly stepfold: 1;
  /**
   * Distinguishes the runs of one `prepareStep`. All steps of a session have the same number, and so have those of another session: record
   * each in a file of its own.
   */
  readonly run: number;
  readonly stepNumber: number;
  readonly modelId: string;
  /** Messages of the history. */
  readonly messages: number;
  /** Tokens of the calls and results that are new in this step, by tool. */
  readonly tools: Readonly<Record<string, number>>;
  /** The events of the step; the first is `measured`, where the step was made. */
  readonly events: readonly StepfoldEvent[];
  readonly edits: readonly RecordedEdit[];
}

/** What a step has made. */
export interface Made {
  /** The session or run that the step belongs to. */
  readonly owner: object;
  readonly modelId: string;
  readonly history: readonly ModelMessage[];
  readonly answer: Pick<PlanAnswer, 'edits' | 'events' | 'tokens' | 'knownMessages'>;
}

type Fold = Extract<Edit, { type: 'checkpoint' }>;
type PartEdit = Extract<Edit, { type: 'part' }>;

const WHY = {
  capped: 'too large for what was left of the window (or for `maxResultTokens`), so it was cut before it was ever sent',
  stale: 'a later call made it obsolete, and such results go first',
  cleared: 'the prompt reached the trigger, and old results go first',
  'images-cleared': 'newer images were enough to be kept',
  squeezed: 'the prompt would not fit otherwise',
  checkpoint: 'clearing was not enough, so older messages were folded',
  'reasoning-dropped': 'the model refuses thoughts whose prefix has changed',
} as const;

/** What a step newly did, with texts. */
export function editsOf(stepNumber: number, { history, answer }: Made): RecordedEdit[] {
  const parts = answer.edits.filter((edit): edit is PartEdit => edit.type === 'part');
  const fold = answer.edits.find((edit): edit is Fold => edit.type === 'checkpoint');
  const whole = { tokensBefore: answer.tokens?.before ?? 0, tokensAfter: answer.tokens?.after ?? 0 };
  // What a summarizer read and what the digest took of the same step: one edit.
  const folded = answer.events.reduce((sum, event) => sum + (event.type === 'checkpoint' ? event.messages : 0), 0);
  const taken = new Set<PartEdit>();
  const ofResult = (type: RecordedEdit['type'], { toolName, toolCallId, messageIndex, tokensBefore, tokensAfter, stale }: EventResult): RecordedEdit => {
    const content = history[messageIndex]?.content;
    const isOfCall = (edit: PartEdit): boolean => toolCallId === '' || idOf(partAt(content, edit.place.part)) === toolCallId;
    // None for a result that was cleared, and then folded in the same step.
    const edit = parts.find((each) => each.place.message === messageIndex && !taken.has(each) && isOfCall(each));
    if (edit !== undefined) taken.add(edit);
    return {
      stepNumber, type, messageIndex, messages: 1, toolName, toolCallId, tokensBefore, tokensAfter,
      reason: type === 'cleared' && stale ? WHY.stale : WHY[type],
      before: shortened(partText(edit === undefined ? partsOf(content).find((part) => idOf(part) === toolCallId) : partAt(content, edit.place.part))),
      after: edit === undefined ? '' : shortened('json' in edit.change ? edit.change.json : edit.change.text),
    };
  };
  let isFoldListed = false;
  return answer.events.flatMap((event): RecordedEdit[] => {
    switch (event.type) {
      case 'capped':
      case 'cleared':
      case 'squeezed':
      case 'images-cleared':
        return event.results.map((result) => ofResult(event.type, result));
      case 'checkpoint': {
        if (fold === undefined || isFoldListed) return [];
        isFoldListed = true;
        const start = Math.max(fold.start, fold.end - folded);
        const before = shortened(history.slice(start, fold.end).map(messageText));
        return [{ stepNumber, type: 'checkpoint', reason: WHY.checkpoint, messageIndex: start, messages: fold.end - start, toolName: '', toolCallId: '', ...whole, before, after: fold.text }];
      }
      case 'reasoning-dropped': {
        const left = answer.edits.flatMap((edit) => (edit.type === 'leave-out' ? edit.parts.map((part) => ({ message: edit.message, part })) : []));
        const before = shortened(left.map(({ message, part }) => partText(partAt(history[message]?.content, part))));
        return [{ stepNumber, type: 'reasoning-dropped', reason: WHY['reasoning-dropped'], messageIndex: left[0]?.message ?? 0, messages: left.length, toolName: '', toolCallId: '', ...whole, before, after: '' }];
      }
      default:
        return [];
    }
  });
}

const partsOf = (content: unknown): readonly unknown[] => (typeof content === 'string' ? [{ type: 'text', text: content }] : ((content ?? []) as readonly unknown[]));

const partAt = (content: unknown, index: number): unknown => partsOf(content)[index];

const idOf = (part: unknown): unknown => (part as { toolCallId?: unknown } | undefined)?.toolCallId;
