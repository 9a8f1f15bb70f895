// The numbers of a session for a person: tokens of each step, edits, what tools cost, and money. Made from recorded steps alone, so a
// recording and a played log are shown alike. Decides nothing.

import type { ModelPrices, RecordedEdit, RecordedStep, StepfoldEvent } from '../js/index.js';
import { modelLimits } from '../js/index.js';
import type { Log } from './log.js';
import type { Loss, MarkedText } from './losses.js';
import { lossOf, shortened, standsIn } from './losses.js';
import type { PlayedStep } from './play.js';
import { keysOf } from './terms.js';

/** Characters that are shown of what was edited. */
export const EDIT_CHARACTERS = 64_000;

/** One step. */
export interface ReportStep {
  readonly messages: number;
  readonly sentTokens: number;
  /** Tokens of the same messages without any edit. */
  readonly uneditedTokens: number;
  readonly windowTokens: number;
  /** Tokens that came from the provider's cache; null where nobody said. */
  readonly cachedTokens: number | null;
  /** An edit changed what the provider had cached. */
  readonly breaksCache: boolean;
  /** What the input cost, and would have cost unedited in an unlimited window; null where no price is known. */
  readonly cost: number | null;
  readonly uneditedCost: number | null;
}

/** What a tool took up. */
export interface ReportTool {
  readonly name: string;
  /** Tokens of its calls and results, as they came. */
  readonly tokens: number;
  /** Tokens that edits took out of them, apart from checkpoints. */
  readonly removedTokens: number;
  readonly edits: number;
}

/** One edit. */
export interface ReportEdit extends Omit<RecordedEdit, 'stepNumber' | 'before'> {
  /** Counted from 1 through the whole session, here as everywhere in a report. */
  readonly step: number;
  /** A text for each message. */
  readonly before: readonly MarkedText[];
  readonly loss: Loss;
}

export interface SessionReport {
  readonly title: string;
  readonly source: string;
  readonly format: string;
  readonly modelId: string;
  /** It was recorded from a run; else a log was played. */
  readonly isRecorded: boolean;
  readonly windowTokens: number;
  readonly notes: readonly string[];
  readonly steps: readonly ReportStep[];
  readonly edits: readonly ReportEdit[];
  /** Events that are no edits. */
  readonly events: readonly { readonly step: number; readonly event: object }[];
  readonly tools: readonly ReportTool[];
  readonly totals: {
    readonly sentTokens: number;
    readonly uneditedTokens: number;
    readonly largestSentTokens: number;
    readonly largestUneditedTokens: number;
    /** The first step whose prompt would not fit unedited; null where all do. */
    readonly firstTooLarge: number | null;
    readonly cacheBreaks: number;
    readonly cost: number | null;
    readonly uneditedCost: number | null;
  };
}

type Measured = Extract<StepfoldEvent, { type: 'measured' }>;

const EDITS = new Set<StepfoldEvent['type']>(['measured', 'capped', 'cleared', 'checkpoint', 'squeezed', 'images-cleared', 'reasoning-dropped']);

