// Assembles text of many classes from what is on this machine anyway: npm packages, crates, Rust's manuals, Node's own
// language data. Same machine, same corpus. Downloads nothing and knows nothing about tokens.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Characters of one class, at most; classes of which there is less are smaller. */
const CLASS_LENGTH = 1_600_000;
/** Documents are cut to the size of messages. */
const DOCUMENT_LENGTH = 16_000;
/** Above this, a file is a bundle or data and not written by hand. */
const FILE_BYTES = 400_000;

const modules = 'node_modules';
const crates = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry/src');
const manuals = join(output('rustc', ['--print', 'sysroot']), 'share/doc/rust/html');
const books = ['book', 'cargo', 'edition-guide', 'embedded-book', 'nomicon', 'reference', 'rust-by-example', 'rustc', 'rustdoc'].map((name) => join(manuals, name));
const python = output('python3', ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))']);
const headers = readdirSync(modules).filter((name) => name.startsWith('node24-')).map((name) => join(modules, name, 'include/node'));

/**
 * Documents by class: `{ prose: string[], … }`.
 *
 * @param except Names of npm packages and crates whose files are left out.
 */
export function assembleCorpus(except = []) {
  const random = createRandom(1);
  const left = new Set(except);
  const isLeftOut = (path) => path.split('/').some((name) => left.has(name) || left.has(name.replace(/-\d[\w.+-]*$/, '')));
  const files = (folders, ...endings) => filesIn(folders, endings, isLeftOut);
  const diagnostics = (language) => (left.has('typescript') ? '' : diagnosticsIn(language));
  const classes = {
    prose: files([...books, 'node_modules/ai/docs'], '.html', '.mdx').map(toProse),
    markdown: files([modules, crates], '.md', '.mdx'),
    javascript: files([modules], '.js', '.mjs', '.cjs'),
    typescript: files([modules], '.ts', '.mts'),
    rust: files([crates], '.rs'),
    c: files(headers.map((folder) => join(folder, 'openssl')), '.h'),
    cplusplus: files(headers, '.h').filter((text) => text.includes('namespace v8')),
    python: python === '' ? [] : files([python], '.py'),
    html: files(books, '.html'),
    json: files([modules, crates], '.json'),
    logs: repeat(() => logLines(random)),
    csv: repeat(() => csvLines(random)),
    base64: repeat(() => randomBytes(random).toString('base64')),
    hex: repeat(() => randomBytes(random).toString('hex')),
    chinese: [diagnostics('zh-cn'), diagnostics('zh-tw'), ...languageData('zh')],
    japanese: [diagnostics('ja'), ...languageData('ja')],
    korean: [diagnostics('ko'), ...languageData('ko')],
    cyrillic: [diagnostics('ru'), ...languageData('uk'), ...languageData('bg'), ...languageData('ru')],
    arabic: [...languageData('ar'), ...languageData('fa'), ...languageData('ur')],
    emoji: repeat(() => emojiChat(random)),
  };
  return Object.fromEntries(Object.entries(classes).map(([name, texts]) => [name, documents(texts)]));
}

/** Texts that are slow where a tokenizer is not linear, of one length in bytes; random ones are others in each pass. */
export function hostileTexts(bytes, pass) {
  const random = createRandom(pass + 2);
  const pick = (alphabet) => Array.from({ length: Math.ceil(bytes / Buffer.byteLength(alphabet[0])) }, () => alphabet[random(alphabet.length)]).join('');
  // By way of bytes: `repeat` leaves the work of joining to the first who reads the text.
  const run = (character) => Buffer.from(character.repeat(Math.ceil(bytes / Buffer.byteLength(character)))).toString();
  return {
    'one letter': run('a'),
    spaces: run(' '),
    newlines: run('\n'),
    '=': run('='),
    base64: pick([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/']),
    digits: pick([...'0123456789']),
    'CJK without spaces': pick([...'的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如然作方成者多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从']),
    emoji: pick(['😀', '🎉', '🚀', '👍', '🙏', '🔥', '🐛', '📦', '🧪', '💡']),
    'random letters': pick([...'abcdefghijklmnopqrstuvwxyz']),
  };
}

function documents(texts) {
  const result = [];
  let length = 0;
  for (const text of texts) {
    for (let start = 0; start < text.length && length < CLASS_LENGTH; start += DOCUMENT_LENGTH) {
      const document = text.slice(start, start + DOCUMENT_LENGTH).toWellFormed();
      length += document.length;
      result.push(document);
    }
  }
  return result;
}

function filesIn(folders, endings, isLeftOut) {
  return folders.filter((folder) => existsSync(folder) && !isLeftOut(folder)).flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => endings.some((ending) => name.endsWith(ending)) && !name.includes('stepfold') && !isLeftOut(name))
      .sort()
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile() && statSync(path).size < FILE_BYTES)
      // Every so many, so that one package does not fill a class.
      .filter((_, index, all) => index % Math.max(1, Math.floor(all.length / 800)) === 0)
      .map((path) => readFileSync(path, 'utf8')),
  );
}

