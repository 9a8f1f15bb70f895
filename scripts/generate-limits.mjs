// Writes src/providers/limits_table.rs: context windows, output limits and list prices of models, from the model catalog of pi-ai.
// Needs npm and the network, nothing from node_modules; the catalog is pinned and checked, so equal input gives equal bytes.
// Not part of the build: run it when models appeared, read the diff, run the tests.
//
//   node scripts/generate-limits.mjs            writes the table
//   node scripts/generate-limits.mjs --check    exits 1 when the table is not what this script writes
//
// To move to a newer catalog: change `version` and `integrity` (`npm view @earendil-works/pi-ai@x.y.z dist.integrity`).

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const catalog = {
  name: '@earendil-works/pi-ai',
  version: '1.5.2',
  license: 'MIT',
  integrity: 'sha512-2tWPSnV3qzfiDIY3aWluBag3vC++Vs+VsXt/UquSU5onPMohPih72FUhIhaqmDdMYubOgB3Byl9uF4Vk40JLvQ==',
};

/** What an unknown member of most families gets; the same as an unknown model. */
const cautious = [128_000, 8192];

/**
 * The words by which a family of models is recognised, and the catalog files of its own vendor, best first.
 * `default` stands at words that mean nothing else: it is the cautious size of a member that no row knows.
 */
const families = {
  chatgpt: { vendor: ['openai'] },
  claude: { vendor: ['anthropic', 'amazon-bedrock'], default: [200_000, 32_000] },
  codestral: { vendor: ['mistral'], default: cautious },
  codex: { vendor: ['openai'] },
  command: { vendor: [] },
  deepseek: { vendor: ['deepseek'], default: cautious },
  devstral: { vendor: ['mistral'], default: cautious },
  gemini: { vendor: ['google', 'google-vertex'], default: cautious },
  gemma: { vendor: ['google'], default: cautious },
  glm: { vendor: ['zai'], default: cautious },
  gpt: { vendor: ['openai', 'azure'], default: cautious },
  granite: { vendor: [] },
  grok: { vendor: ['xai'], default: cautious },
  inkling: { vendor: [] },
  jamba: { vendor: [] },
  kimi: { vendor: ['moonshotai'], default: cautious },
  laguna: { vendor: [] },
  lfm: { vendor: [] },
  ling: { vendor: ['ant-ling'] },
  llama: { vendor: [], default: cautious },
  longcat: { vendor: [] },
  magistral: { vendor: ['mistral'], default: cautious },
  mercury: { vendor: [] },
  mimo: { vendor: ['xiaomi'], default: cautious },
  minimax: { vendor: ['minimax'], default: cautious },
  ministral: { vendor: ['mistral'], default: cautious },
  mistral: { vendor: ['mistral'], default: cautious },
  mixtral: { vendor: ['mistral'], default: cautious },
  moonshot: { vendor: ['moonshotai'] },
  muse: { vendor: ['meta'] },
  nemotron: { vendor: ['nvidia'], default: cautious },
  nova: { vendor: ['amazon-bedrock'] },
  o: { vendor: ['openai', 'azure'] },
  palmyra: { vendor: ['amazon-bedrock'] },
  phi: { vendor: [] },
  pixtral: { vendor: ['mistral'], default: cautious },
  qwen: { vendor: ['qwen-token-plan'], default: cautious },
  ring: { vendor: [] },
  seed: { vendor: [] },
  sonar: { vendor: [] },
  step: { vendor: [] },
  voxtral: { vendor: ['mistral'], default: cautious },
};

/** Catalog files that describe a subscription or an agent's own settings instead of what an API takes. */
const ignoredFiles = ['github-copilot', 'kimi-coding', 'openai-codex', 'radius', 'zai-coding-cn', 'cloudflare-ai-gateway'];