/** What is to be shown of a session. */
export function reportOf(log: Log, recorded: readonly (RecordedStep | PlayedStep)[], modelId: string): SessionReport {
  const measuredSteps = recorded.flatMap((step) => {
    const measured = step.events.find((event): event is Measured => event.type === 'measured');
    return measured === undefined ? [] : [{ step, measured }];
  });
  const { prices } = modelLimits(modelId);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  const steps = measuredSteps.map(({ step, measured }, index): ReportStep => {
    const before = measuredSteps[index - 1]?.measured;
    const breaksCache = index > 0 && step.edits.some(({ type }) => type !== 'capped');
    const cachedTokens = measuredSteps[index + 1]?.measured.cachedTokens ?? (index === 0 ? 0 : breaksCache ? null : before!.tokens);
    const cost = prices === undefined ? null : costOf(measured.tokens, cachedTokens ?? 0, prices);
    const uneditedCost = prices === undefined ? null : costOf(measured.uneditedTokens, before?.uneditedTokens ?? 0, prices);
    const { tokens: sentTokens, uneditedTokens, contextWindow: windowTokens } = measured;
    return { messages: step.messages, sentTokens, uneditedTokens, windowTokens, cachedTokens, breaksCache, cost, uneditedCost };
  });
  const edits = measuredSteps.flatMap(({ step }, index) => editsOf(step).map((edit): ReportEdit => ({ ...edit, step: index + 1 })));
  const limit = measuredSteps.findIndex(({ measured }) => measured.uneditedTokens > measured.contextWindow);
  return {
    title: log.title,
    source: log.source,
    format: log.format,
    modelId,
    isRecorded: log.recorded.length > 0,
    windowTokens: steps.at(-1)?.windowTokens ?? 0,
    notes: [...log.notes, ...priceNotes(steps, prices, modelId)],
    steps,
    edits,
    events: measuredSteps.flatMap(({ step }, index) => step.events.filter(({ type }) => !EDITS.has(type)).map(({ stepNumber: _stepNumber, ...event }) => ({ step: index + 1, event }))),
    tools: toolsOf(recorded, edits),
    totals: {
      sentTokens: sum(steps.map(({ sentTokens }) => sentTokens)),
      uneditedTokens: sum(steps.map(({ uneditedTokens }) => uneditedTokens)),
      largestSentTokens: Math.max(0, ...steps.map(({ sentTokens }) => sentTokens)),
      largestUneditedTokens: Math.max(0, ...steps.map(({ uneditedTokens }) => uneditedTokens)),
      firstTooLarge: limit === -1 ? null : limit + 1,
      cacheBreaks: steps.filter(({ breaksCache }) => breaksCache).length,
      cost: prices === undefined ? null : sum(steps.map(({ cost }) => cost ?? 0)),
      uneditedCost: prices === undefined ? null : sum(steps.map(({ uneditedCost }) => uneditedCost ?? 0)),
    },
  };
}

/** The edits of a step: the checkpoint first, as a person asks about it first, and edits of one kind and tool behind each other. */
function editsOf(step: RecordedStep | PlayedStep): Omit<ReportEdit, 'step'>[] {
  const edits = step.edits.map(({ stepNumber: _stepNumber, before, ...edit }, index) => {
    // A recording does not tell what was sent beside an edit.
    const { before: texts, loss } = 'lost' in step ? step.lost[index]! : lossOf([before], standsIn([keysOf(edit.after)]));
    return { ...edit, before: shortened(texts, EDIT_CHARACTERS), loss };
  });
  const kinds = [...new Set(edits.map(kindOf))];
  const rank = (edit: RecordedEditKind): number => (edit.type === 'checkpoint' ? -1 : kinds.indexOf(kindOf(edit)));
  return edits.toSorted((one, other) => rank(one) - rank(other));
}

type RecordedEditKind = Pick<RecordedEdit, 'type' | 'toolName' | 'reason'>;

/** What edits of one kind have in common. */
export const kindOf = ({ type, toolName, reason }: RecordedEditKind): string => JSON.stringify([type, toolName, reason]);

/** Dollars for the input of a request: what was cached is read, all else is written into the cache. */
function costOf(tokens: number, cachedTokens: number, { input, cacheRead = input, cacheWrite = input }: ModelPrices): number {
  const cached = Math.min(tokens, cachedTokens);
  return (cached * cacheRead + (tokens - cached) * cacheWrite) / 1e6;
}

function priceNotes(steps: readonly ReportStep[], prices: ModelPrices | undefined, modelId: string): string[] {
  if (prices === undefined) return [`no list prices are known of ${modelId}, so nothing is said of money`];
  const { upToTokens = Infinity } = prices;
  const isDearer = steps.some(({ uneditedTokens }) => uneditedTokens > upToTokens);
  return isDearer ? [`the vendor asks more for prompts of more than ${upToTokens.toLocaleString('en-US')} tokens, which is not counted here`] : [];
}

function toolsOf(recorded: readonly RecordedStep[], edits: SessionReport['edits']): ReportTool[] {
  const tools = new Map<string, { tokens: number; removedTokens: number; edits: number }>();
  const of = (name: string): { tokens: number; removedTokens: number; edits: number } => {
    const tool = tools.get(name) ?? { tokens: 0, removedTokens: 0, edits: 0 };
    tools.set(name, tool);
    return tool;
  };
  for (const step of recorded) for (const [name, tokens] of Object.entries(step.tools)) of(name).tokens += tokens;
  for (const { toolName, tokensBefore, tokensAfter } of edits) {
    if (toolName === '') continue;
    of(toolName).removedTokens += tokensBefore - tokensAfter;
    of(toolName).edits += 1;
  }
  return [...tools].map(([name, tool]) => ({ name, ...tool })).sort((one, other) => other.tokens - one.tokens);
}