function toProse(markup) {
  const text = markup.replace(/```[\s\S]*?```|<(script|style|pre|code|nav)[\s\S]*?<\/\1>|<[^>]*>/g, ' ').replace(/&\w+;|&#\d+;/g, ' ');
  return text.split('\n').map((line) => line.trim()).filter((line) => /^[A-Z"'].{60,}[.:!?]$/.test(line)).join('\n\n');
}

function diagnosticsIn(language) {
  return Object.values(JSON.parse(readFileSync(`node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`, 'utf8'))).join('\n');
}

/** Names and dates as Node writes them in a language. */
function languageData(language) {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const names = ['region', 'currency', 'language'].flatMap((type) => {
    const of = new Intl.DisplayNames(language, { type, fallback: 'none' });
    const codes = letters.flatMap((a) => letters.flatMap((b) => (type === 'currency' ? letters.map((c) => a + b + c) : [a + b])));
    return codes.map((code) => of.of(type === 'language' ? code.toLowerCase() : code)).filter(Boolean);
  });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium', timeZone: 'UTC' });
  const list = new Intl.ListFormat(language);
  const random = createRandom(3);
  return repeat(() => {
    const words = Array.from({ length: 8 }, () => names[random(names.length)]);
    return `${date.format(random(2 ** 31) * 900)}: ${list.format(words)}\n`;
  }, CLASS_LENGTH / 3);
}

function logLines(random) {
  const levels = ['INFO ', 'WARN ', 'ERROR', 'DEBUG'];
  const places = ['worker', 'http', 'db.pool', 'scheduler', 'auth.session'];
  const events = ['request finished', 'connection reset by peer', 'retrying after timeout', 'cache miss', 'job started', 'slow query', 'token expired'];
  const at = new Date(1.7e12 + random(2 ** 31)).toISOString();
  return `${at} ${levels[random(4)]} [${places[random(5)]}-${random(32)}] ${events[random(7)]} id=${random(2 ** 31).toString(16)} ms=${random(5000)} path=/api/v${random(3)}/items/${random(99999)}\n`;
}

function csvLines(random) {
  return `${random(100000)},${(random(1e6) / 100).toFixed(2)},"item ${random(500)}",${random(2) === 0},${new Date(1.6e12 + random(2 ** 31)).toISOString().slice(0, 10)}\n`;
}

function emojiChat(random) {
  const words = ['ship it', 'done', 'tests are green', 'thanks', 'on it', 'looks good', 'rolling back', 'who is on call?'];
  const emoji = () => String.fromCodePoint(0x1f300 + random(0x350));
  return `${emoji()}${emoji()} ${words[random(8)]} ${emoji()}\u200d${emoji()} ✅❤️\n`;
}

function randomBytes(random) {
  return Buffer.from(Array.from({ length: 600 }, () => random(256)));
}

function repeat(make, length = CLASS_LENGTH) {
  const parts = [];
  for (let total = 0; total < length; total += parts.at(-1).length) parts.push(make());
  const text = parts.join('');
  return [text];
}

function output(program, parameters) {
  const { status, stdout } = spawnSync(program, parameters, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

/** Numbers that look random, the same each time (xorshift). */
function createRandom(seed) {
  let state = seed * 0x9e3779b1 | 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
