// The provider options that go with an edited list (ai 6 and 7 merge them with the user's; ai 5 ignores them). What they are, and for
// which models and packages, is decided by the engine (`thinking.rs`); nothing is decided here.

import { callEngine } from './core.js';
import type { ModelIdentity } from './engine-plan.js';

/** As in the AI SDK: options by provider. */
export type ProviderOptions = Record<string, { readonly [key: string]: JsonValue }>;
type JsonValue = string | { readonly [key: string]: JsonValue };

/** Each model is asked for its package once: the headers in which that stands may be made anew each time. */
const known = new WeakMap<object, ProviderOptions | undefined>();

export function providerOptionsFor(model: unknown, { modelId, provider }: ModelIdentity): ProviderOptions | undefined {
  const key = typeof model === 'object' && model !== null ? model : undefined;
  if (key !== undefined && known.has(key)) return known.get(key);
  const { userAgent, baseURL } = configOf(key);
  const json = callEngine((engine) => engine.providerOptions(modelId, provider, userAgent, baseURL));
  const options = json === undefined ? undefined : (JSON.parse(json) as ProviderOptions);
  if (key !== undefined) known.set(key, options);
  return options;
}

/** With which user agent a model's package sends its requests, and where to; empty where that cannot be known before one is sent. */
function configOf(model: object | undefined): { readonly userAgent: string; readonly baseURL: string } {
  try {
    const config = (model as { config?: { headers?: () => unknown; baseURL?: unknown } } | undefined)?.config;
    const headers = config?.headers?.() as Record<string, unknown> | undefined;
    return { userAgent: text(headers?.['user-agent']), baseURL: text(config?.baseURL) };
  } catch {
    // Without a key there are no headers, and no request either.
    return { userAgent: '', baseURL: '' };
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
