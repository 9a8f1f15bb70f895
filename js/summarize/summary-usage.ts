// What the summaries of a session cost, in all. Sums; judges nothing.

/** What summaries cost: how many calls of the summarizer there were, and their tokens. */
export interface SummaryUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

const NO_USAGE: SummaryUsage = { calls: 0, inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

/** Both together; what is not known counts as none. */
export function addUsage(usage: SummaryUsage = NO_USAGE, more: { readonly [Field in keyof SummaryUsage]?: number | null } = {}): SummaryUsage {
  const sum = (field: keyof SummaryUsage): number => usage[field] + (more[field] ?? 0);
  return { calls: sum('calls'), inputTokens: sum('inputTokens'), cachedTokens: sum('cachedTokens'), cacheWriteTokens: sum('cacheWriteTokens'), outputTokens: sum('outputTokens') };
}
