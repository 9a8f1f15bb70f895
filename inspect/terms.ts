// What a text tells that can be looked for elsewhere: numbers, ids, urls and names, row by row. Rough on purpose, and the same for every
// language and tool: it only guides the eye of a person.

export const KINDS = ['number', 'id', 'url', 'name'] as const;

export type Kind = (typeof KINDS)[number];

/** Something that a row tells. */
export interface Term {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  /** How it is looked for. Of a name each word, as it may stand in another order. */
  readonly keys: readonly string[];
}

/** Characters of a row; a longer sentence is divided. */
const ROW = 240;
const SENTENCE_END = /[.!?…](?=\s+[\p{Lu}\p{N}])|[。！？।؟](?=.)/gu;
const PART_END = /^[\s\S]*[\s,;}\]>](?=[^\s,;}\]>])/;

/** The text in rows, none left out: its lines, and the sentences of a line. */
export function rowsOf(text: string): string[] {
  return text.split(/(?<=\n)/).flatMap((line) => (line.length <= ROW / 4 ? [line] : sentencesOf(line).flatMap(divided))).filter((row) => row !== '');
}

function sentencesOf(line: string): string[] {
  const ends = [...line.matchAll(SENTENCE_END)].map(({ index }) => index + 1);
  return [0, ...ends].map((start, index) => line.slice(start, ends[index]));
}

function divided(sentence: string): string[] {
  const rows: string[] = [];
  let rest = sentence;
  while (rest.length > ROW) {
    const head = rest.slice(0, ROW);
    const end = PART_END.exec(head)?.[0].length ?? (/[\uD800-\uDBFF]$/.test(head) ? ROW - 1 : ROW);
    rows.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...rows, rest];
}

/** Scripts that put no spaces between words. */
const SPACELESS = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}';
const LETTERS = `(?:(?![${SPACELESS}])[\\p{L}\\p{N}\\p{M}_])+`;
const TOKEN = new RegExp(
  [
    // The escapes of JSON are no letters of the word behind them.
    '\\\\[nrtbf"]',
    '[a-zA-Z][a-zA-Z0-9+.-]{1,15}:\\/\\/[^\\s"\'<>`()\\[\\]{}|\\\\^，。、」）]+',
    `${LETTERS}(?:(?:[-.:/@#~]+|(?<=\\p{N})[,'’](?=\\p{N}))${LETTERS})*`,
    '[\\u30A0-\\u30FF]{3,}',
  ].join('|'),
  'gu',
);
const PAIRS = new RegExp(`[${SPACELESS}]{2,}`, 'gu');
const NUMBER = /^\p{N}+(?:[-.,:/'’]\p{N}+)*$/u;
const CAPITALIZED = /^\p{Lu}[\p{L}\p{M}'’-]{2,}$/u;
const SENTENCE_START = /(?:^|[.!?…:]\s+)$/;
const URL_END = /[.,;:!?/]+$/;

/** What a row tells. */
export function termsOf(row: string): Term[] {
  const terms: Term[] = [];
  let name: { start: number; end: number }[] = [];
  const endName = (): void => {
    // One capital letter may only begin a sentence, and every noun of German has one.
    const words = name.length > 2 && SENTENCE_START.test(row.slice(0, name[0]!.start)) ? name.slice(1) : name;
    if (words.length > 1) terms.push({ kind: 'name', start: words[0]!.start, end: words.at(-1)!.end, keys: words.map(({ start, end }) => row.slice(start, end).toLowerCase()) });
    name = [];
  };
  for (const { 0: token, index: start } of row.matchAll(TOKEN)) {
    const end = start + token.length;
    if (CAPITALIZED.test(token)) {
      if (row.slice(name.at(-1)?.end, start) !== ' ') endName();
      name.push({ start, end });
      continue;
    }
    endName();
    const kind = isKey(row, start, end) ? undefined : kindOf(token);
    if (kind === undefined || (kind === 'number' && isLineNumber(row, start, end))) continue;
    const key = kind === 'url' ? token.replace(URL_END, '') : token;
    terms.push({ kind, start, end: start + key.length, keys: [kind === 'number' ? numberKey(key) : (fileOf(key) ?? key).toLowerCase()] });
  }
  endName();
  return terms;
}

function kindOf(token: string): Kind | undefined {
  if (token.startsWith('\\')) return undefined;
  if (token.includes('://')) return 'url';
  // A digit alone stands everywhere.
  if (NUMBER.test(token)) return token.length > 1 ? 'number' : undefined;
  if (/[\u30A0-\u30FF]{3}/.test(token)) return 'name';
  if (token.includes('/') && /\p{L}[^/]*\/.*[\p{N}_./]/u.test(token)) return 'url';
  if (token.length >= 3 && /\p{N}/u.test(token)) return 'id';
  return token.length >= 6 && /[@_.#:]|\p{Ll}\p{Lu}/u.test(token) ? 'id' : undefined;
}

/** The name of a file stands for its path. */
const fileOf = (key: string): string | undefined => (key.includes('://') ? undefined : /\/([^/]+\.[^/]+)$/.exec(key)?.[1]);

/** The name of a member of JSON says nothing of this one. */
const isKey = (row: string, start: number, end: number): boolean => row[start - 1] === '"' && /^"\s*:/.test(row.slice(end, end + 4));

const isLineNumber = (row: string, start: number, end: number): boolean => /^\s*$/.test(row.slice(0, start)) && /^\s*[\t→|:]/.test(row.slice(end, end + 4));

/** A number however it is written: 1,344.60 and 1.344,60 and 1344.6. */
function numberKey(token: string): string {
  const grouped = /^(\d{1,3}(?:[,.'’]\d{3})+)(?:[.,](\d+))?$/.exec(token) ?? /^(\d+)[.,](\d{1,2})$/.exec(token);
  if (grouped === null) return token;
  const [, whole = '', rest = ''] = grouped;
  return `${whole.replace(/\D/g, '')}.${rest}`.replace(/\.0*$|(\.\d*?)0+$/, '$1');
}

/** Words of a row that is told by nothing else: the longer ones, and pairs of characters where a script has no spaces. */
export function wordsOf(row: string): string[] {
  const words = [...row.matchAll(TOKEN)].filter(({ 0: token, index }) => token.length >= 5 && !isKey(row, index, index + token.length));
  return [...words.map(([token]) => token.toLowerCase()), ...pairsOf(row)];
}

const pairsOf = (row: string): string[] => [...row.matchAll(PAIRS)].flatMap(([run]) => Array.from(run.slice(1), (_, index) => run.slice(index, index + 2)));

/** Everything that a text can be found by. */
export function keysOf(text: string): Set<string> {
  const keys = new Set<string>(pairsOf(text));
  for (const [token] of text.matchAll(TOKEN)) {
    const key = token.replace(URL_END, '').toLowerCase();
    // A path may be told by its end, and an id stand in a url.
    const parts = /[^\p{L}\p{N}]/u.test(key) ? [...key.split('/'), ...key.split(/[^\p{L}\p{N}]+/u)] : [];
    for (const each of [key, ...parts]) keys.add(each).add(NUMBER.test(each) ? numberKey(each) : each);
  }
  return keys;
}