/** Models that vendors retired or the catalog leaves out, by hand: their numbers no longer change. [id, window, output] */
const retired = [
  // https://platform.claude.com/docs/en/about-claude/models/overview and its deprecations page
  ['claude-2', 100_000, 4096], ['claude-2.1', 200_000, 4096], ['claude-instant', 100_000, 4096],
  ['claude-3', 200_000, 4096], ['claude-3-5-sonnet', 200_000, 8192], ['claude-3-5-haiku', 200_000, 8192],
  ['claude-3-7-sonnet', 200_000, 64_000], ['claude-sonnet-4', 200_000, 64_000], ['claude-opus-4', 200_000, 32_000],
  ['claude-opus-4-1', 200_000, 32_000], ['claude-mythos', 1_000_000, 128_000],
  // https://developers.openai.com/api/docs/models and its deprecations page
  ['gpt-3.5', 16_385, 4096], ['gpt-35', 16_385, 4096], ['gpt-3.5-turbo-instruct', 4096, 4096], ['gpt-4', 8192, 8192],
  ['gpt-4-32k', 32_768, 8192], ['gpt-4-1106', 128_000, 4096], ['gpt-4-0125', 128_000, 4096],
  ['gpt-4-vision', 128_000, 4096], ['gpt-4.5', 128_000, 16_384], ['chatgpt-4o', 128_000, 16_384],
  ['codex-mini', 200_000, 100_000], ['o1-mini', 128_000, 65_536], ['o1-preview', 128_000, 32_768],
  ['gpt-5.1-chat', 128_000, 16_384], ['gpt-5.2-chat', 128_000, 16_384], ['gpt-5.3-chat', 128_000, 16_384],
  // The same pages: models of speech are smaller than the text models that their names begin with
  ['gpt-realtime', 32_000, 4096], ['gpt-4o-realtime', 32_000, 4096], ['gpt-4o-mini-realtime', 16_000, 4096],
  ['gpt-4o-transcribe', 16_000, 2000], ['gpt-4o-mini-transcribe', 16_000, 2000], ['gpt-4o-mini-tts', 2000, 2000],
  // https://ai.google.dev/gemini-api/docs/models; the input limit. Models of images and speech likewise
  ['gemini-2.5-flash-image', 32_768, 32_768], ['gemini-2.0-flash-preview-image-generation', 32_768, 8192],
  ['gemini-3.1-flash-image', 65_536, 32_768], ['gemini-2.5-flash-preview-tts', 8192, 16_384],
  ['gemini-2.5-pro-preview-tts', 8192, 16_384], ['gemini-3.1-flash-tts', 8192, 16_384],
  ['gemini-2.5-flash-native-audio', 131_072, 8192],
  ['gemini-pro', 30_720, 2048], ['gemini-1.0', 30_720, 2048], ['gemini-1.5-pro', 2_097_152, 8192],
  ['gemini-1.5-flash', 1_048_576, 8192], ['gemini-2.0', 1_048_576, 8192], ['gemini-3-pro', 1_048_576, 65_536],
  ['gemma-2', 8192, 8192],
  // https://docs.x.ai/docs/models
  ['grok-2', 131_072, 8192], ['grok-2-vision', 32_768, 8192], ['grok-3', 131_072, 8192], ['grok-4', 256_000, 64_000],
  ['grok-4-fast', 2_000_000, 30_000], ['grok-4-1-fast', 2_000_000, 30_000], ['grok-code-fast', 256_000, 10_000],
  // https://api-docs.deepseek.com/quick_start/pricing, as of V3.2
  ['deepseek-chat', 128_000, 8192], ['deepseek-reasoner', 128_000, 64_000],
  // https://docs.mistral.ai/getting-started/models
  ['mistral-7b', 32_768, 8192], ['mixtral-8x7b', 32_768, 8192], ['mixtral-8x22b', 65_536, 8192],
  ['mistral-large-2402', 32_768, 8192], ['mistral-large-2411', 131_072, 131_072],
  // https://platform.kimi.ai/docs/pricing/chat
  ['moonshot-v1-8k', 8192, 8192], ['moonshot-v1-32k', 32_768, 32_768], ['moonshot-v1-128k', 131_072, 131_072],
  // https://docs.z.ai/guides/overview/pricing and https://bigmodel.cn
  ['glm-4', 128_000, 4096],
  // https://www.alibabacloud.com/help/en/model-studio/models
  ['qwen-max', 32_768, 8192], ['qwen-turbo', 1_000_000, 16_384], ['qwen2.5', 131_072, 8192], ['qwen-2', 32_768, 8192],
  // https://www.llama.com/docs/model-cards-and-prompt-formats
  ['llama-2', 4096, 4096], ['llama-3', 8192, 8192], ['llama-3.1', 128_000, 8192], ['llama-3.2', 128_000, 8192],
  ['llama-3.3', 128_000, 8192],
  // https://huggingface.co/microsoft
  ['phi-3-mini-4k', 4096, 4096], ['phi-3-mini-128k', 131_072, 4096], ['phi-3.5', 131_072, 4096], ['phi-4', 16_384, 16_384],
  // https://docs.cohere.com/docs/models
  ['command-r', 128_000, 4096], ['command-a', 256_000, 8192],
  // https://docs.perplexity.ai/getting-started/models and https://docs.ai21.com
  ['sonar', 128_000, 8192], ['sonar-pro', 200_000, 8192], ['jamba', 256_000, 4096],
];

const output = join(dirname(fileURLToPath(import.meta.url)), '../src/providers/limits_table.rs');
const text = render(await readCatalog());
if (!process.argv.includes('--check')) {
  writeFileSync(output, text);
} else if (readFileSync(output, 'utf8') !== text) {
  console.error('src/providers/limits_table.rs is not what scripts/generate-limits.mjs writes; run it without --check.');
  process.exit(1);
}

/** The catalog's files by name, each a list of models, and the day it was made. */
async function readCatalog() {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  try {
    const spec = `${catalog.name}@${catalog.version}`;
    const options = { encoding: 'utf8', shell: process.platform === 'win32' };
    const packed = spawnSync('npm', ['pack', spec, '--json', '--pack-destination', folder], options);
    if (packed.status !== 0) throw new Error(`npm pack ${spec} failed: ${packed.stderr}`);
    const archive = readFileSync(join(folder, JSON.parse(packed.stdout)[0].filename));
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    if (integrity !== catalog.integrity) throw new Error(`${spec} has integrity ${integrity}, expected ${catalog.integrity}`);
    return parseCatalog(unpack(gunzipSync(archive)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function parseCatalog(files) {
  const models = new Map();
  let date;
  for (const [path, bytes] of files) {
    const name = /^package\/dist\/providers\/data\/(.+)\.json$/.exec(path)?.[1];
    if (name === undefined) continue;
    const content = JSON.parse(bytes.toString('utf8'));
    if (name === '.manifest') date = content.generatedAt.slice(0, 10);
    else models.set(name, Object.values(content).flatMap((api) => Object.values(api)));
  }
  if (date === undefined || models.size < 20) throw new Error('the catalog has another layout than this script knows');
  return { date, models };
}

/** The regular files of a tar archive. Knows the plain format that npm writes. */
function unpack(tar) {
  const files = new Map();
  for (let offset = 0; offset + 512 <= tar.length && tar[offset] !== 0; ) {
    const field = (start, length) => tar.toString('utf8', offset + start, offset + start + length).replace(/\0.*$/s, '');
    const prefix = field(345, 155);
    const size = parseInt(field(124, 12), 8);
    files.set(prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`, tar.subarray(offset + 512, offset + 512 + size));
    offset += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

function render({ date, models }) {
  const rows = collectRows(models);
  const priced = collectPrices(models);
  const prices = [...new Set([...priced.values()].flatMap((family) => [...family.values()]))].sort(bySize);
  const sizes = [...new Set([...rows.values()].flatMap((family) => [...family.values()]))].sort(bySize);
  if (sizes.length > 255) throw new Error(`${sizes.length} different sizes do not fit an index of one byte`);
  const lines = [
    '//! Context windows, output limits and list prices of models. GENERATED: do not edit, run `node scripts/generate-limits.mjs`.',
    '//! Not a list of all models: a row that only repeats what its prefix says is left out.',
    '//!',
    `//! Made from npm \`${catalog.name}\` ${catalog.version} (license ${catalog.license}, data of ${date}) and a`,
    '//! hand-kept list of retired models in that script. Windows and prices are facts; no text of the package is copied.',
    '',
    '/// Pairs of tokens that a prompt must fit in and most tokens of a reply; rows refer to them by index.',
    '#[rustfmt::skip]',
    'pub(crate) static SIZES: &[(u32, u32)] = &[',
    ...wrap(sizes.map((size) => `(${size.replace(' ', ', ')}),`)),
    '];',
    '',
    '/// Families by their word, sorted, and their rows: the rest of an id as tokens joined by `-`, `:`, an index of `SIZES`.',
    '///',
    '/// Rows are sorted too. One text for each family, because a pointer and a length for each row would triple the size.',
    '/// The row without a rest is what an unknown member of the family gets.',
    '#[rustfmt::skip]',
    'pub(crate) static FAMILIES: &[(&str, &str)] = &[',
  ];
  for (const [family, entries] of [...rows].sort(byKey)) {
    const texts = [...entries].sort(byKey).map(([rest, size]) => `${rest}:${sizes.indexOf(size)}`);
    lines.push(familyLine(family, texts));
  }
  lines.push(
    '];',
    '',
    '/// What a million tokens cost in hundred-thousandths of a US dollar: input, output, read from the cache, written to it; and the',
    '/// largest prompt, in thousands of tokens, for which that holds. Zero where the catalog does not tell.',
    '#[rustfmt::skip]',
    'pub(crate) static PRICES: &[[u32; 5]] = &[',
    ...wrap(prices.map((price) => `[${price.replaceAll(' ', ', ')}],`)),
    '];',
    '',
    '/// As `FAMILIES`, with an index of `PRICES`. A price holds for the very model: no row stands for its relatives.',
    '#[rustfmt::skip]',
    'pub(crate) static PRICED: &[(&str, &str)] = &[',
  );
  for (const [family, entries] of [...priced].sort(byKey)) {
    const texts = [...entries].sort(byKey).map(([rest, price]) => `${rest}:${prices.indexOf(price)}`);
    lines.push(familyLine(family, texts));
  }
  lines.push('];', '');
  return lines.join('\n');
}

/** The rows of a family. A backslash at the end of a line joins it with the next one, without the white space between. */
function familyLine(family, texts) {
  return `    ("${family}", "\\\n${wrap(texts, '        ').join(' \\\n')}"),`;
}

/** Family -> rest of the id -> "input output cacheRead cacheWrite upTo", as the table has them. */
function collectPrices(models) {
  const found = new Map();
  for (const [file, list] of models) {
    if (ignoredFiles.includes(file)) continue;
    for (const { id, type = 'chat', cost } of list) {
      // Half the price for a batch is not what an agent pays, and a free offer is not what the model costs.
      const key = type === 'chat' && cost?.input > 0 && cost.output > 0 && !/batch/i.test(id) ? splitId(id) : undefined;
      if (key === undefined) continue;
      const entry = found.get(key.family) ?? found.set(key.family, new Map()).get(key.family);
      const sources = entry.get(key.rest) ?? entry.set(key.rest, new Map()).get(key.rest);
      sources.set(file, [...(sources.get(file) ?? []), priceOf(cost)]);
    }
  }
  const rows = new Map();
  for (const [family, entries] of found) {
    const chosen = [...entries].map(([rest, sources]) => [rest, choosePrice(families[family].vendor, sources)]);
    const known = chosen.filter(([, price]) => price !== undefined);
    if (known.length > 0) rows.set(family, new Map(known));
  }
  return rows;
}

function priceOf({ input, output, cacheRead, cacheWrite, tiers = [] }) {
  const units = (price) => Math.round((price ?? 0) * 1e5);
  const upTo = tiers.length === 0 ? 0 : Math.min(...tiers.map((tier) => tier.inputTokensAbove)) / 1000;
  return [...[input, output, cacheRead, cacheWrite].map(units), Math.floor(upTo)].join(' ');
}

/** The vendor's own price, else one that two resellers agree on. Of several of one seller the lowest: the others are for a region or a faster service. */
function choosePrice(vendor, sources) {
  const lowest = (prices) => [...prices].sort(bySize)[0];
  const own = vendor.find((source) => sources.has(source));
  if (own !== undefined) return lowest(sources.get(own));
  const offers = [...sources.values()].map(lowest);
  const agreed = offers.filter((price) => offers.filter((other) => other === price).length > 1);
  return agreed.length > 0 ? lowest(agreed) : undefined;
}

/** Family -> rest of the id -> "window output". */
function collectRows(models) {
  const found = new Map();
  const add = (id, source, size) => {
    const key = splitId(id);
    if (key === undefined) return;
    const entry = found.get(key.family) ?? found.set(key.family, new Map()).get(key.family);
    const sources = entry.get(key.rest) ?? entry.set(key.rest, new Map()).get(key.rest);
    sources.set(source, [...(sources.get(source) ?? []), size]);
  };
  for (const [file, list] of models) {
    if (ignoredFiles.includes(file)) continue;
    for (const model of list) {
      const usable = (model.type ?? 'chat') === 'chat' && model.contextWindow >= 4096 && model.maxTokens > 0;
      if (usable && !endsAtPriceStep(model)) add(model.id, file, sizeOf(model));
    }
  }
  for (const [id, window, reply] of retired) add(id, 'retired', [window, reply]);

  const rows = new Map();
  for (const [family, entries] of found) {
    const chosen = new Map([...entries].map(([rest, sources]) => [rest, choose(families[family].vendor, sources)]));
    if (families[family].default && !chosen.has('')) chosen.set('', families[family].default.join(' '));
    rows.set(family, withoutRepeats(chosen));
  }
  return rows;
}

/** pi-ai ends the windows of some OpenAI models where long prompts begin to cost more; that is a policy, not a limit. */
function endsAtPriceStep(model) {
  return model.cost?.tiers?.some((tier) => tier.inputTokensAbove === model.contextWindow) ?? false;
}

/**
 * OpenAI's windows since GPT-5 are the sum of an input limit and an output limit: 400,000 is 272,000 + 128,000
 * (github.com/anomalyco/models.dev/pull/851), and GPT-6.1's 1,050,000 takes prompts up to 922,000.
 */
function sizeOf(model) {
  const splitsWindow = /(^|[/.])gpt-(?!oss)/.test(model.id) && model.reasoning;
  const window = splitsWindow ? model.contextWindow - Math.min(model.maxTokens, 128_000) : model.contextWindow;
  return [window, Math.min(model.maxTokens, model.contextWindow)];
}

/** The vendor's own numbers, else the hand-kept ones, else the smallest window that two resellers agree on. */
function choose(vendor, sources) {
  const own = [...vendor, 'retired'].find((source) => sources.has(source));
  if (own !== undefined) return smallest(sources.get(own));
  const offers = [...sources.values()].map((sizes) => sizes.toSorted(([a], [b]) => a - b)[0]);
  // One reseller may cut a window to save memory; where only one lists the model, its word is all there is.
  const agreed = offers.filter(([window]) => offers.filter(([other]) => other === window).length > 1);
  return smallest(agreed.length > 0 ? agreed : offers);
}

function smallest(sizes) {
  return sizes.map(([window, reply]) => `${window} ${reply}`).sort(bySize)[0];
}

/** Drops a row whose longest prefix among the kept rows says the same. Versions stay: they have neighbours that differ. */
function withoutRepeats(rows) {
  const kept = new Map();
  for (const [rest, size] of [...rows].sort(byKey)) {
    const parent = [...kept.keys()].filter((key) => key !== '' && rest.startsWith(`${key}-`)).at(-1);
    const next = parent === undefined ? '' : rest.slice(parent.length + 1).split('-')[0];
    if (parent === undefined || kept.get(parent) !== size || /^\d{1,2}$/.test(next)) kept.set(rest, size);
  }
  return kept;
}

/** The same tokens as `tokens_of` in src/providers/limits.rs, cut at the family's word; a day or channel at the end is dropped. */
function splitId(id) {
  const tokens = id
    .toLowerCase()
    .split('/').at(-1)
    .replace(/-(v?\d+:\d+|v1)$/, '')
    .replace(/(\d)p(?=\d)/g, '$1.')
    .replace(/([a-z])(?=\d)/g, '$1\u0000')
    .split(/[^a-z0-9\u0000]+/)
    .flatMap((word) => word.split('\u0000').filter((part, index, parts) => !(part === 'v' && index < parts.length - 1)))
    .filter((token) => token !== '');
  let start = tokens.findIndex((token) => Object.hasOwn(families, token));
  if (start < 0) return undefined;
  while (Object.hasOwn(families, tokens[start + 1] ?? '')) start++;
  const rest = tokens.slice(start + 1);
  while (rest.length > 1 && /^(\d{8}|latest|batch)$/.test(rest.at(-1))) rest.pop();
  return { family: tokens[start], rest: rest.join('-') };
}

function bySize(a, b) {
  const [left, right] = [a, b].map((size) => size.split(' ').map(Number));
  return left[0] - right[0] || left[1] - right[1];
}

function byKey([a], [b]) {
  return a < b ? -1 : a > b ? 1 : 0;
}

function wrap(items, indent = '    ') {
  const lines = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + item.length < 116) lines[lines.length - 1] = `${last} ${item}`;
    else lines.push(indent + item);
  }
  return lines;
}
